//! The binary `arbiter`: settings, authentication, limits, metrics, and one
//! module per door. Doors parse and map; the rules are in `chess`, the truth
//! in `store`, the running tables in `live`.

pub mod admin;
pub mod auth;
pub mod cli;
pub mod clock;
pub mod doors;
pub mod games;
mod guard;
mod html;
pub mod http;
mod json;
pub mod limits;
mod lock;
mod mailbox;
pub mod operate;
pub mod outside;
pub mod picture;
mod pile;
pub mod play;
pub mod problem;
pub mod rooms;
pub mod settings;
pub mod stream;
pub mod tell;
pub mod text_time;
pub mod web;
