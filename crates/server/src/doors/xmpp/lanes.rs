//! Who sends something waits for themselves only: each sender's stanzas are dealt with one
//! after the other, those of different senders side by side.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use jid::BareJid;

use crate::lock::lock;

/// So many stanzas of one sender may wait.
const WAITING_MAX: usize = 64;
/// So many senders may be dealt with at once.
const SENDERS_MAX: usize = 10_000;

/// What waits, by sender.
pub(super) struct Lanes<S>(Arc<Mutex<HashMap<BareJid, VecDeque<S>>>>);

impl<S> Clone for Lanes<S> {
    fn clone(&self) -> Lanes<S> {
        Lanes(Arc::clone(&self.0))
    }
}

impl<S> Default for Lanes<S> {
    fn default() -> Lanes<S> {
        Lanes(Arc::default())
    }
}

/// What becomes of a stanza.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Queued<S> {
    /// It is the sender's only one: deal with it, then ask for the [`Lanes::next`].
    First(S),
    /// It waits for those before it.
    Waiting,
    /// There are too many.
    TooMany(S),
}

impl<S> Lanes<S> {
    /// Puts a stanza in line.
    pub(super) fn put(&self, sender: &BareJid, stanza: S) -> Queued<S> {
        let mut lanes = lock(&self.0);
        let is_full = lanes.len() >= SENDERS_MAX;
        match lanes.get_mut(sender) {
            Some(lane) if lane.len() >= WAITING_MAX => Queued::TooMany(stanza),
            Some(lane) => {
                lane.push_back(stanza);
                Queued::Waiting
            }
            None if is_full => Queued::TooMany(stanza),
            None => {
                lanes.insert(sender.clone(), VecDeque::new());
                Queued::First(stanza)
            }
        }
    }

    /// The sender's next; with the last of them the lane is gone.
    pub(super) fn next(&self, sender: &BareJid) -> Option<S> {
        let mut lanes = lock(&self.0);
        let next = lanes.get_mut(sender)?.pop_front();
        if next.is_none() {
            lanes.remove(sender);
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sender_has_a_line_of_their_own_and_it_is_short() {
        let lanes = Lanes::default();
        let [ann, bob] = ["ann@x", "bob@x"].map(|jid| BareJid::new(jid).unwrap());
        assert_eq!(lanes.put(&ann, 0), Queued::First(0));
        for i in 1..=WAITING_MAX {
            assert_eq!(lanes.put(&ann, i), Queued::Waiting);
        }
        assert_eq!(lanes.put(&ann, 99), Queued::TooMany(99));
        assert_eq!(lanes.put(&bob, 7), Queued::First(7));
        for i in 1..=WAITING_MAX {
            assert_eq!(lanes.next(&ann), Some(i));
        }
        assert_eq!(lanes.next(&ann), None);
        assert_eq!(lanes.put(&ann, 5), Queued::First(5));
    }
}
