//! Compares what every client was told with what the nodes say in the end.

mod bites;
mod chat;
pub(crate) mod flag;
mod own;
pub(crate) mod watched;

use std::time::{Duration, Instant};

use rand::RngExt;
use serde_json::Value;

use crate::pair::{Pair, Played};
use crate::socket::Heard;
use crate::stage::Stage;
use crate::watch::Watched;
use crate::way::{Ask, Person, version};

/// The longest a player's own stream may take to tell of an end.
const TOLD_WITHIN: Duration = Duration::from_secs(10);

/// What may have happened.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// How often time may have been given back in a game.
    pub(crate) credits_max: usize,
    /// How long after its time a flag may be told to have fallen.
    pub(crate) flag_within: Duration,
}

/// What a run was like.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) games: usize,
    pub(crate) flags: usize,
    pub(crate) lines: usize,
    /// How long moves took until they were acknowledged, and how often they were
    /// asked for again.
    pub(crate) acknowledged: Vec<(Duration, u32)>,
    /// How long it took from sending a move until somebody who watched knew of it.
    pub(crate) receipts: Vec<Duration>,
    /// The same, of those who played against whoever moved.
    pub(crate) opponents: Vec<Duration>,
    /// With which codes sockets were closed.
    pub(crate) closed: Vec<Option<u16>>,
}

impl Pair {
    /// Checks all games of a pair.
    pub(crate) async fn check(mut self, stage: &Stage, rules: Rules) -> Found {
        let mut found = Found::default();
        let mut logs = Vec::new();
        for played in std::mem::take(&mut self.games) {
            let log = self.check_game(stage, rules, played, &mut found).await;
            logs.push(log);
        }
        let games: Vec<String> = logs.iter().map(|log| log.game.clone()).collect();
        for player in self.players {
            let heard = player.own.finish(&games, TOLD_WITHIN).await;
            let checked = own::check(&heard, &logs, TOLD_WITHIN);
            checked.unwrap_or_else(|why| panic!("{}'s stream: {why}", player.person.id));
            found.note(&heard);
        }
        found
    }

    async fn check_game(
        &mut self,
        stage: &Stage,
        rules: Rules,
        mut played: Played,
        found: &mut Found,
    ) -> Log {
        let people: Vec<Person> = self.players.iter().map(|p| p.person.clone()).collect();
        let log = Log::read(stage, &people[played.table.creator], &played).await;
        log.check(&mut played, rules)
            .unwrap_or_else(|why| panic!("{}: {why}", log.text()));
        let path = format!("/v1/games/{}", log.game);
        let number = self.rng.random_range(0..stage.ways.count());
        let game = stage.ways.only(number).get(Some(&people[0]), &path).await;
        let game = game.expect(200);
        let record = &played.table.record;
        assert_eq!(game["state"], "COMPLETED", "{game}");
        assert_eq!(version(&game), record.version, "{game}");
        let moves: Vec<Value> = record.moves().into_iter().cloned().collect();
        assert_eq!(game["moves"], Value::from(moves), "{game}");
        for version in &record.line {
            let told = record.asked(*version).expect("every move was asked for");
            let number = self.rng.random_range(0..stage.ways.count());
            let ask = Ask::post(format!("{path}/moves"), told.body.clone());
            let way = stage.ways.only(number);
            let again = way.ask(Some(&people[told.by]), &ask).await;
            assert_eq!((again.status, &again.text), (200, &told.answer));
        }
        let mut watched: Vec<Watched> = Vec::new();
        for watching in std::mem::take(&mut played.watchers) {
            watched.push(watching.await.expect("somebody watched"));
        }
        for watched in &watched {
            let checked = watched::check(watched, &log.entries);
            let receipts =
                checked.unwrap_or_else(|why| panic!("{why}: {watched:?}\n{}", log.text()));
            let seat = people
                .iter()
                .position(|p| watched.who.as_ref().is_some_and(|who| who.id == p.id));
            found.receive(&played, seat, &receipts);
            found.note(&watched.heard);
        }
        chat::check(stage, &log.game, &played.lines, &watched).await;
        if played.is_short {
            let checked = flag::check(&log.entries, played.left, &watched, rules.flag_within);
            checked.unwrap_or_else(|why| panic!("{why}: {}", log.text()));
            found.flags += 1;
        }
        found.games += 1;
        found.lines += played.lines.len();
        let taken = played.moves.iter().map(|(_, r)| (r.took, r.retries));
        found.acknowledged.extend(taken);
        log
    }
}

/// A game's log, on which all nodes agree.
pub(crate) struct Log {
    pub(crate) game: String,
    pub(crate) entries: Vec<Value>,
    /// From when to when the end came about.
    pub(crate) ended: (Instant, Instant),
}

impl Log {
    async fn read(stage: &Stage, who: &Person, played: &Played) -> Log {
        let game = played.table.record.id.clone();
        let path = format!("/v1/games/{game}/log");
        let mut texts = Vec::new();
        for number in 0..stage.ways.count() {
            let reply = stage.ways.only(number).get(Some(who), &path).await;
            assert_eq!(reply.status, 200, "{}", reply.text);
            texts.push(reply.text);
        }
        assert!(texts.iter().all(|text| *text == texts[0]), "{texts:#?}");
        Log {
            game,
            entries: serde_json::from_str(&texts[0]).expect("a list"),
            ended: (played.left, played.ended),
        }
    }

    /// Everything acknowledged is there once, and nothing else.
    fn check(&self, played: &mut Played, rules: Rules) -> Result<(), String> {
        // A move and the end it brought about are one change.
        let mut changes = self.entries.clone();
        changes.dedup_by_key(|entry| entry["version"].clone());
        if played.table.record.check(&changes, rules.credits_max)? {
            return Err("something was never answered".into());
        }
        let ends = self.entries.iter().filter(|e| e["type"] == "GAME_OVER");
        let ends: Vec<&Value> = ends.collect();
        let is_last = self.entries.last() == ends.first().copied();
        let is_timeout = ends.iter().any(|end| end["reason"] == "timeout");
        if ends.len() != 1 || !is_last {
            return Err(format!("{} ends, or not at the end", ends.len()));
        }
        if is_timeout != played.is_short {
            return Err("it is lost on time if it was left to be, and only then".into());
        }
        Ok(())
    }

    fn text(&self) -> String {
        let lines: Vec<String> = self.entries.iter().map(Value::to_string).collect();
        format!("the log of {}:\n{}", self.game, lines.join("\n"))
    }
}

impl Found {
    /// Notes when somebody, who sits there if anywhere, heard of moves.
    fn receive(&mut self, played: &Played, seat: Option<usize>, receipts: &[(u32, Instant)]) {
        for (version, at) in receipts {
            let mut moves = played.moves.iter();
            let Some((_, reply)) = moves.find(|(made, _)| made == version) else {
                continue;
            };
            let took = at.duration_since(reply.sent);
            self.receipts.push(took);
            let asked = played.table.record.asked(*version);
            let by = asked.expect("every move was asked for").by;
            if seat == Some(1 - by) {
                self.opponents.push(took);
            }
        }
    }

    /// Adds what was found elsewhere.
    pub(crate) fn add(&mut self, other: Found) {
        self.games += other.games;
        self.flags += other.flags;
        self.lines += other.lines;
        self.acknowledged.extend(other.acknowledged);
        self.receipts.extend(other.receipts);
        self.opponents.extend(other.opponents);
        self.closed.extend(other.closed);
    }

    fn note(&mut self, heard: &[Heard]) {
        for event in heard {
            if let Heard::Closed { code, .. } = event {
                self.closed.push(*code);
            }
        }
    }

    /// Prints what the run was like.
    pub(crate) fn tell(&mut self) {
        self.receipts.sort();
        let again: u32 = self.acknowledged.iter().map(|(_, again)| again).sum();
        let slowest = self.acknowledged.iter().map(|(took, _)| *took).max();
        println!(
            "{} games ({} lost on time), {} moves, asked again {again} times, the slowest took {slowest:?}; \
             {} lines; {} closed sockets; told after {:?} (median), {:?} (99 %), {:?} (last)",
            self.games,
            self.flags,
            self.acknowledged.len(),
            self.lines,
            self.closed.len(),
            self.receipt(50),
            self.receipt(99),
            self.receipts.last(),
        );
    }

    /// So many of a hundred were told within that time. They are sorted.
    pub(crate) fn receipt(&self, percent: usize) -> Option<Duration> {
        self.receipts
            .get(self.receipts.len() * percent / 100)
            .copied()
    }
}
