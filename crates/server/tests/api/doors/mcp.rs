//! The door for language models: they wait with a tool, from the version they know.

use futures_util::future::{FutureExt, LocalBoxFuture};
use serde_json::{Value, json};

use super::{Deed, Door, Ear, LINE};
use crate::client::Client;
use crate::live_game::player::Player;
use crate::mcp::{call, done};

pub(super) struct Mcp;

impl Door for Mcp {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn knows(&self, _: Deed) -> bool {
        true
    }

    fn creates<'a>(&'a self, who: &'a Player, other: &'a Player) -> LocalBoxFuture<'a, String> {
        async move {
            let terms = json!({
                "opponent": other.id, "color": "white", "minutes": 5, "increment_seconds": 0,
            });
            let made = done(who, "create_game", terms).await;
            made["game_id"].as_str().expect("an id").to_owned()
        }
        .boxed_local()
    }

    fn does<'a>(&'a self, who: &'a Player, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        let id = json!({ "game_id": game });
        let (tool, arguments) = match deed {
            Deed::Create => panic!("it is there already"),
            Deed::Join => ("join_game", id),
            Deed::Move => ("make_move", json!({ "game_id": game, "move": "e2e4" })),
            Deed::Offer => ("draw", json!({ "game_id": game, "action": "offer" })),
            Deed::Chat => ("say", json!({ "game_id": game, "text": LINE })),
            Deed::Resign => ("resign", id),
        };
        async move { drop(done(who, tool, arguments).await) }.boxed_local()
    }

    fn moves<'a>(&'a self, who: &'a Player, game: &'a str, uci: &'a str) -> LocalBoxFuture<'a, ()> {
        let order = json!({ "game_id": game, "move": uci });
        async move { drop(done(who, "make_move", order).await) }.boxed_local()
    }

    fn listens<'a>(
        &'a self,
        who: &'a Player,
        game: Option<&'a str>,
    ) -> LocalBoxFuture<'a, Box<dyn Ear + 'a>> {
        async move {
            let version = match game {
                Some(game) => {
                    let seen = done(who, "look_at_board", json!({ "game_id": game })).await;
                    seen["version"].clone()
                }
                None => Value::Null,
            };
            Box::new(Waiter { who, version }) as Box<dyn Ear>
        }
        .boxed_local()
    }

    fn finds<'a>(&'a self, who: &'a Client, game: &'a str) -> LocalBoxFuture<'a, bool> {
        let arguments = json!({ "game_id": game });
        async move { call(who, "look_at_board", arguments).await["isError"] == false }.boxed_local()
    }
}

struct Waiter<'a> {
    who: &'a Player,
    /// The version they know.
    version: Value,
}

impl Ear for Waiter<'_> {
    fn hears<'a>(&'a mut self, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        async move {
            let id = json!({ "game_id": game });
            // What has no version is found by asking.
            let (told, is_told) = match deed {
                Deed::Create => {
                    let found = done(self.who, "find_games", json!({})).await;
                    let is_told = found["challenges"][0]["game_id"] == json!(game);
                    (found, is_told)
                }
                Deed::Chat => {
                    let read = done(self.who, "read_chat", id).await;
                    let is_told = read["chat"][0]["text"] == LINE;
                    (read, is_told)
                }
                _ => {
                    let since = json!({ "game_id": game, "after_version": self.version });
                    let told = done(self.who, "wait_for_opponent", since).await;
                    let happened = told["happened"].to_string();
                    let word = match deed {
                        Deed::Join => "joined",
                        Deed::Move => "played e4",
                        Deed::Offer => "draw",
                        _ => "resign",
                    };
                    (told, happened.contains(word))
                }
            };
            assert!(is_told, "{deed:?}: {told}");
        }
        .boxed_local()
    }
}
