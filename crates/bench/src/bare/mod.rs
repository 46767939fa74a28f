//! The yardsticks: what the same HTTP stack and the same sockets do when
//! there is no game behind them. Each runs as a process of its own.

mod fan;
mod handler;

pub(crate) use fan::serve as serve_fan;
pub(crate) use handler::serve as serve_handler;
