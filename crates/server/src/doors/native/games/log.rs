//! The audit trail: every accepted change with its version and time.

use chess::game::{Ending, Entry, Event, Game, MoveReport};
use chess::rules::Spelled;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::names::Names;
use super::view::{clock_views, color_name};
use crate::http::time::rfc3339;

/// One accepted change.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LogEntry {
    /// The version it made.
    version: u32,
    /// When it was accepted.
    at: String,
    /// `CREATED`, `STARTED`, `MOVE`, `GAME_OVER`, `OFFER`, ...
    #[serde(rename = "type")]
    kind: &'static str,
    /// What the type needs besides.
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// The whole trail of a game.
pub(super) fn trail(game: &Game, names: &Names) -> Vec<LogEntry> {
    let mut entries = game.entries();
    let (Some(first), Some(mut state)) = (entries.next(), game.as_of(1)) else {
        return Vec::new();
    };
    let mut trail = vec![entry(1, &first, created(&state, names))];
    for next in entries {
        let before = state.board().clone();
        state.evolve(next.at, &next.event);
        let told = match &next.event {
            Event::Moved {
                uci, offers_draw, ..
            } => {
                let m = before
                    .resolve(Spelled::Uci(uci.unpack()))
                    .expect("a recorded move is legal where it was played");
                moved(&MoveReport::new(&before, m, &state), *offers_draw)
            }
            event => other(event, &state, names),
        };
        trail.push(entry(state.version(), &next, told));
    }
    trail
}

fn entry(version: u32, entry: &Entry, (kind, fields): (&'static str, Value)) -> LogEntry {
    let Value::Object(fields) = fields else {
        unreachable!("the fields are an object")
    };
    LogEntry {
        version,
        at: rfc3339(entry.at),
        kind,
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

fn moved(report: &MoveReport, offers_draw: bool) -> (&'static str, Value) {
    let (clock, clock_ms) = clock_views(report.clocks);
    let mut fields = json!({
        "ply": report.ply, "move": report.uci, "san": report.san, "fen": report.fen,
        "to_move": color_name(report.to_move), "clock": clock, "clock_ms": clock_ms,
        "check": report.check, "offer_draw": offers_draw,
    });
    if let Some(ending) = report.ending {
        add(&mut fields, over(ending));
    }
    ("MOVE", fields)
}

fn over(ending: Ending) -> Value {
    json!({
        "result": ending.result(), "reason": ending.reason(),
        "winner": ending.winner().map(color_name),
    })
}

fn add(fields: &mut Value, more: Value) {
    if let (Value::Object(fields), Value::Object(more)) = (fields, more) {
        fields.extend(more);
    }
}

fn other(event: &Event, after: &Game, names: &Names) -> (&'static str, Value) {
    let (clock, clock_ms) = clock_views(after.clocks(after.last_at()));
    let clocks = json!({ "clock": clock, "clock_ms": clock_ms });
    let with_clocks = |mut fields: Value| {
        add(&mut fields, clocks.clone());
        fields
    };
    let by = |color: &Option<chess::Color>| color.map(color_name);
    match event {
        Event::Created(_) | Event::Moved { .. } => unreachable!("told above"),
        Event::Joined { player, color } => (
            "STARTED",
            with_clocks(json!({ "player": names.id(*player), "color": color_name(*color) })),
        ),
        Event::Invited(players) => {
            let invited: Vec<String> = players.iter().map(|p| names.id(*p)).collect();
            ("INVITED", json!({ "names": invited }))
        }
        Event::IllegalAttempt { ending } => {
            let mut fields = json!({ "color": color_name(after.turn()) });
            if let Some(ending) = ending {
                add(&mut fields, over(*ending));
            }
            ("ILLEGAL_ATTEMPT", fields)
        }
        Event::Ended { ending, by: who } => {
            let mut fields = with_clocks(json!({ "by": by(who) }));
            add(&mut fields, over(*ending));
            ("GAME_OVER", fields)
        }
        Event::Offered { offer, by } => (
            "OFFER",
            json!({ "offer": offer.name(), "by": color_name(*by) }),
        ),
        Event::OfferDeclined { offer, by } => (
            "OFFER_DECLINED",
            json!({ "offer": offer.name(), "by": color_name(*by) }),
        ),
        Event::TakenBack { plies, by } => {
            let fields = json!({
                "plies": plies, "by": color_name(*by), "ply": after.ply(), "fen": after.board().fen(),
            });
            ("TAKEBACK", with_clocks(fields))
        }
        Event::Paused { by: who } => ("PAUSED", with_clocks(json!({ "by": by(who) }))),
        Event::ResumeAsked { by } => ("RESUME_ASKED", json!({ "by": color_name(*by) })),
        Event::Resumed { by: who } => ("RESUMED", with_clocks(json!({ "by": by(who) }))),
        Event::TimeAdded { to, gift } => (
            "TIME_ADDED",
            with_clocks(json!({ "color": color_name(*to), "ms": gift.0 })),
        ),
        Event::TimeCredited { credit } => {
            let fields = json!({ "color": color_name(after.turn()), "ms": credit.0 });
            ("TIME_CREDITED", with_clocks(fields))
        }
        Event::ClockSet { .. } => ("CLOCK_SET", clocks.clone()),
    }
}
