//! What players ask for, in their own words: every door leads here.
//!
//! A door parses what it was sent, calls one function of this module and
//! encodes what it returns. Who may, how often, and what of a game somebody
//! sees is decided here; a [`Problem`](crate::problem::Problem) says why not.
//!
//! - Making and finding games: [`create`] (from [`terms`]), [`join`],
//!   [`rematch`], [`lists`], [`tv`].
//! - Playing: [`moves`], [`offers`], [`claims`], [`commands`]. Each takes an
//!   [`Asked`]: who asks, when it was received, under which key ([`keys`]).
//! - Seeing: [`look`](mod@look) gives a [`Sight`], the game as its viewer may
//!   see it; the rules are in [`sight`]. [`pgn`] writes it out.
//! - Skill chess: [`matches`].
//! - What an operator decides, and the audit trail: [`arbiter`].
//!
//! `play::moves::make(&Asked::new(&app, &caller), id, &Order { text: "e2e4", .. })`
//! is all that a new door needs to make a move.

mod app;
pub(crate) mod arbiter;
mod asked;
pub(crate) mod claims;
pub(crate) mod commands;
pub(crate) mod create;
pub(crate) mod join;
pub mod keys;
pub(crate) mod lists;
pub(crate) mod look;
pub(crate) mod match_ids;
pub(crate) mod match_presence;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod names;
pub(crate) mod offers;
pub(crate) mod pgn;
mod place;
pub(crate) mod presence;
pub mod purged;
pub mod readiness;
pub(crate) mod rematch;
pub mod room;
pub mod scores;
pub mod sight;
pub mod tasks;
pub(crate) mod terms;
pub(crate) mod tv;

pub use app::{App, Parts};
pub(crate) use asked::Asked;
pub(crate) use look::Sight;
