//! What players decide about each other: whom they block and follow, and whose
//! challenges they take.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::social;
use crate::{ChallengeRule, Error, TableId};

impl Store {
    /// Blocks somebody: they and that account do not meet, and what they say does not
    /// reach it. Whether they were not blocked before.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn block(
        &self,
        account: PlayerId,
        blocked: PlayerId,
        at: Timestamp,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite.rare().will_block(account, &[blocked]);
                sqlite.write(move |db| social::block(db, account, blocked, at)).await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::social::block(&db, account, blocked, at).await }).await
            }
            Backend::Memory(memory) => memory.with(|state| state.social.block(account, blocked, at)),
        }
    }

    /// Blocks them no longer. Whether they were blocked.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn unblock(&self, account: PlayerId, blocked: PlayerId) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| social::unblock(db, account, blocked))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::social::unblock(&db, account, blocked).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.social.unblock(account, blocked)),
        }
    }

    /// Blocks these and nobody else. Whoever was blocked stays so since then.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn set_blocks(
        &self,
        account: PlayerId,
        blocked: Vec<PlayerId>,
        at: Timestamp,
    ) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite.rare().will_block(account, &blocked);
                sqlite
                    .write(move |db| social::set_blocks(db, account, &blocked, at))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::social::set_blocks(&mut db, account, &blocked, at).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.social.set_blocks(account, &blocked, at))
            }
        }
    }

    /// Whom an account blocks and since when, in the order of their numbers.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn blocks_of(&self, account: PlayerId) -> Result<Vec<(PlayerId, Timestamp)>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| social::blocks_of(db, account)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::social::blocks_of(&db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.social.blocks_of(account)),
        }
    }

    /// All blocks of which both are among these: who blocks whom.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn blocks_among(
        &self,
        players: &[PlayerId],
    ) -> Result<Vec<(PlayerId, PlayerId)>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let players = players.to_vec();
                sqlite
                    .read(move |db| social::blocks_among(db, &players))
                    .await
            }
            Backend::Postgres(pg) => {
                let players = players.to_vec();
                pg.ask(move |db| async move { postgres::social::blocks_among(&db, &players).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.social.blocks_among(players)),
        }
    }

    /// Whether one of two blocks the other.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn is_blocked_between(&self, one: PlayerId, other: PlayerId) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) if !sqlite.rare().may_block(one, other) => Ok(false),
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| social::is_blocked_between(db, one, other))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::social::is_blocked_between(&db, one, other).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.social.is_blocked_between(one, other))
            }
        }
    }

    /// Everybody who blocks an account.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn blockers_of(&self, blocked: PlayerId) -> Result<Vec<PlayerId>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| social::blockers_of(db, blocked))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::social::blockers_of(&db, blocked).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.social.blockers_of(blocked)),
        }
    }

    /// Follows somebody. Whether they were not followed before. That the account has
    /// changed is heard by all nodes.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn follow(
        &self,
        account: PlayerId,
        followed: PlayerId,
        at: Timestamp,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| social::follow(db, account, followed, at))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::social::follow(&mut db, account, followed, at).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                let is_new = state.social.follow(account, followed, at);
                state.people.has_changed(account, is_new);
                is_new
            }),
        }
    }

    /// Follows them no longer. Whether they were followed.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn unfollow(&self, account: PlayerId, followed: PlayerId) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| social::unfollow(db, account, followed))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::social::unfollow(&mut db, account, followed).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                let was_there = state.social.unfollow(account, followed);
                state.people.has_changed(account, was_there);
                was_there
            }),
        }
    }

    /// Whom an account follows and since when, in the order of their numbers.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn follows_of(&self, account: PlayerId) -> Result<Vec<(PlayerId, Timestamp)>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| social::follows_of(db, account)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::social::follows_of(&db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.social.follows_of(account)),
        }
    }

    /// Whether an account follows somebody.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn is_following(&self, account: PlayerId, followed: PlayerId) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| social::is_following(db, account, followed))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::social::is_following(&db, account, followed).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.social.is_following(account, followed))
            }
        }
    }

    /// The newest table that each of these plays at, of those that lists show to anybody
    /// and without a delay. Who plays at none is left out.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn playing(&self, players: &[PlayerId]) -> Result<Vec<(PlayerId, TableId)>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let players = players.to_vec();
                sqlite.read(move |db| social::playing(db, &players)).await
            }
            Backend::Postgres(pg) => {
                let players = players.to_vec();
                pg.ask(move |db| async move { postgres::social::playing(&db, &players).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.playing(players)),
        }
    }

    /// Which challenges an account takes.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn challenge_rule(&self, account: PlayerId) -> Result<ChallengeRule, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| social::challenge_rule(db, account))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::social::challenge_rule(&db, account).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.social.challenge_rule(account)),
        }
    }

    /// Says which challenges an account takes.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn set_challenge_rule(
        &self,
        account: PlayerId,
        rule: ChallengeRule,
    ) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| social::set_challenge_rule(db, account, &rule))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::social::set_challenge_rule(&db, account, &rule).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.social.set_challenge_rule(account, rule))
            }
        }
    }
}
