//! What players ask for, in their own words: every door leads here.
//!
//! A door parses what it was sent, calls one function of this module and
//! encodes what it returns. Who may, how often, and what of a game somebody
//! sees is decided here; a [`Problem`](crate::problem::Problem) says why not.
//!
//! - Making and finding games: [`create`] (from [`terms`]), [`join`],
//!   [`rematch`], [`lists`], [`lobby`], [`challenges`], [`tv`]; being found an
//!   opponent: [`matchmaking`]; taking all that were played: [`export`].
//! - Playing: [`moves`], [`offers`], [`claims`], [`commands`]. Each takes an
//!   [`Asked`]: who asks, when it was received, under which key ([`keys`]).
//! - Seeing: [`look`](mod@look) gives a [`Sight`], the game as its viewer may
//!   see it; the rules are in [`sight`]. [`pgn`] and [`text`] write it out.
//! - How a finished game was played: [`analysis`].
//! - The server's own bots, who play like anybody else: [`house`].
//! - Ratings, as games and profiles show them: [`ratings`].
//! - What others are told, pulled or sent: [`events`].
//! - What players decide about each other: [`blocks`], [`follows`], [`accepting`];
//!   [`reports`] and [`signals`] for operators, and what they decided: [`standing`].
//! - Telling players who are not looking: [`notify`].
//! - Days ahead, in games with days per move: [`correspondence`].
//! - Skill chess: [`matches`].
//! - Becoming a bot: [`upgrade`]; a guest who becomes somebody: [`becoming`].
//! - How the server is doing, for its console: [`figures`]; how moves are answered:
//!   [`move_counts`].
//! - What an operator decides, and the audit trail: [`arbiter`].
//!
//! `play::moves::make(&Asked::new(&app, &caller), id, &Order { text: "e2e4", .. })`
//! is all that a new door needs to make a move.

pub(crate) mod accepting;
pub mod analysis;
mod app;
pub(crate) mod arbiter;
mod asked;
pub mod becoming;
pub(crate) mod blocks;
pub(crate) mod challenges;
pub(crate) mod claims;
pub(crate) mod commands;
pub mod components;
pub mod correspondence;
pub(crate) mod create;
pub mod events;
pub(crate) mod export;
pub mod figures;
pub(crate) mod follows;
pub mod house;
pub(crate) mod join;
pub mod keys;
pub(crate) mod lists;
pub(crate) mod lobby;
pub(crate) mod look;
pub(crate) mod match_ids;
pub(crate) mod match_presence;
pub(crate) mod matches;
pub mod matchmaking;
pub mod move_counts;
pub(crate) mod moves;
pub(crate) mod names;
pub mod notify;
pub(crate) mod offers;
pub(crate) mod pgn;
pub(crate) mod place;
pub(crate) mod presence;
pub mod purged;
pub mod ratings;
pub mod readiness;
pub(crate) mod rematch;
pub(crate) mod reports;
pub mod room;
pub mod scores;
pub mod sight;
pub(crate) mod signals;
pub mod standing;
pub mod tasks;
pub(crate) mod terms;
pub(crate) mod text;
pub(crate) mod tv;
pub(crate) mod upgrade;

pub use app::{App, Parts};
pub(crate) use asked::Asked;
pub(crate) use look::Sight;
