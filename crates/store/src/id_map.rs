//! Maps from the server's own numbers.
//!
//! Nobody outside chooses a table's or an account's number, so nobody can make
//! them collide, and finding one need not cost what text from strangers costs.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

/// A map from tables or accounts.
pub type IdMap<K, V> = HashMap<K, V, BuildHasherDefault<IdHasher>>;

/// The golden ratio: neighbouring numbers end up far from each other.
const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15;

/// Multiplies, and folds the upper half of the product into the lower.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * SPREAD;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// One of `shards` places for that number; maps within a shard look at other
/// bits of the hash.
pub fn shard_of(id: impl Hash, shards: usize) -> usize {
    let hash = BuildHasherDefault::<IdHasher>::default().hash_one(id);
    (hash >> 32) as usize % shards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableId;

    /// How many of 64,000 keys are in the fullest of 64 places.
    fn fullest(place: impl Fn(u64) -> usize) -> usize {
        let mut places = [0; 64];
        (0..64_000).for_each(|n| places[place(n)] += 1);
        places.into_iter().max().unwrap()
    }

    #[test]
    fn numbers_in_a_row_are_spread_evenly() {
        let id = |n| TableId::from_random(n);
        assert!(fullest(|n| shard_of(id(n), 64)) < 1_200);
        let hash = |n| BuildHasherDefault::<IdHasher>::default().hash_one(id(n));
        assert!(fullest(|n| hash(n) as usize % 64) < 1_200);
        assert!(fullest(|n| (hash(n) >> 58) as usize) < 1_200);
    }

    #[test]
    fn within_a_shard_numbers_are_still_spread() {
        let hash = |n| BuildHasherDefault::<IdHasher>::default().hash_one(TableId::from_random(n));
        let in_shard = (0..).filter(|n| shard_of(TableId::from_random(*n), 64) == 7);
        let keys: Vec<u64> = in_shard.take(64_000).collect();
        assert!(fullest(|n| hash(keys[n as usize]) as usize % 64) < 1_200);
    }
}
