//! Mutexes that outlive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks. What is guarded in this crate is whole between any two operations on
/// it, so a panic elsewhere is no reason to refuse it to everybody else.
pub(crate) fn lock<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
