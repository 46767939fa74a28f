//! What must hold at every moment, by the store's own log and by what was done to the
//! nodes.

use std::sync::Arc;

use chess::Timestamp;
use chess::game::{Game, Phase};
use chess::table::{Outage, Table as _};
use live::room::Watched as _;
use store::TableId;

use super::requests::ANSWERED_WITHIN;
use super::{Cluster, Commits};
use crate::node::at_once;
use crate::rules::{Checked, ensure};
use crate::sharing::SKEW;

/// A flag falls so soon after its deadline, and so soon after things went wrong.
const FLAG_US: u64 = 1_000_000;
const FLAG_AFTER_DEATH_US: u64 = 5_000_000;
/// Whoever watches is told within so long.
const TOLD_US: u64 = 2_000_000;
/// After something went wrong, requests may fail for so long.
const DISTURBED_US: u64 = 3_000_000;
/// If no node can be there for so long, that is an outage for certain.
const SILENT_US: u64 = 1_500_000;
/// As much of it may not be given back: until nodes fail for want of the store, and
/// what is between two heartbeats.
const UNCREDITED_US: u64 = 1_000_000;

pub(super) struct Watch {
    commits: Commits,
    /// The last moment at which something was wrong.
    disturbed_us: u64,
    /// Since when no node could be there, if none can.
    silent_since: Option<u64>,
    /// Times in which none could.
    silences: Vec<(u64, u64)>,
    next_look: u64,
}

impl Watch {
    pub(super) fn new(now_us: u64) -> Watch {
        Watch {
            commits: Commits::default(),
            disturbed_us: now_us,
            silent_since: None,
            silences: Vec::new(),
            next_look: now_us,
        }
    }

    /// Whether nothing has changed for as long as it may take to be told.
    pub(super) fn is_quiet(&self, now_us: u64) -> bool {
        let last = self.commits.values().filter_map(|commits| commits.last());
        last.max().is_none_or(|last| last + TOLD_US < now_us)
    }

    /// The version that a table had at that moment.
    pub(super) fn version_at(&self, id: TableId, us: u64) -> u32 {
        let commits = self.commits.get(&id).map_or(&[][..], Vec::as_slice);
        commits.partition_point(|at| *at <= us) as u32
    }
}

impl Cluster {
    /// Something was asked of the store: whatever changed there is checked.
    pub(super) fn look_at_store(&mut self) -> Checked {
        let now = self.now();
        if let Some(shared) = &mut self.book.shared {
            shared.now = now;
        }
        let before = self.book.outages.len();
        self.book.note_outages(self.control.outages());
        for index in before..self.book.outages.len() {
            let outage = self.book.outages[index];
            self.say(|| format!("{outage:?}"));
            self.is_real(outage)?;
        }
        let ids: Vec<TableId> = self.book.tables.keys().copied().collect();
        for standing in at_once(self.store.standings(ids)) {
            let known = self.book.known(standing.table);
            if known.map_or(0, |game| game.version()) != standing.version {
                self.committed(standing.table)?;
            }
        }
        Ok(())
    }

    /// A table has changed in the store.
    fn committed(&mut self, id: TableId) -> Checked {
        let Some(stored) = self.control.stored(id) else {
            return Ok(());
        };
        let known = self.book.known(id);
        let next = known.and_then(|known| {
            let added = stored.history.strip_prefix(known.encode().as_slice())?;
            let (at, event) = known.read_next(added).ok()?;
            let mut game = (**known).clone();
            game.evolve(at, &event);
            (game.version() == stored.version).then_some(game)
        });
        let Some(game) = next.or_else(|| Game::decode(&stored.history).ok()) else {
            ensure!(false, ReplayEqualsLive, id, "the history cannot be read");
            return Ok(());
        };
        self.say(|| format!("    {id} has version {} in the store", game.version()));
        let now = self.now();
        self.book.extended(id, &Arc::new(game), None, now + SKEW)?;
        let commits = self.watch.commits.entry(id).or_default();
        commits.resize(
            stored.version as usize,
            self.truth.load(std::sync::atomic::Ordering::SeqCst),
        );
        Ok(())
    }

    /// No node could make a change in that time, and none did.
    fn is_real(&self, outage: Outage) -> Checked {
        let down_us = outage.down_since.0 * 1_000;
        for (index, seat) in self.seats.iter().enumerate() {
            let able = seat.node.as_ref().and_then(|node| node.able_since);
            ensure!(
                able.is_none_or(|since| since > down_us),
                OutagesAreReal,
                None,
                "{outage:?}, though node {index} was there all the time"
            );
        }
        for (id, game) in self.book.all_known() {
            let at = game.last_at();
            ensure!(
                at <= outage.down_since + SKEW || at + SKEW >= outage.up_at,
                OutagesAreReal,
                id,
                "{outage:?}, though something happened at {}",
                at.0
            );
        }
        Ok(())
    }

    /// Notes which nodes can make changes, and whether something is wrong.
    pub(super) fn look_at_nodes(&mut self) {
        let now_us = self.now_us();
        let mut is_calm = true;
        let mut is_silent = true;
        for seat in &mut self.seats {
            let Some(node) = &mut seat.node else {
                is_calm = false;
                continue;
            };
            is_silent &= node.is_out(now_us);
            let is_able = node.is_able(now_us);
            is_calm &= is_able;
            // It may need a moment to find out that nothing is wrong any more.
            let decides = node
                .live()
                .is_some_and(|live| live.refuses_since().is_none() && live.is_current());
            node.able_since = since(is_able && decides, node.able_since, now_us);
            let is_known = decides && !node.is_stalled(now_us) && node.stops_since.is_none();
            node.known_since = since(is_known, node.known_since, now_us);
        }
        if !is_calm {
            self.watch.disturbed_us = now_us;
        }
        if now_us < self.watch.disturbed_us + DISTURBED_US {
            self.book.fault_step = self.book.step;
            self.book.refusing_step = self.book.step;
        }
        match (is_silent, self.watch.silent_since) {
            (true, None) => self.watch.silent_since = Some(now_us),
            (false, Some(since)) => {
                self.watch.silent_since = None;
                if now_us - since >= SILENT_US {
                    self.watch.silences.push((since, now_us));
                }
            }
            _ => {}
        }
    }

    /// What is checked at every moment.
    pub(super) fn look_on(&mut self) -> Checked {
        let now_us = self.now_us();
        if now_us < self.watch.next_look {
            return Ok(());
        }
        self.watch.next_look = now_us + 100_000;
        self.look_who_is_there();
        self.flags_have_fallen()?;
        self.all_are_told()
    }

    /// Whoever listens at a node that all know of is there.
    fn look_who_is_there(&mut self) {
        let now_us = self.now_us();
        let nodes = self.seats.iter().filter_map(|seat| seat.node.as_ref());
        let players: Vec<_> = nodes
            .filter(|node| node.is_known(now_us))
            .flat_map(|node| node.audience.players())
            .collect();
        let now = self.now();
        for (id, player) in players {
            self.book.sighted(id, player, now, now);
        }
    }

    /// Whatever was due has happened.
    fn flags_have_fallen(&self) -> Checked {
        let now_us = self.now_us();
        let calm_us = self.watch.disturbed_us + FLAG_AFTER_DEATH_US;
        for due in at_once(self.store.due()) {
            let Some(at) = due.at else { continue };
            let known = self.book.known(due.table);
            let is_waiting = known.is_none_or(|game| game.phase() == Phase::Waiting);
            ensure!(
                is_waiting || now_us <= (at.0 * 1_000 + FLAG_US).max(calm_us),
                DueInTime,
                due.table,
                "it was due at {}",
                at.0
            );
        }
        Ok(())
    }

    /// Those who watch are told soon, whatever the bus does.
    fn all_are_told(&self) -> Checked {
        let now_us = self.now_us();
        if now_us < self.watch.disturbed_us + DISTURBED_US {
            return Ok(());
        }
        for (index, seat) in self.seats.iter().enumerate() {
            let Some(node) = &seat.node else { continue };
            for (id, is_player, told) in node.audience.told() {
                let Some(game) = self.book.known(id) else {
                    continue;
                };
                let is_at_once = is_player || game.delay() == chess::Millis::ZERO;
                let due = self.watch.version_at(id, now_us - TOLD_US);
                ensure!(
                    told == 0 || !is_at_once || told >= due,
                    ToldSoon,
                    id,
                    "somebody at {index} knows version {told}, and {due} is two seconds old"
                );
            }
        }
        Ok(())
    }

    /// Nothing that was asked for stays unanswered.
    pub(super) fn nothing_is_open(&self) -> Checked {
        let now = self.now();
        for asked in self.book.asked.values() {
            ensure!(
                now < asked.at + ANSWERED_WITHIN && asked.step == self.book.step,
                OneReply,
                asked.table,
                "no answer to {:?}",
                asked.what
            );
        }
        Ok(())
    }

    /// Every time in which no node could be there was written down. What was received
    /// in the middle of it, and done once the store was back, was received in time:
    /// nobody lost what came before.
    pub(super) fn outages_were_written(&self) -> Checked {
        let mut received: Vec<u64> = Vec::new();
        for (_, game) in self.book.all_known() {
            received.extend(game.entries().map(|entry| entry.at.0 * 1_000));
        }
        received.sort_unstable();
        for (from, to) in &self.watch.silences {
            let inside = received.iter().filter(|at| (*from..*to).contains(at));
            let mut begun = *from;
            for at in inside.chain([to]) {
                self.was_written(begun, *at)?;
                begun = *at;
            }
        }
        Ok(())
    }

    fn was_written(&self, from: u64, to: u64) -> Checked {
        let within = |at: Timestamp| (at.0 * 1_000).clamp(from, to);
        let mut spans: Vec<(u64, u64)> = self
            .book
            .outages
            .iter()
            .map(|outage| (within(outage.down_since), within(outage.up_at)))
            .collect();
        spans.sort_unstable();
        let (mut written, mut counted) = (0, from);
        for (down, up) in spans {
            written += up.saturating_sub(down.max(counted));
            counted = counted.max(up);
        }
        ensure!(
            written + UNCREDITED_US >= to - from,
            OutagesAreReal,
            None,
            "nobody was there from {} to {}, and only {} ms of it were written down",
            from / 1_000,
            to / 1_000,
            written / 1_000
        );
        Ok(())
    }
}

/// Since when something holds.
fn since(holds: bool, since: Option<u64>, now_us: u64) -> Option<u64> {
    holds.then(|| since.unwrap_or(now_us))
}
