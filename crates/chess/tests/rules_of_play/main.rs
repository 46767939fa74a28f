//! The rules of play as scripts, one test per rule: see [`script`] for how to
//! read them. FIDE articles are those of the Laws of Chess in force since 2023.

mod clocks;
mod command;
mod draw_offers;
mod draws;
mod endings;
mod given_time;
mod lag;
mod limits;
mod pauses;
mod repeats;
mod script;
mod takebacks;
mod terms;
mod vacations;
mod variants;
mod waiting;
