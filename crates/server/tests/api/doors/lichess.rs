//! The Lichess door: what concerns the account on one stream, and each game on its own.

use futures_util::future::{FutureExt, LocalBoxFuture};
use serde_json::{Value, json};

use super::{Deed, Door, Ear, LINE};
use crate::client::Client;
use crate::lichess::{self, Lines};
use crate::live_game::player::Player;

pub(super) struct Lichess;

/// Somebody as a client of this door.
fn person(who: &Client) -> lichess::Player {
    lichess::Player {
        client: who.clone(),
        name: who.id.clone(),
        api: "/api/board",
    }
}

impl Door for Lichess {
    fn name(&self) -> &'static str {
        "lichess"
    }

    fn knows(&self, _: Deed) -> bool {
        true
    }

    fn creates<'a>(&'a self, who: &'a Player, other: &'a Player) -> LocalBoxFuture<'a, String> {
        let terms = json!({ "clock.limit": 300, "clock.increment": 0 });
        async move { person(who).challenges(&person(other), terms).await }.boxed_local()
    }

    fn does<'a>(&'a self, who: &'a Player, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        let who = person(who);
        async move {
            let ok = (200, json!({ "ok": true }));
            match deed {
                Deed::Create => panic!("it is there already"),
                Deed::Join => {
                    let path = format!("/api/challenge/{game}/accept");
                    assert_eq!(who.post(&path).await, ok);
                }
                Deed::Move => who.done(game, "move/e2e4").await,
                Deed::Offer => who.done(game, "draw/yes").await,
                Deed::Chat => {
                    let path = format!("{}/game/{game}/chat", who.api);
                    let line = json!({ "room": "player", "text": LINE });
                    assert_eq!(who.post_json(&path, line).await, ok);
                }
                Deed::Resign => who.done(game, "resign").await,
            }
        }
        .boxed_local()
    }

    fn moves<'a>(&'a self, who: &'a Player, game: &'a str, uci: &'a str) -> LocalBoxFuture<'a, ()> {
        let who = person(who);
        async move { who.done(game, &format!("move/{uci}")).await }.boxed_local()
    }

    fn listens<'a>(
        &'a self,
        who: &'a Player,
        game: Option<&'a str>,
    ) -> LocalBoxFuture<'a, Box<dyn Ear + 'a>> {
        async move {
            // Before it begins there is no game here, only a challenge.
            let begun = match game {
                Some(game) if who.game(game).await["state"] != "WAITING" => Some(game),
                _ => None,
            };
            let lines = match begun {
                Some(game) => {
                    let mut lines = person(who).board(game).await;
                    assert_eq!(lines.next().await["type"], "gameFull");
                    lines
                }
                None => person(who).events().await,
            };
            Box::new(Reader(lines)) as Box<dyn Ear>
        }
        .boxed_local()
    }

    fn finds<'a>(&'a self, who: &'a Client, game: &'a str) -> LocalBoxFuture<'a, bool> {
        let paths = [
            format!("/game/export/{game}"),
            format!("/api/challenge/{game}/show"),
        ];
        let accept = [("accept", "application/json")];
        async move {
            let who = person(who);
            let mut is_there = false;
            for path in &paths {
                let answer = who.send(reqwest::Method::GET, path, None, &accept).await;
                is_there |= answer.status() == 200;
            }
            is_there
        }
        .boxed_local()
    }
}

struct Reader(Lines);

impl Ear for Reader {
    fn hears<'a>(&'a mut self, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        let is_it = move |told: &Value| match deed {
            Deed::Create => told["type"] == "challenge" && told["challenge"]["id"] == json!(game),
            Deed::Join => told["type"] == "gameStart" && told["game"]["id"] == json!(game),
            Deed::Move => told["moves"] == "e2e4",
            Deed::Offer => told["wdraw"] == true,
            Deed::Chat => told["type"] == "chatLine" && told["text"] == LINE,
            Deed::Resign => told["status"] == "resign",
        };
        async move { while !is_it(&self.0.next().await) {} }.boxed_local()
    }
}
