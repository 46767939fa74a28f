//! The native door over real HTTP, with the public API only.

mod accounts;
mod chat;
mod client;
mod commands;
mod contract;
mod creating;
mod description;
mod guards;
mod limits;
mod jwks;
mod matches;
mod mistakes;
mod pictures;
mod quick_start;
mod races;
mod reading;
mod rematch;
mod restart;
mod retries;
mod streams;
mod tls;
