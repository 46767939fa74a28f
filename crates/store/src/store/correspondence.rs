//! What the players of slow games decide for days ahead.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::correspondence;
use crate::{Error, Plan, TableId, Vacation};

impl Store {
    /// The conditional moves of a game, of either player.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn plans_of(&self, table: TableId) -> Result<Vec<Plan>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| correspondence::plans_of(db, table))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::correspondence::plans_of(&db, table).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.correspondence.plans_of(table)),
        }
    }

    /// The conditional moves of an account, in all its games.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn plans_by(&self, account: PlayerId) -> Result<Vec<Plan>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| correspondence::plans_by(db, account))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::correspondence::plans_by(&db, account).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.correspondence.plans_by(account)),
        }
    }

    /// Conditional moves whose games have gone on or are over, as far as the rows say, in the
    /// order of games and players, after the given one.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn stale_plans(
        &self,
        after: Option<(TableId, PlayerId)>,
        limit: u32,
    ) -> Result<Vec<Plan>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| correspondence::stale_plans(db, after, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::correspondence::stale_plans(&db, after, limit).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.stale_plans(after, limit)),
        }
    }

    /// Keeps conditional moves, in place of those before.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn set_plan(&self, plan: Plan) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| correspondence::set_plan(db, &plan))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::correspondence::set_plan(&db, &plan).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.correspondence.set_plan(plan)),
        }
    }

    /// Replaces conditional moves or takes them away, unless they are others by now. Whether
    /// they were these.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn change_plan(&self, before: Plan, after: Option<Plan>) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| correspondence::change_plan(db, &before, after.as_ref()))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::correspondence::change_plan(&db, &before, after.as_ref()).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.correspondence.change_plan(&before, after))
            }
        }
    }

    /// The vacations of an account that end after that moment, the earliest first.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn vacations_of(
        &self,
        account: PlayerId,
        after: Timestamp,
    ) -> Result<Vec<Vacation>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| correspondence::vacations_of(db, account, after))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::correspondence::vacations_of(&db, account, after).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.correspondence.vacations_of(account, after))
            }
        }
    }

    /// Begins a vacation, unless one is running. Whether it began.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn begin_vacation(
        &self,
        account: PlayerId,
        began_at: Timestamp,
        ends_at: Timestamp,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| correspondence::begin_vacation(db, account, began_at, ends_at))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::correspondence::begin_vacation(&mut db, account, began_at, ends_at)
                        .await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                state
                    .correspondence
                    .begin_vacation(account, began_at, ends_at)
            }),
        }
    }

    /// Gives a vacation another end, unless it has another by now; the games are to be told.
    /// Whether it was so.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn change_vacation(
        &self,
        before: Vacation,
        ends_at: Timestamp,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| correspondence::change_vacation(db, &before, ends_at))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::correspondence::change_vacation(&db, &before, ends_at).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.correspondence.change_vacation(&before, ends_at))
            }
        }
    }

    /// Notes that games were told of a vacation as it is here, and whether all know. What is
    /// older counts no more; what is newer or has another end by now is to be told again,
    /// since this may have been told after it.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn vacation_told(&self, told: Vacation, all_know: bool) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| correspondence::vacation_told(db, &told, all_know))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::correspondence::vacation_told(&db, &told, all_know).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.correspondence.vacation_told(&told, all_know))
            }
        }
    }

    /// Vacations that not all games may know of. Of one account the newest alone counts.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn vacations_to_record(&self, limit: u32) -> Result<Vec<Vacation>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| correspondence::vacations_to_record(db, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::correspondence::vacations_to_record(&db, limit).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.correspondence.vacations_to_record(limit))
            }
        }
    }

    /// Has all vacations that are running recorded once more, and forgets those that ended
    /// before `before`.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn recheck_vacations(&self, now: Timestamp, before: Timestamp) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| correspondence::recheck_vacations(db, now, before))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::correspondence::recheck_vacations(&db, now, before).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.correspondence.recheck_vacations(now, before))
            }
        }
    }
}
