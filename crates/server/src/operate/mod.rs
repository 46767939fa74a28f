//! Running the server: starting, watching, stopping.

mod accept;
pub mod access;
pub mod background;
pub mod entrance;
mod figures;
mod gauges;
pub mod health;
pub mod listen;
pub mod logs;
pub mod metrics;
mod nodes;
pub mod operator;
pub mod overdue;
pub mod process;
pub mod purge;
pub mod running;
pub mod shell;
pub mod start;
mod supervise;
pub mod time;

pub use running::{Running, serve};
pub use start::{StartError, open, upkeep};
