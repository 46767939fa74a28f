//! The names of openings, by position.
//!
//! `data/openings.tsv` has a line per opening: the ECO code, the name, the moves. Two orders of moves that lead to
//! the same position are the same opening.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chess::rules::{Board, Spelled, Start, Variant};

use crate::situation::{Situation, key};

/// An opening that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// Its English name.
    pub name: &'static str,
    /// How many half-moves lead to it.
    pub plies: usize,
}

/// No opening is longer.
pub const PLIES_MAX: usize = 40;

static DATA: &str = include_str!("../data/openings.tsv");

static BY_POSITION: LazyLock<BTreeMap<u64, Opening>> = LazyLock::new(|| {
    let mut table = BTreeMap::new();
    for (eco, name, moves) in lines() {
        let Some(line) = played(moves) else { continue };
        let plies = line.moves().len();
        let opening = Opening { eco, name, plies };
        table.entry(key(line.board())).or_insert(opening);
    }
    table
});

fn lines() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    DATA.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        Some((fields.next()?, fields.next()?, fields.next()?))
    })
}

/// A line of SAN, with or without move numbers, from the usual start; none if a move is not legal.
pub(crate) fn played(moves: &str) -> Option<Situation> {
    let mut situation = Situation::usual(Variant::Standard);
    for text in moves.split_whitespace() {
        let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if text.is_empty() {
            continue;
        }
        let m = situation.board().resolve(Spelled::read(text).ok()?).ok()?;
        situation.play(m);
    }
    Some(situation)
}

/// The last opening on the way that has a name. Only games of standard chess from the usual start have any.
pub fn name(situation: &Situation) -> Option<Opening> {
    let usual = Board::start(Variant::Standard, &Start::Usual).ok()?;
    let is_usual =
        situation.variant() == Variant::Standard && situation.start().same_position(&usual);
    if !is_usual {
        return None;
    }
    let mut board = usual;
    let mut found = None;
    for m in situation.moves().iter().take(PLIES_MAX) {
        board.play(*m);
        found = BY_POSITION.get(&key(&board)).copied().or(found);
    }
    found
}

/// The moves of every opening, for those who want to begin games there.
pub fn all() -> impl Iterator<Item = (Opening, Situation)> {
    lines().filter_map(|(eco, name, moves)| {
        let line = played(moves)?;
        let plies = line.moves().len();
        Some((Opening { eco, name, plies }, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_code_a_name_and_legal_moves() {
        let mut count = 0;
        for (n, line) in DATA.lines().enumerate() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [eco, name, moves] = fields[..] else {
                panic!("line {}: {line}", n + 1);
            };
            let letter = ('A'..='E').contains(&eco.chars().next().unwrap_or(' '));
            assert!(
                letter && eco.len() == 3 && eco[1..].parse::<u8>().is_ok(),
                "{line}"
            );
            assert!(!name.is_empty() && name.trim() == name, "{line}");
            assert!(played(moves).is_some(), "line {}: {line}", n + 1);
            count += 1;
        }
        assert!(count >= 200, "{count}");
        // A position has one name.
        let mut seen = BTreeMap::new();
        for (opening, line) in all() {
            let before = seen.insert(key(line.board()), opening.name);
            assert_eq!(before, None, "{} twice", opening.name);
        }
    }

    #[test]
    fn the_longest_match_names_the_opening_whatever_the_order_of_moves() {
        let of = |moves| name(&played(moves).expect("legal moves")).map(|o| (o.eco, o.name));
        assert_eq!(of(""), None);
        assert_eq!(of("1. e4 c5"), Some(("B20", "Sicilian Defense")));
        assert_eq!(of("e4 e5 Nf3 Nc6 Bb5 a6 a3"), of("e4 e5 Nf3 Nc6 Bb5 a6"));
        assert_eq!(of("d4 Nf6 c4 e6"), of("c4 Nf6 d4 e6"));
        let other = Situation::usual(Variant::Atomic);
        assert_eq!(name(&other), None);
    }
}
