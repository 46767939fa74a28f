//! Which version a table has, asked by many at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool_postgres::Pool;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::fault::Fault;
use super::{PATIENCE, nodes};
use crate::callback::tell;
use crate::{Done, TableId};

/// Questions on their way at once: while one is answered the next is gathered.
pub(super) const CONNECTIONS: usize = 2;
/// Tables in one of them.
const TABLES_MAX: usize = 2_000;

/// Gathers what many want to know, and asks once.
pub(super) struct Confirm {
    handle: Handle,
    pool: Pool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: Vec<(TableId, Done<u32>)>,
    under_way: usize,
}

impl Confirm {
    pub(super) fn new(handle: Handle, pool: Pool) -> Arc<Confirm> {
        Arc::new(Confirm {
            handle,
            pool,
            state: Mutex::default(),
        })
    }

    /// Tells which version a table has from now on; 0 if there is none.
    pub(super) fn ask(self: &Arc<Confirm>, table: TableId, done: Done<u32>) {
        let mut state = self.state();
        state.waiting.push((table, done));
        self.send(&mut state);
    }

    fn send(self: &Arc<Confirm>, state: &mut State) {
        while !state.waiting.is_empty() && state.under_way < CONNECTIONS {
            let some = state.waiting.len().min(TABLES_MAX);
            let asked = state.waiting.drain(..some).collect();
            state.under_way += 1;
            self.handle.spawn(Arc::clone(self).run(asked));
        }
    }

    async fn run(self: Arc<Confirm>, asked: Vec<(TableId, Done<u32>)>) {
        let mut tables: Vec<TableId> = asked.iter().map(|(table, _)| *table).collect();
        tables.sort_unstable();
        tables.dedup();
        let found = async { nodes::versions(&self.pool.get().await?, &tables).await };
        let found = timeout(PATIENCE, found).await.unwrap_or(Err(Fault::Slow));
        let found = found.map_err(Fault::into_error);
        let found = found.map(|versions| versions.into_iter().collect::<HashMap<_, _>>());
        for (table, done) in asked {
            let version = match &found {
                Ok(versions) => Ok(versions.get(&table).copied().unwrap_or(0)),
                Err(error) => Err(error.clone()),
            };
            tell(|| done(version));
        }
        let mut state = self.state();
        state.under_way -= 1;
        self.send(&mut state);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
