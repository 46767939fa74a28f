//! The order of locks: those of all rooms first, then those of one room.
//!
//! Whoever holds one room's and asks for all rooms' may wait for somebody who is
//! just leaving that room and waits for them: that once stopped a server. Debug
//! builds, and so all tests, hold everybody to the order.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard};

use crate::live::lock;

thread_local! {
    static HELD: Cell<u32> = const { Cell::new(0) };
}

/// One room's lock.
pub(super) struct Inside<'a, V>(MutexGuard<'a, V>);

/// Takes one room's lock.
pub(super) fn inside<V>(mutex: &Mutex<V>) -> Inside<'_, V> {
    let guard = lock(mutex);
    if cfg!(debug_assertions) {
        HELD.set(HELD.get() + 1);
    }
    Inside(guard)
}

/// Takes a lock of all rooms.
pub(super) fn outside<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    debug_assert_eq!(HELD.get(), 0, "the rooms were asked from inside of one");
    lock(mutex)
}

impl<V> Drop for Inside<'_, V> {
    fn drop(&mut self) {
        if cfg!(debug_assertions) {
            HELD.set(HELD.get() - 1);
        }
    }
}

impl<V> Deref for Inside<'_, V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.0
    }
}

impl<V> DerefMut for Inside<'_, V> {
    fn deref_mut(&mut self) -> &mut V {
        &mut self.0
    }
}
