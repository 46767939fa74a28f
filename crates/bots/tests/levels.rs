//! What the weak levels see, on suites of 200 positions that follow from a seed.

use bots::chance::Chance;
use bots::engine::Limits;
use bots::level::{Level, pick};
use bots::{Engine, Score, Situation};
use chess::rules::{Board, BoardEnd, Move, Variant};

const SUITE: usize = 200;

/// Games of a player that is half asleep: they have what real games of weak players have.
fn games(seed: u64, mut look: impl FnMut(&Situation) -> bool) {
    let (mut chance, mut engine) = (Chance::new(seed), Engine::new(1 << 18));
    loop {
        let mut situation = Situation::usual(Variant::Standard);
        for _ in 0..160 {
            if situation.board().end().is_some() || situation.is_drawn_by_rule() {
                break;
            }
            if look(&situation) {
                return;
            }
            let moves = situation.board().legal_moves();
            let m = if chance.permille(250) {
                moves[chance.below(moves.len() as u64) as usize]
            } else {
                let found = engine.search(&situation, Limits::nodes(150));
                found.expect("the game goes on").best
            };
            situation.play(m);
        }
    }
}

fn mates(board: &Board, m: Move) -> bool {
    let mut after = board.clone();
    after.play(m);
    after.end() == Some(BoardEnd::Checkmate)
}

fn mates_in_one() -> Vec<Situation> {
    let mut suite = Vec::new();
    games(1, |situation| {
        let board = situation.board();
        if board.legal_moves().into_iter().any(|m| mates(board, m)) {
            suite.push(situation.clone());
        }
        suite.len() == SUITE
    });
    suite
}

/// Positions in which one capture wins at least a knight and everything else wins nothing.
fn hanging() -> Vec<Situation> {
    let (mut suite, mut engine) = (Vec::new(), Engine::new(1 << 18));
    games(2, |situation| {
        let captures = situation
            .board()
            .legal_moves()
            .into_iter()
            .any(|m| m.is_capture());
        if captures && situation.moves().len() > 8 {
            let stands_out = |engine: &mut Engine, depth| {
                let ranked = engine
                    .rank(situation, Limits::depth(depth), 600, &mut || false)
                    .moves;
                let [best, second, ..] = ranked[..] else {
                    return false;
                };
                let wins = best.m.is_capture() && best.score - second.score >= 250;
                wins && best.score < 1_500 && second.score > -400 && best.score > 100
            };
            if stands_out(&mut engine, 1) && stands_out(&mut engine, 3) {
                suite.push(situation.clone());
            }
        }
        suite.len() == SUITE
    });
    suite
}

fn found(suite: &[Situation], level: Level, good: impl Fn(&Situation, Move) -> bool) -> usize {
    let mut engine = Engine::new(1 << 18);
    let mut count = 0;
    for (seed, situation) in suite.iter().enumerate() {
        let all = Limits::nodes(u64::MAX);
        let answer = pick(&mut engine, situation, level, all, seed as u64, &mut || {
            false
        });
        count += usize::from(good(situation, answer.expect("a move").m));
    }
    println!("{}: {count} of {}", level.name(), suite.len());
    count
}

#[test]
fn a_beginner_finds_mate_in_one_at_least_half_of_the_time() {
    let suite = mates_in_one();
    let of = |level| found(&suite, level, |situation, m| mates(situation.board(), m));
    let (beginner, easy, hard) = (of(Level::Beginner), of(Level::Easy), of(Level::Hard));
    assert!(beginner * 2 >= SUITE, "{beginner}");
    assert!(easy > beginner && hard * 100 >= SUITE * 95, "{easy} {hard}");
}

#[test]
fn a_hanging_piece_is_taken() {
    let suite = hanging();
    let mut engine = Engine::new(1 << 18);
    let best: Vec<Move> = suite
        .iter()
        .map(|situation| {
            engine
                .rank(situation, Limits::depth(3), 1000, &mut || false)
                .moves[0]
                .m
        })
        .collect();
    let of = |level| {
        let taken = |situation: &Situation, m| {
            let at = suite.iter().position(|s| std::ptr::eq(s, situation));
            at.is_some_and(|at| best[at] == m)
        };
        found(&suite, level, taken)
    };
    let (beginner, easy, medium) = (of(Level::Beginner), of(Level::Easy), of(Level::Medium));
    assert!(beginner * 100 >= SUITE * 60, "{beginner}");
    assert!(easy * 100 >= SUITE * 80, "{easy}");
    assert!(medium >= easy, "{medium}");
}

#[test]
fn mistakes_become_smaller_with_the_level() {
    let mut suite = Vec::new();
    games(3, |situation| {
        if situation.moves().len() % 7 == 6 {
            suite.push(situation.clone());
        }
        suite.len() == 120
    });
    let mut engine = Engine::new(1 << 18);
    let mut last = i32::MAX;
    for level in [Level::Beginner, Level::Easy, Level::Medium, Level::Hard] {
        let mut lost = 0;
        for (seed, situation) in suite.iter().enumerate() {
            let all = Limits::nodes(u64::MAX);
            let answer = pick(&mut engine, situation, level, all, seed as u64, &mut || {
                false
            });
            let chosen = answer.expect("a move").m;
            let ranked = engine
                .rank(situation, Limits::depth(4), 2000, &mut || false)
                .moves;
            let worth = |score: i32| score.clamp(-1000, 1000);
            let of = ranked.iter().find(|r| r.m == chosen).expect("a legal move");
            lost += worth(ranked[0].score) - worth(of.score);
        }
        let mean = lost / suite.len() as i32;
        println!("{}: {mean} centipawns lost per move", level.name());
        assert!(mean < last, "{}: {mean} after {last}", level.name());
        last = mean;
    }
}

#[test]
fn the_same_seed_plays_the_same_and_every_level_plays_every_variant() {
    let mut engine = Engine::new(1 << 18);
    for variant in Variant::ALL {
        for level in Level::ALL {
            let mut situation = Situation::usual(variant);
            for seed in 0..6 {
                // Some variants can end that soon.
                if situation.board().end().is_some() {
                    break;
                }
                let few = Limits::nodes(400);
                let mut once = || pick(&mut engine, &situation, level, few, seed, &mut || false);
                let (one, other) = (once(), once());
                assert_eq!(one, other);
                let m = one.expect("a move").m;
                assert!(situation.board().legal_moves().contains(&m));
                situation.play(m);
            }
        }
    }
}

#[test]
fn a_level_says_how_it_stands() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let board = Board::from_fen(Variant::Standard, fen).expect("a good test position");
    let situation = Situation::new(Variant::Standard, board);
    let all = Limits::nodes(u64::MAX);
    let answer = pick(
        &mut Engine::new(0),
        &situation,
        Level::Hard,
        all,
        1,
        &mut || false,
    );
    assert_eq!(answer.expect("a move").score, Score::Mate(1));
}
