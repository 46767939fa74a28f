//! A change that is on its way to the disk.

use std::sync::Arc;

use chess::Timestamp;
use chess::table::Table;
use store::{Begins, Change, TableId};

use crate::mutant::Mutant;
use crate::request::{Failure, Outcome, Reply, Request, Submission, With};
use crate::snapshot::{Code, TableSnapshot};

/// What is to be done once a change is on the disk.
pub(crate) struct InFlight<T: Table> {
    pub(crate) before: Option<Arc<T>>,
    pub(crate) after: Arc<T>,
    pub(crate) event: Option<T::Event>,
    pub(crate) refusal: Option<T::Refusal>,
    /// When it was handed to the store.
    pub(crate) asked: Timestamp,
    /// What it adds to the history, if other nodes are to hear of it.
    pub(crate) payload: Vec<u8>,
    /// The code of a table being created.
    pub(crate) join_code: Option<Box<Code>>,
    /// What was asked for, in case it must be decided again.
    pub(crate) submission: Option<Submission<T>>,
    pub(crate) reply: FlightReply<T>,
}

pub(crate) enum FlightReply<T: Table> {
    Created(Reply<Arc<T>>),
    Submitted(Reply<Outcome<T>>),
    /// It was the table's own deadline.
    Nobody,
    /// A credit for downtime: everybody waits for it.
    Everybody,
}

impl<T: Table> InFlight<T> {
    /// The first commit of a new table.
    pub(crate) fn creation(
        id: TableId,
        table: T,
        join_code: Option<&str>,
        with: With,
        asked: Timestamp,
        reply: Reply<Arc<T>>,
    ) -> (Change, InFlight<T>) {
        let table = Arc::new(table);
        let snapshot = TableSnapshot {
            id,
            table: Arc::clone(&table),
            host_seen: table.last_at(),
            join_code: join_code.map(Code::new),
        };
        let flight = InFlight {
            before: None,
            after: table,
            event: None,
            refusal: None,
            asked,
            payload: Vec::new(),
            join_code: snapshot.join_code.clone(),
            submission: None,
            reply: FlightReply::Created(reply),
        };
        let change = Change {
            payload: flight.after.encode(),
            begins: begins(&*flight.after, None, &with.tickets),
            tells: flight.after.tells(None, false),
            ..snapshot.change(asked, with.remember)
        };
        (change, flight)
    }

    pub(crate) fn is_creation(&self) -> bool {
        self.before.is_none()
    }

    /// Whether nobody can be served before this.
    pub(crate) fn comes_first(&self) -> bool {
        matches!(self.reply, FlightReply::Everybody)
    }

    /// The request it came of, with its first time of receipt; the server's own
    /// come again by themselves.
    pub(crate) fn into_request(self) -> Option<Request<T>> {
        match (self.reply, self.submission) {
            (FlightReply::Submitted(reply), Some(submission)) => {
                Some(Request::Submit { submission, reply })
            }
            _ => None,
        }
    }

    pub(crate) fn fail(self, failure: Failure) {
        match self.reply {
            FlightReply::Created(reply) => reply(Err(failure)),
            FlightReply::Submitted(reply) => reply(Err(failure)),
            FlightReply::Nobody | FlightReply::Everybody => {}
        }
    }
}

/// What a change that made `after` means for those who wait for an opponent.
pub(crate) fn begins<T: Table>(
    after: &T,
    before: Option<&T>,
    tickets: &[u64],
) -> Option<Box<Begins>> {
    if Mutant::TicketsGoOn.is_chosen() {
        return None;
    }
    let beginning = after.begins(before)?;
    let concerns = beginning.is_real_time || !tickets.is_empty();
    concerns.then(|| {
        Box::new(Begins {
            players: beginning.players,
            is_real_time: beginning.is_real_time,
            tickets: tickets.to_vec(),
        })
    })
}
