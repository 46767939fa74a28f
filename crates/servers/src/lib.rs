//! Real servers for tests and benchmarks (development only).
//!
//! Each is started by a script in `scripts/` when a test asks for it. A script ends,
//! and its server with it, when its standard input does: at the latest when this
//! process ends, however that comes about.

mod haproxy;
mod ports;
mod postgres;
mod proxy;
mod script;

pub use haproxy::Haproxy;
pub use ports::listen;
pub use postgres::{Postgres, postgres};
pub use proxy::Proxy;
