//! What one occupant can do to the others in a room of XMPP, and what not.

use serde_json::json;
use server::doors::xmpp::element::Element;

use crate::client::Client;
use crate::xmpp_rooms::{
    ARBITER, GAME, GAMES, MUC_USER, Person, act, codes, game, gives_role, nick, stage, stage_with,
    state, two_players,
};

const ITEMS: &str = "http://jabber.org/protocol/disco#items";

fn renamed(room: &str, nick: &str) -> Element {
    Element::core("presence").with("to", format!("{room}/{nick}"))
}

fn is_gone(stanza: &Element) -> bool {
    stanza.name() == "presence" && stanza.attr("type") == Some("unavailable")
}

fn refusal(condition: &str, code: &str) -> (String, Option<String>) {
    (condition.to_owned(), Some(code.to_owned()))
}

#[tokio::test]
async fn whoever_is_always_called_otherwise_is_told_to_wait() {
    let (_server, fake) = stage_with(|settings| {
        settings.rate_limits = true;
        settings.chat_per_ten_seconds = 2;
    })
    .await;
    let (_white, _black, room) = two_players(&fake).await;
    let mut ann = fake.person("ann@chess.example/1");
    ann.joins(&room, "Ann").await;
    for name in ["Anna", "Anne", "Annie"] {
        ann.sends(renamed(&room, name)).await;
    }
    let expected = refusal("resource-constraint", "rate_limited");
    assert_eq!(ann.refused().await, expected);
}

/// Joins until it is refused; how often it was not.
async fn joins_until_refused(person: &mut Person, room: &str) -> usize {
    for count in 0..200 {
        person.knocks(room, "Ann").await;
        let is_answer = |one: &Element| one.attr("type") == Some("error") || state(one).is_some();
        let answer = person.hears("an answer", is_answer).await;
        if answer.attr("type") == Some("error") {
            return count;
        }
    }
    panic!("it was never refused");
}

#[tokio::test]
async fn whoever_joins_again_and_again_is_told_to_wait() {
    let (_server, fake) = stage_with(|settings| settings.rate_limits = true).await;
    let (_white, _black, room) = two_players(&fake).await;
    let mut ann = fake.person("ann@chess.example/1");
    let count = joins_until_refused(&mut ann, &room).await;
    assert!(count >= 60, "after {count} joins");
    // Somebody else has a share of their own.
    fake.person("eve@chess.example/1").joins(&room, "Eve").await;
}

#[tokio::test]
async fn whoever_looks_around_without_end_is_told_to_wait() {
    let (_server, fake) = stage_with(|settings| {
        settings.rate_limits = true;
        settings.commands_per_second = 1;
    })
    .await;
    let mut ann = fake.person("ann@chess.example/1");
    for _ in 0..200 {
        let listed = ann.asks(GAMES, "get", Element::new("query", ITEMS)).await;
        if listed.attr("type") == Some("error") {
            return;
        }
    }
    panic!("it was never refused");
}

/// Links somebody's JID with a local account.
async fn links(person: &mut Person, account: &Client) {
    let asked = account.post("/v1/me/xmpp", json!({})).await.expect(200);
    let code = asked["code"].as_str().expect("a code");
    let link = act("link").with("code", code);
    let linked = person.asks(ARBITER, "set", game(link)).await;
    assert_eq!(linked.attr("type"), Some("result"), "{linked:?}");
}

#[tokio::test]
async fn a_link_that_ends_ends_in_rooms_too() {
    let (server, fake) = stage().await;
    let (_white, _black, room) = two_players(&fake).await;
    let ann = server.registered("Ann").await;
    let mut phone = fake.person("phone@chess.example/1");
    links(&mut phone, &ann).await;
    phone.joins(&room, "Phone").await;
    ann.delete("/v1/me/xmpp/phone@chess.example")
        .await
        .expect(204);
    phone.says(&room, "t1", "as Ann?").await;
    let gone = phone.hears("that they are out", is_gone).await;
    assert_eq!(codes(&gone), ["110", "307"]);
    assert_eq!(
        phone.refused().await,
        refusal("not-acceptable", "not_in_the_room")
    );
    // Whoever says nothing hears nothing for long, either.
    let mut desk = fake.person("desk@chess.example/1");
    links(&mut desk, &ann).await;
    desk.joins(&room, "Desk").await;
    ann.delete("/v1/me/xmpp/desk@chess.example")
        .await
        .expect(204);
    desk.hears("that they are out", is_gone).await;
}

fn item<'a>(presence: &'a Element, name: &str) -> Option<&'a str> {
    let item = presence.get("x", MUC_USER)?.get("item", MUC_USER)?;
    item.attr(name)
}

#[tokio::test]
async fn those_who_may_keep_order_are_moderators_to_every_client() {
    let (server, fake) = stage().await;
    let (mut white, mut black, room) = two_players(&fake).await;
    let is_own = |one: &Element| one.name() == "presence" && nick(one) == "jack";
    let own = white.hears("their own presence", is_own).await;
    assert_eq!(item(&own, "role"), Some("moderator"), "they made the game");
    let coach = white.hears("the other", |one| nick(one) == "coach").await;
    assert_eq!(item(&coach, "role"), Some("participant"));
    // An administrator who has linked their account.
    let ann = server.registered("Ann").await;
    let app = server.running().app();
    let account = app.store.account_by_id(&ann.id).await.expect("a store");
    let account = account.expect("an account").number;
    let change = store::ProfileChange {
        is_admin: Some(true),
        ..store::ProfileChange::default()
    };
    let changed = app.store.change_profile(account, change).await;
    changed.expect("a change");
    app.auth.forget_person(account);
    let mut judge = fake.person("judge@chess.example/1");
    links(&mut judge, &ann).await;
    judge.knocks(&room, "Judge").await;
    let own = judge.hears("their own", |one| nick(one) == "Judge").await;
    assert_eq!(item(&own, "role"), Some("moderator"));
    assert_eq!(item(&own, "affiliation"), Some("admin"));
    // The creator could not: it is a player.
    let done = gives_role(&mut judge, &room, "coach", "visitor").await;
    assert_eq!(done.attr("type"), Some("result"), "{done:?}");
    black.says(&room, "b1", "but").await;
    assert_eq!(black.refused().await, refusal("forbidden", "muted"));
}

#[tokio::test]
async fn when_a_game_begins_the_room_is_told_who_plays_which_side() {
    let (_server, fake) = stage().await;
    let mut white = fake.person("metajack@chess.example/cpc");
    let create = act("create").with("time", "1800");
    let made = white.asks(ARBITER, "set", game(create)).await;
    let number = made.get("game", GAME).and_then(|game| game.attr("id"));
    let number = number.expect("a number").to_owned();
    let room = format!("{number}@{GAMES}");
    white.joins(&room, "jack").await;
    let mut ann = fake.person("ann@chess.example/1");
    ann.joins(&room, "Ann").await;
    for person in [&mut white, &mut ann] {
        person.rest();
    }
    let mut black = fake.person("trainer@chess.example/x");
    let accept = game(act("accept")).with("id", number.as_str());
    black.asks(ARBITER, "set", accept).await;
    for person in [&mut white, &mut ann] {
        let is_seated = |one: &Element| {
            let role = one.get("role", GAME);
            nick(one) == "jack" && role.is_some_and(|role| role.attr("side").is_some())
        };
        person.hears("which side he has", is_seated).await;
        let is_subject = |one: &Element| one.elements().any(|child| child.name() == "subject");
        let told = person.hears("the subject", is_subject).await;
        let subject = told.elements().next().expect("a subject").words();
        assert!(subject.contains("metajack"), "{subject}");
        assert!(subject.contains("trainer"), "{subject}");
    }
}

/// Her nickname is the name of somebody who plays by now: she cannot have it again.
#[tokio::test]
async fn whoever_cannot_join_again_is_gone_to_everybody() {
    let (_server, fake) = stage().await;
    let mut white = fake.person("metajack@chess.example/cpc");
    let create = act("create").with("time", "1800");
    let made = white.asks(ARBITER, "set", game(create)).await;
    let number = made.get("game", GAME).and_then(|game| game.attr("id"));
    let number = number.expect("a number").to_owned();
    let room = format!("{number}@{GAMES}");
    let mut eve = fake.person("eve@chess.example/1");
    eve.joins(&room, "Eve").await;
    let mut ann = fake.person("ann@chess.example/1");
    ann.joins(&room, "Trainer").await;
    let mut black = fake.person("trainer@chess.example/x");
    let accept = game(act("accept")).with("id", number.as_str());
    black.asks(ARBITER, "set", accept).await;
    eve.told("start").await;
    ann.knocks(&room, "Trainer").await;
    assert_eq!(ann.refused().await, refusal("conflict", "nick_taken"));
    let is_her = |one: &Element| is_gone(one) && nick(one) == "Trainer";
    eve.hears("that she is gone", is_her).await;
}

#[tokio::test]
async fn whoever_sat_down_does_not_hear_again_what_they_heard_before() {
    let (_server, fake) = stage().await;
    let mut white = fake.person("metajack@chess.example/cpc");
    let create = act("create").with("time", "1800");
    let made = white.asks(ARBITER, "set", game(create)).await;
    let number = made.get("game", GAME).and_then(|game| game.attr("id"));
    let number = number.expect("a number").to_owned();
    let room = format!("{number}@{GAMES}");
    let mut black = fake.person("trainer@chess.example/x");
    black.joins(&room, "coach").await;
    let mut eve = fake.person("eve@chess.example/1");
    eve.joins(&room, "Eve").await;
    eve.says(&room, "e1", "Who plays?").await;
    assert_eq!(black.line().await.1, "Who plays?");
    let accept = game(act("accept")).with("id", number.as_str());
    black.asks(ARBITER, "set", accept).await;
    black
        .hears("how it stands", |one| state(one).is_some())
        .await;
    // Players know those who watch by their accounts, also who knew them otherwise.
    let is_plain = |one: &Element| one.name() == "presence" && nick(one) == "eve";
    let plain = black.hears("her plain name", is_plain).await;
    assert_eq!(plain.attr("type"), None, "{plain:?}");
    eve.says(&room, "e2", "Take care").await;
    eve.hears("her words", |one| one.attr("id") == Some("e2"))
        .await;
    white.asks(ARBITER, "set", game(act("resign"))).await;
    black.told("result").await;
    assert_eq!(black.line().await.1, "Take care");
}

#[tokio::test]
async fn whoever_is_muted_at_another_door_is_shown_so() {
    let (server, fake) = stage().await;
    let (browser, _other, id) = server.blitz().await;
    let number = id.parse::<store::TableId>().expect("an id").number();
    let room = format!("{number}@{GAMES}");
    let mut noisy = fake.person("noisy@chess.example/1");
    noisy.joins(&room, "Noisy").await;
    for (is_lifted, role) in [(false, "visitor"), (true, "participant")] {
        let ask = json!({ "name": "noisy", "lift": is_lifted });
        let path = format!("/v1/games/{id}/mute");
        browser.post(&path, ask).await.expect(200);
        let is_shown = |one: &Element| item(one, "role") == Some(role);
        noisy.hears(role, is_shown).await;
    }
}

#[tokio::test]
async fn a_nickname_is_no_advice_to_players() {
    let (_server, fake) = stage().await;
    let (mut white, _black, room) = two_players(&fake).await;
    let mut eve = fake.person("eve@chess.example/1");
    eve.joins(&room, "Eve").await;
    let mut ann = fake.person("ann@chess.example/1");
    ann.joins(&room, "play Nf3").await;
    ann.sends(renamed(&room, "or d4")).await;
    eve.hears("the first name", |one| nick(one) == "play Nf3")
        .await;
    eve.hears("the second name", |one| nick(one) == "or d4")
        .await;
    // A player who comes now does not see it either.
    let mut again = fake.person(&white.jid.replace("cpc", "phone"));
    again.knocks(&room, "jack").await;
    let mut told = vec![again.hears("something", |_| true).await];
    while state(&told[told.len() - 1]).is_none() {
        told.push(again.hears("something", |_| true).await);
    }
    for heard in [white.rest(), told] {
        let names: Vec<String> = heard.iter().map(nick).collect();
        assert!(names.contains(&"ann".to_owned()), "{names:?}");
        let is_advice = |name: &String| name == "play Nf3" || name == "or d4";
        assert!(!names.iter().any(is_advice), "{names:?}");
    }
    white.asks(ARBITER, "set", game(act("resign"))).await;
    let is_plain = |one: &Element| is_gone(one) && nick(one) == "ann";
    let gone = white.hears("the plain name", is_plain).await;
    assert_eq!(codes(&gone), ["303"]);
    white
        .hears("the nickname", |one| nick(one) == "or d4")
        .await;
}

#[tokio::test]
async fn the_creator_removes_whom_they_know_by_another_name() {
    let (_server, fake) = stage().await;
    let (mut white, _black, room) = two_players(&fake).await;
    let mut ann = fake.person("ann@chess.example/1");
    ann.joins(&room, "play Nf3").await;
    let mut eve = fake.person("eve@chess.example/1");
    eve.joins(&room, "ann").await;
    let done = gives_role(&mut white, &room, "ann", "none").await;
    assert_eq!(done.attr("type"), Some("result"), "{done:?}");
    let is_out = |one: &Element| is_gone(one) && nick(one) == "ann";
    let gone = white.hears("that Ann is out", is_out).await;
    assert_eq!(codes(&gone), ["307"]);
    ann.hears("that she is out", is_gone).await;
    eve.hears("that Ann is out", |one| {
        is_gone(one) && nick(one) == "play Nf3"
    })
    .await;
}

#[tokio::test]
async fn whoever_may_not_speak_does_not_by_names() {
    let (_server, fake) = stage().await;
    let (mut white, _black, room) = two_players(&fake).await;
    let mut ann = fake.person("ann@chess.example/1");
    ann.joins(&room, "Ann").await;
    gives_role(&mut white, &room, "ann", "visitor").await;
    ann.sends(renamed(&room, "he cheats")).await;
    assert_eq!(ann.refused().await, refusal("forbidden", "may_not_speak"));
}
