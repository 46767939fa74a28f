//! A small book of opening moves for the bots.
//!
//! `data/book.txt` has lines of known theory in SAN. In a position that is on one of them a move of one of them is
//! played; one that more lines play is likelier.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chess::rules::{Move, Variant};

use crate::chance::Chance;
use crate::openings::played;
use crate::situation::{Situation, key};

static DATA: &str = include_str!("../data/book.txt");

static BOOK: LazyLock<BTreeMap<u64, Vec<Move>>> = LazyLock::new(|| {
    let mut book: BTreeMap<u64, Vec<Move>> = BTreeMap::new();
    for line in lines().filter_map(played) {
        let mut board = line.start().clone();
        for m in line.moves() {
            book.entry(key(&board)).or_default().push(*m);
            board.play(*m);
        }
    }
    book
});

fn lines() -> impl Iterator<Item = &'static str> {
    DATA.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// A move of the book, for who knows that many half-moves of it. Standard chess only.
pub fn choose(situation: &Situation, plies: usize, chance: &mut Chance) -> Option<Move> {
    if situation.variant() != Variant::Standard || situation.moves().len() >= plies {
        return None;
    }
    let moves = BOOK.get(&key(situation.board()))?;
    let m = moves[chance.below(moves.len() as u64) as usize];
    // Two positions may have one key, once in a very long time.
    situation.board().legal_moves().contains(&m).then_some(m)
}

/// Whether the book has a move for who knows that many half-moves of it.
pub fn knows(situation: &Situation, plies: usize) -> bool {
    choose(situation, plies, &mut Chance::new(0)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_and_long_enough() {
        for line in lines() {
            let played = played(line);
            assert!(played.is_some_and(|line| line.moves().len() >= 8), "{line}");
        }
        assert!(lines().count() >= 40);
    }

    #[test]
    fn a_seed_chooses_and_different_seeds_choose_differently() {
        let start = Situation::usual(Variant::Standard);
        let first = |seed| choose(&start, 8, &mut Chance::new(seed)).map(|m| m.to());
        assert_eq!(first(1), first(1));
        let mut chosen: Vec<_> = (0..100).filter_map(first).collect();
        chosen.sort_unstable();
        chosen.dedup();
        assert!(chosen.len() >= 3);
        assert_eq!(choose(&start, 0, &mut Chance::new(1)), None);
        let other = Situation::usual(Variant::Atomic);
        assert_eq!(choose(&other, 8, &mut Chance::new(1)), None);
    }
}
