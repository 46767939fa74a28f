//! What players ask for, in their own words: every door leads here.

mod app;
pub mod keys;
pub(crate) mod match_ids;
pub(crate) mod names;
pub mod purged;
pub mod readiness;
pub mod scores;
pub mod sight;

pub use app::{App, Parts};
