//! Long games of legal moves, found before anything is measured.

use std::collections::HashMap;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role};

use crate::rng::Rng;

/// Different games; the tables of a run share them.
const LINES: usize = 256;
/// Half-moves of each.
pub(crate) const PLIES: usize = 600;
/// Pieces shuffle until so many half-moves without progress; the game would
/// end by itself at 150.
const SHUFFLE: u32 = 60;

/// Games that go on and on: nobody is mated, nothing is repeated too often.
pub(crate) struct Lines(Vec<Vec<String>>);

impl Lines {
    /// The same ones in every run.
    pub(crate) fn new() -> Lines {
        let mut rng = Rng::new(64);
        Lines((0..LINES).map(|_| line(&mut rng)).collect())
    }

    /// The move of a half-move, the first of which is 1; `None` past the end.
    pub(crate) fn get(&self, line: usize, ply: u32) -> Option<&str> {
        let line = &self.0[line % LINES];
        line.get(ply as usize - 1).map(String::as_str)
    }

    /// The first moves of a line.
    pub(crate) fn first(&self, line: usize, plies: u32) -> &[String] {
        &self.0[line % LINES][..plies as usize]
    }
}

fn line(rng: &mut Rng) -> Vec<String> {
    loop {
        if let Some(line) = attempt(rng) {
            return line;
        }
    }
}

fn attempt(rng: &mut Rng) -> Option<Vec<String>> {
    let mut board = Chess::default();
    let mut seen: HashMap<Zobrist64, u8> = HashMap::new();
    let mut moves = Vec::with_capacity(PLIES);
    while moves.len() < PLIES {
        let (m, next) = choose(&board, &mut seen, rng)?;
        moves.push(m.to_uci(CastlingMode::Standard).to_string());
        board = next;
    }
    Some(moves)
}

/// A move after which the game goes on; quiet, unless it is time for progress.
fn choose(
    board: &Chess,
    seen: &mut HashMap<Zobrist64, u8>,
    rng: &mut Rng,
) -> Option<(Move, Chess)> {
    let mut legal = board.legal_moves();
    let is_time = board.halfmoves() >= SHUFFLE;
    while !legal.is_empty() {
        let m = legal.swap_remove(rng.below(legal.len()));
        let is_progress = m.role() == Role::Pawn || m.is_capture();
        if m.is_capture() && !legal.is_empty()
            || is_progress != is_time && rng.percent(90) && legal.len() > 1
        {
            continue;
        }
        let next = board.clone().play(m).ok()?;
        if next.is_game_over() || next.is_insufficient_material() {
            continue;
        }
        let times = seen
            .entry(next.zobrist_hash(EnPassantMode::Legal))
            .or_default();
        if *times < 2 {
            *times += 1;
            return Some((m, next));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;

    #[test]
    fn every_line_can_be_played_to_its_end() {
        let lines = Lines::new();
        for line in 0..LINES {
            let mut board = Chess::default();
            for ply in 1..=PLIES as u32 {
                let uci: UciMove = lines.get(line, ply).unwrap().parse().unwrap();
                let m = uci.to_move(&board).unwrap();
                board = board.play(m).unwrap();
                assert!(!board.is_game_over() && board.halfmoves() < 150);
            }
            assert_eq!(lines.get(line, PLIES as u32 + 1), None);
        }
    }
}
