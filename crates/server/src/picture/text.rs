//! The board as plain text, for terminals and screen readers.

use std::fmt::Write;

use chess::game::{Ending, Game};
use chess::rules::{Board, Role, Square};
use chess::{ByColor, Color, Millis, Timestamp};

use super::placement::{POCKET, Placement};
use super::{last_played, squares_of};

/// What is told about a game in words.
#[derive(Clone, Debug)]
pub struct TextView<'a> {
    /// The position.
    pub board: &'a Board,
    /// The side at the bottom.
    pub orientation: Color,
    /// What stands above the board: which game this is, and between whom.
    /// Control characters are left out.
    pub heading: String,
    /// The last move with its number and both notations: `1. e4 (e2e4)`.
    pub last_move: Option<String>,
    /// The squares of the last move, marked on the board.
    pub last_squares: Option<(Square, Square)>,
    /// What the clocks show; `None` without a clock.
    pub clocks: Option<ByColor<Millis>>,
    /// Whether the clock of the side to move runs.
    pub clock_runs: bool,
    /// How the game ended.
    pub ending: Option<Ending>,
    /// The moves that may be played: in standard algebraic notation and in UCI.
    pub legal: Vec<(String, String)>,
}

impl<'a> TextView<'a> {
    /// A position of no game in particular, as White sees it.
    pub fn new(board: &'a Board, legal: Vec<(String, String)>) -> TextView<'a> {
        TextView {
            board,
            orientation: Color::White,
            heading: String::new(),
            last_move: None,
            last_squares: None,
            clocks: None,
            clock_runs: false,
            ending: None,
            legal,
        }
    }

    /// A game at `now` as White sees it. `legal` is in standard algebraic
    /// notation and in UCI.
    pub fn of_game(
        game: &'a Game,
        now: Timestamp,
        heading: String,
        legal: Vec<(String, String)>,
    ) -> TextView<'a> {
        let last = last_played(game);
        TextView {
            heading,
            last_move: last.as_ref().map(|(before, m)| {
                let dots = before.turn().fold_wb(".", "...");
                let (number, uci) = (before.move_number(), before.uci(*m));
                format!("{number}{dots} {} ({uci})", before.san(*m, game.board()))
            }),
            last_squares: last.map(|(_, m)| squares_of(m)),
            clocks: game.clocks(now),
            clock_runs: game.is_clock_running(),
            ending: game.ending(),
            ..TextView::new(game.board(), legal)
        }
    }
}

/// Tells a view in plain text: lines of ASCII, one thing per line.
pub fn text(view: &TextView<'_>) -> String {
    let placement = Placement::of(view.board);
    let heading: String = view.heading.chars().filter(|c| !c.is_control()).collect();
    let mut lines = Vec::new();
    if !heading.is_empty() {
        lines.extend([heading, String::new()]);
    }
    lines.extend(diagram(view, &placement));
    lines.push(String::new());
    lines.extend(situation(view));
    lines.push(String::new());
    lines.extend(inventory(&placement));
    if view.ending.is_none() {
        lines.push(String::new());
        lines.extend(legal_moves(&view.legal));
    }
    lines.extend([
        String::new(),
        format!("FEN: {}", view.board.fen()),
        String::new(),
    ]);
    lines.join("\n")
}

/// The board: White's pieces are capitals, empty squares are dots, and the
/// squares of the last move stand in brackets.
fn diagram(view: &TextView<'_>, placement: &Placement) -> Vec<String> {
    let indices: [u32; 8] = std::array::from_fn(|i| i as u32);
    let (files, ranks) = match view.orientation {
        Color::White => (indices, [7, 6, 5, 4, 3, 2, 1, 0]),
        Color::Black => ([7, 6, 5, 4, 3, 2, 1, 0], indices),
    };
    let names = files.map(|file| char::from(b'a' + file as u8));
    let footer = format!("    {}", names.map(String::from).join("  "));
    let row = |rank: u32| {
        let mut row = format!("{}  ", rank + 1);
        for file in files {
            let square = Square::new(rank * 8 + file);
            let sign = placement.at(square).map_or('.', |(color, role)| {
                color.fold_wb(role.upper_char(), role.char())
            });
            let marked = view
                .last_squares
                .is_some_and(|(from, to)| square == from || square == to);
            let (left, right) = if marked { ('[', ']') } else { (' ', ' ') };
            row.extend([left, sign, right]);
        }
        format!("{row} {}", rank + 1)
    };
    let mut lines = vec![footer.clone()];
    lines.extend(ranks.map(row));
    lines.push(footer);
    lines
}

/// Whose move it is, check, the last move, the clocks; or how it ended.
fn situation(view: &TextView<'_>) -> Vec<String> {
    let turn = side(view.board.turn());
    let check = if view.board.is_check() {
        " and in check"
    } else {
        ""
    };
    let mut lines = vec![match view.ending {
        Some(ending) => format!("The game is over: {}.", in_words(ending)),
        None => format!("{turn} to move{check}, move {}.", view.board.move_number()),
    }];
    lines.extend(view.last_move.as_ref().map(|m| format!("Last move: {m}.")));
    lines.extend(view.clocks.as_ref().map(|clocks| {
        let runs = match view.clock_runs && view.ending.is_none() {
            true => format!("; {turn}'s clock runs"),
            false => String::new(),
        };
        let (white, black) = (dial(clocks.white), dial(clocks.black));
        format!("Clocks: White {white}, Black {black}{runs}.")
    }));
    lines
}

/// The pieces of each side in words, for whoever cannot see the diagram.
fn inventory(placement: &Placement) -> Vec<String> {
    const ROLES: [Role; 6] = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let mut lines = Vec::new();
    for color in [Color::White, Color::Black] {
        let mut kinds = Vec::new();
        for role in ROLES {
            let mut squares: Vec<Square> = placement
                .pieces()
                .filter(|(_, piece)| *piece == (color, role))
                .map(|(square, _)| square)
                .collect();
            squares.sort();
            let names: Vec<String> = squares.iter().map(Square::to_string).collect();
            if !names.is_empty() {
                kinds.push(format!("{} {}", named(role, names.len()), names.join(" ")));
            }
        }
        let all = if kinds.is_empty() {
            "no pieces".to_owned()
        } else {
            kinds.join(", ")
        };
        lines.push(format!("{}: {all}.", side(color)));
    }
    for color in [Color::White, Color::Black] {
        if let Some(pockets) = &placement.pockets {
            lines.push(pocket(color, pockets.get(color)));
        }
        if let Some(checks) = &placement.checks {
            lines.push(format!(
                "{} has given {} of 3 checks.",
                side(color),
                checks.get(color)
            ));
        }
    }
    lines
}

fn pocket(color: Color, counts: &[u8; 5]) -> String {
    let held: Vec<String> = counts
        .iter()
        .zip(POCKET)
        .filter(|(count, _)| **count > 0)
        .map(|(&count, role)| format!("{count} {}", named(role, usize::from(count))))
        .collect();
    let held = if held.is_empty() {
        "nothing".to_owned()
    } else {
        held.join(", ")
    };
    format!("{}'s pocket: {held}.", side(color))
}

/// The legal moves, a few to a line.
fn legal_moves(legal: &[(String, String)]) -> Vec<String> {
    const PER_LINE: usize = 5;
    if legal.is_empty() {
        return vec!["No legal moves.".to_owned()];
    }
    let mut lines = vec![format!("Legal moves, {}:", legal.len())];
    for some in legal.chunks(PER_LINE) {
        let mut line = String::new();
        for (san, uci) in some {
            let one = format!("{san} ({uci})");
            write!(line, "  {one:<14}").expect("a string can be written to");
        }
        line.truncate(line.trim_end().len());
        lines.push(line);
    }
    lines
}

fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn named(role: Role, count: usize) -> String {
    let name = match role {
        Role::King => "king",
        Role::Queen => "queen",
        Role::Rook => "rook",
        Role::Bishop => "bishop",
        Role::Knight => "knight",
        Role::Pawn => "pawn",
    };
    format!("{name}{}", if count == 1 { "" } else { "s" })
}

/// `Black won, checkmate`.
fn in_words(ending: Ending) -> String {
    let reason = ending.reason().replace('_', " ");
    match ending {
        Ending::Won { winner, .. } => format!("{} won, {reason}", side(winner)),
        Ending::Drawn { .. } => format!("drawn, {reason}"),
        Ending::Aborted { .. } => "aborted".to_owned(),
    }
}

/// `4:46`, `1:04:46`, `3 days 1:04:46`; with tenths below a minute.
fn dial(left: Millis) -> String {
    let seconds = left.as_secs();
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let (minutes, seconds) = (seconds / 60 % 60, seconds % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("0:{seconds:02}.{}", left.0 % 1000 / 100),
        (0, 0, _) => format!("{minutes}:{seconds:02}"),
        (0, _, _) => format!("{hours}:{minutes:02}:{seconds:02}"),
        (1, _, _) => format!("1 day {hours}:{minutes:02}:{seconds:02}"),
        _ => format!("{days} days {hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests;
