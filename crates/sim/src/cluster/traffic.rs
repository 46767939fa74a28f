//! What goes over the lines and the bus as time passes.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use chess::table::PlayerId;
use chess::{Millis, Timestamp};
use store::{NodeId, TableId};

use super::Cluster;
use super::bus::{Heard, Sent};
use super::node::BEAT_US;
use super::wire::{Carried, Wire};
use crate::node::at_once;
use crate::rng::Rng;
use crate::rules::Checked;

/// Something on the bus, and when it is there.
pub(super) struct Delivery {
    due_us: u64,
    what: Parcel,
}

enum Parcel {
    Change(NodeId, Arc<Heard>),
    Question {
        from: NodeId,
        table: TableId,
        player: PlayerId,
        answer: Box<dyn FnOnce(Option<Timestamp>) + Send>,
        /// Whether all answered in time.
        is_heard: bool,
    },
}

/// How often a node looks for what its rooms missed.
const LOOK_US: u64 = 1_000_000;
/// How long a node waits for the others' answers.
const ANSWERS_US: u64 = 500_000;

impl Cluster {
    /// Lets time pass, with all that goes on meanwhile.
    pub(super) fn pass(&mut self, span: Millis) -> Checked {
        let end = self.now_us() + u64::from(span.0) * 1_000;
        while self.now_us() < end {
            let nodes = self.seats.iter().filter_map(|seat| seat.node.as_ref());
            let is_busy = nodes.clone().any(super::node::Node::is_busy);
            let longest = if is_busy { 15_000 } else { 40_000 };
            let until = self.now_us() + self.rng.within(1_000, longest);
            self.truth.store(until, Ordering::SeqCst);
            self.control.set_clock(until);
            self.moment()?;
        }
        Ok(())
    }

    /// What happens at one moment.
    pub(super) fn moment(&mut self) -> Checked {
        self.rise_and_stop();
        let first = self.rng.below(self.seats.len() as u64) as usize;
        for place in 0..self.seats.len() {
            let index = (first + place) % self.seats.len();
            self.work_of_line(index)?;
            self.work_of_node(index);
            self.carry();
        }
        self.deliver()?;
        self.hand_out();
        self.hand_in_claims();
        for index in 0..self.seats.len() {
            self.tell(index)?;
        }
        self.deliver()?;
        self.look_on()
    }

    /// What a node asked for reaches the store, or does not, and answers get back.
    fn work_of_line(&mut self, index: usize) -> Checked {
        let now_us = self.now_us();
        let Some(node) = &mut self.seats[index].node else {
            return Ok(());
        };
        node.wire.note(now_us);
        // A node that does nothing takes no answers either.
        let is_stalled = node.is_stalled(now_us);
        let mut place = 0;
        while let Some((wire, rng)) = self.wire(index)
            && let Some(carried) = wire.carry(place, now_us, rng)
        {
            match carried {
                Carried::There => self.look_at_store()?,
                Carried::Lost => {}
                Carried::OnItsWay => place += 1,
            }
        }
        place = 0;
        while !is_stalled
            && let Some((wire, rng)) = self.wire(index)
            && let Some(carried) = wire.answer(place, now_us, rng)
        {
            place += usize::from(carried == Carried::OnItsWay);
        }
        Ok(())
    }

    fn wire(&mut self, index: usize) -> Option<(&mut Wire, &mut Rng)> {
        let node = self.seats[index].node.as_mut()?;
        Some((&mut node.wire, &mut self.rng))
    }

    /// What a server does by itself: looks at its clocks, says that it is there, and
    /// asks what its rooms may have missed.
    fn work_of_node(&mut self, index: usize) {
        let now_us = self.now_us();
        let Some(node) = &mut self.seats[index].node else {
            return;
        };
        if node.is_stalled(now_us) {
            return;
        }
        if node.poll() {
            self.say(|| format!("{index} cannot start"));
            return self.die(index);
        }
        let Some(live) = node.live().cloned() else {
            return;
        };
        live.tick();
        if now_us >= node.next_beat {
            node.next_beat = now_us + BEAT_US;
            live.heartbeat();
        }
        if now_us >= node.next_look && !node.wire.is_out() {
            node.next_look = now_us + LOOK_US;
            let stage = Arc::clone(&node.stage);
            let open: Vec<TableId> = stage.rooms.open().iter().map(|room| room.id()).collect();
            for standing in at_once(self.store.standings(open)) {
                let room = stage.room(standing.table);
                if room.is_some_and(|room| room.is_behind(standing.version)) {
                    live.hear(standing.table, standing.version, &[]);
                }
            }
        }
    }

    /// Takes what nodes sent: each gets a copy of its own, or none, or two.
    fn carry(&mut self) {
        let now_us = self.now_us();
        for (from, sent) in self.outbox.take() {
            match sent {
                Sent::Change(heard) => {
                    let others = self.seats.iter().filter_map(|seat| seat.node.as_ref());
                    let others: Vec<NodeId> = others.map(|node| node.id).collect();
                    for to in others.into_iter().filter(|to| *to != from) {
                        for delay in self.bus.delays(&mut self.rng) {
                            let what = Parcel::Change(to, Arc::clone(&heard));
                            let due_us = now_us + delay;
                            self.deliveries.push(Delivery { due_us, what });
                        }
                    }
                }
                Sent::Question {
                    table,
                    player,
                    answer,
                } => {
                    let delay = self.bus.delays(&mut self.rng).first().copied();
                    let is_heard = delay.is_some_and(|delay| delay < ANSWERS_US);
                    let due_us = now_us + delay.unwrap_or(ANSWERS_US).min(ANSWERS_US);
                    let what = Parcel::Question {
                        from,
                        table,
                        player,
                        answer,
                        is_heard,
                    };
                    self.deliveries.push(Delivery { due_us, what });
                }
            }
        }
    }

    /// Hands out what has arrived, in any order.
    fn hand_out(&mut self) {
        let now_us = self.now_us();
        let all = std::mem::take(&mut self.deliveries);
        let (mut there, waiting): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|delivery| delivery.due_us <= now_us);
        self.deliveries = waiting;
        while !there.is_empty() {
            let index = self.rng.below(there.len() as u64) as usize;
            let Delivery { due_us, what } = there.swap_remove(index);
            match what {
                Parcel::Change(to, heard) => match self.find(to) {
                    Some(node) if node.is_stalled(now_us) => {
                        let what = Parcel::Change(to, heard);
                        self.deliveries.push(Delivery { due_us, what });
                    }
                    Some(node) => {
                        let is_open = node.stage.rooms.is_open(heard.table);
                        if let Some(live) = node.live().filter(|_| is_open) {
                            live.hear(heard.table, heard.version, &heard.payload);
                        }
                    }
                    None => {}
                },
                Parcel::Question {
                    from,
                    table,
                    player,
                    answer,
                    is_heard,
                } => {
                    let seen = self.seen_by_all(from, table, player);
                    if self.find(from).is_some_and(|node| !node.is_stalled(now_us)) {
                        answer(seen.filter(|_| is_heard));
                    }
                }
            }
        }
    }

    fn find(&self, id: NodeId) -> Option<&super::node::Node> {
        let mut nodes = self.seats.iter().filter_map(|seat| seat.node.as_ref());
        nodes.find(|node| node.id == id)
    }

    /// When a player was last there, if all nodes say so of which `from` knows.
    fn seen_by_all(&self, from: NodeId, table: TableId, player: PlayerId) -> Option<Timestamp> {
        let now_us = self.now_us();
        let mut last = Timestamp::default();
        for id in self.find(from)?.live()?.nodes() {
            let node = self.find(id).filter(|node| !node.is_stalled(now_us))?;
            let seen = node.live()?.seen(table, player);
            last = last.max(seen.map_or(Timestamp::default(), |seen| seen.last));
        }
        Some(last)
    }

    fn tell(&mut self, index: usize) -> Checked {
        let now_us = self.now_us();
        let node = self.seats[index].node.as_ref();
        if node.is_none_or(|node| node.is_stalled(now_us) || node.live().is_none()) {
            return Ok(());
        }
        let told = self.audience(index, |audience, place| audience.tell(place));
        told.unwrap_or(Ok(()))
    }
}
