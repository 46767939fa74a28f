//! Real servers for tests and benchmarks (development only).
//!
//! Each is started by a script in `scripts/` when a test asks for it, and gone with
//! the value that stands for it; [`postgres()`] is one that a process shares. A script
//! ends, and its server with it, when its standard input does: at the latest when this
//! process ends, however that comes about.

mod haproxy;
mod mail;
mod nats;
mod ports;
mod postgres;
mod proxy;
mod script;
mod time;

pub use haproxy::Haproxy;
pub use mail::{Mail, mail};
pub use nats::{Nats, nats, nats_with, shared_nats};
pub use ports::listen;
pub use postgres::{Postgres, postgres};
pub use proxy::Proxy;
pub use time::now;

/// How a script says that its server is not installed and may not be.
const SKIPPED: i32 = 77;
