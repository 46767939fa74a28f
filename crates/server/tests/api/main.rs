//! The native door over real HTTP, with the public API only.

mod accounts;
mod agreed;
mod chat;
mod client;
mod commands;
mod contract;
mod copying;
mod creating;
mod description;
mod guards;
mod jwks;
mod limits;
mod lists;
mod matches;
mod mistakes;
mod pictures;
mod quick_start;
mod races;
mod reading;
mod rematch;
mod restart;
mod retries;
mod room_policies;
mod streams;
mod titles;
mod tls;
