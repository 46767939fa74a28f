//! The door of live-game-api: REST, and the game on a socket. It has no chat, which is
//! another service's, and no stream of an account: whoever is challenged has the link.

use futures_util::future::{FutureExt, LocalBoxFuture};
use serde_json::{Value, json};

use super::{Deed, Door, Ear};
use crate::client::Client;
use crate::live_game::player::{Player, challenge, id_of, uuid_of};
use crate::streams::listener::Listener;

pub(super) struct LiveGame;

impl Door for LiveGame {
    fn name(&self) -> &'static str {
        "live-game-api"
    }

    fn knows(&self, deed: Deed) -> bool {
        deed != Deed::Chat
    }

    fn creates<'a>(&'a self, who: &'a Player, other: &'a Player) -> LocalBoxFuture<'a, String> {
        async move {
            let mut body = challenge(Some(other));
            body["rated"] = json!(false);
            id_of(&who.creates(body).await)
        }
        .boxed_local()
    }

    fn does<'a>(&'a self, who: &'a Player, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        async move {
            let what = match deed {
                Deed::Join => "join",
                Deed::Offer => "offer-draw",
                Deed::Resign => "resign",
                Deed::Move => return self.moves(who, game, "e2e4").await,
                Deed::Create | Deed::Chat => panic!("{deed:?} is not done here"),
            };
            who.does(&uuid_of(game), what).await.expect(200);
        }
        .boxed_local()
    }

    fn moves<'a>(&'a self, who: &'a Player, game: &'a str, uci: &'a str) -> LocalBoxFuture<'a, ()> {
        async move { drop(who.moves(&uuid_of(game), uci).await.expect(200)) }.boxed_local()
    }

    fn listens<'a>(
        &'a self,
        who: &'a Player,
        game: Option<&'a str>,
    ) -> LocalBoxFuture<'a, Box<dyn Ear + 'a>> {
        async move {
            let mut socket = match game {
                Some(game) => {
                    let path = format!("/live/v1/games/{}/ws", uuid_of(game));
                    Some(who.listens(&path).await)
                }
                None => None,
            };
            if let Some(socket) = &mut socket {
                socket.next().await;
            }
            Box::new(Watcher { who, socket }) as Box<dyn Ear>
        }
        .boxed_local()
    }

    fn finds<'a>(&'a self, who: &'a Client, game: &'a str) -> LocalBoxFuture<'a, bool> {
        let path = format!("/live/v1/games/{}", uuid_of(game));
        async move { who.get(&path).await.status == 200 }.boxed_local()
    }
}

struct Watcher<'a> {
    who: &'a Player,
    socket: Option<Listener>,
}

impl Ear for Watcher<'_> {
    fn hears<'a>(&'a mut self, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        let is_it = move |shown: &Value| match deed {
            Deed::Create => shown["status"] == "waiting_for_opponent",
            Deed::Join => shown["status"] == "in_progress",
            Deed::Move => shown["moves"][0]["san"] == "e4",
            Deed::Offer => shown["draw_offer"] == "w",
            Deed::Chat => false,
            Deed::Resign => shown["end_reason"] == "resignation",
        };
        async move {
            match &mut self.socket {
                Some(socket) => drop(socket.hears_of(&format!("{deed:?}"), is_it).await),
                None => assert!(is_it(&self.who.sees(&uuid_of(game)).await)),
            }
        }
        .boxed_local()
    }
}
