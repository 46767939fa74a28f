//! A finished game of a match as PGN.

use chess::Color;
use chess::rules::{Board, Spelled, Start, Variant};

use super::record::Record;

/// Lines stay shorter than 80 characters, as the PGN standard asks.
const COLUMNS: usize = 79;

/// The game with one empty line behind it, so that a match is one game after the other. Moves that are not legal,
/// which no match writes, end the text there.
pub fn write(record: &Record, event: &str) -> String {
    let mut pgn = String::with_capacity(1024);
    let round = (record.game + 1).to_string();
    let variant = Variant::from_name(&record.variant).unwrap_or(Variant::Standard);
    for (name, value) in [
        ("Event", event),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &round),
        ("White", &record.white),
        ("Black", &record.black),
        ("Result", &record.result),
    ] {
        tag(&mut pgn, name, value);
    }
    if variant != Variant::Standard {
        tag(&mut pgn, "Variant", variant.title());
    }
    let usual = Board::start(variant, &Start::Usual).map(|board| board.fen());
    // Programs expect to be told even the usual one of the 960 starts.
    if variant == Variant::Chess960 || usual.as_ref() != Ok(&record.start) {
        tag(&mut pgn, "FEN", &record.start);
        tag(&mut pgn, "SetUp", "1");
    }
    pgn.push('\n');
    let mut column = 0;
    for word in words(record, variant) {
        if column > 0 && column + 1 + word.len() > COLUMNS {
            pgn.push('\n');
            column = 0;
        }
        if column > 0 {
            pgn.push(' ');
            column += 1;
        }
        column += word.len();
        pgn.push_str(&word);
    }
    pgn.push_str("\n\n");
    pgn
}

/// The moves with their numbers, why the game ended, and the result.
fn words(record: &Record, variant: Variant) -> Vec<String> {
    let mut words = Vec::with_capacity(record.moves.len() * 2);
    if let Ok(mut board) = Board::from_fen(variant, &record.start) {
        for (n, text) in record.moves.iter().enumerate() {
            let m = Spelled::read(text).map(|spelled| board.resolve(spelled));
            let Ok(Ok(m)) = m else { break };
            match board.turn() {
                Color::White => words.push(format!("{}.", board.move_number())),
                Color::Black if n == 0 => words.push(format!("{}...", board.move_number())),
                Color::Black => {}
            }
            let before = board.clone();
            board.play(m);
            words.push(before.san(m, &board));
        }
    }
    let reason = record.reason.replace(['{', '}', '\n'], " ");
    words.push(format!("{{ {reason} }}"));
    words.push(record.result.clone());
    words
}

/// One tag line. A value stays on its line whatever is in it.
fn tag(pgn: &mut String, name: &str, value: &str) {
    let value = value.replace(char::is_control, " ");
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    pgn.push_str(&format!("[{name} \"{value}\"]\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(variant: Variant, start: &str, moves: &[&str]) -> Record {
        Record {
            game: 3,
            seed: 1,
            white: "a \"quoted\" name".into(),
            black: "b".into(),
            first_is_white: false,
            variant: variant.name().into(),
            start: start.into(),
            moves: moves.iter().map(|m| (*m).into()).collect(),
            opening: 0,
            result: "0-1".into(),
            reason: "no move: {odd}".into(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let usual = Board::start(Variant::Standard, &Start::Usual).expect("a start");
        let mate = record(
            Variant::Standard,
            &usual.fen(),
            &["f2f3", "e7e5", "g2g4", "d8h4"],
        );
        let text = write(&mate, "test");
        assert!(text.contains("[Round \"4\"]\n"), "{text}");
        assert!(text.contains("1. f3 e5 2. g4 Qh4# {"), "{text}");
        assert!(!text.contains("FEN"), "{text}");
        let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let black = record(Variant::Atomic, black, &["e7e5", "g1f3"]);
        let both = text + &write(&black, "test");
        let read: Vec<_> = chess::pgn::read(both.as_bytes())
            .map(|game| game.expect("a game"))
            .collect();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].moves.len(), 4);
        assert_eq!((read[1].variant, read[1].moves.len()), (Variant::Atomic, 2));
        assert!(both.contains("1... e5 2. Nf3 {"), "{both}");
    }
}
