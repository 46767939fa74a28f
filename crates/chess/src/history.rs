//! A packed history that costs the same to copy however long it is.
//!
//! Every change is made on a copy of the table. What was written long ago is
//! shared by all copies and never changes again; only what is recent is copied
//! and written anew. So two changes of the same table are none of each other's
//! business, whichever of them comes to be.

use std::sync::Arc;

use crate::bytes::{length, put, take};

/// When this many bytes are recent, they become old: some 120 moves of chess.
/// Most games end before, and never take the memory to share anything.
const RECENT_MAX: usize = 512;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    /// Whole entries.
    old: Option<Arc<Vec<u8>>>,
    /// What is kept aside, after its length, and then whole entries. One block
    /// for both, and exactly as long as what is in it: over half a million
    /// games, a second block or spare room would cost more than they save.
    recent: Box<[u8]>,
}

/// What becomes of the bytes that are kept aside. They are no part of the history.
pub(crate) enum Aside<'a> {
    /// They stay as they are.
    Keep,
    /// These are added.
    Add(&'a [u8]),
    /// These are all.
    Set(&'a [u8]),
}

impl History {
    /// Adds an entry. `room` is how long it probably is.
    pub(crate) fn append(
        &mut self,
        aside: Aside<'_>,
        room: usize,
        write: impl FnOnce(&mut Vec<u8>),
    ) {
        let [kept, mut entries] = self.split();
        let mut old = None;
        if entries.len() >= RECENT_MAX {
            old = Some(Arc::new(self.bytes()));
            entries = &[];
        }
        let (kept, added): (&[u8], &[u8]) = match aside {
            Aside::Keep => (kept, &[]),
            Aside::Add(more) => (kept, more),
            Aside::Set(all) => (all, &[]),
        };
        let count = kept.len() + added.len();
        let size = length(count as u64) + count + entries.len() + room;
        let mut recent = Vec::with_capacity(size);
        put(&mut recent, count as u64);
        for part in [kept, added, entries] {
            recent.extend_from_slice(part);
        }
        write(&mut recent);
        self.recent = recent.into_boxed_slice();
        if old.is_some() {
            self.old = old;
        }
    }

    /// How long it is.
    pub(crate) fn len(&self) -> usize {
        self.parts().map(<[u8]>::len).iter().sum()
    }

    /// All of it: two parts of whole entries.
    pub(crate) fn parts(&self) -> [&[u8]; 2] {
        let old = self.old.as_ref().map_or(&[][..], |old| old);
        [old, self.recent_entries()]
    }

    /// What comes after its first `length` bytes, in two parts as well.
    pub(crate) fn after(&self, length: usize) -> [&[u8]; 2] {
        let [old, recent] = self.parts();
        match length.checked_sub(old.len()) {
            Some(known) => [&[], recent.get(known..).unwrap_or_default()],
            None => [&old[length..], recent],
        }
    }

    /// All of it in one piece.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.parts().concat()
    }

    /// Whether it is that.
    pub(crate) fn is(&self, bytes: &[u8]) -> bool {
        let [old, recent] = self.parts();
        bytes.strip_prefix(old) == Some(recent)
    }

    /// The entries that were made last: at least one, if there are any.
    pub(crate) fn recent_entries(&self) -> &[u8] {
        self.split()[1]
    }

    /// What is kept aside.
    pub(crate) fn aside(&self) -> &[u8] {
        self.split()[0]
    }

    fn split(&self) -> [&[u8]; 2] {
        let mut rest = &*self.recent;
        let aside = take(&mut rest).unwrap_or_default();
        rest.split_at(aside as usize).into()
    }

    /// What it takes besides its own size.
    pub(crate) fn heap_bytes(&self) -> usize {
        let old = self.old.as_ref();
        // Two counts stand before what is shared.
        let counts = 2 * size_of::<usize>();
        let old = old.map_or(0, |old| counts + size_of::<Vec<u8>>() + old.capacity());
        old + self.recent.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(history: &mut History, aside: Aside<'_>, entry: &[u8]) {
        history.append(aside, 3, |out| out.extend_from_slice(entry));
    }

    #[test]
    fn what_is_old_is_shared_and_what_is_copied_stays_short() {
        let (mut history, mut all) = (History::default(), Vec::new());
        let mut copies = Vec::new();
        for n in 0..2_000u16 {
            let entry = [n.to_le_bytes(), [7; 2]].concat();
            let before = history.clone();
            append(&mut history, Aside::Keep, &entry);
            all.extend_from_slice(&entry);
            assert!(history.is(&all));
            assert_eq!(history.after(before.len()).concat(), entry);
            assert!(
                history.recent.len() <= RECENT_MAX + 8,
                "{}",
                history.recent.len()
            );
            let shared = match (&before.old, &history.old) {
                (Some(then), Some(now)) => Arc::ptr_eq(then, now),
                (None, None) => true,
                _ => false,
            };
            copies.extend((!shared).then_some(n));
        }
        assert_eq!(copies.len(), 2_000 * 4 / RECENT_MAX);
    }

    #[test]
    fn two_changes_of_one_history_know_nothing_of_each_other() {
        let mut history = History::default();
        for n in 0..300u16 {
            append(&mut history, Aside::Add(&[1]), &n.to_le_bytes());
            let [mut one, mut other] = [history.clone(), history.clone()];
            for n in 0..400u16 {
                append(&mut one, Aside::Set(&[]), &[1, n as u8]);
                append(&mut other, Aside::Keep, &[2, n as u8]);
            }
            assert_eq!(history.len(), usize::from(n + 1) * 2);
            for (branch, mark) in [(&one, 1), (&other, 2)] {
                assert!(branch.bytes().starts_with(&history.bytes()));
                let since = branch.after(history.len()).concat();
                assert_eq!(since.len(), 800);
                assert!(since.iter().step_by(2).all(|byte| *byte == mark));
            }
            assert_eq!(one.aside(), []);
            assert_eq!(other.aside().len(), usize::from(n + 1));
        }
    }
}
