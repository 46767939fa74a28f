//! One of our games as PGN.

use shakmaty::{ByColor, Color};

use super::Utc;
use super::times::{write_clock, write_control};
use crate::clock::TimeControl;
use crate::game::{AbortReason, DrawReason, Ending, Event, Game, WinReason};
use crate::rules::{Board, Start, Variant};

/// What a game does not know about itself. Whatever is left empty is written
/// as unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tags<'a> {
    /// The tournament, or what kind of game it is.
    pub event: &'a str,
    /// Where it is played: the game's address.
    pub site: &'a str,
    /// The round of the tournament.
    pub round: &'a str,
    /// Who plays.
    pub players: ByColor<Player<'a>>,
    /// The server's name for the game.
    pub game_id: Option<&'a str>,
    /// How the position stands after each half-move, as far as that is known.
    pub evals: &'a [Option<Eval>],
    /// Whether the clocks after each half-move are left out.
    pub without_clocks: bool,
}

/// How a position stands, seen from White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// White mates in so many moves; negative: Black does.
    Mate(i32),
}

impl Eval {
    /// As in `[%eval 0.17]` and `[%eval #-3]`.
    pub fn text(self) -> String {
        match self {
            Eval::Centipawns(value) => {
                let sign = if value < 0 { "-" } else { "" };
                let value = value.unsigned_abs();
                format!("{sign}{}.{:02}", value / 100, value % 100)
            }
            Eval::Mate(moves) => format!("#{moves}"),
        }
    }
}

/// What is known of one of the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Player<'a> {
    /// The name.
    pub name: &'a str,
    /// `GM`, `BOT` and the like.
    pub title: Option<&'a str>,
    /// The rating before the game.
    pub rating: Option<u16>,
    /// What the game did to the rating.
    pub rating_diff: Option<i16>,
}

/// Lines stay shorter than 80 characters, as the PGN standard asks.
const COLUMNS: usize = 79;

/// Writes a game: tags, moves, result and one empty line, so that the PGN of
/// several games is just one after the other.
pub fn write(game: &Game, tags: &Tags<'_>) -> String {
    let mut pgn = String::with_capacity(1024);
    write_tags(&mut pgn, game, tags);
    pgn.push('\n');
    write_moves(&mut pgn, game, tags);
    pgn.push_str("\n\n");
    pgn
}

fn write_tags(pgn: &mut String, game: &Game, tags: &Tags<'_>) {
    let begun = begun_at(game);
    let players = &tags.players;
    tag(pgn, "Event", or(tags.event, "?"));
    tag(pgn, "Site", or(tags.site, "?"));
    tag(pgn, "Date", &begun.date());
    tag(pgn, "Round", or(tags.round, "-"));
    tag(pgn, "White", or(players.white.name, "?"));
    tag(pgn, "Black", or(players.black.name, "?"));
    tag(pgn, "Result", score(game));
    if let Some(id) = tags.game_id {
        tag(pgn, "GameId", id);
    }
    tag(pgn, "UTCDate", &begun.date());
    tag(pgn, "UTCTime", &begun.time());
    for (side, player) in sides(players) {
        if let Some(rating) = player.rating {
            tag(pgn, &format!("{side}Elo"), &rating.to_string());
        }
    }
    for (side, player) in sides(players) {
        if let Some(diff) = player.rating_diff {
            tag(pgn, &format!("{side}RatingDiff"), &format!("{diff:+}"));
        }
    }
    for (side, player) in sides(players) {
        if let Some(title) = player.title {
            tag(pgn, &format!("{side}Title"), title);
        }
    }
    let terms = game.terms();
    if terms.variant != Variant::Standard {
        tag(pgn, "Variant", terms.variant.title());
    }
    tag(pgn, "TimeControl", &write_control(&terms.control));
    tag(pgn, "Termination", termination(game.ending()));
    // Programs expect to be told even the usual one of the 960 starts.
    let start = game.start_board().fen();
    let usual = Board::start(terms.variant, &Start::Usual).map(|board| board.fen());
    if terms.variant == Variant::Chess960 || usual.as_ref() != Ok(&start) {
        tag(pgn, "FEN", &start);
        tag(pgn, "SetUp", "1");
    }
}

fn write_moves(pgn: &mut String, game: &Game, tags: &Tags<'_>) {
    let has_clock = !tags.without_clocks && game.terms().control != TimeControl::Unlimited;
    let mut lines = Lines { pgn, column: 0 };
    let mut board = game.start_board();
    let mut number_due = true;
    let evals = tags.evals.iter().copied().chain(std::iter::repeat(None));
    for (played, eval) in game.line().into_iter().zip(evals) {
        let (number, mover) = (board.move_number(), board.turn());
        let before = board.clone();
        let m = played.in_position(&before);
        board.play(m);
        let san = before.san(m, &board);
        let mut text = match mover {
            Color::White => format!("{number}. {san}"),
            Color::Black if number_due => format!("{number}... {san}"),
            Color::Black => san,
        };
        number_due = eval.is_some() || has_clock;
        let left = has_clock.then(|| write_clock(*played.clocks.get(mover)));
        let remark = match (eval.map(Eval::text), left) {
            (None, None) => String::new(),
            (None, Some(left)) => format!(" {{ [%clk {left}] }}"),
            (Some(eval), None) => format!(" {{ [%eval {eval}] }}"),
            (Some(eval), Some(left)) => format!(" {{ [%eval {eval}] [%clk {left}] }}"),
        };
        text.push_str(&remark);
        lines.add(&text);
    }
    lines.add(score(game));
}

/// Text that goes to the next line before this one gets too long.
struct Lines<'a> {
    pgn: &'a mut String,
    column: usize,
}

impl Lines<'_> {
    fn add(&mut self, text: &str) {
        if self.column > 0 && self.column + 1 + text.len() > COLUMNS {
            self.pgn.push('\n');
            self.column = 0;
        }
        if self.column > 0 {
            self.pgn.push(' ');
            self.column += 1;
        }
        self.pgn.push_str(text);
        self.column += text.len();
    }
}

/// When play began; for a game that has not begun, when it was made.
fn begun_at(game: &Game) -> Utc {
    let joined = game
        .entries()
        .find(|entry| matches!(entry.event, Event::Joined { .. }));
    Utc::from(joined.map_or_else(|| game.created_at(), |entry| entry.at))
}

fn score(game: &Game) -> &'static str {
    game.ending().map_or("*", Ending::score)
}

/// Lichess's words for how a game ended; `Adjudication` is the standard's.
fn termination(ending: Option<Ending>) -> &'static str {
    match ending {
        None => "Unterminated",
        Some(Ending::Won { by, .. }) => match by {
            WinReason::Checkmate | WinReason::Resignation | WinReason::VariantEnd => "Normal",
            WinReason::Timeout => "Time forfeit",
            WinReason::Abandoned => "Abandoned",
            WinReason::IllegalMoves => "Rules infraction",
            WinReason::Adjudicated => "Adjudication",
        },
        Some(Ending::Drawn { by }) => match by {
            DrawReason::Stalemate
            | DrawReason::Agreed
            | DrawReason::Threefold
            | DrawReason::Fivefold
            | DrawReason::FiftyMoves
            | DrawReason::SeventyFiveMoves
            | DrawReason::InsufficientMaterial
            | DrawReason::VariantEnd => "Normal",
            DrawReason::TimeoutVsInsufficientMaterial => "Time forfeit",
            DrawReason::Abandoned => "Abandoned",
            DrawReason::Adjudicated => "Adjudication",
        },
        // Begun, put off, and never gone on with.
        Some(Ending::Aborted {
            by: AbortReason::Adjourned,
        }) => "Unterminated",
        Some(Ending::Aborted { .. }) => "Abandoned",
    }
}

fn sides<'a>(players: &'a ByColor<Player<'a>>) -> [(&'static str, &'a Player<'a>); 2] {
    [("White", &players.white), ("Black", &players.black)]
}

fn or<'a>(text: &'a str, unknown: &'a str) -> &'a str {
    if text.is_empty() { unknown } else { text }
}

/// One tag line. A value stays on its line whatever is in it.
pub fn tag(pgn: &mut String, name: &str, value: &str) {
    pgn.push('[');
    pgn.push_str(name);
    pgn.push_str(" \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => pgn.extend(['\\', c]),
            c if c.is_control() => pgn.push(' '),
            c => pgn.push(c),
        }
    }
    pgn.push_str("\"]\n");
}
