//! A bot that plays at a running server, as its opponent there sees it.
//!
//! The runner is a guest of that server: it challenges the bot's account from where each
//! game of the match begins, and passes moves on in both directions. Whoever has the
//! bot's token also takes the challenge for it, so that nobody has to wait for that.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bots::Situation;
use bots::matches::player::{Ready, Reply};
use bots::matches::{Choice, Player, Seat, Turn};
use bots::pace::Clock;
use chess::Color;
use chess::rules::{Board, Spelled, Start};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::web::{Stream, Web};
use crate::lock::lock;

/// How long a bot may take to accept a challenge.
const ACCEPTING: Duration = Duration::from_secs(60);
/// How often a game is looked at where nothing is heard of it.
const LOOK: Duration = Duration::from_secs(5);
/// How long a server may be away.
const AWAY: Duration = Duration::from_secs(60);

/// The bot.
pub(super) struct Remote {
    web: Web,
    /// The bot's account.
    bot: String,
    /// Its token, if the runner has it.
    token: Option<String>,
    /// The token of the runner's own account there.
    guest: String,
    games: Mutex<HashMap<u64, Table>>,
}

/// A game there.
struct Table {
    path: String,
    /// How many half-moves of the match it has.
    sent: usize,
    /// How many were played before it begins there.
    opening: usize,
    /// Says that something happened.
    stream: Option<Stream>,
}

/// Who plays there.
pub(super) enum Account {
    /// Whoever has this token.
    Token(String),
    /// Whoever is called that.
    Name(String),
}

impl Remote {
    /// Finds the bot, and becomes a guest of its server.
    ///
    /// # Errors
    /// The server cannot be reached, or does not know it.
    pub(super) async fn find(url: &str, account: Account) -> Result<Remote, String> {
        let web = Web::new(url)?;
        let (bot, token) = match account {
            Account::Name(name) => {
                let path = format!("/v1/players/{name}");
                (web.get(&path, None).await?, None)
            }
            Account::Token(token) => (web.get("/v1/me", Some(&token)).await?, Some(token)),
        };
        let bot = text(&bot["id"]);
        let guest = web.post("/v1/guests", None, json!({})).await?;
        Ok(Remote {
            web,
            bot,
            token,
            guest: text(&guest["token"]),
            games: Mutex::default(),
        })
    }

    /// Its name there, and where.
    pub(super) fn place(&self) -> String {
        format!("{}@{}", self.bot, self.web.base())
    }

    fn as_guest(&self) -> Option<&str> {
        Some(&self.guest)
    }

    async fn begin(&self, seat: Seat<'_>) -> Result<(), String> {
        let game = self
            .web
            .post("/v1/games", self.as_guest(), terms(&self.bot, &seat)?);
        let game = game.await?;
        let path = format!("/v1/games/{}", text(&game["id"]));
        let stream = self
            .web
            .stream(&format!("{path}/events"), self.as_guest())
            .await;
        let mut table = Table {
            path,
            sent: 0,
            opening: seat.opening.moves().len(),
            stream: stream.ok(),
        };
        if let Some(token) = &self.token {
            let joined = self.command(&table.path, "join", Some(token)).await;
            // Its own program may have been faster.
            joined.or_else(|why| why.starts_with("game_not_waiting").then_some(()).ok_or(why))?;
        }
        let until = Instant::now() + ACCEPTING;
        loop {
            let now = self.look(&table.path).await?;
            match now["state"].as_str() {
                Some("ACTIVE") => break,
                Some("WAITING") if Instant::now() < until => self.hear(&mut table).await,
                Some("WAITING") => {
                    self.command(&table.path, "cancel", self.as_guest()).await?;
                    return Err("it did not accept a challenge".into());
                }
                _ => return Err(format!("the challenge came to nothing: {}", now["reason"])),
            }
        }
        lock(&self.games).insert(seat.game, table);
        Ok(())
    }

    async fn command(&self, path: &str, name: &str, token: Option<&str>) -> Result<(), String> {
        let path = format!("{path}/{name}");
        self.web.post(&path, token, json!({})).await.map(drop)
    }

    async fn look(&self, path: &str) -> Result<Value, String> {
        self.web.get(path, self.as_guest()).await
    }

    /// Waits until something may have happened.
    async fn hear(&self, table: &mut Table) {
        let Some(stream) = &mut table.stream else {
            tokio::time::sleep(LOOK.min(Duration::from_secs(1))).await;
            let path = format!("{}/events", table.path);
            table.stream = self.web.stream(&path, self.as_guest()).await.ok();
            return;
        };
        let news = timeout(LOOK, stream.hears(&["MOVE", "GAME_OVER", "STARTED"])).await;
        // It has ended: the server is being restarted, perhaps.
        if news == Ok(false) {
            table.stream = None;
        }
    }

    /// Plays there what was played here.
    async fn pass_on(&self, table: &mut Table, situation: &Situation) -> Result<(), String> {
        let mut board = situation.start().clone();
        for (n, m) in situation.moves().iter().enumerate() {
            if n >= table.opening + table.sent {
                let ply = table.sent + 1;
                let played = json!({ "move": board.uci_text(*m), "ply": ply });
                let path = format!("{}/moves", table.path);
                self.web.post(&path, self.as_guest(), played).await?;
                table.sent = ply;
            }
            board.play(*m);
        }
        Ok(())
    }

    async fn answer(&self, turn: Turn<'_>) -> Result<Choice, String> {
        let taken = lock(&self.games).remove(&turn.game);
        let Some(mut table) = taken else {
            return Err("it is not at this game".into());
        };
        let answer = self.answer_at(&mut table, turn.situation).await;
        lock(&self.games).insert(turn.game, table);
        answer
    }

    async fn answer_at(&self, table: &mut Table, at: &Situation) -> Result<Choice, String> {
        let mut away: Option<Instant> = None;
        // A move that arrived although its answer did not is the same move again.
        while let Err(why) = self.pass_on(table, at).await {
            let is_over = ["game_not_active", "clock_expired"];
            if is_over.iter().any(|code| why.starts_with(code)) {
                break;
            }
            let is_away = why.contains(self.web.base()) || why.starts_with("unavailable");
            if !is_away || away.is_some_and(|since| since.elapsed() > AWAY) {
                return Err(why);
            }
            away.get_or_insert_with(Instant::now);
            table.stream = None;
            self.hear(table).await;
        }
        loop {
            let game = match self.look(&table.path).await {
                Ok(game) => game,
                Err(why) if away.is_some_and(|since| since.elapsed() > AWAY) => return Err(why),
                Err(_) => {
                    away.get_or_insert_with(Instant::now);
                    table.stream = None;
                    self.hear(table).await;
                    continue;
                }
            };
            away = None;
            if let Some(text) = game["moves"][table.sent].as_str() {
                let m = Spelled::read(text).ok();
                let m = m.and_then(|spelled| at.board().resolve(spelled).ok());
                table.sent += 1;
                return m
                    .map(Choice::Move)
                    .ok_or_else(|| format!("it played {text}"));
            }
            if game["state"] == "COMPLETED" {
                return over(&game);
            }
            self.hear(table).await;
        }
    }

    /// Ends the game there, too.
    async fn end(&self, game: u64, at: &Situation) -> Result<(), String> {
        let taken = lock(&self.games).remove(&game);
        let Some(mut table) = taken else {
            return Ok(());
        };
        self.pass_on(&mut table, at).await?;
        match self.look(&table.path).await?["state"].as_str() {
            Some("COMPLETED") => Ok(()),
            _ => self.command(&table.path, "resign", self.as_guest()).await,
        }
    }
}

/// The bot under a name.
pub(super) struct Called(pub(super) String, pub(super) Arc<Remote>);

impl Player for Called {
    fn name(&self) -> String {
        self.0.clone()
    }

    fn sit<'a>(&'a self, seat: Seat<'a>) -> Ready<'a> {
        Box::pin(self.1.begin(seat))
    }

    fn play<'a>(&'a self, turn: Turn<'a>) -> Reply<'a> {
        Box::pin(self.1.answer(turn))
    }

    fn leave<'a>(&'a self, game: u64, at: &'a Situation) -> Ready<'a> {
        Box::pin(self.1.end(game, at))
    }
}

/// The game that the bot is challenged to.
fn terms(bot: &str, seat: &Seat<'_>) -> Result<Value, String> {
    let variant = seat.opening.variant();
    let mut terms = json!({
        "time_control": seat.clock.map(control).transpose()?,
        "variant": variant.name(), "opponent_id": bot, "rated": false, "takebacks": false,
        "color": seat.color.fold_wb("black", "white"),
    });
    let usual = Board::start(variant, &Start::Usual).map(|board| board.fen());
    let fen = seat.opening.board().fen();
    if usual.as_ref() != Ok(&fen) {
        terms["initial_fen"] = fen.into();
    }
    Ok(terms)
}

/// A clock as servers have them.
pub(super) fn control(clock: Clock) -> Result<Value, String> {
    let Clock { left, increment } = clock;
    if left.subsec_nanos() > 0 || increment.subsec_nanos() > 0 {
        return Err("a server counts clocks in whole seconds, such as 10+1".into());
    }
    Ok(json!({ "initial_seconds": left.as_secs(), "increment_seconds": increment.as_secs() }))
}

/// How a game ended there.
fn over(game: &Value) -> Result<Choice, String> {
    let winner = match game["result"].as_str() {
        Some("white_wins") => Some(Color::White),
        Some("black_wins") => Some(Color::Black),
        Some("draw") => None,
        _ => return Err(format!("the game was ended there: {}", game["reason"])),
    };
    let reason = match game["reason"].as_str() {
        Some("timeout") => "time".into(),
        reason => reason.unwrap_or("over").replace('_', " "),
    };
    Ok(Choice::Over { winner, reason })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_ended_there_is_counted_unless_it_was_aborted() {
        let game = |result: &str, reason: &str| json!({ "result": result, "reason": reason });
        let fallen = Choice::Over {
            winner: Some(Color::Black),
            reason: "time".into(),
        };
        assert_eq!(over(&game("black_wins", "timeout")), Ok(fallen));
        let drawn = Choice::Over {
            winner: None,
            reason: "draw agreed".into(),
        };
        assert_eq!(over(&game("draw", "draw_agreed")), Ok(drawn));
        assert!(over(&game("aborted", "aborted")).is_err());
    }

    #[test]
    fn the_clocks_of_servers_have_whole_seconds() {
        let clock = |left, increment| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        };
        let wire = json!({ "initial_seconds": 10, "increment_seconds": 1 });
        assert_eq!(control(clock(10_000, 1_000)), Ok(wire));
        assert!(control(clock(10_000, 100)).is_err());
    }
}
