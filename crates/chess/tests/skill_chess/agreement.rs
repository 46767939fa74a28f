//! Without skills it is chess: the same moves and endings as `shakmaty`
//! finds, and the published numbers of lines.

use std::collections::BTreeSet;

use chess::skill::{Board, Ending, Move, Uuid};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};

const SEED: Uuid = Uuid([7; 16]);
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Where random games begin: the usual start, and positions that are quick to
/// castle, promote, capture in passing, mate and stalemate.
const STARTS: [&str; 7] = [
    START,
    KIWIPETE,
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/8/3qk3/8/4K3 b - - 0 1",
    "3qkq2/8/8/8/8/8/8/2Q1K1Q1 w - - 0 1",
];

/// More than 20,000, for the starts come again and again.
const POSITIONS: usize = 21_000;
const PLIES_MAX: u32 = 150;

#[test]
fn the_start_has_197281_lines_of_four_half_moves() {
    assert_eq!(perft(&board(START), 4), 197_281);
}

#[test]
fn kiwipete_has_97862_lines_of_three_half_moves() {
    assert_eq!(perft(&board(KIWIPETE), 3), 97_862);
}

#[test]
fn without_skills_moves_mates_and_stalemates_are_those_of_chess() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let (mut seen, mut mates, mut stalemates) = (0, 0, 0);
    for start in STARTS.iter().cycle() {
        let fen: Fen = start.parse().expect("a FEN");
        let mut theirs: Chess = fen
            .into_position(CastlingMode::Standard)
            .expect("a position");
        let mut ours = board(start);
        for _ in 0..PLIES_MAX {
            seen += 1;
            let legal = theirs.legal_moves();
            let names = |m| UciMove::from_move(m, CastlingMode::Standard).to_string();
            let expected: BTreeSet<String> = legal.iter().map(|m| names(*m)).collect();
            let moves = ours.legal_moves();
            let found: BTreeSet<String> = moves.iter().map(name).collect();
            let fen = ours.fen(0);
            assert_eq!(found, expected, "{fen}");
            assert_eq!(moves.len(), expected.len(), "each move once: {fen}");
            assert_eq!(ours.has_legal_move(), !moves.is_empty(), "{fen}");
            assert_eq!(ours.is_check(ours.turn()), theirs.is_check(), "{fen}");
            if moves.is_empty() {
                break;
            }
            let m = moves[chance.below(moves.len())];
            let their_move = legal.into_iter().find(|m2| names(*m2) == name(&m));
            let ending = ours.ending_after(&m);
            theirs.play_unchecked(their_move.expect("the same moves"));
            ours.play(&m);
            let mate = Ending::Checkmate {
                winner: !theirs.turn(),
            };
            assert_eq!(ending == Some(mate), theirs.is_checkmate(), "{fen}");
            let stalemate = ending == Some(Ending::Stalemate);
            assert_eq!(stalemate, theirs.is_stalemate(), "{fen}");
            mates += u32::from(theirs.is_checkmate());
            stalemates += u32::from(stalemate);
        }
        if seen >= POSITIONS {
            break;
        }
    }
    assert!(mates >= 10, "only {mates} mates");
    assert!(stalemates >= 5, "only {stalemates} stalemates");
}

/// What FEN says of a position is all that matters without skills.
#[test]
fn a_position_survives_being_written_and_read() {
    let mut chance = Chance(1);
    for start in STARTS {
        let mut board = board(start);
        for ply in 0..60 {
            let moves = board.legal_moves();
            let fen = board.fen(ply);
            let again = Board::from_fen(SEED, &fen).expect("its own FEN");
            assert_eq!(again.fen(ply), fen);
            let names = |moves: &[Move]| -> BTreeSet<String> { moves.iter().map(name).collect() };
            assert_eq!(names(&again.legal_moves()), names(&moves), "{fen}");
            let Some(m) = moves.get(chance.below(moves.len().max(1))) else {
                break;
            };
            board.play(m);
        }
    }
}

#[test]
fn what_is_no_position_is_refused() {
    for (fen, why) in [
        ("", "eight rows"),
        ("8/8/8/8/8/8/8/8 w", "one king"),
        ("k7/8/8/8/8/8/8/K7 x", "w or b"),
        ("k7/8/8/8/8/8/8/KK6 w", "one king"),
        ("k8/8/8/8/8/8/8/K7 w", "eight squares"),
        ("k6/8/8/8/8/8/8/K7 w", "eight squares"),
        ("k7/8/8/8/8/8/8/K6D w", "that letter"),
        ("k6P/8/8/8/8/8/8/K7 w", "promoted"),
        ("k6R/8/8/8/8/8/8/K7 w", "could be captured"),
        ("k7/8/8/8/8/8/8/K7 w - e6", "passed"),
        ("k7/8/8/8/8/8/8/K7 w - z9", "passed"),
    ] {
        let turn = if fen.is_empty() { "8 w" } else { fen };
        let refused = Board::from_fen(SEED, turn).expect_err(fen).to_string();
        assert!(refused.contains(why), "{fen}: {refused}");
    }
}

fn board(fen: &str) -> Board {
    Board::from_fen(SEED, fen).expect("a position")
}

fn name(m: &Move) -> String {
    let letter = m.promotion.map(|becomes| becomes.letter());
    let letter = letter.map_or(String::new(), |l| l.to_lowercase().to_string());
    format!("{}{}{letter}", m.from, m.to)
}

fn perft(board: &Board, depth: u32) -> u64 {
    let moves = board.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .iter()
        .map(|m| {
            let mut next = *board;
            next.play(m);
            perft(&next, depth - 1)
        })
        .sum()
}

/// Pseudo-random choices (xorshift), the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }
}
