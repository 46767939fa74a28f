//! A game's changes as messages: what the log keeps is what streams are told.

use chess::game::{Ending, Entry, Event, Game, MoveReport};
use chess::rules::Board;
use chess::{Color, Millis};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::view::{clock_views, color_name};
use crate::play::names::Names;
use crate::text_time::rfc3339;

/// One thing that happened. A change may be several: a move, and the end it
/// brought about.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Message {
    /// `CREATED`, `STARTED`, `MOVE`, `GAME_OVER`, `OFFER`, ...
    #[serde(rename = "type")]
    kind: &'static str,
    /// The version the change made.
    pub(crate) version: u32,
    /// When it was accepted.
    at: String,
    /// What the type needs besides.
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// What happened after that version, in order; all of it after version 0.
pub(crate) fn messages_since(game: &Game, since: u32, names: &Names) -> Vec<Message> {
    let mut replay = game.replay();
    let mut messages = Vec::new();
    for (version, entry) in (1..).zip(game.entries()) {
        if version == 1 {
            let first = || message(&entry, 1, created(replay.game(), names));
            messages.extend((since == 0).then(first));
            continue;
        }
        if version <= since {
            replay.step(&entry);
            continue;
        }
        let before = replay.game().board().clone();
        replay.step(&entry);
        messages.extend(messages_of(&before, &entry, replay.game(), names));
    }
    messages
}

/// The messages of one change that led from `before` to `after`.
pub(crate) fn messages_of(
    before: &Board,
    entry: &Entry,
    after: &Game,
    names: &Names,
) -> impl Iterator<Item = Message> {
    let first = match &entry.event {
        Event::Moved {
            uci,
            offers_draw,
            lag,
            ..
        } => {
            let report = MoveReport::new(before, before.recorded(*uci), after);
            let (kind, mut fields) = moved(before, &report, *offers_draw, after, names);
            if *lag > Millis::ZERO {
                fields["lag_ms"] = json!(lag.0);
            }
            Some((kind, fields))
        }
        Event::Ended { .. } => None,
        event => Some(other(event, after, names)),
    };
    let end = match &entry.event {
        Event::Moved { ending, .. } | Event::IllegalAttempt { ending, .. } => {
            ending.map(|ending| over(ending, None, after))
        }
        Event::Ended { ending, by } => Some(over(*ending, *by, after)),
        _ => None,
    };
    let version = after.version();
    let told: Vec<Message> = [first, end]
        .into_iter()
        .flatten()
        .map(|told| message(entry, version, told))
        .collect();
    told.into_iter()
}

fn message(entry: &Entry, version: u32, (kind, fields): (&'static str, Value)) -> Message {
    let Value::Object(fields) = fields else {
        unreachable!("the fields are an object")
    };
    Message {
        kind,
        version,
        at: rfc3339(entry.at),
        fields,
    }
}

fn created(game: &Game, names: &Names) -> (&'static str, Value) {
    let opponent = game.opponent().map(|p| names.id(p));
    let fields = json!({
        "creator": names.id(game.creator()), "opponent": opponent, "fen": game.board().fen(),
    });
    ("CREATED", fields)
}

fn moved(
    before: &Board,
    report: &MoveReport,
    offers_draw: bool,
    after: &Game,
    names: &Names,
) -> (&'static str, Value) {
    let mover = !report.to_move;
    let player = after.seats().get(mover).map(|player| names.id(player));
    let fields = json!({
        "ply": report.ply, "move_number": before.move_number(), "color": color_name(mover),
        "player": player, "move": report.uci, "san": report.san, "fen": report.fen,
        "to_move": color_name(report.to_move), "stage": after.stage(mover),
        "check": report.check, "offer_draw": offers_draw, "game_state": report.state,
    });
    ("MOVE", with_clocks(fields, after))
}

fn over(ending: Ending, by: Option<Color>, after: &Game) -> (&'static str, Value) {
    let fields = json!({
        "state": "COMPLETED", "result": ending.result(), "reason": ending.reason(),
        "winner": ending.winner().map(color_name), "by": by.map(color_name),
    });
    ("GAME_OVER", with_clocks(fields, after))
}

/// The fields of a change that also moved the clocks.
fn with_clocks(mut fields: Value, after: &Game) -> Value {
    let at = after.last_at();
    let (clock, clock_ms) = clock_views(after.clocks(at));
    fields["clock"] = json!(clock);
    fields["clock_ms"] = json!(clock_ms);
    fields["clock_at"] = json!(rfc3339(at));
    fields
}

fn other(event: &Event, after: &Game, names: &Names) -> (&'static str, Value) {
    let timed = |fields: Value| with_clocks(fields, after);
    match event {
        Event::Created(_) | Event::Moved { .. } | Event::Ended { .. } => {
            unreachable!("told by those who call")
        }
        Event::Joined { player, color } => {
            let fields = json!({
                "player": names.id(*player), "color": color_name(*color),
                "white": after.seats().white.map(|p| names.id(p)),
                "black": after.seats().black.map(|p| names.id(p)),
                "white_title": after.seats().white.and_then(|p| names.title(p)),
                "black_title": after.seats().black.and_then(|p| names.title(p)),
                "fen": after.board().fen(), "to_move": color_name(after.turn()),
            });
            ("STARTED", timed(fields))
        }
        Event::Invited(players) => {
            let invited: Vec<String> = players.iter().map(|p| names.id(*p)).collect();
            ("INVITED", json!({ "names": invited }))
        }
        Event::IllegalAttempt { .. } => (
            "ILLEGAL_ATTEMPT",
            json!({
                "color": color_name(after.turn()),
                "attempts": after.illegal_attempts().get(after.turn()),
            }),
        ),
        Event::Offered { offer, by } => (
            "OFFER",
            json!({ "offer": offer.name(), "by": color_name(*by) }),
        ),
        Event::OfferDeclined { offer, by } => (
            "OFFER_DECLINED",
            json!({ "offer": offer.name(), "by": color_name(*by) }),
        ),
        Event::TakenBack { plies, by, .. } => {
            let fields = json!({
                "plies": plies, "by": color_name(*by), "ply": after.ply(),
                "fen": after.board().fen(), "to_move": color_name(after.turn()),
            });
            ("TAKEBACK", timed(fields))
        }
        Event::Paused { by } => {
            let until = after.adjourned_until().map(rfc3339);
            let fields = json!({ "by": by.map(color_name), "adjourned_until": until });
            ("PAUSED", timed(fields))
        }
        Event::ResumeAsked { by } => {
            let ready = Vec::from_iter(after.resume_by().map(color_name));
            let fields = json!({ "by": color_name(*by), "resume_by": ready });
            ("RESUME_ASKED", fields)
        }
        Event::Resumed { by } => ("RESUMED", timed(json!({ "by": by.map(color_name) }))),
        Event::TimeAdded { to, gift } => (
            "TIME_ADDED",
            timed(json!({ "color": color_name(*to), "ms": gift.0 })),
        ),
        Event::TimeCredited { credit } => (
            "TIME_CREDITED",
            timed(json!({ "color": color_name(after.turn()), "ms": credit.0 })),
        ),
        Event::ClockSet { .. } => ("CLOCK_SET", timed(json!({}))),
    }
}
