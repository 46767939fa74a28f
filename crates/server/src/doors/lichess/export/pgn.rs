//! A game as PGN, as this door's clients read it: all moves in one line, and two empty
//! lines after the game, by which they tell games apart.

use chess::clock::TimeControl;
use chess::game::{Ending, Event, Game};
use chess::pgn::{Eval, Utc, write_tag};
use chess::rules::{Board, Start, Variant};
use chess::{Color, Millis};

use super::card::{Card, Side};
use super::flags::Flags;
use crate::doors::lichess::vocab::{self, Rules, Status};
use crate::play::analysis;

/// Writes it.
pub(super) fn write(game: &Game, card: &Card, flags: Flags) -> String {
    let mut pgn = String::with_capacity(1024);
    if flags.tags {
        write_tags(&mut pgn, game, card, flags);
        pgn.push('\n');
    }
    if flags.moves {
        write_moves(&mut pgn, game, &card.evals, flags);
    }
    pgn.push_str(score(game));
    pgn.push_str("\n\n\n");
    pgn
}

fn write_tags(pgn: &mut String, game: &Game, card: &Card, flags: Flags) {
    let begun = begun_at(game);
    let terms = game.terms();
    let players = &card.players;
    let rated = if terms.rated { "rated" } else { "casual" };
    let perf = vocab::perf(vocab::category(game));
    let name = |side: &Side| {
        side.user
            .as_ref()
            .map_or("?".into(), |user| user.name.clone())
    };
    let mut tag = |name: &str, value: &str| write_tag(pgn, name, value);
    tag("Event", &format!("{rated} {perf} game"));
    tag("Site", &card.site);
    tag("Date", &begun.date());
    tag("Round", "-");
    tag("White", &name(&players.white));
    tag("Black", &name(&players.black));
    tag("Result", score(game));
    tag("GameId", &card.id);
    tag("UTCDate", &begun.date());
    tag("UTCTime", &begun.time());
    let sides = [("White", &players.white), ("Black", &players.black)];
    for (color, side) in sides {
        let points = side.rating.map(|rating| rating.points.to_string());
        tag(&format!("{color}Elo"), points.as_deref().unwrap_or("?"));
    }
    for (color, side) in sides {
        if let Some(diff) = side.diff {
            tag(&format!("{color}RatingDiff"), &format!("{diff:+}"));
        }
    }
    for (color, side) in sides {
        let title = side.user.as_ref().and_then(|user| user.title.as_deref());
        if let Some(title) = title {
            tag(&format!("{color}Title"), title);
        }
    }
    tag("Variant", Rules::of(game).name());
    tag("TimeControl", &control(&terms.control));
    if flags.opening {
        let opening = analysis::opening(game);
        tag("ECO", opening.map_or("?", |opening| opening.eco));
        tag("Opening", opening.map_or("?", |opening| opening.name));
    }
    tag("Termination", Status::of(game).termination());
    if let Some(fen) = initial_fen(game) {
        tag("FEN", &fen);
        tag("SetUp", "1");
    }
}

/// The position that a game begins from, if that must be said: programs expect to be
/// told even the usual one of the 960 starts.
pub(in crate::doors::lichess) fn initial_fen(game: &Game) -> Option<String> {
    let variant = game.terms().variant;
    let fen = game.start_board().fen();
    let usual = Board::start(variant, &Start::Usual).map(|board| board.fen());
    (variant == Variant::Chess960 || usual.as_ref() != Ok(&fen)).then_some(fen)
}

fn write_moves(pgn: &mut String, game: &Game, evals: &[Option<Eval>], flags: Flags) {
    let has_clock = flags.clocks && game.terms().control.is_real_time();
    let mut board = game.start_board();
    let mut number_due = true;
    for (ply, played) in game.line().into_iter().enumerate() {
        let (number, mover) = (board.move_number(), board.turn());
        let before = board.clone();
        let m = played.in_position(&before);
        board.play(m);
        match mover {
            Color::White => pgn.push_str(&format!("{number}. ")),
            Color::Black if number_due => pgn.push_str(&format!("{number}... ")),
            Color::Black => {}
        }
        pgn.push_str(&before.san(m, &board));
        pgn.push(' ');
        let eval = evals.get(ply).copied().flatten();
        let eval = eval.map(|eval| format!("[%eval {}] ", eval.text()));
        let left = has_clock.then(|| clock(*played.clocks.get(mover)));
        let left = left.map(|left| format!("[%clk {left}] "));
        number_due = eval.is_some() || left.is_some();
        if number_due {
            let [eval, left] = [eval, left].map(Option::unwrap_or_default);
            pgn.push_str(&format!("{{ {eval}{left}}} "));
        }
    }
}

/// `0:04:58`, to the nearest second.
fn clock(left: Millis) -> String {
    let seconds = left.0.saturating_add(500) / 1000;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}

/// `300+2`, and `-` for whatever has no clock that counts in seconds.
fn control(control: &TimeControl) -> String {
    vocab::clock(control).map_or("-".to_owned(), |(initial, increment)| {
        format!("{}+{}", initial.as_secs(), increment.as_secs())
    })
}

/// When play began.
fn begun_at(game: &Game) -> Utc {
    let joined = game
        .entries()
        .find(|entry| matches!(entry.event, Event::Joined { .. }));
    Utc::from(joined.map_or_else(|| game.created_at(), |entry| entry.at))
}

fn score(game: &Game) -> &'static str {
    game.ending().map_or("*", Ending::score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s11_clocks_are_in_rounded_seconds() {
        for (left, text) in [
            (0, "0:00:00"),
            (499, "0:00:00"),
            (500, "0:00:01"),
            (298_250, "0:04:58"),
            (3_599_500, "1:00:00"),
            (u32::MAX, "1193:02:47"),
        ] {
            assert_eq!(clock(Millis(left)), text);
        }
    }
}
