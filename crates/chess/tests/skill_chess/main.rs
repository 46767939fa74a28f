//! Skill chess, one test per rule. [`position`] and [`script`] tell how to
//! read the scripts.

mod agreement;
mod draft;
mod draw_offers;
mod position;
mod records;
mod rooms;
mod script;
mod skills;
mod standard;
mod turns;
