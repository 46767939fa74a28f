//! What happens to the nodes: deaths, stops, stalls, partitions, a store that is away.

use chess::Millis;

use super::Cluster;
use super::bus::Mood;
use super::node::Node;
use super::wire::Link;
use crate::node::at_once;
use crate::rng::Rng;
use crate::rules::Checked;

/// What can happen in one step.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Ask,
    Claim,
    Wait,
    Come,
    Go,
    Evict,
    /// One node's way to the store changes.
    Link,
    /// Everybody's does.
    Store,
    Bus,
    Stall,
    Die,
    Stop,
}

/// What a run is inclined to; every seed has its own.
pub(super) struct Habits {
    deeds: Vec<(u64, Deed)>,
    links: Vec<(u64, Link)>,
    /// Whether time passes in small steps or in large ones, in percent.
    haste: u64,
}

impl Habits {
    pub(super) fn random(rng: &mut Rng) -> Habits {
        let deeds = vec![
            (1_000, Deed::Ask),
            (rng.pick(&[10, 40, 80]), Deed::Claim),
            (rng.pick(&[200, 400, 800]), Deed::Wait),
            (rng.pick(&[20, 100]), Deed::Come),
            (rng.pick(&[5, 30]), Deed::Go),
            (rng.pick(&[0, 10]), Deed::Evict),
            (rng.pick(&[0, 10, 40]), Deed::Link),
            (rng.pick(&[0, 0, 5, 20]), Deed::Store),
            (rng.pick(&[0, 10]), Deed::Bus),
            (rng.pick(&[0, 0, 5, 20]), Deed::Stall),
            (rng.pick(&[0, 2, 10, 30]), Deed::Die),
            (rng.pick(&[0, 0, 2, 10]), Deed::Stop),
        ];
        let links = vec![
            (rng.pick(&[30, 60]), Link::Good),
            (rng.pick(&[0, 10]), Link::Slow),
            (rng.pick(&[0, 10]), Link::Bad),
            (rng.pick(&[0, 10]), Link::Hangs),
            (rng.pick(&[0, 0, 10]), Link::Mute),
            (rng.pick(&[0, 0, 10]), Link::Refuses),
        ];
        Habits {
            deeds,
            links,
            haste: rng.pick(&[70, 90, 97]),
        }
    }
}

impl Cluster {
    pub(super) fn step(&mut self) -> Checked {
        self.book.step += 1;
        let deed = self.rng.weighted(&self.habits.deeds);
        let index = self.rng.below(self.seats.len() as u64) as usize;
        match deed {
            Deed::Ask => self.ask(),
            Deed::Claim => self.claim()?,
            Deed::Wait => self.wait()?,
            Deed::Come => self.come(index),
            Deed::Go => drop(self.audience(index, |audience, place| audience.go(place))),
            Deed::Evict => {
                if let Some(live) = self.seats[index].node.as_ref().and_then(Node::live) {
                    live.evict();
                }
            }
            Deed::Link => {
                let link = self.rng.weighted(&self.habits.links);
                self.set_link(index, link);
            }
            Deed::Store => {
                let link = self.rng.weighted(&self.habits.links);
                (0..self.seats.len()).for_each(|index| self.set_link(index, link));
            }
            Deed::Bus => self.bus = Mood::random(&mut self.rng),
            Deed::Stall => self.stall(index),
            Deed::Die => {
                self.say(|| format!("{index} dies"));
                self.die(index);
            }
            Deed::Stop => self.stop(index),
        }
        self.deliver()?;
        // Nobody is asked twice in the same moment for ever.
        let pause = self.rng.pick(&[0, 0, 1, 10, 10, 40]);
        self.pass(Millis(pause))
    }

    fn wait(&mut self) -> Checked {
        let longest = if self.rng.percent(self.habits.haste) {
            100
        } else {
            self.rng.pick(&[1_000, 1_000, 4_000, 8_000, 20_000])
        };
        let longest = if self.rng.below(500) == 0 {
            70_000
        } else {
            longest
        };
        let span = Millis(self.rng.below(longest) as u32);
        self.pass(span)
    }

    fn come(&mut self, index: usize) {
        let now_us = self.now_us();
        let node = self.seats[index].node.as_ref();
        if node.is_some_and(|node| node.live().is_some() && !node.is_stalled(now_us)) {
            let known = self.book.all_known();
            self.audience(index, |audience, place| audience.come(place, &known));
        }
    }

    fn set_link(&mut self, index: usize, link: Link) {
        self.say(|| format!("the line of {index} is {link:?}"));
        if let Some(node) = &mut self.seats[index].node {
            node.wire.set_link(link);
        }
    }

    fn stall(&mut self, index: usize) {
        let span = self.rng.pick(&[200_000, 1_000_000, 3_000_000, 8_000_000]);
        let until = self.now_us() + self.rng.below(span);
        self.say(|| format!("{index} stalls for {} ms", (until - self.now_us()) / 1_000));
        if let Some(node) = &mut self.seats[index].node {
            node.stalled_until = until;
        }
    }

    fn stop(&mut self, index: usize) {
        let now_us = self.now_us();
        if let Some(node) = &mut self.seats[index].node
            && let Some(live) = node.live().cloned()
            && node.stops_since.is_none()
            && !node.is_stalled(now_us)
        {
            node.stops_since = Some(now_us);
            live.close();
            self.say(|| format!("{index} stops"));
            self.book.counts.stops += 1;
        }
    }

    /// A node dies. What it sent may have reached the store, or will not.
    pub(super) fn die(&mut self, index: usize) {
        if self.seats[index].node.is_none() {
            return;
        }
        self.book.counts.crashes += 1;
        self.cut(index);
        let span = self
            .rng
            .pick(&[1_000, 100_000, 1_000_000, 4_000_000, 15_000_000]);
        self.seats[index].rises_at = self.now_us() + self.rng.below(span);
    }

    /// Nobody hears of a node any more.
    pub(super) fn cut(&mut self, index: usize) {
        let Some(node) = self.seats[index].node.take() else {
            return;
        };
        node.wire.cut();
        for asked in self.book.orphan(node.id.0) {
            self.try_again(asked);
        }
    }

    /// Nodes that are due come up, and those that are done with stopping go.
    pub(super) fn rise_and_stop(&mut self) {
        let now_us = self.now_us();
        for index in 0..self.seats.len() {
            let seat = &mut self.seats[index];
            match &mut seat.node {
                None if now_us >= seat.rises_at => {
                    let limits = self.limits.clone();
                    let rng = &mut self.rng;
                    let node = Node::start(&self.control, &self.truth, &self.outbox, limits, rng);
                    let id = node.id;
                    seat.node = Some(node);
                    self.say(|| format!("{index} starts as {id:?}"));
                }
                Some(node) => {
                    let Some(since) = node.stops_since else {
                        continue;
                    };
                    let is_done = !node.is_busy() && now_us > since + 50_000;
                    if node.is_stalled(now_us) || !(is_done || now_us > since + 3_000_000) {
                        continue;
                    }
                    let is_reached = !node.wire.is_out();
                    if let Some(live) = node.live().filter(|_| is_reached) {
                        at_once(live.depart());
                    }
                    self.say(|| format!("{index} has stopped"));
                    self.cut(index);
                    let span = self.rng.pick(&[1_000, 500_000, 5_000_000]);
                    self.seats[index].rises_at = now_us + self.rng.below(span);
                }
                None => {}
            }
        }
    }

    /// From now on nothing goes wrong, but for what is lost on the bus.
    pub(super) fn be_calm(&mut self) {
        self.say(|| "from now on all is calm".into());
        let now_us = self.now_us();
        for index in 0..self.seats.len() {
            self.set_link(index, Link::Good);
            let seat = &mut self.seats[index];
            seat.rises_at = seat.rises_at.min(now_us);
            if let Some(node) = &mut seat.node {
                node.stalled_until = 0;
                node.audience.calm_down();
            }
        }
    }
}
