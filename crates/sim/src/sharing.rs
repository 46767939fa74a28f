//! What must hold besides if several nodes share a store. The book is told of every
//! change when it becomes durable, so whatever anyone is shown is part of it.

use std::sync::Arc;

use chess::Millis;
use chess::game::{Entry, Game};
use chess::table::{Outage, Table as _};
use live::Outcome;
use store::TableId;

use crate::book::{Asked, Book};
use crate::clocks;
use crate::mail::Ticket;
use crate::rules::{Checked, ensure};

/// Whoever decided something may have known so little of the newest outages: what
/// was decided before one was written down may have taken so long to be durable.
const UNAWARE: Millis = Millis::from_secs(6);
/// After so long every node that decides anything knows of an outage.
const AWARE_AFTER: Millis = Millis::from_secs(1);
/// Nodes' clocks differ by so much at most.
pub(crate) const SKEW: Millis = Millis(100);

impl Book {
    /// What is shown is durable, or was.
    pub(crate) fn is_of_the_truth(&self, id: TableId, seen: &Arc<Game>) -> Checked {
        let known = self.known(id).map(|known| known.encode());
        ensure!(
            known.is_some_and(|known| known.starts_with(&seen.encode())),
            AcknowledgedIsNeverLost,
            id,
            "version {} was shown, and the store never had it",
            seen.version()
        );
        Ok(())
    }

    /// Nothing is answered because the node was behind.
    pub(crate) fn not_behind(&self, id: TableId, version: u32, asked: &Asked) -> Checked {
        ensure!(
            version >= asked.floor,
            NobodyIsBehind,
            id,
            "{:?} was answered as of version {version}, though version {} was there before",
            asked.what,
            asked.floor
        );
        Ok(())
    }

    /// It is known now what became of a command.
    pub(crate) fn settle_doubt(&mut self, id: TableId, ticket: Ticket, outcome: &Outcome<Game>) {
        if self.shared.is_none() {
            return;
        }
        let made = match outcome {
            Outcome::Changed { after, .. } => Some(after.version()),
            Outcome::Already { .. } | Outcome::Refused { .. } => None,
        };
        let doubts = &mut self.tables.entry(id).or_default().doubts;
        let Some(index) = doubts.iter().position(|doubt| doubt.ticket == ticket) else {
            return;
        };
        if made.is_none() && doubts[index].made.is_some() {
            // What it brought about, or the same command of somebody else.
            return;
        }
        let ours = doubts.remove(index);
        let is_swapped = |doubt: &&mut crate::book::Doubt| made.is_some() && doubt.made == made;
        if ours.made != made
            && let Some(other) = doubts.iter_mut().find(is_swapped)
        {
            other.made = ours.made;
        }
    }

    /// What was lost in outages is given back, exactly. Whoever decided it may not
    /// have known of the newest.
    pub(crate) fn check_credit(&self, before: &Game, entry: &Entry) -> Result<(), String> {
        let Some(shared) = &self.shared else {
            return clocks::check_credit(before, entry, &self.outages);
        };
        let is_old = |found: &&chess::Timestamp| **found + UNAWARE < shared.now;
        let certain = shared.found.iter().take_while(is_old).count();
        let clipped = |outage: &Outage| Outage {
            down_since: outage.down_since.min(entry.at),
            up_at: outage.up_at.min(entry.at),
        };
        let all: Vec<Outage> = self.outages.iter().map(clipped).collect();
        let mut first = Ok(());
        for many in (certain..=all.len()).rev() {
            match clocks::check_credit(before, entry, &all[..many]) {
                Ok(()) => return Ok(()),
                Err(wrong) if first.is_ok() => first = Err(wrong),
                Err(_) => {}
            }
        }
        first
    }

    /// What was lost is given back before a game is shown, once every node knows of it.
    pub(crate) fn nothing_is_owed_for_long(
        &self,
        id: TableId,
        seen: &Game,
        asked: &Asked,
    ) -> Checked {
        let Some(shared) = &self.shared else {
            return Ok(());
        };
        // Nothing can be given back while the store fails.
        if self.was_refusing(asked) {
            return Ok(());
        }
        let known = self.outages.iter().zip(&shared.found);
        let known = known.filter(|(outage, found)| {
            **found + AWARE_AFTER < asked.at && seen.last_at() + SKEW < outage.up_at
        });
        let known: Vec<Outage> = known.map(|(outage, _)| *outage).collect();
        let owed = clocks::owed(seen, &known);
        ensure!(owed.is_none(), DowntimeIsCredited, id, "owed is {owed:?}");
        Ok(())
    }
}
