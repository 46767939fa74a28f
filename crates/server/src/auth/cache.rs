//! A bounded cache that never brings back what was forgotten.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard};

use crate::lock::lock;

const SHARDS: usize = 16;

/// What was read lately, in two generations: when the young one is full it
/// becomes the old one, and what nobody asked for since the last time goes.
pub(crate) struct Cache<K, V> {
    shards: [Mutex<Shard<K, V>>; SHARDS],
    hasher: RandomState,
    /// How many a generation of a shard holds.
    generation_max: usize,
}

struct Shard<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    /// How often something was forgotten here.
    forgotten: u64,
}

/// Says what had been forgotten when a look-up found nothing. What is read
/// from the store after that is only put in if nothing was forgotten since:
/// it might be the very thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Miss(u64);

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    /// A cache of at most so many.
    pub(crate) fn new(max: usize) -> Cache<K, V> {
        Cache {
            shards: std::array::from_fn(|_| Mutex::new(Shard::new())),
            hasher: RandomState::new(),
            generation_max: max.div_ceil(2 * SHARDS).max(1),
        }
    }

    /// What is known under that key.
    pub(crate) fn get(&self, key: &K) -> Result<V, Miss>
    where
        K: Clone,
    {
        let mut shard = self.shard(key);
        if let Some(value) = shard.young.get(key) {
            return Ok(value.clone());
        }
        match shard.old.remove(key) {
            Some(value) => {
                shard.insert(key.clone(), value.clone(), self.generation_max);
                Ok(value)
            }
            None => Err(Miss(shard.forgotten)),
        }
    }

    /// Keeps what was read after that miss.
    pub(crate) fn put(&self, key: K, value: V, miss: Miss) {
        let mut shard = self.shard(&key);
        if shard.forgotten == miss.0 {
            shard.insert(key, value, self.generation_max);
        }
    }

    /// Forgets one.
    pub(crate) fn forget(&self, key: &K) {
        let mut shard = self.shard(key);
        shard.forgotten += 1;
        shard.young.remove(key);
        shard.old.remove(key);
    }

    /// Forgets all of them.
    pub(crate) fn clear(&self) {
        for shard in &self.shards {
            let mut shard = lock(shard);
            shard.forgotten += 1;
            shard.young.clear();
            shard.old.clear();
        }
    }

    fn shard(&self, key: &K) -> MutexGuard<'_, Shard<K, V>> {
        let hash = self.hasher.hash_one(key);
        lock(&self.shards[hash as usize % SHARDS])
    }
}

impl<K: Hash + Eq, V> Shard<K, V> {
    fn new() -> Shard<K, V> {
        Shard {
            young: HashMap::new(),
            old: HashMap::new(),
            forgotten: 0,
        }
    }

    fn insert(&mut self, key: K, value: V, generation_max: usize) {
        if self.young.len() >= generation_max && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
        }
        self.old.remove(&key);
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &Cache<u32, u32>, key: u32, value: u32) {
        let miss = cache.get(&key).unwrap_err();
        cache.put(key, value, miss);
    }

    #[test]
    fn what_was_put_in_is_found_until_it_is_forgotten() {
        let cache = Cache::new(1_000);
        put(&cache, 1, 10);
        put(&cache, 2, 20);
        assert_eq!(cache.get(&1).ok(), Some(10));
        cache.forget(&1);
        assert!(cache.get(&1).is_err());
        assert_eq!(cache.get(&2).ok(), Some(20));
        let miss = cache.get(&3).unwrap_err();
        cache.clear();
        cache.put(3, 30, miss);
        assert!(cache.get(&2).is_err() && cache.get(&3).is_err());
    }

    #[test]
    fn what_was_forgotten_while_it_was_being_read_does_not_come_back() {
        let cache = Cache::new(1_000);
        let miss = cache.get(&1).unwrap_err();
        cache.forget(&1);
        cache.put(1, 10, miss);
        assert!(cache.get(&1).is_err());
    }

    #[test]
    fn it_holds_no_more_than_it_may_and_keeps_what_is_used() {
        let cache = Cache::new(640);
        put(&cache, 0, 7);
        for key in 1..100_000 {
            put(&cache, key, key);
            assert_eq!(cache.get(&0).ok(), Some(7), "{key}");
        }
        let sizes = cache
            .shards
            .iter()
            .map(lock)
            .map(|s| s.young.len() + s.old.len());
        let held: usize = sizes.sum();
        assert!((1..=640).contains(&held), "{held}");
    }
}
