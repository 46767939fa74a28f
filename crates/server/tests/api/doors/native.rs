//! The native door: REST, and streams.

use futures_util::future::{FutureExt, LocalBoxFuture};
use serde_json::{Value, json};

use super::{Deed, Door, Ear, LINE};
use crate::client::{Client, blitz};
use crate::live_game::player::Player;
use crate::streams::listener::Listener;

pub(super) struct Native;

impl Door for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn knows(&self, _: Deed) -> bool {
        true
    }

    fn creates<'a>(&'a self, who: &'a Player, other: &'a Player) -> LocalBoxFuture<'a, String> {
        async move {
            let mut terms = blitz();
            terms["opponent_id"] = json!(other.id);
            let game = who.post("/v1/games", terms).await.expect(201);
            game["id"].as_str().expect("an id").to_owned()
        }
        .boxed_local()
    }

    fn does<'a>(&'a self, who: &'a Player, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        async move {
            let answer = match deed {
                Deed::Create => panic!("it is there already"),
                Deed::Join => who.asks(game, "join").await,
                Deed::Move => who.plays(game, "e2e4").await,
                Deed::Offer => who.asks(game, "offer-draw").await,
                Deed::Resign => who.asks(game, "resign").await,
                Deed::Chat => {
                    let path = format!("/v1/games/{game}/chat");
                    who.post(&path, json!({ "text": LINE })).await
                }
            };
            assert_eq!(answer.status / 100, 2, "{}", answer.text);
        }
        .boxed_local()
    }

    fn moves<'a>(&'a self, who: &'a Player, game: &'a str, uci: &'a str) -> LocalBoxFuture<'a, ()> {
        async move { drop(who.plays(game, uci).await.expect(200)) }.boxed_local()
    }

    fn listens<'a>(
        &'a self,
        who: &'a Player,
        game: Option<&'a str>,
    ) -> LocalBoxFuture<'a, Box<dyn Ear + 'a>> {
        async move {
            let mut socket = match game {
                Some(game) => who.watches(game).await,
                None => who.listens("/v1/stream").await,
            };
            if game.is_some() {
                socket.hears("STATE").await;
            }
            Box::new(Stream(socket)) as Box<dyn Ear>
        }
        .boxed_local()
    }

    fn finds<'a>(&'a self, who: &'a Client, game: &'a str) -> LocalBoxFuture<'a, bool> {
        async move { who.get(&format!("/v1/games/{game}")).await.status == 200 }.boxed_local()
    }
}

struct Stream(Listener);

impl Ear for Stream {
    fn hears<'a>(&'a mut self, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        let is_it = move |told: &Value| match deed {
            Deed::Create => told["type"] == "CHALLENGE" && told["game_id"] == json!(game),
            Deed::Join => told["type"] == "STARTED",
            Deed::Move => told["type"] == "MOVE" && told["move"] == "e2e4",
            Deed::Offer => told["type"] == "OFFER",
            Deed::Chat => told["type"] == "CHAT" && told["text"] == LINE,
            Deed::Resign => told["type"] == "GAME_OVER" && told["reason"] == "resignation",
        };
        async move { drop(self.0.hears_of(&format!("{deed:?}"), is_it).await) }.boxed_local()
    }
}
