//! Levels of play, from a beginner to a master.
//!
//! All that makes a level weaker than the next stands in one table ([`Level::strength`]). The weak ones look a
//! move or two ahead, see scores as through a mist (`blur`), sometimes do not see a move at all (`overlook`) and
//! sometimes do not ask what the opponent will answer (`naive`): these are the mistakes that people make, and they
//! become smaller and rarer with the level. The strong ones are limited by how many positions they look at.

use crate::chance::Chance;
use crate::engine::{Engine, Limits, Ranked, Score};
use crate::situation::Situation;
use crate::{Answer, By};

/// How strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// About 400.
    Beginner,
    /// About 800.
    Easy,
    /// About 1200.
    Medium,
    /// About 1600.
    Hard,
    /// About 2000.
    Expert,
    /// About 2400.
    Master,
}

/// What a level can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The rating in its name.
    pub rating: u32,
    /// How many half-moves it looks ahead, captures not counted.
    pub depth: i32,
    /// How many positions it looks at.
    pub nodes: u64,
    /// How many positions a UCI engine looks at in its place; 0: the built-in engine plays.
    pub engine_nodes: u64,
    /// The deviation of what it believes a move is worth from what the search says, in centipawns.
    pub blur: i32,
    /// In how many of a thousand cases it does not see a move.
    pub overlook: u32,
    /// In how many of a thousand cases it does not ask how the opponent answers a move.
    pub naive: u32,
    /// How many half-moves of theory it knows.
    pub book: usize,
}

impl Level {
    /// All of them, the weakest first.
    pub const ALL: [Level; 6] = [
        Level::Beginner,
        Level::Easy,
        Level::Medium,
        Level::Hard,
        Level::Expert,
        Level::Master,
    ];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Expert => "expert",
            Level::Master => "master",
        }
    }

    /// The level of that name.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The constants to tune.
    #[rustfmt::skip]
    pub const fn strength(self) -> Strength {
        let (rating, depth, nodes, engine_nodes, blur, overlook, naive, book) = match self {
            Level::Beginner => (400, 1, 3_000, 0, 115, 210, 190, 2),
            Level::Easy => (800, 2, 6_000, 0, 64, 75, 60, 4),
            Level::Medium => (1200, 3, 15_000, 0, 35, 22, 14, 6),
            Level::Hard => (1600, 4, 30_000, 0, 18, 8, 4, 8),
            Level::Expert => (2000, 64, 200_000, 2_000, 0, 0, 0, 12),
            Level::Master => (2400, 64, 1_200_000, 9_000, 0, 0, 0, 16),
        };
        Strength { rating, depth, nodes, engine_nodes, blur, overlook, naive, book }
    }
}

/// Beyond this an advantage counts less: whoever is winning anyway does not care that much.
const CLEAR: i32 = 1000;
/// What a level sees of moves that lose this many deviations more than the best is not worth searching exactly.
const MARGIN_DEVIATIONS: i32 = 5;

/// The move of a level, or none if the game is over. The same question and seed have the same answer.
pub fn pick(
    engine: &mut Engine,
    situation: &Situation,
    level: Level,
    limits: Limits,
    seed: u64,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Answer> {
    let strength = level.strength();
    let mut chance = Chance::of(seed, situation.moves().len() as u64);
    if let Some(m) = crate::book::choose(situation, strength.book, &mut chance) {
        return Some(Answer {
            m,
            score: Score::Centipawns(0),
            line: vec![m],
            depth: 0,
            nodes: 0,
            by: By::Book,
        });
    }
    let limits = Limits {
        nodes: limits.nodes.min(strength.nodes),
        depth: limits.depth.min(strength.depth),
    };
    if strength.blur == 0 {
        let found = engine.search_until(situation, limits, stop)?;
        return Some(Answer::from_found(found, By::BuiltIn));
    }
    let margin = strength.blur * MARGIN_DEVIATIONS + 200;
    let ranking = engine.rank(situation, limits, margin, stop);
    let last = situation.moves().last().map(|m| m.to());
    let seen = believed(&ranking.moves, strength, last, &mut chance)?;
    Some(Answer {
        m: seen.m,
        score: Score::from_value(seen.score),
        line: vec![seen.m],
        depth: ranking.depth,
        nodes: ranking.nodes,
        by: By::BuiltIn,
    })
}

/// The move that looks best to somebody who does not see everything.
fn believed(
    ranked: &[Ranked],
    strength: Strength,
    last: Option<chess::rules::Square>,
    chance: &mut Chance,
) -> Option<Ranked> {
    let mut best: Option<(i32, Ranked)> = None;
    for r in ranked {
        // Taking back what has just been taken is on everybody's mind.
        let obvious = r.m.is_capture() && Some(r.m.to()) == last;
        let overlook = if obvious {
            strength.overlook / 4
        } else {
            strength.overlook
        };
        let (overlooked, naive) = (chance.permille(overlook), chance.permille(strength.naive));
        let mist = strength.blur * chance.bell() / 1000;
        if overlooked {
            continue;
        }
        let score = if naive { r.naive } else { r.score };
        let looks = felt(score) + mist;
        if best.is_none_or(|(so_far, _)| looks > so_far) {
            best = Some((looks, *r));
        }
    }
    // Who sees nothing at all looks again, and sees what is best.
    best.map(|(_, r)| r).or_else(|| ranked.first().copied())
}

/// How much a score means to somebody who plays: the same for small ones, less and less for large ones, and the
/// shorter a mate the more.
fn felt(score: i32) -> i32 {
    match Score::from_value(score) {
        Score::Mate(moves) if moves > 0 => 2 * CLEAR + 2000 / moves,
        Score::Mate(moves) => -2 * CLEAR - 2000 / (1 - moves),
        Score::Centipawns(value) => {
            let plain = value.clamp(-CLEAR, CLEAR);
            plain + (value - plain).clamp(-3 * CLEAR, 3 * CLEAR) / 4
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_better_feels_better() {
        let mut scores: Vec<i32> = (-19_000..=19_000).step_by(500).collect();
        scores.extend([1, 2, 9, -1, -2, -9].map(|moves| Score::Mate(moves).value()));
        scores.sort_unstable();
        let felt: Vec<i32> = scores.into_iter().map(felt).collect();
        assert!(felt.is_sorted());
        assert!(felt[0] < -2 * CLEAR && felt[felt.len() - 1] == 4 * CLEAR);
    }

    #[test]
    fn every_step_up_sees_more() {
        for pair in Level::ALL.windows(2) {
            let [weak, strong] = [pair[0].strength(), pair[1].strength()];
            assert_eq!(strong.rating, weak.rating + 400);
            assert!(strong.depth >= weak.depth && strong.nodes > weak.nodes);
            assert!(strong.blur <= weak.blur && strong.overlook <= weak.overlook);
            assert!(strong.naive <= weak.naive && strong.book > weak.book);
        }
        for level in Level::ALL {
            assert_eq!(Level::from_name(level.name()), Some(level));
        }
        assert_eq!(Level::from_name("Master"), None);
    }
}
