//! The doors: each speaks its clients' own protocol, and all lead to the same arbiter.

pub mod collector;
pub mod native;
pub mod overlay;
