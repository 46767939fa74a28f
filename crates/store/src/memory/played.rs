//! How many games somebody has played.

use std::collections::BTreeMap;

use chess::table::{State, Summary};
use chess::{Color, Millis};

use super::contents::Contents;
use crate::{ListQuery, Played, PlayedQuery, PlayerOutcome, Row};

impl Contents {
    /// Somebody's finished games, counted.
    pub(crate) fn played(&self, query: &PlayedQuery) -> Vec<Played> {
        let mut counted: BTreeMap<(&str, &str, bool), Played> = BTreeMap::new();
        for row in self.tables.values().filter(|row| is_counted(row, query)) {
            let s = &row.summary;
            let key = (s.variant, s.speed, s.rated);
            let played = counted.entry(key).or_insert_with(|| Played {
                variant: s.variant.to_owned(),
                speed: s.speed.to_owned(),
                rated: s.rated,
                ..Played::default()
            });
            let wins = match s.white == Some(query.player) {
                true => "white_wins",
                false => "black_wins",
            };
            played.games += 1;
            played.wins += u32::from(s.result == Some(wins));
            played.draws += u32::from(s.result == Some("draw"));
        }
        counted.into_values().collect()
    }
}

fn is_counted(row: &Row, query: &PlayedQuery) -> bool {
    let s = &row.summary;
    let is_known = |at| at + Millis(s.delay_ms) <= query.known_at;
    row.kind == query.kind
        && s.state == State::Completed
        && s.result.is_some_and(|result| result != "aborted")
        && !s.private
        && [Some(s.creator), s.white, s.black].contains(&Some(query.player))
        && s.ended_at.is_some_and(is_known)
        && query
            .against
            .is_none_or(|other| [s.white, s.black].contains(&Some(other)))
}

/// Whether a table has what is asked for of its sides, its result and its time.
pub(super) fn is_such(s: &Summary, query: &ListQuery) -> bool {
    let side = query.player.and_then(|player| match (s.white, s.black) {
        (Some(white), _) if white == player => Some(Color::White),
        (_, Some(black)) if black == player => Some(Color::Black),
        _ => None,
    });
    let came_out = |outcome| {
        let is_white = side == Some(Color::White);
        let wanted = match outcome {
            PlayerOutcome::Drawn => "draw",
            PlayerOutcome::Won if is_white => "white_wins",
            PlayerOutcome::Lost if !is_white => "white_wins",
            PlayerOutcome::Won | PlayerOutcome::Lost => "black_wins",
        };
        s.result == Some(wanted)
    };
    query.outcome.is_none_or(came_out)
        && query.color.is_none_or(|color| side == Some(color))
        && query
            .other
            .is_none_or(|other| [s.white, s.black].contains(&Some(other)))
        && query.since.is_none_or(|since| s.created_at >= since)
        && query.until.is_none_or(|until| s.created_at < until)
}
