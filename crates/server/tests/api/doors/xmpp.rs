//! XMPP: players are linked with a JID each, and listen in the room.

use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::{FutureExt, LocalBoxFuture};
use serde_json::json;
use server::doors::xmpp::element::Element;
use store::TableId;

use super::{Deed, Door, Ear, LINE};
use crate::client::Client;
use crate::live_game::player::Player;
use crate::xmpp::fake::{ARBITER, Fake, GAME, GAMES, done, game_in, own};

const MUC: &str = "http://jabber.org/protocol/muc";
const USER: &str = "http://jabber.org/protocol/muc#user";

pub(super) struct Xmpp {
    fake: Fake,
    next: AtomicU64,
}

impl Xmpp {
    pub(super) fn new(fake: Fake) -> Xmpp {
        let next = AtomicU64::new(0);
        Xmpp { fake, next }
    }

    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Somebody's JID, with a resource of its own; linked, if it is not yet.
    async fn jid(&self, who: &Client) -> String {
        let bare = format!("{}@chesspark.com", who.id);
        let linked = who.get("/v1/me/xmpp").await.expect(200);
        let number = self.number();
        let jid = format!("{bare}/{number}");
        if linked["jids"] == json!([]) {
            let asked = who.post("/v1/me/xmpp", json!({})).await.expect(200);
            let code = asked["code"].as_str().expect("a code");
            let link = own("link").with("code", code);
            done(&self.fake.asks(&jid, "link", link).await);
        }
        jid
    }

    /// Sits down in a room.
    async fn joins(&self, who: &Client, game: &str) -> Seat {
        let jid = self.jid(who).await;
        let seat = Seat {
            fake: self.fake.clone(),
            nick: format!("{}@{GAMES}/n{}", number_of(game), self.number()),
            jid,
        };
        let join = presence(&seat.jid, &seat.nick).child(Element::new("x", MUC));
        self.fake.give(&join);
        let is_own = |stanza: &Element| {
            let user = stanza.get("x", USER);
            let mut codes = user.into_iter().flat_map(Element::elements);
            stanza.attr("to") == Some(seat.jid.as_str())
                && codes.any(|code| code.attr("code") == Some("110"))
        };
        self.fake.hears(is_own).await;
        seat.hears(|stanza| {
            stanza
                .get("game", GAME)
                .is_some_and(|game| has(game, "state"))
        })
        .await;
        seat
    }
}

fn presence(from: &str, to: &str) -> Element {
    Element::core("presence").with("from", from).with("to", to)
}

fn number_of(game: &str) -> String {
    let id: TableId = game.parse().expect("a game's id");
    id.number().to_string()
}

fn has(game: &Element, name: &str) -> bool {
    game.get(name, GAME).is_some()
}

/// Somebody in a room, until this is dropped.
struct Seat {
    fake: Fake,
    jid: String,
    nick: String,
}

impl Seat {
    async fn hears(&self, is_it: impl Fn(&Element) -> bool) {
        let is_mine = |stanza: &Element| stanza.attr("to") == Some(self.jid.as_str());
        self.fake
            .hears(|stanza| is_mine(stanza) && is_it(stanza))
            .await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let gone = presence(&self.jid, &self.nick).with("type", "unavailable");
        self.fake.give(&gone);
    }
}

impl Door for Xmpp {
    fn name(&self) -> &'static str {
        "xmpp"
    }

    fn knows(&self, _: Deed) -> bool {
        true
    }

    fn creates<'a>(&'a self, who: &'a Player, other: &'a Player) -> LocalBoxFuture<'a, String> {
        async move {
            let jid = self.jid(who).await;
            let challenge = own("challenge")
                .with("to", format!("{}@{ARBITER}", other.id))
                .with("time", "300");
            let made = self.fake.asks(&jid, "create", challenge).await;
            crate::xmpp::id_of(&game_in(&made))
        }
        .boxed_local()
    }

    fn does<'a>(&'a self, who: &'a Player, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        async move {
            let command = match deed {
                Deed::Create => panic!("it is there already"),
                Deed::Chat => {
                    let seat = self.joins(who, game).await;
                    let room = format!("{}@{GAMES}", number_of(game));
                    let line = Element::core("message")
                        .with("from", seat.jid.as_str())
                        .with("to", room)
                        .with("type", "groupchat")
                        .child(Element::core("body").text(LINE));
                    self.fake.give(&line);
                    return seat.hears(is_line).await;
                }
                Deed::Join => own("accept"),
                Deed::Move => own("move").text("e2e4"),
                Deed::Offer => own("draw"),
                Deed::Resign => own("resign"),
            };
            let jid = self.jid(who).await;
            let answer = self.fake.plays(&jid, "1", &number_of(game), command).await;
            assert_eq!(answer.attr("type"), Some("result"), "{}", answer.write());
        }
        .boxed_local()
    }

    fn moves<'a>(&'a self, who: &'a Player, game: &'a str, uci: &'a str) -> LocalBoxFuture<'a, ()> {
        async move {
            let (jid, command) = (self.jid(who).await, own("move").text(uci));
            done(&self.fake.plays(&jid, "1", &number_of(game), command).await);
        }
        .boxed_local()
    }

    fn listens<'a>(
        &'a self,
        who: &'a Player,
        game: Option<&'a str>,
    ) -> LocalBoxFuture<'a, Box<dyn Ear + 'a>> {
        async move {
            match game {
                Some(game) => Box::new(self.joins(who, game).await) as Box<dyn Ear>,
                None => {
                    self.jid(who).await;
                    let bare = format!("{}@chesspark.com", who.id);
                    Box::new(Contact(&self.fake, bare)) as Box<dyn Ear>
                }
            }
        }
        .boxed_local()
    }

    fn finds<'a>(&'a self, who: &'a Client, game: &'a str) -> LocalBoxFuture<'a, bool> {
        async move {
            let jid = self.jid(who).await;
            let room = format!("{}@{GAMES}", number_of(game));
            let query = Element::new("query", "http://jabber.org/protocol/disco#info");
            let question = Element::core("iq")
                .with("type", "get")
                .with("id", "look")
                .with("from", jid.as_str())
                .with("to", room)
                .child(query);
            self.fake.give(&question);
            self.fake.answer(&jid, "look").await.attr("type") == Some("result")
        }
        .boxed_local()
    }
}

fn is_line(stanza: &Element) -> bool {
    let body = stanza.elements().find(|element| element.name() == "body");
    body.is_some_and(|body| body.words() == LINE)
}

/// Somebody who is in no room, by their bare JID.
struct Contact<'f>(&'f Fake, String);

impl Ear for Contact<'_> {
    fn hears<'a>(&'a mut self, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        async move {
            assert_eq!(deed, Deed::Create, "the rest is told in the room");
            let number = number_of(game);
            let is_told = |stanza: &Element| {
                let told = stanza.get("game", GAME);
                let told = told.filter(|told| told.attr("id") == Some(number.as_str()));
                stanza.attr("to") == Some(self.1.as_str())
                    && told.is_some_and(|told| has(told, "challenge"))
            };
            self.0.hears(is_told).await;
        }
        .boxed_local()
    }
}

impl Ear for Seat {
    fn hears<'a>(&'a mut self, _: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()> {
        async move {
            let name = match deed {
                Deed::Create => panic!("it is there already"),
                Deed::Chat => return Seat::hears(self, is_line).await,
                Deed::Join => "start",
                Deed::Move => "move",
                Deed::Offer => "draw",
                Deed::Resign => "result",
            };
            let is_told = |stanza: &Element| {
                let told = stanza.get("game", GAME).filter(|told| has(told, name));
                told.is_some_and(|told| !has(told, "state"))
            };
            Seat::hears(self, is_told).await;
        }
        .boxed_local()
    }
}
