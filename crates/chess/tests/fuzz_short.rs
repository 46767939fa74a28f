//! The fuzz targets for a few seconds, the same inputs every time: the seeds
//! in `fuzz/seeds`, each changed at random in many ways, and plain noise.
//! `make fuzz` does this for as long as one likes, and learns on the way.

mod fuzz_targets;

use std::fs;
use std::path::Path;

use fuzz_targets::{decode, fen, game, moves, pgn, skill};

#[test]
fn any_text_may_be_a_fen() {
    fuzz("fen", 60_000, fen::run);
}

#[test]
fn any_text_may_be_a_move() {
    fuzz("moves", 40_000, moves::run);
}

#[test]
fn any_bytes_may_be_a_pgn_file() {
    fuzz("pgn", 24_000, pgn::run);
}

#[test]
fn any_commands_may_come_at_any_time() {
    fuzz("game", 3_000, game::run);
}

#[test]
fn any_bytes_may_be_in_the_store() {
    fuzz("decode", 10_000, decode::run);
}

#[test]
fn any_commands_and_bytes_may_come_to_skill_chess() {
    fuzz("skill", 1_000, skill::run);
}

fn fuzz(target: &str, runs: u32, run: fn(&[u8])) {
    let seeds = seeds(target);
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    for seed in &seeds {
        run(seed);
    }
    for _ in 0..runs {
        let input = chance.input(&seeds);
        // Shown only if the test fails: what to put into a test of its own.
        let shown = Shown(&input);
        run(&input);
        std::mem::forget(shown);
    }
}

/// The files in `fuzz/seeds`, which the real fuzzers begin with as well.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let Ok(files) = fs::read_dir(dir.join(target)) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = files.map(|f| f.expect("a readable file").path()).collect();
    paths.sort();
    let read = |path| fs::read(path).expect("a readable file");
    paths.into_iter().map(read).collect()
}

/// Tells the input when a target panics.
struct Shown<'a>(&'a [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        eprintln!("the input was b\"{}\"", self.0.escape_ascii());
    }
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

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }

    fn input(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        if seeds.is_empty() || self.below(8) == 0 {
            let length = self.below(1_500);
            return self.bytes(length);
        }
        let mut input = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(4) {
            self.change(&mut input, seeds);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let place = self.below(input.len() + 1);
        let end = place + self.below(8).min(input.len() - place);
        let patch = match self.below(4) {
            0 => Vec::new(),
            1 => self.bytes(end - place),
            2 => input[self.below(place + 1)..place].to_vec(),
            _ => {
                let other = &seeds[self.below(seeds.len())];
                let from = self.below(other.len() + 1);
                other[from..(from + 8).min(other.len())].to_vec()
            }
        };
        input.splice(place..end, patch);
    }
}
