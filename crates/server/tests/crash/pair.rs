//! Two players and a friend, who do everything that can be done with a game.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::line::{Ask, Down, Line, Person};
use crate::record::{Move, Record};
use crate::table::{Table, kinds_of};

/// Two players, a friend, and their games.
pub(crate) struct Pair {
    pub(crate) rng: StdRng,
    pub(crate) people: Vec<Person>,
    pub(crate) tables: Vec<Table>,
    /// What was not answered and will be asked again.
    again: Option<Again>,
    keys: u32,
    /// How often each command was acknowledged as a change.
    pub(crate) tally: BTreeMap<&'static str, u64>,
}

/// A request that must be asked again to know what became of it.
#[derive(Clone)]
enum Again {
    Create { ask: Ask, white: usize },
    Rematch { of: usize, by: usize },
    Time { table: usize, by: usize, ask: Ask },
}

impl Pair {
    pub(crate) fn new(seed: u64) -> Pair {
        Pair {
            rng: StdRng::seed_from_u64(seed),
            people: Vec::new(),
            tables: Vec::new(),
            again: None,
            keys: 0,
            tally: BTreeMap::new(),
        }
    }

    /// Plays until the server is gone.
    pub(crate) async fn play(mut self, line: Line) -> (Pair, Down) {
        loop {
            if let Err(down) = self.turn(&line).await {
                return (self, down);
            }
        }
    }

    /// Asks again for what has no key of its own in the log, so that every
    /// game there is is known here.
    pub(crate) async fn settle(&mut self, line: &Line) -> Result<(), Down> {
        match self.again.clone() {
            None => Ok(()),
            Some(Again::Create { ask, white }) => self.create(line, ask, white).await.map(drop),
            Some(Again::Rematch { of, by }) => self.offer_rematch(line, of, by).await.map(drop),
            Some(Again::Time { table, by, ask }) => self.add_time(line, table, by, ask).await,
        }
    }

    async fn turn(&mut self, line: &Line) -> Result<(), Down> {
        self.gather(line).await?;
        self.settle(line).await?;
        let running: Vec<usize> = (0..self.tables.len())
            .filter(|table| self.tables[*table].state != "COMPLETED")
            .collect();
        let table = match running.choose(&mut self.rng) {
            Some(table) if self.rng.random_bool(0.5) => *table,
            _ => match self.begin(line).await? {
                Some(table) => table,
                None => return Ok(()),
            },
        };
        self.look(line, table).await?;
        match self.tables[table].state.as_str() {
            "WAITING" => self.meet(line, table).await,
            "PAUSED" => self.resume(line, table).await,
            "ACTIVE" => self.some_play(line, table).await,
            _ => Ok(()),
        }
    }

    /// Whoever is missing comes.
    pub(crate) async fn gather(&mut self, line: &Line) -> Result<(), Down> {
        while self.people.len() < 3 {
            self.people.push(line.guest().await?);
            self.note(line, "guest");
        }
        Ok(())
    }

    pub(crate) async fn begin(&mut self, line: &Line) -> Result<Option<usize>, Down> {
        let control = match self.rng.random_range(0..4) {
            0 => json!({ "initial_seconds": 300, "increment_seconds": 2 }),
            1 => json!({ "initial_seconds": 600, "increment_seconds": 0 }),
            2 => json!({ "days_per_move": 3 }),
            _ => json!({ "initial_seconds": 900, "increment_seconds": 5 }),
        };
        let white = self.rng.random_range(0..2);
        let color = ["white", "black"][white];
        let mut body = json!({
            "time_control": control, "color": color, "draw_rule": "claim",
        });
        if self.rng.random_bool(0.4) {
            body["opponent_id"] = json!(self.people[1].id);
        }
        if self.rng.random_bool(0.3) {
            body["visibility"] = json!("private");
            body["invited"] = json!([self.people[1].id]);
        }
        let ask = Ask {
            key: Some(self.key()),
            ..ask("/v1/games", body)
        };
        self.create(line, ask, white).await
    }

    async fn create(&mut self, line: &Line, ask: Ask, white: usize) -> Result<Option<usize>, Down> {
        self.again = Some(Again::Create {
            ask: ask.clone(),
            white,
        });
        let answer = line.post(Some(&self.people[0]), &ask).await?;
        assert_eq!(answer.status, 201, "{}", answer.text);
        self.again = None;
        let table = self.seat(line, &answer.json(), white, "create");
        Ok(Some(table))
    }

    /// A game that is new here.
    fn seat(&mut self, line: &Line, game: &Value, white: usize, command: &'static str) -> usize {
        let creator = usize::from(game["creator"] != self.people[0].id.as_str());
        let mut record = Record::new(game);
        if let Some(known) = self.tables.iter().position(|t| t.record.id == record.id) {
            return known;
        }
        record.tell(&["CREATED"], 1, json!({}), None);
        self.note(line, command);
        self.tables.push(Table::new(record, white, creator));
        self.tables.len() - 1
    }

    /// Somebody joins, refuses, or withdraws.
    async fn meet(&mut self, line: &Line, table: usize) -> Result<(), Down> {
        let host = self.tables[table].creator;
        if self.rng.random_bool(0.3) {
            let body = json!({ "names": [self.people[2].id] });
            self.command(line, table, host, "invite", body).await?;
        }
        match self.rng.random_range(0..10) {
            0 => self.command(line, table, host, "cancel", json!({})).await,
            1 => {
                self.command(line, table, 1 - host, "decline", json!({}))
                    .await
            }
            3 => {
                self.command(line, table, 1 - host, "join", json!({}))
                    .await?;
                self.command(line, table, host, "abort", json!({})).await
            }
            _ => self.command(line, table, 1 - host, "join", json!({})).await,
        }
    }

    async fn resume(&mut self, line: &Line, table: usize) -> Result<(), Down> {
        self.command(line, table, 0, "resume", json!({})).await?;
        self.command(line, table, 1, "resume", json!({})).await
    }

    async fn rematch(&mut self, line: &Line, table: usize) -> Result<(), Down> {
        let by = self.rng.random_range(0..2);
        if self.rng.random_bool(0.5) || !self.offer_rematch(line, table, by).await? {
            return Ok(());
        }
        let new = self.tables.len() - 1;
        let kinds = kinds_of("accept-rematch");
        self.tables[new].record.ask(kinds);
        let path = format!("/v1/games/{}/accept-rematch", self.tables[table].record.id);
        let answer = line
            .post(Some(&self.people[1 - by]), &ask(&path, json!({})))
            .await?;
        self.answered(line, new, "accept-rematch", answer.status, &answer.json());
        Ok(())
    }

    /// `true` if there is a new game, the last of all.
    async fn offer_rematch(&mut self, line: &Line, of: usize, by: usize) -> Result<bool, Down> {
        self.again = Some(Again::Rematch { of, by });
        let path = format!("/v1/games/{}/offer-rematch", self.tables[of].record.id);
        let answer = line
            .post(Some(&self.people[by]), &ask(&path, json!({})))
            .await?;
        self.again = None;
        if answer.status != 200 {
            return Ok(false);
        }
        let (before, white) = (self.tables.len(), 1 - self.tables[of].white);
        Ok(self.seat(line, &answer.json(), white, "offer-rematch") == before)
    }

    /// Some moves and whatever else can happen in a game.
    async fn some_play(&mut self, line: &Line, table: usize) -> Result<(), Down> {
        for _ in 0..self.rng.random_range(6..24) {
            let now = &self.tables[table];
            match now.state.as_str() {
                "ACTIVE" if now.may_claim() => {
                    let by = now.mover();
                    self.command(line, table, by, "claim-draw", json!({}))
                        .await?;
                    continue;
                }
                "ACTIVE" => {}
                "COMPLETED" => return self.rematch(line, table).await,
                _ => return Ok(()),
            }
            let by = self.rng.random_range(0..2);
            match self.rng.random_range(0..40) {
                0 => self.command(line, table, by, "resign", json!({})).await?,
                1..3 => {
                    self.command(line, table, by, "offer-draw", json!({}))
                        .await?;
                    let answer = ["accept-draw", "decline-draw"];
                    let answer = *answer.choose(&mut self.rng).expect("an answer");
                    self.command(line, table, 1 - by, answer, json!({})).await?;
                }
                3..6 => {
                    self.command(line, table, by, "offer-takeback", json!({}))
                        .await?;
                    let answer = ["accept-takeback", "decline-takeback"];
                    let answer = *answer.choose(&mut self.rng).expect("an answer");
                    self.command(line, table, 1 - by, answer, json!({})).await?;
                }
                6 => {
                    self.command(line, table, by, "offer-pause", json!({}))
                        .await?;
                    self.command(line, table, 1 - by, "accept-pause", json!({}))
                        .await?;
                }
                7..10 => {
                    let path = format!("/v1/games/{}/add-time", self.tables[table].record.id);
                    let ask = Ask {
                        key: Some(self.key()),
                        ..ask(&path, json!({ "seconds": self.rng.random_range(5..=60) }))
                    };
                    self.add_time(line, table, by, ask).await?;
                }
                _ => self.make_move(line, table).await?,
            }
        }
        Ok(())
    }

    async fn add_time(
        &mut self,
        line: &Line,
        table: usize,
        by: usize,
        ask: Ask,
    ) -> Result<(), Down> {
        self.again = Some(Again::Time {
            table,
            by,
            ask: ask.clone(),
        });
        self.send(line, table, by, "add-time", ask).await?;
        self.again = None;
        Ok(())
    }

    pub(crate) async fn make_move(&mut self, line: &Line, index: usize) -> Result<(), Down> {
        let table = &mut self.tables[index];
        let Some(text) = table.some_move(&mut self.rng) else {
            return Ok(());
        };
        let by = table.mover();
        let mut body = json!({ "move": text, "ply": table.ply + 1 });
        if self.rng.random_bool(0.05) {
            body["offer_draw"] = json!(true);
        }
        table.record.ask(&["MOVE"]);
        let path = format!("/v1/games/{}/moves", table.record.id);
        let answer = line
            .post_move(&self.people[by], &ask(&path, body.clone()))
            .await?;
        let told = answer.json();
        if answer.status != 200 {
            // A flag that fell, a game that expired: then it is over.
            assert_eq!(answer.status, 409, "{} {body}", answer.text);
            self.tables[index].record.unchanged();
            return self.look(line, index).await;
        }
        let mut fields = json!({});
        for name in [
            "ply", "move", "san", "fen", "to_move", "clock", "clock_ms", "check",
        ] {
            fields[name] = told[name].clone();
        }
        let table = &mut self.tables[index];
        let asked = Move {
            by,
            body,
            answer: answer.text,
        };
        table
            .record
            .tell(&["MOVE"], version(&told), fields, Some(asked));
        table.moved(&told);
        self.note(line, "move");
        Ok(())
    }

    pub(crate) async fn command(
        &mut self,
        line: &Line,
        table: usize,
        by: usize,
        command: &'static str,
        body: Value,
    ) -> Result<(), Down> {
        let path = format!("/v1/games/{}/{command}", self.tables[table].record.id);
        self.send(line, table, by, command, ask(&path, body)).await
    }

    async fn send(
        &mut self,
        line: &Line,
        table: usize,
        by: usize,
        command: &'static str,
        ask: Ask,
    ) -> Result<(), Down> {
        self.tables[table].record.ask(kinds_of(command));
        let answer = line.post(Some(&self.people[by]), &ask).await?;
        self.answered(line, table, command, answer.status, &answer.json());
        Ok(())
    }

    fn answered(
        &mut self,
        line: &Line,
        table: usize,
        command: &'static str,
        status: u16,
        game: &Value,
    ) {
        let table = &mut self.tables[table];
        if status != 200 {
            assert!(matches!(status, 403 | 409), "{command}: {status} {game}");
            return table.record.unchanged();
        }
        let is_new = table
            .record
            .tell(kinds_of(command), version(game), json!({}), None);
        if is_new {
            table.show(game);
            self.note(line, command);
        }
    }

    /// Reads the game as it is now.
    async fn look(&mut self, line: &Line, table: usize) -> Result<(), Down> {
        let path = format!("/v1/games/{}", self.tables[table].record.id);
        let answer = line.get(&self.people[0], &path).await?;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let game = answer.json();
        self.tables[table].record.see(version(&game));
        self.tables[table].show(&game);
        Ok(())
    }

    fn key(&mut self) -> String {
        self.keys += 1;
        format!("{}", self.keys)
    }

    fn note(&mut self, line: &Line, command: &'static str) {
        *self.tally.entry(command).or_default() += 1;
        line.count();
    }
}

fn version(told: &Value) -> u32 {
    let version = told["version"].as_u64().expect("a version");
    u32::try_from(version).expect("a version")
}

fn ask(path: &str, body: Value) -> Ask {
    Ask {
        path: path.to_owned(),
        body,
        key: None,
    }
}
