//! Statements that are sent together, in one transaction: however many there are, a
//! database that is far away is waited for twice.
//!
//! Nobody looks at an answer before the last statement has left. What depends on an
//! answer is sent all the same: if the answer was not the wanted one, all of it is
//! undone, and nobody else has seen any of it.

use deadpool_postgres::{GenericClient, Object};
use futures_util::future::{join, join_all, try_join_all};
use tokio::time::timeout;
use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

use super::fault::Fault;
use super::{Db, PATIENCE};
use crate::Error;

/// A parameter of a statement.
pub(super) type Value<'a> = Box<dyn ToSql + Sync + Send + 'a>;

/// A parameter of a statement.
pub(super) fn value<'a>(value: impl ToSql + Sync + Send + 'a) -> Value<'a> {
    Box::new(value)
}

/// How many rows a statement has to find or write: else the change came too late.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    Any,
    Some,
    None,
    Exactly(u64),
}

impl Rows {
    fn admits(self, count: u64) -> bool {
        match self {
            Rows::Any => true,
            Rows::Some => count > 0,
            Rows::None => count == 0,
            Rows::Exactly(wanted) => count == wanted,
        }
    }
}

struct Step<'a> {
    sql: &'static str,
    parameters: Vec<Value<'a>>,
    wanted: Rows,
}

/// Statements, in their order.
#[derive(Default)]
pub(super) struct Steps<'a> {
    steps: Vec<Step<'a>>,
}

impl<'a> Steps<'a> {
    /// Adds one that may find or write as many rows as it likes.
    pub(super) fn add(&mut self, sql: &'static str, parameters: Vec<Value<'a>>) {
        self.add_wanting(Rows::Any, sql, parameters);
    }

    /// Adds one that decides whether the others count.
    pub(super) fn add_wanting(
        &mut self,
        wanted: Rows,
        sql: &'static str,
        parameters: Vec<Value<'a>>,
    ) {
        self.steps.push(Step {
            sql,
            parameters,
            wanted,
        });
    }

    /// Carries them out in a transaction of their own: two round trips.
    pub(super) async fn commit(&self, db: Db) -> Result<(), Fault> {
        let prepared = self.prepare(&db).await?;
        let open = Open::new(db);
        let (begun, made) = join(open.begin(), self.send(open.client(), &prepared)).await;
        match begun.and(made) {
            Ok(()) => {
                open.end().await?;
                open.give_back();
                Ok(())
            }
            Err(fault) => {
                open.roll_back();
                Err(fault)
            }
        }
    }

    /// Carries them out within a transaction of the caller.
    pub(super) async fn run(&self, within: &impl GenericClient) -> Result<(), Fault> {
        let prepared = self.prepare(within).await?;
        self.send(within, &prepared).await
    }

    /// Before any of them is sent: one that waited for its preparation would be
    /// overtaken by the next.
    pub(super) async fn prepare(&self, db: &impl GenericClient) -> Result<Vec<Statement>, Fault> {
        let each = self.steps.iter().map(|step| db.prepare_cached(step.sql));
        Ok(try_join_all(each).await?)
    }

    /// They leave in the order in which they are first looked at, which is theirs. The
    /// first that failed decides: those after it fail because it did.
    pub(super) async fn send(
        &self,
        db: &impl GenericClient,
        prepared: &[Statement],
    ) -> Result<(), Fault> {
        let each = self.steps.iter().zip(prepared).map(async |(step, sql)| {
            let parameters: Vec<&(dyn ToSql + Sync)> =
                step.parameters.iter().map(|value| &**value as _).collect();
            match step.wanted.admits(db.execute(sql, &parameters).await?) {
                true => Ok(()),
                false => Err(Fault::Refused(Error::Conflict)),
            }
        });
        join_all(each).await.into_iter().collect()
    }
}

/// A transaction whose beginning is not waited for. If it is dropped its connection
/// goes with it, so that nobody else finds themselves within it.
pub(super) struct Open {
    db: Option<Db>,
}

impl Open {
    pub(super) fn new(db: Db) -> Open {
        Open { db: Some(db) }
    }

    pub(super) fn client(&self) -> &Db {
        self.db.as_ref().expect("it is there until this is gone")
    }

    /// To be looked at first, together with what is to happen within it.
    pub(super) async fn begin(&self) -> Result<(), Fault> {
        Ok(self.client().batch_execute("BEGIN").await?)
    }

    /// Makes durable what happened within it, if all of it succeeded; else undoes it.
    pub(super) async fn end(&self) -> Result<(), Fault> {
        Ok(self.client().batch_execute("COMMIT").await?)
    }

    /// It has ended: others may have the connection.
    pub(super) fn give_back(mut self) {
        drop(self.db.take());
    }

    /// Nobody waits for it but whoever gets the connection next.
    pub(super) fn roll_back(mut self) {
        tokio::spawn(async move {
            let end = timeout(PATIENCE, self.client().batch_execute("ROLLBACK"));
            if let Ok(Ok(())) = end.await {
                drop(self.db.take());
            }
        });
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(db) = self.db.take() {
            drop(Object::take(db));
        }
    }
}
