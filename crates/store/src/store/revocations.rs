//! What ended before its time, as those hear of it who share the store.

use super::{Backend, Store};
use crate::postgres;
use crate::{Error, Revocation};

impl Store {
    /// What ended since that number, in order: tokens that were revoked, and
    /// whatever somebody may remember that changed. If it is more than
    /// [`crate::REVOCATIONS_HEARD_MAX`], or some of it was forgotten since, there
    /// is a gap after that number. A store of one server has nobody to tell.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn revocations_since(&self, number: u64) -> Result<Vec<Revocation>, Error> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(Vec::new()),
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::revocations::revocations_since(&db, number).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.revocations_since(number)),
        }
    }
}
