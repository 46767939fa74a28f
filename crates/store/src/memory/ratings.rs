//! Ratings in memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use chess::rating::Category;
use chess::table::PlayerId;
use chess::{Color, Timestamp};

use super::contents::Contents;
use crate::ratings::{BOT, Known, PROGRESS_GAMES, SAME_OPPONENT, progress};
use crate::{
    Account, AccountKind, Change, LeaderboardQuery, PlayerRating, RatedGame, Rates, RatingProfile,
    RatingStep, TableId,
};

#[derive(Clone, Default)]
pub(crate) struct Ratings {
    rows: BTreeMap<(PlayerId, Category), PlayerRating>,
    games: BTreeMap<TableId, RatedGame>,
    /// The games of every two, by the lower number and the higher.
    of_two: BTreeMap<(PlayerId, PlayerId), BTreeSet<TableId>>,
}

impl Ratings {
    /// Changes the ratings of a game's players, if the change means anything for them:
    /// whether it did.
    pub(super) fn apply(&mut self, change: &Change, rates: &Rates) -> bool {
        let outcome = rates.outcome();
        let rating = |account| self.rows.get(&(account, outcome.category)).copied();
        let since = change.at.0.saturating_sub(SAME_OPPONENT.0.into());
        let (a, b) = (outcome.players.white, outcome.players.black);
        let both = (a.min(b), a.max(b));
        let theirs = self.of_two.get(&both).into_iter().flatten();
        let lately = theirs.filter_map(|table| self.games.get(table));
        let lately = lately.filter(|game| game.at.0 > since).count();
        let known = Known {
            ratings: outcome.players.map(rating),
            game: self.games.get(&change.table).copied(),
            lately: u32::try_from(lately).unwrap_or(u32::MAX),
        };
        let Some(settled) = rates.settle(change.table, change.at, &known) else {
            return false;
        };
        for rating in settled.ratings.into_iter().flatten() {
            self.rows.insert((rating.account, rating.category), rating);
        }
        self.games.remove(&change.table);
        if let Some(game) = settled.game {
            self.games.insert(change.table, game);
            self.of_two.entry(both).or_default().insert(change.table);
        }
        true
    }

    pub(crate) fn of(&self, accounts: &[PlayerId]) -> Vec<PlayerRating> {
        let asked: BTreeSet<PlayerId> = accounts.iter().copied().collect();
        let rows = asked.into_iter().flat_map(|account| {
            let from = self.rows.range((account, Category::ALL[0])..);
            from.take_while(move |((owner, _), _)| *owner == account)
        });
        rows.map(|(_, row)| *row)
            .filter(|row| row.standing.games > 0)
            .collect()
    }

    pub(crate) fn profile(&self, account: PlayerId) -> Vec<RatingProfile> {
        let profile = |rating: PlayerRating| {
            let lately = self.history(account, rating.category, Timestamp(0), PROGRESS_GAMES);
            let early = lately.last().map(|step| step.change.before.stored());
            let now = rating.standing.rating;
            RatingProfile {
                rating,
                progress: early.map_or(0, |early| progress(now, early.points_milli)),
            }
        };
        self.of(&[account]).into_iter().map(profile).collect()
    }

    pub(crate) fn games(&self, tables: &[TableId]) -> Vec<RatedGame> {
        let games = tables.iter().filter_map(|table| self.games.get(table));
        games.copied().collect()
    }

    pub(crate) fn history(
        &self,
        account: PlayerId,
        category: Category,
        since: Timestamp,
        limit: u32,
    ) -> Vec<RatingStep> {
        let theirs = |game: &RatedGame| {
            let color = Color::ALL
                .into_iter()
                .find(|c| *game.players.get(*c) == account)?;
            (game.category == category && game.at >= since).then(|| game.step(color))
        };
        let mut steps: Vec<_> = self.games.values().filter_map(theirs).collect();
        steps.sort_unstable_by_key(|step| Reverse((step.at, step.table)));
        steps.truncate(limit as usize);
        steps
    }

    pub(crate) fn spread(&self, category: Category, now: Timestamp) -> Vec<(u32, u32)> {
        let mut spread = BTreeMap::<u32, u32>::new();
        for row in self.established(category, now) {
            *spread.entry(row.standing.rating.points()).or_default() += 1;
        }
        spread.into_iter().collect()
    }

    fn established(
        &self,
        category: Category,
        now: Timestamp,
    ) -> impl Iterator<Item = PlayerRating> {
        let rows = self.rows.values().copied();
        rows.filter(move |row| row.category == category && row.standing.provisional_from() > now)
    }

    /// Forgets the ratings of somebody who is gone; the games keep theirs.
    pub(crate) fn forget(&mut self, account: PlayerId) {
        self.rows.retain(|(owner, _), _| *owner != account);
    }
}

impl Contents {
    pub(crate) fn leaderboard(&self, query: &LeaderboardQuery) -> Vec<PlayerRating> {
        let key = |points: u32, account: PlayerId| (Reverse(points), account);
        let place = |row: &PlayerRating| key(row.place().points_milli, row.account);
        let is_wanted = |row: &PlayerRating| {
            let account = self.people.by_number(row.account);
            account.is_some_and(|a| {
                a.deleted_at.is_none()
                    && a.barred_at.is_none()
                    && (a.title.as_deref() == Some(BOT)) == query.bots
            }) && query
                .after
                .is_none_or(|after| place(row) > key(after.points_milli, after.account))
        };
        let established = self.ratings.established(query.category, query.now);
        let mut rows: Vec<_> = established.filter(is_wanted).collect();
        rows.sort_unstable_by_key(place);
        rows.truncate(query.limit as usize);
        rows
    }

    pub(crate) fn by_prefix(&self, prefix: &str, limit: u32) -> Vec<Account> {
        let found = self.people.after_id(prefix);
        found
            .take_while(|account| account.id.starts_with(prefix))
            .filter(|a| a.kind != AccountKind::Guest)
            .filter(|a| a.deleted_at.is_none() && a.barred_at.is_none())
            .take(limit as usize)
            .cloned()
            .collect()
    }
}
