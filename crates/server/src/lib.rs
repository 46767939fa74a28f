//! The binary `arbiter`: settings, authentication, limits, metrics, and one
//! module per door. Doors parse and map; the rules are in `chess`, the truth
//! in `store`, the running tables in `live`.

pub mod app;
pub mod auth;
pub mod cli;
pub mod clock;
pub mod doors;
pub mod fanout;
pub mod games;
pub mod http;
mod lock;
pub mod operate;
pub mod picture;
mod queue;
pub mod room;
pub mod settings;
pub mod web;
