//! Skill chess for guests: rooms, and acting in a match.

mod act;
mod guests;
mod rooms;

use std::sync::Arc;

use chess::skill::{Match, Refusal};
use chess::tables::AnyTable;
use live::Failure;
use store::TableId;

use super::App;
use crate::problem::{Kind, Problem};
use crate::rooms::bus::Happened;

pub(crate) use act::{Done, abort, act};
pub(crate) use guests::Guest;
pub(crate) use rooms::{Joined, create, join, open};

/// Whoever asks has no seat here.
pub(crate) fn seat_ownership() -> Problem {
    let detail = "this guest has no seat in this match";
    Problem::new(Kind::Forbidden, "seat_ownership", detail)
}

fn room_not_found() -> Problem {
    Problem::new(Kind::Missing, "room_not_found", "no room has this code")
}

fn room_full() -> Problem {
    let detail = "both seats of this room are taken";
    Problem::new(Kind::Conflict, "room_full", detail)
}

/// What joining can be refused with.
fn not_joined(why: &Refusal) -> Problem {
    match why {
        Refusal::RoomFull => room_full(),
        Refusal::RoomNotFound => room_not_found(),
        _ => seat_ownership(),
    }
}

/// There is no such match.
pub(crate) fn match_not_found() -> Problem {
    Problem::new(Kind::Missing, "match_not_found", "there is no such match")
}

/// Why a match cannot be reached.
pub(crate) fn unreachable(failure: Failure) -> Problem {
    match failure {
        Failure::NotFound => match_not_found(),
        failure => failure.into(),
    }
}

/// Somebody is there who may not have been: those who listen are told.
fn came(app: &App, table: TableId, played: &Arc<Match>) {
    let found = AnyTable::Skill(Arc::clone(played));
    app.rooms.publish(table, Happened::Came(found));
}
