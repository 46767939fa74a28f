//! The transposition table: what earlier searches of the same question found.

use shakmaty::{Move, Role};

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl Bound {
    /// What a score says that came out of a search between two bounds.
    pub(super) fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        match score {
            s if s >= beta => Bound::AtLeast,
            s if s > alpha => Bound::Exact,
            _ => Bound::AtMost,
        }
    }

    /// Whether a stored score answers what is asked between two bounds.
    pub(super) fn settles(self, score: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Slot {
    key: u64,
    pub(super) best: u16,
    pub(super) score: i16,
    /// Which question this belongs to; 0 is none.
    question: u16,
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

const EMPTY: Slot = Slot {
    key: 0,
    best: 0,
    score: 0,
    question: 0,
    depth: 0,
    bound: Bound::AtMost,
};

/// A table of fixed size. Each question begins with an empty one: an answer must not depend on what
/// was asked before. Emptying takes no time, slots of earlier questions just do not count.
pub(super) struct Table {
    slots: Vec<Slot>,
    question: u16,
}

impl Table {
    /// A table of at most that many bytes.
    pub(super) fn new(bytes: usize) -> Table {
        let count = (bytes / size_of::<Slot>()).max(1024);
        // The largest power of two that fits: an index is then a few bits of the key.
        let count = 1 << count.ilog2();
        Table {
            slots: vec![EMPTY; count],
            question: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            self.slots.fill(EMPTY);
            self.question = 1;
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Slot> {
        let slot = self.slots[self.index(key)];
        (slot.key == key && slot.question == self.question).then_some(slot)
    }

    pub(super) fn put(&mut self, key: u64, best: u16, score: i32, depth: i32, bound: Bound) {
        let (index, question) = (self.index(key), self.question);
        let slot = &mut self.slots[index];
        let same = slot.key == key && slot.question == question;
        // A deep result of this question is worth more than a shallow one of another position.
        if slot.question == question && !same && i32::from(slot.depth) > depth + 3 {
            return;
        }
        let best = if best == 0 && same { slot.best } else { best };
        *slot = Slot {
            key,
            best,
            score: score as i16,
            question,
            depth: depth.clamp(-1, 100) as i8,
            bound,
        };
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}

/// A move in 16 bits; distinct for all moves of one position, and never 0.
pub(super) fn code(m: Move) -> u16 {
    let to = m.to() as u16;
    let (from, role) = match m {
        Move::Put { role, to } => (to as u16, Some(role)),
        Move::Normal {
            from, promotion, ..
        } => (from as u16, promotion),
        Move::EnPassant { from, .. } => (from as u16, None),
        Move::Castle { king, .. } => (king as u16, Some(Role::Pawn)),
    };
    1 + (role.map_or(0, |role| role as u16) << 12 | from << 6 | to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::rules::{Board, Variant};

    #[test]
    fn a_question_sees_nothing_of_the_one_before() {
        let mut table = Table::new(1 << 16);
        for question in 0..70_000u32 {
            table.clear();
            let key = u64::from(question % 7);
            assert!(table.get(key).is_none());
            table.put(key, 5, -20_000, 3, Bound::Exact);
            let slot = table.get(key).expect("just written");
            assert_eq!((slot.best, slot.score, slot.depth), (5, -20_000, 3));
        }
    }

    #[test]
    fn moves_of_a_position_have_different_codes() {
        for (variant, fen) in [
            (
                Variant::Standard,
                "r3k2r/1P6/8/2pP4/8/8/8/R3K2R w KQkq c6 0 30",
            ),
            (
                Variant::Crazyhouse,
                "4k3/8/8/8/8/8/8/R3K2R[QRBNP] w KQ - 0 1",
            ),
        ] {
            let board = Board::from_fen(variant, fen).expect("a good test position");
            let mut codes: Vec<u16> = board.legal_moves().into_iter().map(code).collect();
            let count = codes.len();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), count);
            assert!(!codes.contains(&0));
        }
    }
}
