//! Fair play: what is said about players, and what is decided.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::fair;
use crate::{
    AuditEntry, Deciding, Error, NewReport, Notice, Report, Reporting, Sanction, SanctionKind,
    Signal, TableId, Verdict,
};

impl Store {
    /// Writes a report, unless the same one is open (by the same reporter, about the same
    /// player, reason and game), or as many of that reporter's are as may be.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn report(&self, new: NewReport, open_max: u32) -> Result<Reporting, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| fair::report(db, &new, open_max))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::fair::report(&mut db, &new, open_max).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                let reported = state.fair.report(new, open_max);
                if let Reporting::Made(report) = &reported {
                    state.outbox.tell_of_report(report);
                }
                reported
            }),
        }
    }

    /// Reports after that number, oldest first: the open ones, those that are decided, or all.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn reports(
        &self,
        is_open: Option<bool>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Report>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| fair::reports(db, is_open, after, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::fair::reports(&db, is_open, after, limit).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.fair.reports(is_open, after, limit))
            }
        }
    }

    /// A report by its number.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn report_by_id(&self, id: u64) -> Result<Option<Report>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| fair::report_by_id(db, id)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::fair::report_by_id(&db, id).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.fair.report_by_id(id)),
        }
    }

    /// What somebody said about others, oldest first.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn reports_by(&self, reporter: PlayerId) -> Result<Vec<Report>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| fair::reports_by(db, reporter)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::fair::reports_by(&db, reporter).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.fair.reports_by(reporter)),
        }
    }

    /// Decides a report that is open, with all that comes of it: of two who decide it at
    /// once, one does. That the account of the reported has changed is heard by all nodes.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn decide_report(&self, id: u64, verdict: Verdict) -> Result<Deciding, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite.write(move |db| fair::decide(db, id, &verdict)).await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::fair::decide(&mut db, id, &verdict).await }).await
            }
            Backend::Memory(memory) => memory.with(|state| {
                let decided = state.fair.decide(id, &verdict);
                if let Deciding::Made(report) = &decided {
                    state.people.audit(verdict.audit);
                    state.people.has_changed(report.reported, true);
                }
                decided
            }),
        }
    }

    /// Lifts a sanction, with a line in the audit trail. Whether there was one.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn lift_sanction(
        &self,
        account: PlayerId,
        kind: SanctionKind,
        audit: AuditEntry,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| fair::lift(db, account, kind, &audit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::fair::lift(&mut db, account, kind, &audit).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                let was_there = state.fair.lift(account, kind);
                if was_there {
                    state.people.audit(audit);
                }
                was_there
            }),
        }
    }

    /// What an account may not do, whether or not it still holds, in the order of its names.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn sanctions_of(&self, account: PlayerId) -> Result<Vec<Sanction>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| fair::sanctions_of(db, account)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::fair::sanctions_of(&db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.fair.sanctions_of(account)),
        }
    }

    /// Those of these for whom a sanction of that kind holds at that moment.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn sanctioned_among(
        &self,
        players: &[PlayerId],
        kind: SanctionKind,
        at: Timestamp,
    ) -> Result<Vec<PlayerId>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let players = players.to_vec();
                sqlite
                    .read(move |db| fair::sanctioned_among(db, &players, kind, at))
                    .await
            }
            Backend::Postgres(pg) => {
                let players = players.to_vec();
                pg.ask(move |db| async move {
                    postgres::fair::sanctioned_among(&db, &players, kind, at).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.fair.sanctioned_among(players, kind, at))
            }
        }
    }

    /// What the owner of an account was told, oldest first; only what was not put away, if
    /// so asked.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn notices_of(
        &self,
        account: PlayerId,
        is_unseen: bool,
    ) -> Result<Vec<Notice>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| fair::notices_of(db, account, is_unseen))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::fair::notices_of(&db, account, is_unseen).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.fair.notices_of(account, is_unseen))
            }
        }
    }

    /// Puts a notice away. Whether it is one of that account's.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn put_notice_away(
        &self,
        account: PlayerId,
        id: u64,
        at: Timestamp,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| fair::put_away(db, account, id, at))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::fair::put_away(&db, account, id, at).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.fair.put_away(account, id, at)),
        }
    }

    /// Keeps a signal, unless there are so many of its kind by that player at that table.
    /// Whether it is kept.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn add_signal(&self, signal: Signal, most: u32) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| fair::signal(db, &signal, most))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::fair::signal(&db, &signal, most).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.fair.signal(signal, most)),
        }
    }

    /// The signals of a table, in the order in which they came.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn signals_of(&self, table: TableId) -> Result<Vec<Signal>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| fair::signals_of(db, table)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::fair::signals_of(&db, table).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.fair.signals_of(table)),
        }
    }
}
