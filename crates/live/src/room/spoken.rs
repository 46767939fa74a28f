//! How far those in a room were told what is said there, wherever it is said.

use super::follower::Heard;

/// What is known of the lines of one room. They come from here and, over the bus, from
/// other nodes: late, twice or not at all. Each names the line before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// The newest line of which anybody here was told or must find out; none before
    /// that is known.
    newest: Option<u64>,
    /// A line was missed: until everybody has looked for themselves nothing that was
    /// said later is told, or they would look for what came after that.
    is_missed: bool,
}

impl Spoken {
    /// A line is about to be told that was said after that one. [`Heard::Look`]: one
    /// is missing before it, and everybody here must look for themselves.
    pub fn hear(&mut self, line: u64, after: u64) -> Heard {
        // What was said before anybody here listened is not known.
        let is_next = self.newest.is_some_and(|newest| after <= newest);
        if self.is_found(line) {
            return Heard::Old;
        }
        self.is_missed |= !is_next;
        match self.is_missed {
            true => Heard::Look,
            false => Heard::Next,
        }
    }

    /// The store has lines up to that one. Whether some of them were missed.
    pub fn has(&mut self, newest: u64) -> bool {
        let is_behind = newest > 0 && !self.is_found(newest);
        self.is_missed |= is_behind;
        // If nothing was said yet, what comes next is the first.
        self.newest.get_or_insert(newest);
        is_behind
    }

    /// Everybody is about to look for themselves: what is said from now on can be
    /// told again.
    pub fn look(&mut self) {
        self.is_missed = false;
    }

    /// Whether that line is known. From now on it is.
    fn is_found(&mut self, line: u64) -> bool {
        let is_known = self.newest.is_some_and(|newest| line <= newest);
        if !is_known {
            self.newest = Some(line);
        }
        is_known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told_up_to(line: u64) -> Spoken {
        let mut spoken = Spoken::default();
        spoken.has(line);
        spoken.look();
        spoken
    }

    #[test]
    fn lines_are_told_once_and_in_order() {
        let mut spoken = told_up_to(5);
        assert_eq!(spoken.hear(7, 5), Heard::Next);
        assert_eq!(spoken.hear(7, 5), Heard::Old);
        assert_eq!(spoken.hear(9, 7), Heard::Next);
    }

    #[test]
    fn nothing_is_told_over_a_gap_until_everybody_has_looked() {
        let mut spoken = told_up_to(5);
        assert_eq!(spoken.hear(9, 7), Heard::Look);
        assert_eq!(spoken.hear(7, 5), Heard::Old, "they find it when they look");
        assert_eq!(spoken.hear(11, 9), Heard::Look, "and this");
        spoken.look();
        assert_eq!(spoken.hear(13, 11), Heard::Next);
    }

    #[test]
    fn the_first_line_is_looked_for() {
        let mut spoken = Spoken::default();
        assert_eq!(spoken.hear(7, 5), Heard::Look);
        let mut spoken = Spoken::default();
        assert!(!spoken.has(0), "nothing was said");
        assert_eq!(spoken.hear(7, 0), Heard::Next);
    }

    /// Otherwise what comes next would be told before they look.
    #[test]
    fn what_the_store_has_and_nobody_heard_is_missed_at_once() {
        let mut spoken = told_up_to(5);
        assert!(!spoken.has(5));
        assert!(spoken.has(8));
        assert!(!spoken.has(8), "once");
        assert_eq!(spoken.hear(9, 8), Heard::Look);
    }

    /// Lines are lost, doubled and late on the bus; the store is asked now and then, and
    /// whoever listens looks for themselves when they must.
    #[test]
    fn whatever_the_bus_does_a_listener_is_told_every_line_once_and_in_order() {
        for seed in 1..=2_000 {
            let mut state: u64 = seed;
            let mut random = |below: usize| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 33) as usize % below
            };
            let mut spoken = Spoken::default();
            let (mut stored, mut told): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
            let mut on_the_way: Vec<(u64, u64)> = Vec::new();
            let mut must_look = false;
            for step in 0..200 {
                let newest = stored.last().copied().unwrap_or(0);
                match random(8) {
                    0 | 1 => {
                        let line = newest + 1 + random(3) as u64;
                        stored.push(line);
                        let copies = random(3);
                        on_the_way.extend(std::iter::repeat_n((line, newest), copies));
                    }
                    2..=5 if !on_the_way.is_empty() => {
                        let (line, after) = on_the_way.swap_remove(random(on_the_way.len()));
                        match spoken.hear(line, after) {
                            // What they found by looking they pass over.
                            Heard::Next if !told.contains(&line) => told.push(line),
                            Heard::Next => {}
                            Heard::Look => must_look = true,
                            Heard::Old => {}
                        }
                    }
                    6 => must_look |= spoken.has(newest),
                    _ if must_look => {
                        must_look = false;
                        spoken.look();
                        told = stored.clone();
                    }
                    _ => {}
                }
                assert!(
                    stored.starts_with(&told),
                    "seed {seed}, step {step}: {told:?} {stored:?}"
                );
            }
            if must_look | spoken.has(stored.last().copied().unwrap_or(0)) {
                told = stored.clone();
            }
            assert_eq!(told, stored, "seed {seed}: the last of them too");
        }
    }
}
