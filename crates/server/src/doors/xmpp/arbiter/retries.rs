//! Commands that come again: the same full JID, id and payload within a minute is the same
//! command, and is answered as the first time.
//!
//! Answers are remembered here. What a command did is also stored with it, under a key that
//! is made of the same, so that another node, or this one after a restart, knows it again.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chess::{Millis, Timestamp};
use sha2::{Digest, Sha256};

use super::super::element::Element;
use crate::lock::lock;

/// For how long a command is known.
pub(super) const KNOWN: Millis = Millis::from_secs(60);
/// How many are.
const MAX: usize = 50_000;

/// What makes two commands the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sent([u8; 32]);

impl Sent {
    pub(super) fn new(from: &str, id: &str, payload: &Element) -> Sent {
        let mut hash = Sha256::new();
        for part in [from, id, &payload.write()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        Sent(hash.finalize().into())
    }

    /// Under which keys it may be stored: of the minute that runs, and of the one before.
    pub(super) fn keys(&self, at: Timestamp) -> [String; 2] {
        let name = URL_SAFE_NO_PAD.encode(&self.0[..24]);
        let minute = at.0 / u64::from(KNOWN.0).max(1);
        [minute, minute.wrapping_sub(1)].map(|minute| format!("xmpp:{name}:{minute}"))
    }
}

/// What has become of commands.
#[derive(Default)]
pub(super) struct Retries(Mutex<Known>);

#[derive(Default)]
struct Known {
    answers: HashMap<Sent, Option<Element>>,
    order: VecDeque<(Timestamp, Sent)>,
}

/// Whether a command was here before.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It was not.
    New,
    /// It is being carried out, and will be answered.
    Pending,
    /// It was answered so.
    Answered(Element),
}

impl Retries {
    /// Looks whether the command was here before; now it was.
    pub(super) fn look(&self, sent: Sent, now: Timestamp) -> Seen {
        let mut known = lock(&self.0);
        while let Some((at, old)) = known.order.front().copied() {
            if now.since(at) < KNOWN && known.order.len() < MAX {
                break;
            }
            known.order.pop_front();
            known.answers.remove(&old);
        }
        match known.answers.get(&sent) {
            Some(Some(answer)) => Seen::Answered(answer.clone()),
            Some(None) => Seen::Pending,
            None => {
                known.answers.insert(sent, None);
                known.order.push_back((now, sent));
                Seen::New
            }
        }
    }

    /// Whatever carried it out is gone: without an answer, it is asked for anew.
    pub(super) fn is_over(&self, sent: Sent) {
        let is_pending = matches!(lock(&self.0).answers.get(&sent), Some(None));
        if is_pending {
            self.answered(sent, None);
        }
    }

    /// Remembers the answer; `None`: it was none that counts, and is asked for anew.
    pub(super) fn answered(&self, sent: Sent, answer: Option<&Element>) {
        let mut known = lock(&self.0);
        match answer {
            Some(answer) => {
                if let Some(known) = known.answers.get_mut(&sent) {
                    *known = Some(answer.clone());
                }
            }
            None => {
                known.answers.remove(&sent);
                known.order.retain(|(_, other)| *other != sent);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_known_for_a_minute() {
        let retries = Retries::default();
        let payload = Element::core("move").text("e2e4");
        let sent = Sent::new("ann@x/y", "1", &payload);
        let answer = Element::core("iq");
        assert_eq!(retries.look(sent, Timestamp(0)), Seen::New);
        assert_eq!(retries.look(sent, Timestamp(1)), Seen::Pending);
        retries.answered(sent, Some(&answer));
        let again = retries.look(sent, Timestamp(59_999));
        assert_eq!(again, Seen::Answered(answer));
        assert_eq!(retries.look(sent, Timestamp(60_000)), Seen::New);
    }

    #[test]
    fn another_sender_id_or_payload_is_another_command() {
        let e4 = Element::core("move").text("e2e4");
        let d4 = Element::core("move").text("d2d4");
        let sent = Sent::new("ann@x/y", "1", &e4);
        assert_eq!(sent, Sent::new("ann@x/y", "1", &e4));
        for other in [
            Sent::new("ann@x/z", "1", &e4),
            Sent::new("ann@x/y", "2", &e4),
            Sent::new("ann@x/y", "1", &d4),
            Sent::new("ann@x/", "y1", &e4),
        ] {
            assert_ne!(sent, other);
        }
    }

    #[test]
    fn what_does_not_count_is_asked_for_anew() {
        let retries = Retries::default();
        let sent = Sent::new("ann@x/y", "1", &Element::core("move"));
        assert_eq!(retries.look(sent, Timestamp(0)), Seen::New);
        retries.answered(sent, None);
        assert_eq!(retries.look(sent, Timestamp(1)), Seen::New);
    }

    #[test]
    fn what_ended_without_an_answer_is_asked_for_anew() {
        let retries = Retries::default();
        let sent = Sent::new("ann@x/y", "1", &Element::core("move"));
        assert_eq!(retries.look(sent, Timestamp(0)), Seen::New);
        retries.is_over(sent);
        assert_eq!(retries.look(sent, Timestamp(1)), Seen::New);
        let answer = Element::core("iq");
        retries.answered(sent, Some(&answer));
        retries.is_over(sent);
        let again = retries.look(sent, Timestamp(2));
        assert_eq!(again, Seen::Answered(answer));
    }

    #[test]
    fn keys_go_over_from_one_minute_to_the_next() {
        let sent = Sent::new("ann@x/y", "1", &Element::core("move"));
        let [first, _] = sent.keys(Timestamp(119_999));
        let [second, before] = sent.keys(Timestamp(120_000));
        assert_eq!(first, before);
        assert_ne!(first, second);
        assert!(first.len() <= 64, "{first}");
    }
}
