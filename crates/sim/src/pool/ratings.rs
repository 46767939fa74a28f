//! What must hold of ratings in the end: every game that counts is rated once, with its
//! end, by what its players had then.

use std::collections::BTreeMap;

use chess::rating::{Outcome, Standing, rate};
use chess::table::PlayerId;
use chess::{Color, Timestamp};
use store::{
    EventKind, EventKinds, EventPlace, OutboxEvent, OutboxQuery, PlayerRating, RatedGame, TableId,
};

use super::finale::Games;
use super::world::World;
use crate::node::at_once;
use crate::rules::{Checked, Violation, ensure};

/// Events that are read at a time.
const PAGE: u32 = 1_000;

impl World {
    /// Looks at all ratings. The points of everybody, in thousandths.
    pub(super) fn ratings_are_right(&mut self, games: &Games) -> Result<Vec<u32>, Violation> {
        let counted: BTreeMap<TableId, Outcome> = games
            .iter()
            .filter_map(|(table, game)| Some((*table, Outcome::of(game)?)))
            .collect();
        let all: Vec<TableId> = games.keys().copied().collect();
        let rated: BTreeMap<TableId, RatedGame> = at_once(self.store.rated_games(&all))
            .into_iter()
            .map(|game| (game.table, game))
            .collect();
        let counts = &mut self.book.counts;
        counts.rated = rated.len() as u64;
        counts.beyond = (counted.len() - rated.len().min(counted.len())) as u64;
        counts.aborted = (games.len() - counted.len()) as u64;
        self.as_many_as_may(&counted, &rated)?;
        let standings = self.replayed(games, &rated)?;
        self.as_replayed(&standings)
    }

    /// A game is rated as it ended; not one too few, and none beyond what counts of two
    /// in a day.
    fn as_many_as_may(
        &self,
        counted: &BTreeMap<TableId, Outcome>,
        rated: &BTreeMap<TableId, RatedGame>,
    ) -> Checked {
        let mut of_two: BTreeMap<(PlayerId, PlayerId), (u32, u32)> = BTreeMap::new();
        for (table, outcome) in counted {
            let (a, b) = (outcome.players.white, outcome.players.black);
            let (ended, were_rated) = of_two.entry((a.min(b), a.max(b))).or_default();
            *ended += 1;
            let Some(game) = rated.get(table) else {
                continue;
            };
            *were_rated += 1;
            let as_rated = Outcome {
                category: game.category,
                players: game.players,
                score: game.score,
            };
            ensure!(
                as_rated == *outcome,
                RatedOnce,
                *table,
                "{outcome:?} was rated as {as_rated:?}"
            );
        }
        let other = rated.keys().find(|table| !counted.contains_key(table));
        ensure!(
            other.is_none(),
            RatedOnce,
            other.copied(),
            "it does not count, and was rated"
        );
        let most = match self.habits.rated_per_day {
            0 => u32::MAX,
            per_day => per_day,
        };
        for (both, (ended, were_rated)) in of_two {
            ensure!(
                were_rated == ended.min(most),
                RatedOnce,
                None,
                "{were_rated} of {ended} games between {both:?} were rated"
            );
        }
        Ok(())
    }

    /// All ratings, made anew from the games in the order in which they were rated.
    fn replayed(
        &self,
        games: &Games,
        rated: &BTreeMap<TableId, RatedGame>,
    ) -> Result<BTreeMap<PlayerId, Standing>, Violation> {
        let mut left = rated.clone();
        let mut standings: BTreeMap<PlayerId, Standing> = BTreeMap::new();
        for event in self.events() {
            let Some(table) = event.table else {
                continue;
            };
            let version = games.get(&table).map(|game| game.version());
            ensure!(
                version == Some(event.version),
                RatedOnce,
                table,
                "it ended with version {version:?}, and {event:?} was said"
            );
            let Some(game) = left.remove(&table) else {
                ensure!(false, RatedOnce, table, "it was rated twice");
                continue;
            };
            let of = |player: PlayerId| standings.get(&player).copied().unwrap_or(Standing::NEW);
            let before = game.players.map(of);
            let changes = rate(
                &before.as_ref().map(|standing| standing.at(game.at)),
                game.score,
            );
            ensure!(
                changes == game.changes,
                RatedOnce,
                table,
                "it did {:?}, and should have done {changes:?}",
                game.changes
            );
            for color in Color::ALL {
                let after = before.get(color).after(game.at, changes.get(color).after);
                standings.insert(*game.players.get(color), after);
            }
        }
        let silent = left.keys().next();
        ensure!(
            silent.is_none(),
            RatedOnce,
            silent.copied(),
            "it was rated, and nobody was told"
        );
        Ok(standings)
    }

    fn events(&self) -> Vec<OutboxEvent> {
        let mut events: Vec<OutboxEvent> = Vec::new();
        let mut after = EventPlace::START;
        loop {
            let rated = OutboxQuery {
                kinds: EventKinds::NONE.with(EventKind::RatingChanged),
                ..OutboxQuery::after(after, PAGE)
            };
            let page = at_once(self.store.outbox(rated));
            if page.next == after {
                return events;
            }
            events.extend(page.events);
            after = page.next;
        }
    }

    /// What is stored of everybody is what their games make of it.
    fn as_replayed(&self, standings: &BTreeMap<PlayerId, Standing>) -> Result<Vec<u32>, Violation> {
        let category = self.pool.category();
        let mut points = Vec::new();
        for person in &self.people {
            let stored = at_once(self.store.ratings_of(&[person.id]));
            let new = PlayerRating::new(person.id, category);
            let stored = stored.first().copied().unwrap_or(new);
            let replayed = standings.get(&person.id).copied().unwrap_or(Standing::NEW);
            ensure!(
                stored.standing == replayed,
                RatedOnce,
                None,
                "{:?} has {:?}, and should have {replayed:?}",
                person.id,
                stored.standing
            );
            let tallied = stored.wins + stored.draws + stored.losses;
            let history = match self.options.is_hostile || person.id.number() % 10 == 0 {
                true => self.rows_of(person.id),
                // It looks at all games for everybody, and there are many.
                false => tallied,
            };
            let games = [replayed.games, tallied, history];
            ensure!(
                games.iter().all(|many| *many == games[0]),
                RatedOnce,
                None,
                "{:?} has games in different numbers: {games:?}",
                person.id
            );
            points.push(stored.standing.rating.stored().points_milli);
        }
        Ok(points)
    }

    /// How many games the history of somebody's rating has.
    fn rows_of(&self, player: PlayerId) -> u32 {
        let category = self.pool.category();
        let history = self
            .store
            .rating_history(player, category, Timestamp(0), u32::MAX);
        at_once(history).len() as u32
    }
}
