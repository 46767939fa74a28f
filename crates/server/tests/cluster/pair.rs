//! Two players and a fan, who play one game after the other by ways of their own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::own::Own;
use crate::record::{Move, Record};
use crate::stage::{Stage, await_at_least};
use crate::table::{Table, kinds_of};
use crate::watch::{Room, Watched, Watcher};
use crate::way::{Ask, Person, Reply, Way, text, version};

/// Half-moves after which a game that does not end by itself is brought to an end.
const PLIES_MAX: usize = 30;
/// The version in which a game begins.
const STARTED: u32 = 2;
/// How long somebody who was not heard waits before they speak again.
const PAUSE: Duration = Duration::from_millis(100);
/// The clock of a game that nobody is to lose on time, in seconds.
const LONG: u32 = 900;
/// The clock of one that somebody is.
const SHORT: u32 = 3;

/// Two players, a fan, and their games.
pub(crate) struct Pair {
    number: u64,
    pub(crate) rng: StdRng,
    stage: Arc<Stage>,
    pub(crate) players: Vec<Player>,
    fan: Person,
    pub(crate) games: Vec<Played>,
    keys: u32,
}

/// A player.
pub(crate) struct Player {
    pub(crate) person: Person,
    way: Way,
    pub(crate) own: Own,
    /// Whether they move when their stream says that it is their turn, or as soon
    /// as the other has been answered, which no node may have heard of.
    is_patient: bool,
}

/// A game, and what its players know of it.
pub(crate) struct Played {
    pub(crate) table: Table,
    pub(crate) room: Arc<Room>,
    pub(crate) watchers: Vec<JoinHandle<Watched>>,
    /// Every acknowledged move: its version and what the answer took.
    pub(crate) moves: Vec<(u32, Reply)>,
    pub(crate) lines: Vec<Said>,
    /// Whether a draw was offered and declined.
    has_offered: bool,
    /// Whether it was left to be lost on time.
    pub(crate) is_short: bool,
    /// When nobody did anything any more that could end it.
    pub(crate) left: Instant,
    /// When it was known to be over.
    pub(crate) ended: Instant,
}

/// A line of chat that somebody said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) text: String,
    /// What it got, if that was acknowledged. It is asked for once only: a line that
    /// was not may be there or not.
    pub(crate) id: Option<String>,
}

impl Pair {
    pub(crate) async fn new(stage: Arc<Stage>, number: u64, seed: u64) -> Pair {
        let mut rng = StdRng::seed_from_u64(seed.wrapping_mul(31).wrapping_add(number));
        let mut players = Vec::new();
        for seat in 0..2 {
            let way = stage.way(Some(seat), &mut rng);
            let person = way.guest().await;
            let own = Own::open(stage.way(Some(seat), &mut rng), person.clone());
            players.push(Player {
                person,
                way,
                own,
                is_patient: rng.random(),
            });
        }
        let fan = stage.way(None, &mut rng).guest().await;
        Pair {
            number,
            rng,
            stage,
            players,
            fan,
            games: Vec::new(),
            keys: 0,
        }
    }

    /// Plays until there are to be no more games.
    pub(crate) async fn play(mut self) -> Pair {
        while !*self.stage.is_closing.borrow() {
            self.begin().await;
            if self.games.last().expect("a game").is_short {
                self.lose_on_time().await;
            } else {
                self.middle().await;
                self.end().await;
            }
            self.part().await;
        }
        self
    }

    /// One player makes a game, the other joins, and people come to watch.
    async fn begin(&mut self) {
        let is_short = self.rng.random_ratio(1, 8);
        let seconds = if is_short { SHORT } else { LONG };
        let creator = self.rng.random_range(0..2);
        let white = self.rng.random_range(0..2);
        let color = if white == creator { "white" } else { "black" };
        let body = json!({
            "time_control": { "initial_seconds": seconds, "increment_seconds": 0 },
            "color": color, "draw_rule": "claim",
        });
        let ask = Ask::post("/v1/games", body).with_key(self.key());
        let player = &self.players[creator];
        let reply = player.way.ask(Some(&player.person), &ask).await;
        let game = reply.expect(201);
        let mut record = Record::new(&game);
        record.tell(&["CREATED"], version(&game), json!({}), None);
        let room = Room::new(&record.id);
        self.games.push(Played {
            table: Table::new(record, white, creator),
            room: Arc::clone(&room),
            watchers: Vec::new(),
            moves: Vec::new(),
            lines: Vec::new(),
            has_offered: false,
            is_short,
            left: reply.sent,
            ended: reply.sent,
        });
        self.command(1 - creator, "join", json!({})).await;
        let people = self.players.iter().map(|player| player.person.clone());
        let people: Vec<_> = people.chain([self.fan.clone()]).map(Some).collect();
        for (number, who) in people.into_iter().chain([None]).enumerate() {
            let seat = (number < 2).then_some(number);
            let way = self.stage.way(seat, &mut self.rng);
            let room = Arc::clone(&room);
            let is_player = seat.is_some();
            let watcher = Watcher {
                room,
                way,
                who,
                is_player,
            };
            self.now().watchers.push(tokio::spawn(watcher.watch()));
        }
        // Most games are begun when everybody is there.
        if !is_short && self.rng.random_ratio(3, 4) {
            await_at_least(&room.arrived, 4, "watchers").await;
        }
    }

    /// Moves, and whatever else can happen.
    async fn middle(&mut self) {
        while self.now().table.state == "ACTIVE" && self.now().table.ply < PLIES_MAX {
            if self.now().table.may_claim() {
                let by = self.now().table.mover();
                self.command(by, "claim-draw", json!({})).await;
                continue;
            }
            if self.rng.random_ratio(1, 10) {
                self.say().await;
            }
            match self.rng.random_range(0..40) {
                0 => {
                    let by = self.rng.random_range(0..2);
                    let seconds = json!({ "seconds": self.rng.random_range(5..=60) });
                    self.command(by, "add-time", seconds).await;
                }
                // Who has offered a draw may not offer another for a while.
                1..4 if self.now().table.ply == 4 && !self.now().has_offered => {
                    self.now().has_offered = true;
                    self.command(0, "offer-draw", json!({})).await;
                    self.command(1, "decline-draw", json!({})).await;
                }
                _ => self.make_move().await,
            }
        }
    }

    /// An end, if there is none yet.
    async fn end(&mut self) {
        let now = servers::now();
        self.now().left = now;
        if self.now().table.state == "ACTIVE" {
            let by = self.rng.random_range(0..2);
            if self.rng.random() {
                self.command(by, "resign", json!({})).await;
            } else {
                self.command(by, "offer-draw", json!({})).await;
                self.command(1 - by, "accept-draw", json!({})).await;
            }
        }
        assert_eq!(self.now().table.state, "COMPLETED");
        self.now().ended = servers::now();
    }

    /// Some moves, and then nothing more until the flag falls.
    async fn lose_on_time(&mut self) {
        for _ in 0..2 {
            self.make_move().await;
        }
        let played = self.now();
        let last = played.moves.last();
        played.left = last.map_or(played.left, |(_, reply)| reply.sent + reply.took);
        let room = Arc::clone(&played.room);
        await_at_least(&room.ended, 1, "that hear of a flag").await;
        let path = format!("/v1/games/{}", room.game);
        let player = &self.players[0];
        // Where the store cannot be asked, the answer may be older, and says so.
        let game = loop {
            let game = player.way.get(Some(&player.person), &path).await;
            let game = game.expect(200);
            if game["stale"] != true {
                break game;
            }
            sleep(PAUSE).await;
        };
        let played = self.now();
        played.ended = servers::now();
        played.table.record.see(version(&game));
        played.table.show(&game);
        assert_eq!(played.table.state, "COMPLETED", "a flag was told: {game}");
    }

    /// The last word, by which those who watch know that there is nothing more.
    async fn part(&mut self) {
        while self.say().await.is_none() {
            sleep(PAUSE).await;
        }
        let path = format!("/v1/games/{}/chat", self.now().room.game);
        let player = &self.players[0];
        let page = player.way.get(Some(&player.person), &path).await;
        let page = page.expect(200);
        let lines = page["chat"].as_array().expect("lines").iter();
        let lines = lines.map(|line| text(&line["id"])).collect();
        self.now().room.lines.send_replace(Some(lines));
    }

    async fn make_move(&mut self) {
        let played = self.games.last_mut().expect("a game");
        let table = &mut played.table;
        let Some(text) = table.some_move(&mut self.rng) else {
            panic!("{}: no legal move, but no end", table.record.id);
        };
        let by = table.mover();
        let (id, seen) = (table.record.id.clone(), table.record.version);
        let body = json!({ "move": text, "ply": table.ply + 1, "version": seen });
        table.record.ask(&["MOVE"]);
        let player = &self.players[by];
        if player.is_patient && !played.is_short {
            // What is no move is nobody's turn, and is not told.
            let turn = played.moves.last().map_or(STARTED, |(version, _)| *version);
            player.own.turn(&id, turn).await;
        }
        let ask = Ask::post(format!("/v1/games/{id}/moves"), body.clone());
        let reply = self.send_move(by, &ask).await;
        let played = self.games.last_mut().expect("a game");
        let record = &mut played.table.record;
        if reply.status == 409 && played.is_short {
            // Nobody can say when it was received. The log says whether it was too late.
            record.unchanged();
            return;
        }
        assert_eq!(
            reply.status, 200,
            "a correct move of {id}, {body}, was refused: {}",
            reply.text
        );
        let told = reply.json();
        let mut fields = json!({});
        for name in [
            "ply", "move", "san", "fen", "to_move", "clock", "clock_ms", "check",
        ] {
            fields[name] = told[name].clone();
        }
        let answer = reply.text.clone();
        let asked = Move { by, body, answer };
        let is_new = record.tell(&["MOVE"], version(&told), fields, Some(asked));
        assert!(is_new, "{id}: a version for the second time: {told}");
        played.table.moved(&told);
        played.moves.push((version(&told), reply));
        self.stage.told.send_modify(|n| *n += 1);
        self.look(by, version(&told)).await;
    }

    /// Sends a move by the player's way, and sometimes by another one too: at the
    /// same time or afterwards. All are answered alike.
    async fn send_move(&mut self, by: usize, ask: &Ask) -> Reply {
        let other = self.stage.way(None, &mut self.rng);
        let player = &self.players[by];
        let who = Some(&player.person);
        let (reply, again) = match self.rng.random_range(0..8) {
            0 => {
                let both = tokio::join!(player.way.ask(who, ask), other.ask(who, ask));
                (both.0, Some(both.1))
            }
            1 => {
                let first = player.way.ask(who, ask).await;
                (first, Some(other.ask(who, ask).await))
            }
            _ => (player.way.ask(who, ask).await, None),
        };
        // Who is refused for being late is told so in other words when it is over.
        if let Some(again) = again
            && (reply.status == 200 || again.status == 200)
        {
            assert_eq!(again.status, reply.status, "{again:?} {reply:?}");
            assert_eq!(again.text, reply.text, "a retry is answered differently");
        }
        reply
    }

    /// Reads the game somewhere: a player, and whoever says what they have seen, is
    /// never shown less than they know.
    async fn look(&mut self, by: usize, known: u32) {
        let path = format!("/v1/games/{}", self.now().table.record.id);
        let way = self.stage.way(None, &mut self.rng);
        let reply = match self.rng.random_range(0..12) {
            0 => way.get(Some(&self.players[by].person), &path).await,
            1 => way.ask(None, &Ask::get(path).having_seen(known)).await,
            _ => return,
        };
        let game = reply.expect(200);
        if game["stale"] == true {
            return; // The store cannot be asked, and the answer says so.
        }
        let shown = version(&game);
        assert!(shown >= known, "version {shown} is shown after {known}");
    }

    async fn command(&mut self, by: usize, command: &'static str, body: Value) {
        let key = self.key();
        let played = self.games.last_mut().expect("a game");
        let record = &mut played.table.record;
        record.ask(kinds_of(command));
        let ask = Ask::post(format!("/v1/games/{}/{command}", record.id), body).with_key(key);
        let player = &self.players[by];
        let reply = player.way.ask(Some(&player.person), &ask).await;
        assert_eq!(reply.status, 200, "{ask:?}: {}", reply.text);
        let game = reply.json();
        let is_new = record.tell(kinds_of(command), version(&game), json!({}), None);
        assert!(is_new, "a version for the second time: {ask:?} {game}");
        played.table.show(&game);
    }

    /// Somebody says something: the id of the line, if that is known.
    async fn say(&mut self) -> Option<String> {
        let lines = self.now().lines.len();
        let words = format!("line {lines} of pair {}", self.number);
        let speaker = self.rng.random_range(0..3);
        let who = match self.players.get(speaker) {
            Some(player) => &player.person,
            None => &self.fan,
        };
        let audience = ["room", "observers"][self.rng.random_range(0..2)];
        let body = json!({ "text": words, "audience": audience });
        let id = &self.games.last().expect("a game").table.record.id;
        let ask = Ask::post(format!("/v1/games/{id}/chat"), body);
        let way = self.stage.way(None, &mut self.rng);
        let id = way.attempt(Some(who), &ask).await.answer().map(|reply| {
            assert_eq!(reply.0, 201, "{}", reply.1);
            let line: Value = serde_json::from_str(&reply.1).expect("JSON");
            text(&line["id"])
        });
        self.now().lines.push(Said {
            text: words,
            id: id.clone(),
        });
        id
    }

    /// The game that is played now.
    fn now(&mut self) -> &mut Played {
        self.games.last_mut().expect("a game")
    }

    fn key(&mut self) -> String {
        self.keys += 1;
        format!("{}", self.keys)
    }
}
