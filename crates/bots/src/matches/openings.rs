//! Where the games of a match begin. Each opening is played twice, with both colours.

use chess::rules::{Board, Variant, chess960_fen};

use crate::chance::Chance;
use crate::engine::{Engine, Limits};
use crate::situation::Situation;

/// No opening that is a matter of taste: a search says that neither side is better by more, in centipawns.
const FAIR: i32 = 120;
/// The half-moves of an opening that has a name.
const PLIES: std::ops::RangeInclusive<usize> = 4..=10;

/// So many openings of a variant that follow from a seed: named ones of standard chess, numbered starts of
/// Chess960, and a few moves at random that leave both sides a game in the others.
pub fn built_in(variant: Variant, count: usize, seed: u64) -> Vec<Situation> {
    let mut chance = Chance::of(seed, 0x09e1);
    match variant {
        Variant::Standard => {
            let mut named: Vec<Situation> = crate::openings::all()
                .filter(|(opening, _)| PLIES.contains(&opening.plies))
                .map(|(_, line)| line)
                .collect();
            // Shuffled; a longer match goes through them again.
            for n in (1..named.len()).rev() {
                named.swap(n, chance.below(n as u64 + 1) as usize);
            }
            named.into_iter().cycle().take(count).collect()
        }
        Variant::Chess960 => (0..count)
            .filter_map(|_| chess960_fen(chance.below(960) as u16))
            .filter_map(|fen| Board::from_fen(variant, &fen).ok())
            .map(|board| Situation::new(variant, board))
            .collect(),
        _ => {
            let mut engine = Engine::new(1 << 20);
            (0..count)
                .map(|_| at_random(variant, &mut engine, &mut chance))
                .collect()
        }
    }
}

fn at_random(variant: Variant, engine: &mut Engine, chance: &mut Chance) -> Situation {
    for _ in 0..50 {
        let mut situation = Situation::usual(variant);
        for _ in 0..4 {
            let moves = situation.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            situation.play(moves[chance.below(moves.len() as u64) as usize]);
        }
        let found = engine.search(&situation, Limits::nodes(2_000));
        if found.is_some_and(|found| found.score.value().abs() <= FAIR) {
            return situation;
        }
    }
    // Where the start itself is not fair, as in horde, it is at least the same for both.
    Situation::usual(variant)
}

/// Openings from a file of positions, one per line: FEN, or EPD with its operations.
///
/// # Errors
/// The first line that is no position, and why.
pub fn from_epd(variant: Variant, text: &str) -> Result<Vec<Situation>, String> {
    let mut openings = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split_whitespace().collect();
        // Four fields are a position; two counters may follow, and operations.
        let counters = fields
            .get(4..6)
            .is_some_and(|two| two.iter().all(|f| f.parse::<u32>().is_ok()));
        let length = if counters { 6 } else { 4 };
        let fen = fields
            .get(..length.min(fields.len()))
            .unwrap_or_default()
            .join(" ");
        let board =
            Board::from_fen(variant, &fen).map_err(|why| format!("line {}: {why}", n + 1))?;
        openings.push(Situation::new(variant, board));
    }
    Ok(openings)
}

/// Openings from the games of a PGN file, so many half-moves of each.
///
/// # Errors
/// The first game that is broken, and why.
pub fn from_pgn(text: &str, plies: usize) -> Result<Vec<Situation>, String> {
    let mut openings = Vec::new();
    for game in chess::pgn::read(text.as_bytes()) {
        let game = game.map_err(|why| why.to_string())?;
        let board = Board::start(game.variant, &game.start).map_err(|why| why.to_string())?;
        let mut situation = Situation::new(game.variant, board);
        for packed in game.moves.iter().take(plies) {
            let m = situation.board().recorded(*packed);
            situation.play(m);
        }
        if situation.board().end().is_none() {
            openings.push(situation);
        }
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_openings_that_follow_from_the_seed() {
        for variant in Variant::ALL {
            let fens = |seed| -> Vec<String> {
                let openings = built_in(variant, 5, seed);
                openings.iter().map(|o| o.board().fen()).collect()
            };
            assert_eq!(fens(1).len(), 5, "{}", variant.name());
            assert_eq!(fens(1), fens(1));
            assert!(
                fens(1) != fens(2) || variant == Variant::Horde,
                "{}",
                variant.name()
            );
        }
        assert_eq!(built_in(Variant::Standard, 1000, 1).len(), 1000);
    }

    #[test]
    fn files_of_positions_are_read_with_and_without_operations() {
        let text = "# comment\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"start\";\n\n\
                    4k3/8/8/8/8/8/8/4K2R w K - 3 40\n";
        let read = from_epd(Variant::Standard, text).expect("good lines");
        assert_eq!(read.len(), 2);
        assert!(read[1].board().fen().ends_with(" 3 40"));
        let bad = from_epd(Variant::Standard, "hello world").expect_err("no position");
        assert!(bad.starts_with("line 1: "), "{bad}");
    }

    #[test]
    fn games_give_their_first_moves() {
        let text = "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let read = from_pgn(text, 3).expect("good games");
        assert_eq!(
            read.iter().map(|s| s.moves().len()).collect::<Vec<_>>(),
            [3, 3]
        );
        assert_eq!(from_pgn(text, 10).expect("good games").len(), 1);
        assert!(from_pgn("1. e5 *\n", 3).is_err());
    }
}
