//! Reads what happened, and writes down who is to be told of it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use chess::Timestamp;
use store::{Channel, EventKind, EventPlace, OutboxQuery, OutboxStep};

use super::plan;
use crate::play::App;
use crate::problem::Problem;

/// Under which name it is kept how far this has come.
const NAME: &str = "notifications";
/// How often it is looked whether something happened.
const EVERY: Duration = Duration::from_millis(500);
/// For how long nobody else reads: if this node dies, another goes on after that.
const LEASE_MS: u64 = 15_000;
/// How often that is said, and asked by those who do not read.
const RENEWED_MS: u64 = 5_000;
/// As many events are looked at together.
const BATCH: u32 = 256;

/// What may concern somebody who is not looking.
const KINDS: [EventKind; 4] = [
    EventKind::GameCreated,
    EventKind::GameStarted,
    EventKind::MovePlayed,
    EventKind::GameEnded,
];

/// Reads for as long as the server runs.
pub async fn run(app: App) {
    // Tells this server from others on the same store, and from its own last run.
    let mut reader = Reader::new(u64::from(rand::random::<u32>()));
    loop {
        match reader.step(&app).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(problem) => {
                tracing::warn!(cause = problem.cause, "what happened could not be told yet");
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// One who reads, or waits to.
pub(super) struct Reader {
    holder: u64,
    /// Where it is, while it is the one who reads.
    place: Option<String>,
    /// When it was last said, or asked, who reads.
    asked_at: Option<Timestamp>,
}

impl Reader {
    pub(super) fn new(holder: u64) -> Reader {
        Reader {
            holder,
            place: None,
            asked_at: None,
        }
    }

    /// Looks at the next events. Whether there may be more. While nothing happens nothing
    /// is written, but by those who share a store, now and then, that they are there.
    ///
    /// # Errors
    /// The store cannot say; nothing has happened.
    pub(super) async fn step(&mut self, app: &App) -> Result<bool, Problem> {
        let Some(from) = self.place(app).await? else {
            return Ok(false);
        };
        // An empty place is the beginning.
        let after: EventPlace = from.parse().unwrap_or_default();
        let query = OutboxQuery {
            kinds: KINDS.into_iter().collect(),
            ..OutboxQuery::after(after, BATCH)
        };
        let page = app.store.outbox(query).await?;
        if page.next == after {
            return Ok(false);
        }
        let (to, mut records) = (page.next.to_string(), Vec::new());
        let mut games = HashMap::new();
        for event in &page.events {
            let Some(table) = event.table else {
                continue;
            };
            let game = match games.entry(table) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => {
                    let of_it = page
                        .events
                        .iter()
                        .filter(|other| other.table == event.table);
                    let newest = of_it.map(|other| other.version).max().unwrap_or(0);
                    unknown.insert(plan::read(app, table, newest).await?)
                }
            };
            if let Some(game) = game {
                records.extend(plan::records(app, table, event, game).await?);
            }
        }
        let streams = records.iter().filter(|r| r.channel == Channel::Stream);
        let streams: Vec<_> = streams.map(|record| record.account).collect();
        let step = OutboxStep {
            name: NAME.to_owned(),
            holder: self.holder,
            from,
            to: to.clone(),
        };
        // Whatever becomes of it, where this one is must be asked for again if it is not known.
        self.place = None;
        if app.store.add_notifications(Some(step), records).await? {
            self.place = Some(to);
            let places = app.rooms.places();
            streams.iter().for_each(|who| places.look_again(*who));
            app.notifier.wake();
        }
        Ok(page.is_full)
    }

    /// Where this one is, if it is the one who reads.
    async fn place(&mut self, app: &App) -> Result<Option<String>, Problem> {
        let (now, is_shared) = (app.now(), app.store.is_shared());
        let asked_ago = self.asked_at.map(|at| now.0.saturating_sub(at.0));
        let is_fresh = asked_ago.is_some_and(|ago| ago < RENEWED_MS);
        if is_shared && is_fresh || !is_shared && self.place.is_some() {
            return Ok(self.place.clone());
        }
        let until = Timestamp(now.0.saturating_add(LEASE_MS));
        // A store that nobody shares had another holder only before this start.
        let asked = match is_shared {
            true => now,
            false => Timestamp(u64::MAX >> 1),
        };
        let taken = app
            .store
            .take_outbox_cursor(NAME, self.holder, asked, until);
        self.place = taken.await?;
        self.asked_at = Some(now);
        Ok(self.place.clone())
    }
}
