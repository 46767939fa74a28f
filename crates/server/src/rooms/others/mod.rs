//! The other nodes: what they are told of what happens here, and what they tell.
//!
//! All of it is a hint. What counts is in the store, and what gets lost on the way
//! is found there: a gap in the versions by the live core, and the last of what was
//! lost by the look at quiet rooms (`quiet`).

mod afar;
mod asking;
mod feeds;
mod lobby;
mod people;
mod quiet;
mod solo;
mod word;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use chess::Timestamp;
use chess::table::{PlayerId, Table};
use chess::tables::AnyTable;
use live::Live;
use live::bus::{Bus, Message, Stats};
use live::room::{Heard, Loss};
use store::{Beat, NodeId, Pulse, TableId};

use self::feeds::Feed;
use self::word::{Said, Word};
use super::bus::Happened;
use super::{Line, Room, Rooms, rematch_of};
use crate::lock::lock;

pub use self::afar::{Afar, merged};
pub use self::quiet::watch;
pub use self::word::{Here, PlayerSeen};

/// Over how long the streams of a node that stops are ended.
const SPREAD: Duration = Duration::from_secs(2);

/// As many are named to other nodes as blocking a speaker.
const BLOCKED_BY_MAX: usize = 1_000;

/// This node among the others.
pub struct Others {
    bus: Bus,
    node: NodeId,
    live: Live<AnyTable>,
    /// Whether there is any other, as far as the last heartbeat knew.
    has_company: AtomicBool,
    feeds: Mutex<HashMap<PlayerId, Feed>>,
    behind: AtomicU64,
}

/// What is done with each heartbeat.
pub type OnPulse = Box<dyn Fn(&Beat, &Pulse, Timestamp) + Send + Sync>;

impl Rooms {
    /// Joins the other nodes. Only once.
    pub fn join_others(&self, bus: Bus, node: NodeId, live: Live<AnyTable>) {
        let others = Others {
            bus,
            node,
            live,
            has_company: AtomicBool::new(true),
            feeds: Mutex::default(),
            behind: AtomicU64::new(0),
        };
        drop(self.0.others.set(others));
        self.answer_questions();
        if let Some(ears) = self.hear_of_people() {
            drop(self.0.people.set(ears));
        }
        if let Some(ears) = self.hear_of_solos() {
            drop(self.0.solo_ears.set(ears));
        }
    }

    /// Has somebody called with every heartbeat.
    pub fn on_pulse(&self, call: OnPulse) {
        drop(self.0.on_pulse.set(call));
    }

    /// The others, if this node shares its store.
    fn others(&self) -> Option<&Others> {
        self.0.others.get()
    }

    /// What the bus between nodes has done, and how often a room was behind.
    pub fn bus_stats(&self) -> Option<(Stats, u64)> {
        let others = self.others()?;
        let behind = others.behind.load(Ordering::Relaxed);
        Some((others.bus.stats(), behind))
    }

    /// Over how long this node's streams end when it stops: where there are others
    /// to go to, not all at once.
    pub fn spread(&self) -> Duration {
        match self.others() {
            Some(others) if others.has_company.load(Ordering::Relaxed) => SPREAD,
            _ => Duration::ZERO,
        }
    }

    /// How long one of them waits.
    pub fn farewell_pause(&self) -> Duration {
        self.spread().mul_f64(rand::random())
    }

    /// Ends the bus between nodes.
    pub async fn leave_others(&self) {
        if let Some(others) = self.others() {
            lock(&others.feeds).clear();
            self.lobby().deafen();
            others.bus.close().await;
        }
    }

    pub(super) fn heard_pulse(&self, beat: &Beat, pulse: &Pulse, asked: Timestamp) {
        if let Some(others) = self.others() {
            let now = Timestamp(pulse.at_us / 1_000);
            let mut nodes = pulse.nodes.iter();
            let has_company = nodes.any(|node| node.id != others.node && node.is_live(now));
            others.has_company.store(has_company, Ordering::Relaxed);
            self.look_for_lost_games(|id| {
                let mut nodes = pulse.nodes.iter();
                nodes.any(|node| node.id == id && node.is_live(now))
            });
        }
        if let Some(call) = self.0.on_pulse.get() {
            call(beat, pulse, asked);
        }
    }

    /// Tells the other nodes of a change made here.
    pub(super) fn tell_others_of_change(&self, id: TableId, change: &live::Changed<AnyTable>) {
        let Some(others) = self.others().filter(|_| !change.is_foreign) else {
            return;
        };
        let word = Word::Changed {
            version: change.after.version(),
            added: change.payload.clone(),
        };
        others.publish(&subject(id, change.after.players()), &word);
        if let Some(finished) = change.after.chess().and_then(|game| rematch_of(game)) {
            others.publish(&room_subject(finished), &Word::Rematch);
        }
    }

    /// Tells the other nodes of a line that was said here, after that one. If very many
    /// block its speaker, they find it in the store.
    pub fn tell_others_of_line(&self, id: TableId, line: &Line, after: u64, by: &[PlayerId]) {
        if let Some(others) = self.others().filter(|_| by.len() <= BLOCKED_BY_MAX) {
            let said = Word::Said(Box::new(Said::new(line, after, by)));
            others.publish(&room_subject(id), &said);
        }
    }

    /// Tells the other nodes that somebody must leave.
    pub fn tell_others_of_removal(&self, id: TableId, who: PlayerId) {
        if let Some(others) = self.others() {
            others.publish(&room_subject(id), &Word::Removed(who));
        }
    }

    /// Tells the other nodes how far somebody is who goes through a finished game.
    pub(in crate::rooms) fn tell_others_of_analysis(
        &self,
        id: TableId,
        done: u32,
        total: u32,
        is_for_all: bool,
    ) {
        if let Some(others) = self.others() {
            let word = Word::Analysis {
                done,
                total,
                is_for_all,
            };
            others.publish(&room_subject(id), &word);
        }
    }

    /// Listens to what others say of a table, as long as somebody is here.
    pub(super) fn listen(&self, id: TableId) {
        let (Some(others), Some(room)) = (self.others(), self.0.rooms.get(id)) else {
            return;
        };
        room.notes(|notes| {
            notes.afar.ear.get_or_insert_with(|| {
                let rooms = self.clone();
                let heard = move |message: Message| rooms.hear(&message, None);
                others.bus.subscribe(&format!("t.{id}.>"), heard)
            });
        });
    }

    /// Another node said something of a table; on behalf of whoever follows, or of
    /// those in its room.
    fn hear(&self, message: &Message, follower: Option<PlayerId>) {
        let mut words = message.subject.split('.').skip(1);
        let id: Option<TableId> = words.next().and_then(|id| id.parse().ok());
        let (Some(id), Some(others)) = (id, self.others()) else {
            return;
        };
        match (Word::decode(&message.bytes), follower) {
            (Some(Word::Changed { version, added }), None) => {
                others.live.hear(id, version, &added);
            }
            (Some(Word::Changed { version, added }), Some(player)) => {
                others.live.hear(id, version, &added);
                self.look_unless_told(player, id, version);
            }
            (Some(_), Some(_)) | (Some(Word::Open(_) | Word::Gone(_)), None) | (None, _) => {}
            (Some(Word::Rematch), None) => self.0.rooms.lost(id, Loss::Failed),
            (Some(Word::Said(said)), None) => {
                if let Some(line) = said.line(id) {
                    let heard = Box::new((line, said.blocked_by()));
                    let overheard = Happened::Overheard(heard, said.after);
                    self.publish(id, overheard);
                }
            }
            (Some(Word::Here(here)), None) => {
                if let Some(room) = self.0.rooms.get(id) {
                    let now = Instant::now();
                    room.notes(|notes| notes.afar.here.insert(here.node(), (now, here)));
                }
            }
            (
                Some(Word::Analysis {
                    done,
                    total,
                    is_for_all,
                }),
                None,
            ) => self.tell_analysis_here(id, done, total, is_for_all),
            (Some(Word::Removed(who)), None) => self.publish(id, Happened::Removed(who)),
        }
    }

    /// A line is about to be told that was said after that one. Whether it comes
    /// next: if it is known it is passed over, and if one is missing before it,
    /// everybody here looks for themselves.
    pub(crate) fn comes_next(&self, id: TableId, line: u64, after: u64) -> bool {
        let (Some(_), Some(room)) = (self.others(), self.0.rooms.get(id)) else {
            return true;
        };
        let heard = room.notes(|notes| notes.afar.spoken.hear(line, after));
        if heard == Heard::Look {
            self.0.rooms.lost(id, Loss::Failed);
        }
        heard == Heard::Next
    }

    /// Everybody in the room is about to look for themselves.
    pub(crate) fn look_for_lines(&self, room: &Room) {
        room.notes(|notes| notes.afar.spoken.look());
    }
}

impl Others {
    /// Tells the others, if there are any.
    fn publish(&self, subject: &str, word: &Word) {
        self.send(subject, word.encode());
    }

    fn send(&self, subject: &str, bytes: Vec<u8>) {
        if self.has_company.load(Ordering::Relaxed) {
            self.bus.publish(subject, bytes);
        }
    }
}

/// Changes name the players, so that whoever follows one of them hears of it.
fn subject(id: TableId, players: [Option<PlayerId>; 2]) -> String {
    let [first, second] = players.map(|player| player.map_or(0, PlayerId::number));
    format!("t.{id}.{first}.{second}")
}

/// What only concerns those in the room.
fn room_subject(id: TableId) -> String {
    format!("t.{id}.0.0")
}

/// The others, once they are joined.
pub(super) type Slot = OnceLock<Others>;
