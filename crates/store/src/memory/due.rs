//! What comes up.

use chess::Timestamp;

use super::contents::Contents;
use super::line::Ask;
use super::{Inner, Life, Memory, closed};
use crate::behind::Newest;
use crate::{Done, TableId, Upcoming};

impl Memory {
    /// Tables whose deadlines are before that moment.
    pub(crate) fn due_before(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, TableId)>,
        limit: u32,
        done: Done<Upcoming>,
    ) {
        if let Some(line) = &self.line {
            return line.ask(Ask::Due(before, after, limit, done));
        }
        let page = {
            let inner = self.lock();
            match inner.life {
                Life::Open => Ok(inner.due_before(before, after, limit)),
                Life::Closed | Life::Crashed => Err(closed()),
            }
        };
        done(page);
    }
}

impl Inner {
    pub(super) fn due_before(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, TableId)>,
        limit: u32,
    ) -> Upcoming {
        let rows = Upcoming::by_deadline(self.state.due_before(before, after, limit));
        let behind = match after {
            None => self.behind.due_before(before).collect(),
            Some(_) => Vec::new(),
        };
        let is_behind = |table| !matches!(self.behind.newest(table), Newest::Row);
        Upcoming::page(rows, behind, limit, is_behind)
    }
}

impl Contents {
    pub(crate) fn due_before(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, TableId)>,
        limit: u32,
    ) -> Vec<(Timestamp, TableId)> {
        let unfinished = self.due().into_iter();
        let mut due: Vec<(Timestamp, TableId)> = unfinished
            .filter_map(|due| Some((due.at?, due.table)))
            .filter(|place| place.0 < before && Some(*place) > after)
            .collect();
        due.sort_unstable();
        due.truncate(limit as usize);
        due
    }
}
