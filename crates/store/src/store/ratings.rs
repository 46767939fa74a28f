//! Ratings, and who is found by them or by name. They are written with the change
//! that ends a game: see [`crate::Change::rates`].

use chess::Timestamp;
use chess::rating::Category;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::{accounts, ratings};
use crate::{
    Account, Error, LeaderboardQuery, PlayerRating, RatedGame, RatingProfile, RatingStep, TableId,
};

impl Store {
    /// The ratings of these players, in the order of their numbers and then of the
    /// categories. Who has no rated game in a category has none there.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub async fn ratings_of(&self, players: &[PlayerId]) -> Result<Vec<PlayerRating>, Error> {
        let asked = players.to_vec();
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| ratings::of(db, &asked)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::ratings::of(&db, &asked).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.ratings.of(players)),
        }
    }

    /// Somebody's ratings, with how they moved lately.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub async fn rating_profile(&self, player: PlayerId) -> Result<Vec<RatingProfile>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| ratings::profile(db, player)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::ratings::profile(&db, player).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.ratings.profile(player)),
        }
    }

    /// What a game did to the ratings of its players; `None` if nothing.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn rated_game(&self, table: TableId) -> Result<Option<RatedGame>, Error> {
        Ok(self.rated_games(&[table]).await?.pop())
    }

    /// What these games did to ratings, in that order; those that did nothing are
    /// left out.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn rated_games(&self, tables: &[TableId]) -> Result<Vec<RatedGame>, Error> {
        let asked = tables.to_vec();
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| ratings::games(db, &asked)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::ratings::games(&db, &asked).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.ratings.games(tables)),
        }
    }

    /// A player's rated games since then, the newest first.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub async fn rating_history(
        &self,
        player: PlayerId,
        category: Category,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<RatingStep>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| ratings::history(db, player, category, since, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::ratings::history(&db, player, category, since, limit).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.ratings.history(player, category, since, limit))
            }
        }
    }

    /// A page of a leaderboard: those whose rating is not provisional, the best
    /// first. Who is gone or barred is left out.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn leaderboard(&self, query: LeaderboardQuery) -> Result<Vec<PlayerRating>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| ratings::leaderboard(db, &query))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::ratings::leaderboard(&db, &query).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.leaderboard(&query)),
        }
    }

    /// How many players whose rating is not provisional have how many whole points,
    /// the fewest points first: what a share of them is worked out of. It looks at
    /// all of them, so it is not to be asked for each.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn rating_spread(
        &self,
        category: Category,
        now: Timestamp,
    ) -> Result<Vec<(u32, u32)>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| ratings::spread(db, category, now))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::ratings::spread(&db, category, now).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.ratings.spread(category, now)),
        }
    }

    /// Accounts whose id begins so, in the order of their ids. Guests, those that
    /// were deleted and those that are barred are left out.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub async fn players_by_prefix(&self, prefix: &str, limit: u32) -> Result<Vec<Account>, Error> {
        let asked = prefix.to_owned();
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| accounts::by_prefix(db, &asked, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::accounts::by_prefix(&db, &asked, limit).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.by_prefix(prefix, limit)),
        }
    }
}
