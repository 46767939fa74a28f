//! Rooms of XMPP: a game's room, seen by clients of multi-user chat.

pub(crate) mod fake;
mod order;
mod talking;

use serde_json::json;
use server::doors::xmpp::element::Element;
use server::settings::Settings;

pub(crate) use self::fake::{ARBITER, Fake, GAMES, Person};
pub(crate) use self::order::gives_role;
use crate::client::{Server, blitz};

pub(crate) const GAME: &str = "http://onlinegamegroup.com/xml/chesspark-01";
pub(crate) const MUC: &str = "http://jabber.org/protocol/muc";
pub(crate) const MUC_USER: &str = "http://jabber.org/protocol/muc#user";
const STANZAS: &str = "urn:ietf:params:xml:ns:xmpp-stanzas";

/// A server that has joined an XMPP server.
pub(crate) async fn stage() -> (Server, Fake) {
    stage_with(|_| ()).await
}

/// The same, with settings of one's own.
pub(crate) async fn stage_with(change: impl FnOnce(&mut Settings)) -> (Server, Fake) {
    let fake = Fake::start().await;
    let port = fake.port();
    let server = Server::start_with(|settings| {
        settings.xmpp_host = Some("127.0.0.1".into());
        settings.xmpp_port = port;
        settings.xmpp_secret = Some("secret".into());
        settings.xmpp_arbiter = Some(ARBITER.into());
        settings.xmpp_games = Some(GAMES.into());
        change(settings);
    })
    .await;
    fake.connected(2).await;
    (server, fake)
}

pub(crate) fn game(what: Element) -> Element {
    Element::new("game", GAME).child(what)
}

pub(crate) fn act(name: &str) -> Element {
    Element::new(name, GAME)
}

/// Two who have begun a game of half an hour each, in its room; the first has White.
pub(crate) async fn two_players(fake: &Fake) -> (Person, Person, String) {
    let mut white = fake.person("metajack@chess.example/cpc");
    let mut black = fake.person("trainer@chess.example/x");
    let create = act("create").with("time", "1800").with("side", "white");
    let made = white.asks(ARBITER, "set", game(create)).await;
    let number = made.get("game", GAME).and_then(|game| game.attr("id"));
    let number = number.unwrap_or_else(|| panic!("{made:?}")).to_owned();
    let room = format!("{number}@{GAMES}");
    white.joins(&room, "jack").await;
    let accept = game(act("accept")).with("id", number.as_str());
    let accepted = black.asks(ARBITER, "set", accept).await;
    assert_eq!(accepted.attr("type"), Some("result"), "{accepted:?}");
    black.joins(&room, "coach").await;
    (white, black, room)
}

impl Person {
    /// Asks to come in.
    pub(crate) async fn knocks(&self, room: &str, nick: &str) {
        let to = format!("{room}/{nick}");
        let join = Element::core("presence").with("to", to);
        self.sends(join.child(Element::new("x", MUC))).await;
    }

    /// Comes in; the state of the game, the last thing that a newcomer is told.
    pub(crate) async fn joins(&mut self, room: &str, nick: &str) -> Element {
        self.knocks(room, nick).await;
        self.hears("the state", |one| state(one).is_some()).await
    }

    pub(crate) async fn moves(&mut self, text: &str) {
        let done = self
            .asks(ARBITER, "set", game(act("move").text(text)))
            .await;
        assert_eq!(done.attr("type"), Some("result"), "{done:?}");
    }

    pub(crate) async fn says(&self, room: &str, id: &str, text: &str) {
        let body = Element::core("body").text(text);
        let message = Element::core("message").with("to", room).with("id", id);
        self.sends(message.with("type", "groupchat").child(body))
            .await;
    }

    /// The next line of chat that they hear.
    pub(crate) async fn line(&mut self) -> (String, String) {
        let is_line = |one: &Element| body(one).is_some() && nick(one) != "Arbiter";
        let line = self.hears("a line", is_line).await;
        (nick(&line), body(&line).expect("words"))
    }

    /// The next thing that the arbiter tells by an element of that name.
    pub(crate) async fn told(&mut self, name: &str) -> Element {
        let is_it = |one: &Element| {
            let game = one.get("game", GAME);
            one.attr("type") == Some("groupchat")
                && game.is_some_and(|game| game.get(name, GAME).is_some())
        };
        self.hears(name, is_it).await
    }

    /// Why they were refused.
    pub(crate) async fn refused(&mut self) -> (String, Option<String>) {
        let error = self
            .hears("an error", |one| one.attr("type") == Some("error"))
            .await;
        let error = error.elements().find(|child| child.name() == "error");
        let error = error.expect("an error says why");
        let condition = error.elements().next().expect("a condition");
        let text = error.get("text", STANZAS).map(Element::words);
        (condition.name().to_owned(), text)
    }
}

pub(crate) fn state(stanza: &Element) -> Option<&Element> {
    stanza.get("game", GAME)?.get("state", GAME)
}

pub(crate) fn body(stanza: &Element) -> Option<String> {
    let body = stanza.elements().find(|child| child.name() == "body");
    body.map(Element::words)
}

pub(crate) fn nick(stanza: &Element) -> String {
    let from = stanza.attr("from").unwrap_or_default();
    from.split_once('/').map_or("", |(_, nick)| nick).to_owned()
}

pub(crate) fn codes(stanza: &Element) -> Vec<String> {
    let x = stanza
        .get("x", MUC_USER)
        .expect("what the room says of them");
    let status = x.elements().filter(|child| child.name() == "status");
    status
        .filter_map(|status| status.attr("code").map(str::to_owned))
        .collect()
}

#[tokio::test]
async fn a_whole_game_is_told_as_chesspark_told_it() {
    let (_server, fake) = stage().await;
    let (mut white, mut black, room) = two_players(&fake).await;
    let number = room.split('@').next().expect("a number").to_owned();
    let mut watcher = fake.person("ann@chess.example/1");
    watcher.joins(&room, "Ann").await;
    white.moves("f2f3").await;
    // Attributes are read in the order of their names.
    let expected = format!(
        "<message from='{room}/Arbiter' to='ann@chess.example/1' type='groupchat'>\
         <game xmlns='{GAME}' black='trainer@chess.example' id='{number}' \
         white='metajack@chess.example'><move number='1' player='metajack@chess.example' \
         ply='1' side='white'>f2f3</move><time control='0' side='black'>1800.0</time>\
         <time control='0' side='white'>1800.0</time></game></message>"
    );
    let told = watcher.told("move").await;
    assert_eq!(told.write(), expected);
    let text = watcher.hears("the text", |one| body(one).is_some()).await;
    assert_eq!(body(&text).as_deref(), Some("1. f3"));
    for person in [&mut white, &mut black] {
        person.told("move").await;
    }
    black.moves("e5").await;
    white.moves("g4").await;
    black.moves("Qh4").await;
    for person in [&mut white, &mut black, &mut watcher] {
        let result = person.told("result").await;
        let result = result.get("game", GAME).and_then(|g| g.get("result", GAME));
        let result = result.expect("a result");
        assert_eq!(result.words(), "black_wins");
        assert_eq!(result.attr("winner"), Some("black"));
        let text = person.hears("the text", |one| body(one).is_some()).await;
        assert_eq!(body(&text).as_deref(), Some("0-1 checkmate"));
    }
}

#[tokio::test]
async fn who_comes_in_the_middle_is_told_who_is_there_and_how_it_stands() {
    let (_server, fake) = stage().await;
    let (mut white, mut black, room) = two_players(&fake).await;
    white.moves("e4").await;
    black.moves("e5").await;
    let mut late = fake.person("ann@chess.example/1");
    late.knocks(&room, "Ann").await;
    let mut told: Vec<Element> = Vec::new();
    while told.last().is_none_or(|last| state(last).is_none()) {
        told.push(late.hears("something", |_| true).await);
    }
    let nicks: Vec<String> = told.iter().map(nick).collect();
    let expected = ["Arbiter", "jack", "coach", "Ann", "Arbiter", "Arbiter"];
    assert_eq!(nicks, expected, "{told:#?}");
    let role = told[1]
        .get("role", GAME)
        .expect("what they are in the game");
    assert_eq!(
        (role.words().as_str(), role.attr("side")),
        ("player", Some("white"))
    );
    assert_eq!(role.attr("jid"), Some("metajack@chess.example"));
    assert_eq!(codes(&told[3]), ["110"]);
    let subject = told[4].elements().next().expect("a subject");
    assert_eq!(
        (subject.name(), subject.words().as_str()),
        ("subject", "metajack - trainer")
    );
    assert_eq!(told[5].attr("type"), None, "for one alone");
    let state = state(&told[5]).expect("the state");
    assert_eq!(state.attr("ply"), Some("2"));
    let moves: Vec<String> = state.elements().map(Element::words).collect();
    assert_eq!(moves, ["e2e4", "e7e5"]);
    let text = body(&told[5]);
    assert_eq!(text.as_deref(), Some("1. e4 e5. White to move."));
    // What is new is told from there on, and nothing twice.
    white.moves("Nf3").await;
    let next = late.told("move").await;
    assert_eq!(
        next.get("game", GAME)
            .expect("a game")
            .elements()
            .next()
            .expect("a move")
            .attr("ply"),
        Some("3")
    );
    // Players know those who watch by their accounts: a nickname could be advice.
    let came = white.hears("Ann", |one| nick(one) == "ann").await;
    let item = came
        .get("x", MUC_USER)
        .and_then(|x| x.get("item", MUC_USER));
    assert_eq!(
        item.expect("an item").attr("jid"),
        None,
        "who watches is nobody's business"
    );
}

#[tokio::test]
async fn not_everybody_comes_in() {
    let (server, fake) = stage().await;
    let (_white, _black, room) = two_players(&fake).await;
    let mut ann = fake.person("ann@chess.example/1");
    let refused = |condition: &str, code: &str| (condition.to_owned(), Some(code.to_owned()));
    for (to, expected) in [
        (format!("{room}/jack"), refused("conflict", "nick_taken")),
        (format!("{room}/JACK"), refused("conflict", "nick_taken")),
        (format!("{room}/trainer"), refused("conflict", "nick_taken")),
        (format!("{room}/arbiter"), refused("conflict", "nick_taken")),
        (room.clone(), refused("jid-malformed", "bad_nick")),
        (
            format!("{room}/{}", "x".repeat(65)),
            refused("not-acceptable", "bad_nick"),
        ),
        (
            format!("99@{GAMES}/Ann"),
            refused("item-not-found", "game_not_found"),
        ),
        (
            format!("x@{GAMES}/Ann"),
            refused("item-not-found", "game_not_found"),
        ),
        (
            format!("007@{GAMES}/Ann"),
            refused("item-not-found", "game_not_found"),
        ),
    ] {
        let join = Element::core("presence").with("to", to.as_str());
        ann.sends(join.child(Element::new("x", MUC))).await;
        assert_eq!(ann.refused().await, expected, "{to}");
    }
    let mut request = blitz();
    request["visibility"] = json!("private");
    let made = server.guest().await.post("/v1/games", request).await;
    let id = made.expect(201)["id"].as_str().expect("an id").to_owned();
    let number = id.parse::<store::TableId>().expect("an id").number();
    ann.knocks(&format!("{number}@{GAMES}"), "Ann").await;
    let expected = refused("registration-required", "private_game");
    assert_eq!(ann.refused().await, expected);
    // Whoever is outside does not speak, and hears nothing.
    ann.says(&room, "t1", "hi").await;
    assert_eq!(ann.refused().await.0, "not-acceptable");
}

/// A browser's player and an XMPP player, and watchers at both doors.
#[tokio::test]
async fn one_game_at_two_doors() {
    let (server, fake) = stage().await;
    let browser = server.registered("bob").await;
    let made = browser.post("/v1/games", blitz()).await.expect(201);
    let id = made["id"].as_str().expect("an id").to_owned();
    let number = id.parse::<store::TableId>().expect("an id").number();
    let room = format!("{number}@{GAMES}");
    let mut jack = fake.person("jack@chess.example/1");
    let accept = game(act("accept")).with("id", number.to_string());
    jack.asks(ARBITER, "set", accept).await;
    let told = jack.joins(&room, "Jack").await;
    let played = told.get("game", GAME).expect("a game");
    assert_eq!(played.attr("white"), Some(&*format!("bob@{ARBITER}")));
    assert_eq!(played.attr("black"), Some("jack@chess.example"));
    browser.plays(&id, "e2e4").await.expect(200);
    let told = jack.told("move").await;
    let played = told
        .get("game", GAME)
        .and_then(|game| game.get("move", GAME));
    let player = format!("bob@{ARBITER}");
    assert_eq!(played.expect("a move").attr("player"), Some(&*player));
    jack.moves("e7e5").await;
    assert_eq!(browser.game(&id).await["ply"], 2);
    // A character that XML does not know comes by the other door.
    let said = json!({ "text": "good\u{fffe} luck", "audience": "room" });
    let path = format!("/v1/games/{id}/chat");
    browser.post(&path, said).await.expect(201);
    assert_eq!(jack.line().await, ("bob".into(), "good luck".into()));
    jack.says(&room, "t1", "you & <me>").await;
    let echo = jack
        .hears("their own words", |one| one.attr("id") == Some("t1"))
        .await;
    assert_eq!(body(&echo).as_deref(), Some("you & <me>"));
    let chat = browser.get(&path).await.expect(200);
    assert_eq!(chat["chat"][1]["text"], "you & <me>");
}

#[tokio::test]
async fn after_a_new_connection_nobody_is_in_the_room() {
    let (_server, fake) = stage().await;
    let (mut white, _black, room) = two_players(&fake).await;
    let own = format!("{room}/jack");
    let ping = || Element::new("ping", "urn:xmpp:ping");
    let pong = white.asks(&own, "get", ping()).await;
    assert_eq!(pong.attr("type"), Some("result"));
    fake.cut().await;
    fake.connected(4).await;
    white.asks(&own, "get", ping()).await;
    let error = white.asks(&own, "get", ping()).await;
    assert_eq!(error.attr("type"), Some("error"));
    white.joins(&room, "jack").await;
    white.moves("e4").await;
    white.told("move").await;
}
