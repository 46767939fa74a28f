//! A bounded cache that never brings back what was forgotten.

use std::hash::Hash;
use std::time::Duration;

use quick_cache::sync::{Cache as Held, DefaultLifecycle, GuardResult, PlaceholderGuard};
use quick_cache::{DefaultHashBuilder, UnitWeighter};

/// What was read lately.
pub(crate) struct Cache<K, V>(Held<K, V>);

/// Holds the place of something that was not found. What is then read from the
/// store is only kept if the place was not forgotten meanwhile: it might be out
/// of date. Whoever looks for the same thing at the same time does not wait,
/// but has no place.
pub(crate) struct Miss<'a, K, V>(Option<Place<'a, K, V>>);

type Place<'a, K, V> =
    PlaceholderGuard<'a, K, V, UnitWeighter, DefaultHashBuilder, DefaultLifecycle<K, V>>;

impl<K: Hash + Eq + Clone, V: Clone> Cache<K, V> {
    /// A cache of at most so many.
    pub(crate) fn new(max: usize) -> Cache<K, V> {
        Cache(Held::new(max))
    }

    /// What is known under that key.
    pub(crate) fn get(&self, key: &K) -> Result<V, Miss<'_, K, V>> {
        match self.0.get_value_or_guard(key, Some(Duration::ZERO)) {
            GuardResult::Value(value) => Ok(value),
            GuardResult::Guard(place) => Err(Miss(Some(place))),
            GuardResult::Timeout => Err(Miss(None)),
        }
    }

    /// Whether anything is known under that key.
    pub(crate) fn has(&self, key: &K) -> bool {
        self.0.contains_key(key)
    }

    /// Forgets one, and says what it was.
    pub(crate) fn forget(&self, key: &K) -> Option<V> {
        self.0.remove(key).map(|(_, value)| value)
    }

    /// Forgets all of them.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }
}

impl<K: Hash + Eq + Clone, V: Clone> Miss<'_, K, V> {
    /// Keeps what was read.
    pub(crate) fn keep(self, value: V) {
        if let Some(place) = self.0 {
            // It is refused if it was forgotten: so it should be.
            drop(place.insert(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &Cache<u32, u32>, key: u32, value: u32) {
        cache.get(&key).expect_err("a miss").keep(value);
    }

    #[test]
    fn what_was_put_in_is_found_until_it_is_forgotten() {
        let cache = Cache::new(1_000);
        put(&cache, 1, 10);
        put(&cache, 2, 20);
        assert_eq!(cache.get(&1).ok(), Some(10));
        assert_eq!(cache.forget(&1), Some(10));
        assert!(!cache.has(&1) && cache.get(&1).is_err());
        assert_eq!(cache.get(&2).ok(), Some(20));
    }

    #[test]
    fn what_was_forgotten_while_it_was_being_read_does_not_come_back() {
        let cache = Cache::new(1_000);
        let (one, two) = (cache.get(&1).err(), cache.get(&2).err());
        cache.forget(&1);
        one.expect("a miss").keep(10);
        assert!(!cache.has(&1));
        cache.clear();
        two.expect("a miss").keep(20);
        assert!(!cache.has(&2));
    }

    #[test]
    fn two_who_read_the_same_do_not_wait_for_each_other() {
        let cache = Cache::new(1_000);
        let (first, second) = (cache.get(&1).err(), cache.get(&1).err());
        second.expect("a miss").keep(11);
        first.expect("a miss").keep(10);
        assert_eq!(cache.get(&1).ok(), Some(10));
    }

    #[test]
    fn it_holds_no_more_than_it_may_and_keeps_what_is_used() {
        let cache = Cache::new(640);
        put(&cache, 0, 7);
        for key in 1..100_000 {
            put(&cache, key, key);
            assert_eq!(cache.get(&0).ok(), Some(7), "{key}");
        }
        assert!((1..=640).contains(&cache.0.len()), "{}", cache.0.len());
    }
}
