//! What engines say and are told, as text.

use std::fmt::Write;

use chess::rules::{Board, Move, Spelled, Variant};

use super::Time;
use crate::engine::{Limits, Score};
use crate::pace::Clock;
use crate::situation::Situation;

/// What an `info` line says about the best variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Info {
    pub(super) depth: Option<i32>,
    pub(super) nodes: Option<u64>,
    pub(super) score: Option<Score>,
    pub(super) line: Option<Vec<String>>,
}

/// Reads an `info` line; what it does not know it passes over.
pub(super) fn info(line: &str) -> Info {
    let mut info = Info::default();
    let mut words = line.split_whitespace();
    // Other variations than the best are none of our business.
    let mut is_best = true;
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next().and_then(|n| n.parse().ok()),
            "nodes" => info.nodes = words.next().and_then(|n| n.parse().ok()),
            "multipv" => is_best = words.next() == Some("1"),
            "score" => {
                let (kind, value) = (words.next(), words.next().and_then(|n| n.parse().ok()));
                info.score = match (kind, value) {
                    (Some("cp"), Some(value)) => Some(Score::Centipawns(value)),
                    (Some("mate"), Some(value)) => Some(Score::Mate(value)),
                    _ => None,
                };
            }
            "pv" => info.line = Some(words.by_ref().take(32).map(str::to_owned).collect()),
            "string" => break,
            _ => {}
        }
    }
    if is_best { info } else { Info::default() }
}

/// A move as an engine writes it, if it is legal here.
pub(super) fn legal(board: &Board, text: &str) -> Option<Move> {
    // Engines write moves in UCI only; `O-O` or `e4` would be somebody's joke.
    match Spelled::read(text).ok()? {
        spelled @ Spelled::Uci(_) => board.resolve(spelled).ok(),
        Spelled::San(_) => None,
    }
}

/// As many moves of a line as are legal one after the other.
pub(super) fn line(board: &Board, texts: &[String]) -> Vec<Move> {
    let (mut board, mut line) = (board.clone(), Vec::new());
    for text in texts {
        let Some(m) = legal(&board, text) else { break };
        board.play(m);
        line.push(m);
    }
    line
}

/// What `UCI_Variant` calls it; none for standard chess, also from other starts.
pub(super) fn variant(variant: Variant) -> Option<&'static str> {
    match variant {
        Variant::Standard | Variant::Chess960 => None,
        Variant::Crazyhouse => Some("crazyhouse"),
        Variant::Antichess => Some("antichess"),
        Variant::Atomic => Some("atomic"),
        Variant::Horde => Some("horde"),
        Variant::KingOfTheHill => Some("kingofthehill"),
        Variant::RacingKings => Some("racingkings"),
        Variant::ThreeCheck => Some("3check"),
    }
}

/// The `position` command.
pub(super) fn position(situation: &Situation) -> String {
    let mut board = situation.start().clone();
    let mut text = format!("position fen {}", board.fen());
    for (n, m) in situation.moves().iter().enumerate() {
        let lead = if n == 0 { " moves " } else { " " };
        text.push_str(lead);
        text.push_str(&board.uci_text(*m));
        board.play(*m);
    }
    text
}

/// The `go` command.
pub(super) fn go(limits: Limits, time: Time) -> String {
    let mut text = match time {
        Time::Move(time) => format!("go movetime {}", time.as_millis().max(1)),
        Time::Clocks { clocks, white } => {
            let [own, other] = clocks
                .map(|Clock { left, increment }| (left.as_millis().max(1), increment.as_millis()));
            let (white, black) = if white { (own, other) } else { (other, own) };
            format!(
                "go wtime {} btime {} winc {} binc {}",
                white.0, black.0, white.1, black.1
            )
        }
    };
    for (name, value, none) in [
        ("nodes", limits.nodes, u64::MAX),
        ("depth", limits.depth.max(1) as u64, 64),
    ] {
        if value < none {
            write!(text, " {name} {value}").expect("writing to a string");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn info_lines_are_read_and_what_is_unknown_is_passed_over() {
        let read =
            info("info depth 12 seldepth 20 multipv 1 score cp -31 nodes 4711 nps 9 pv e2e4 e7e5");
        assert_eq!(read.depth, Some(12));
        assert_eq!(read.nodes, Some(4711));
        assert_eq!(read.score, Some(Score::Centipawns(-31)));
        assert_eq!(read.line, Some(vec!["e2e4".into(), "e7e5".into()]));
        assert_eq!(info("info score mate -3").score, Some(Score::Mate(-3)));
        for rubbish in [
            "info score",
            "info score cp x",
            "info depth",
            "info string score cp 5",
            "info multipv 2 score cp 9",
        ] {
            assert_eq!(info(rubbish).score, None, "{rubbish}");
        }
    }

    #[test]
    fn only_legal_moves_in_uci_are_moves() {
        let situation = Situation::usual(Variant::Standard);
        let board = situation.board();
        assert!(legal(board, "e2e4").is_some());
        for text in ["e2e5", "e4", "O-O", "0000", "(none)", "", "a1a1", "e2e4q"] {
            assert_eq!(legal(board, text), None, "{text}");
        }
        let texts = ["e2e4", "e7e5", "e1e3"].map(String::from);
        assert_eq!(line(board, &texts).len(), 2);
    }

    #[test]
    fn castling_is_written_as_the_engine_wants_it() {
        for (variant, fen, text) in [
            (Variant::Standard, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
            (Variant::Chess960, "4k3/8/8/8/8/8/8/4K2R w H - 0 1", "e1h1"),
        ] {
            let board = Board::from_fen(variant, fen).expect("a good test position");
            let mut situation = Situation::new(variant, board);
            let m = situation
                .board()
                .resolve(Spelled::read("O-O").expect("a move"));
            situation.play(m.expect("legal"));
            let said = position(&situation);
            assert!(said.ends_with(&format!(" 0 1 moves {text}")), "{said}");
        }
    }

    #[test]
    fn a_search_is_always_limited_in_time() {
        let second = Duration::from_secs(1);
        let short = |limits, time| go(limits, Time::Move(time));
        assert_eq!(
            short(Limits::nodes(500), second),
            "go movetime 1000 nodes 500"
        );
        assert_eq!(
            short(Limits::depth(3), Duration::ZERO),
            "go movetime 1 depth 3"
        );
        let clock = |left, increment| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        };
        let clocks = [clock(9_000, 100), clock(8_000, 50)];
        let time = |white| Time::Clocks { clocks, white };
        let all = Limits::nodes(u64::MAX);
        assert_eq!(
            go(all, time(true)),
            "go wtime 9000 btime 8000 winc 100 binc 50"
        );
        assert_eq!(
            go(all, time(false)),
            "go wtime 8000 btime 9000 winc 50 binc 100"
        );
    }
}
