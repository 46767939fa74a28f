//! Limits that all servers of a shared store count together.

use chess::{Millis, Timestamp};

use super::{Backend, Store};
use crate::attempts::{Counting, Share, wait};
use crate::{Error, postgres};

impl Store {
    /// Looks at shares, or counts one more of each, whoever else counts at the same
    /// time. For how long it is too many; `None` if it is not. A store of one server
    /// counts nothing: that server can count for itself.
    ///
    /// # Errors
    /// Why it may not have been counted.
    pub async fn attempt(
        &self,
        shares: Vec<Share>,
        counting: Counting,
        now: Timestamp,
    ) -> Result<Option<Millis>, Error> {
        let us = match &self.backend {
            Backend::Sqlite(_) => 0,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::attempts::attempt(&db, &shares, counting, now).await
                })
                .await?
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.attempts.attempt(&shares, counting, now))?
            }
        };
        Ok(wait(us))
    }
}
