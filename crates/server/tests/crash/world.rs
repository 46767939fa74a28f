//! A server that is killed again and again while many play on it.

use std::collections::BTreeMap;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};

use crate::line::{Ask, Down, Line};
use crate::machine::Machine;
use crate::pair::Pair;
use crate::process::Server;

/// Pairs that play at the same time.
const PAIRS: u64 = 8;
/// The longest a round may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long after its start the server folds for the first time.
const FOLD: Duration = Duration::from_secs(1);

/// The machine, everybody who plays, and what they know.
pub(crate) struct World {
    pub(crate) machine: Machine,
    pairs: Vec<Pair>,
    pub(crate) rng: StdRng,
    /// How often a game may have been credited; as often as it likes, if the store failed.
    pub(crate) credits_max: usize,
    /// Whether one run in three ends in the moment the journal is folded.
    pub(crate) meets_folds: bool,
    /// Changes that were acknowledged.
    pub(crate) changes: u64,
    /// Changes that were in doubt and turned out to be there.
    pub(crate) unanswered: u64,
}

/// How those ended who still played when a server stopped.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    pub(crate) cut: usize,
    pub(crate) refused: usize,
}

impl World {
    pub(crate) fn new(machine: Machine, seed: u64) -> World {
        World {
            machine,
            pairs: (1..=PAIRS)
                .map(|n| Pair::new(seed.wrapping_mul(31) + n))
                .collect(),
            rng: StdRng::seed_from_u64(seed),
            credits_max: 0,
            meets_folds: false,
            changes: 0,
            unanswered: 0,
        }
    }

    /// Other settings for the next run: much folding or little, much eviction or none.
    pub(crate) fn other_settings(&mut self) {
        let fold_after = [2, 8, 64][self.rng.random_range(0..3)];
        let resident = [4, 1_000_000][self.rng.random_range(0..2)];
        self.machine.set("ARBITER_FOLD_SECONDS", FOLD.as_secs());
        self.machine.set("ARBITER_FOLD_AFTER", fold_after);
        self.machine.set("ARBITER_RESIDENT_MAX", resident);
    }

    /// Starts the server, and checks that it knows what it knew.
    pub(crate) async fn start(&mut self) -> Result<Server, String> {
        let started = tokio::task::block_in_place(|| self.machine.start());
        let server = started.ok_or_else(|| format!("no start: {}", self.machine.told()))?;
        self.credits_max = self.credits_max.saturating_add(1);
        let before = self.unanswered;
        self.check(&server, false).await?;
        let found = self.unanswered - before;
        if found > PAIRS {
            return Err(format!("{found} changes that nobody was told of"));
        }
        Ok(server)
    }

    /// Starts the server and kills it while it starts.
    pub(crate) fn start_in_vain(&mut self) {
        let moment = Duration::from_micros(self.rng.random_range(0..200_000));
        tokio::task::block_in_place(|| self.machine.start_in_vain(moment));
        self.credits_max = self.credits_max.saturating_add(1);
    }

    /// Plays until so many changes are acknowledged, and hands over to `end`
    /// a random moment later.
    pub(crate) async fn play(
        &mut self,
        server: Server,
        changes: u64,
        end: impl FnOnce(Server),
    ) -> Ends {
        let begun = Instant::now();
        let line = Line::to(&server.url);
        let mut playing = JoinSet::new();
        for pair in self.pairs.drain(..) {
            playing.spawn(pair.play(line.clone()));
        }
        // A server that dies by itself is gone sooner.
        tokio::select! {
            () = reach(&line.told, changes) => {}
            Some(first) = playing.join_next() => self.pairs.push(first.expect("a player").0),
        }
        let mut moment = Instant::now() + Duration::from_micros(self.rng.random_range(0..4_000));
        if self.meets_folds && self.rng.random_ratio(1, 3) {
            let later = Duration::from_micros(self.rng.random_range(0..30_000));
            moment = moment.max(begun + FOLD + later);
        }
        sleep_until(moment).await;
        tokio::task::block_in_place(|| end(server));
        self.come_home(line, playing).await
    }

    /// Lets everybody make moves in one game each, whatever the server says,
    /// while something happens to it; then hands over to `end`.
    pub(crate) async fn rally(
        &mut self,
        server: Server,
        meanwhile: impl AsyncFnOnce(&Machine, &Line),
        end: impl FnOnce(Server),
    ) -> Ends {
        let line = Line::insisting_to(&server.url);
        let mut playing = JoinSet::new();
        for pair in self.pairs.drain(..) {
            playing.spawn(pair.rally(line.clone()));
        }
        tokio::select! {
            () = meanwhile(&self.machine, &line) => {}
            Some(first) = playing.join_next() => {
                panic!("somebody gave up: {:?}", first.map(|(_, down)| down));
            }
        }
        tokio::task::block_in_place(|| end(server));
        self.come_home(line, playing).await
    }

    async fn come_home(&mut self, line: Line, mut playing: JoinSet<(Pair, Down)>) -> Ends {
        let mut ends = Ends::default();
        while let Some(played) = timeout(PATIENCE, playing.join_next())
            .await
            .expect("all come home")
        {
            let (pair, down) = played.expect("a player");
            match down {
                Down::Cut => ends.cut += 1,
                Down::Refused { retry_after } => {
                    assert!(retry_after, "a 503 says when to come back");
                    ends.refused += 1;
                }
            }
            self.pairs.push(pair);
        }
        self.changes += *line.told.borrow();
        ends
    }

    /// Compares the server with everything that was acknowledged: of the games
    /// that something may have happened to, or of all.
    pub(crate) async fn check(&mut self, server: &Server, all: bool) -> Result<(), String> {
        let line = Line::to(&server.url);
        let mut checking = JoinSet::new();
        for mut pair in self.pairs.drain(..) {
            let (line, credits_max) = (line.clone(), self.credits_max);
            checking.spawn(async move {
                let found = pair.check(&line, credits_max, all).await;
                (pair, found)
            });
        }
        let mut result = Ok(());
        while let Some(checked) = checking.join_next().await {
            let (pair, found) = checked.expect("a player");
            self.pairs.push(pair);
            match found {
                Ok(found) => self.unanswered += found,
                Err(why) => result = Err(why),
            }
        }
        result
    }

    /// Asks again for what was never answered, so that every game is known.
    pub(crate) async fn settle(&mut self, server: &Server) {
        let line = Line::to(&server.url);
        for pair in &mut self.pairs {
            pair.settle(&line).await.expect("the server answers");
        }
    }

    /// The last word: everything is there, and the database is sound and holds
    /// the games that are known and no other.
    pub(crate) async fn conclude(&mut self) -> Result<(), String> {
        let server = self.start().await?;
        self.settle(&server).await;
        self.check(&server, true).await?;
        let status = tokio::task::block_in_place(|| server.stop());
        if !status.success() {
            return Err(format!("{status}: {}", self.machine.told()));
        }
        let games: usize = self.pairs.iter().map(|pair| pair.tables.len()).sum();
        let checked = self.machine.check(&self.machine.database())?;
        if checked != games as u64 {
            return Err(format!("{checked} games, where {games} were made"));
        }
        let told = self.machine.told();
        if told.contains("panic") {
            return Err(told);
        }
        Ok(())
    }

    /// How often each command was acknowledged.
    pub(crate) fn tally(&self) -> BTreeMap<&'static str, u64> {
        let mut all = BTreeMap::new();
        for (command, n) in self.pairs.iter().flat_map(|pair| &pair.tally) {
            *all.entry(*command).or_default() += n;
        }
        all
    }
}

/// Waits until so many are counted.
pub(crate) async fn reach(counted: &watch::Sender<u64>, enough: u64) {
    let mut counted = counted.subscribe();
    let reached = timeout(PATIENCE, counted.wait_for(|n| *n >= enough)).await;
    reached
        .expect("the server is quick enough")
        .expect("somebody plays");
}

impl Pair {
    /// How many changes in doubt were there.
    async fn check(&mut self, line: &Line, credits_max: usize, all: bool) -> Result<u64, String> {
        let mut found = 0;
        for index in 0..self.tables.len() {
            let is_meant =
                all || self.tables[index].record.is_touched || self.rng.random_ratio(1, 20);
            if is_meant {
                found += u64::from(self.check_game(line, index, credits_max, all).await?);
            }
        }
        Ok(found)
    }

    async fn check_game(
        &mut self,
        line: &Line,
        index: usize,
        credits_max: usize,
        all: bool,
    ) -> Result<bool, String> {
        let record = &mut self.tables[index].record;
        let path = format!("/v1/games/{}", record.id);
        let game = read(line, self, index, &path).await?;
        let log = read(line, self, index, &format!("{path}/log")).await?;
        let mut changes = log.as_array().cloned().unwrap_or_default();
        // A move and the end it brought about are one change.
        changes.dedup_by_key(|entry| entry["version"].clone());
        let record = &mut self.tables[index].record;
        let found = record.check(&changes, credits_max)?;
        let moves: Vec<Value> = record.moves().into_iter().cloned().collect();
        if game["version"] == record.version && game["moves"] != Value::from(moves) {
            return Err(format!("the log and the game differ: {game}"));
        }
        let pick = self.rng.random_range(0..record.line.len().max(1));
        let retried = match all {
            true => record.line.clone(),
            false => [record.line.last(), record.line.get(pick)]
                .into_iter()
                .flatten()
                .copied()
                .collect(),
        };
        for version in retried {
            let Some(told) = record.asked(version) else {
                continue;
            };
            let ask = Ask {
                path: format!("{path}/moves"),
                body: told.body.clone(),
                key: None,
            };
            let answer = line.post(Some(&self.people[told.by]), &ask).await;
            let answer = answer.map_err(|down| format!("{path}: {down:?}"))?;
            if answer.status != 200 || answer.text != told.answer {
                return Err(format!(
                    "{path}: told {}, then {}",
                    told.answer, answer.text
                ));
            }
        }
        Ok(found)
    }
}

async fn read(line: &Line, pair: &Pair, index: usize, path: &str) -> Result<Value, String> {
    let who = &pair.people[pair.tables[index].creator];
    match line.get(who, path).await {
        Ok(answer) if answer.status == 200 => Ok(answer.json()),
        other => Err(format!("{path} is lost: {other:?}")),
    }
}
