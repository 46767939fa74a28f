//! Who may have what hardly anybody has: blocks, and bans from rooms.
//!
//! Everybody who joins a game is looked for there, and to ask a reader costs more than all
//! the rest of joining. Nobody but this process writes to the database, so it is known who is
//! certainly not there. Who once was stays until the next start: then the database is asked.

use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

use chess::table::PlayerId;
use rusqlite::Connection;

use super::values::Who;
use crate::{IdMap, TableId};

#[derive(Default)]
pub(crate) struct Rare {
    /// Who blocks somebody or is blocked.
    blocks: Set<PlayerId>,
    /// Whose rooms somebody is banned from.
    bans: Set<TableId>,
    /// Whether these may lack somebody: what is damaged cannot be read.
    is_incomplete: bool,
}

type Set<K> = RwLock<IdMap<K, ()>>;

impl Rare {
    /// What the last run left.
    pub(super) fn read(db: &Connection) -> Rare {
        let mut rare = Rare::default();
        if let Err(error) = rare.fill(db) {
            tracing::warn!(%error, "blocks and bans are looked up one by one");
            rare.is_incomplete = true;
        }
        rare
    }

    fn fill(&self, db: &Connection) -> Result<(), rusqlite::Error> {
        let mut blocks =
            db.prepare("SELECT account FROM blocks UNION SELECT blocked FROM blocks")?;
        for who in blocks.query_map((), |r| r.get::<_, Who>(0))? {
            add(&self.blocks, who?.0);
        }
        let mut bans = db.prepare("SELECT DISTINCT table_id FROM room_bans")?;
        for table in bans.query_map((), |r| r.get(0))? {
            add(&self.bans, table?);
        }
        Ok(())
    }

    /// Somebody is about to block these.
    pub(crate) fn will_block(&self, account: PlayerId, blocked: &[PlayerId]) {
        for who in blocked {
            add(&self.blocks, *who);
            add(&self.blocks, account);
        }
    }

    /// Whether one of two may block the other.
    pub(crate) fn may_block(&self, one: PlayerId, other: PlayerId) -> bool {
        self.is_incomplete || (has(&self.blocks, one) && has(&self.blocks, other))
    }

    /// Somebody is about to be banned from that room.
    pub(crate) fn will_ban(&self, table: TableId) {
        add(&self.bans, table);
    }

    /// Whether anybody may be banned from one of these rooms.
    pub(crate) fn may_ban(&self, tables: &[TableId]) -> bool {
        self.is_incomplete || tables.iter().any(|table| has(&self.bans, *table))
    }
}

fn add<K: Hash + Eq>(set: &Set<K>, key: K) {
    let mut set = set.write().unwrap_or_else(PoisonError::into_inner);
    set.insert(key, ());
}

fn has<K: Hash + Eq>(set: &Set<K>, key: K) -> bool {
    let set = set.read().unwrap_or_else(PoisonError::into_inner);
    set.contains_key(&key)
}
