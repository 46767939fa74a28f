//! The fuzz target for a few seconds, the same inputs every time: the seeds in
//! `fuzz/seeds/xmpp`, each changed at random in many ways, and noise that chooses stanzas.

use std::fs;
use std::path::Path;

use super::anything::run;

const RUNS: u32 = 3_000;

#[test]
fn anybody_may_send_anything() {
    let seeds = seeds();
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    for seed in &seeds {
        run(seed);
    }
    for _ in 0..RUNS {
        let input = chance.input(&seeds);
        // Shown only if the test fails: what to put into a test of its own.
        let shown = Shown(&input);
        run(&input);
        std::mem::forget(shown);
    }
}

/// The files that the real fuzzer begins with as well.
fn seeds() -> Vec<Vec<u8>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/xmpp");
    let files = fs::read_dir(dir).expect("the seeds are there");
    let mut paths: Vec<_> = files.map(|f| f.expect("a readable file").path()).collect();
    paths.sort();
    let read = |path| fs::read(path).expect("a readable file");
    paths.into_iter().map(read).collect()
}

/// Tells the input when something is wrong.
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

    /// Mostly choices: changed XML is seldom XML.
    fn input(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        if self.below(4) > 0 {
            let length = self.below(120);
            let mut bytes = self.bytes(length);
            // What begins like XML is taken for it.
            bytes.insert(0, b'0');
            return bytes;
        }
        let mut input = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(3) {
            let place = self.below(input.len() + 1);
            let end = place + self.below(6).min(input.len() - place);
            let other = &seeds[self.below(seeds.len())];
            let from = self.below(other.len() + 1);
            let patch = other[from..(from + self.below(12)).min(other.len())].to_vec();
            input.splice(place..end, patch);
        }
        input
    }
}
