//! Silencing, removing, leaving, and looking around.

use server::doors::xmpp::element::Element;

use super::fake::GAMES;
use super::{MUC_USER, Person, codes, nick, stage, two_players};

const MUC_ADMIN: &str = "http://jabber.org/protocol/muc#admin";
const INFO: &str = "http://jabber.org/protocol/disco#info";
const ITEMS: &str = "http://jabber.org/protocol/disco#items";

pub(crate) async fn gives_role(person: &mut Person, room: &str, whom: &str, role: &str) -> Element {
    let item = Element::new("item", MUC_ADMIN)
        .with("nick", whom)
        .with("role", role);
    let query = Element::new("query", MUC_ADMIN).child(item);
    person.asks(room, "set", query).await
}

fn role(presence: &Element) -> String {
    let item = presence
        .get("x", MUC_USER)
        .and_then(|x| x.get("item", MUC_USER));
    let role = item.and_then(|item| item.attr("role"));
    role.unwrap_or_default().to_owned()
}

#[tokio::test]
async fn the_creator_silences_and_removes() {
    let (_server, fake) = stage().await;
    let (mut white, mut black, room) = two_players(&fake).await;
    let mut noisy = fake.person("noisy@chess.example/1");
    noisy.joins(&room, "Noisy").await;
    let refused = gives_role(&mut black, &room, "Noisy", "none").await;
    assert_eq!(refused.attr("type"), Some("error"), "only the creator may");
    let done = gives_role(&mut white, &room, "Noisy", "visitor").await;
    assert_eq!(done.attr("type"), Some("result"), "{done:?}");
    let own = noisy
        .hears("their role", |one| role(one) == "visitor")
        .await;
    assert_eq!(nick(&own), "Noisy");
    noisy.says(&room, "t1", "but").await;
    assert_eq!(
        noisy.refused().await,
        ("forbidden".into(), Some("muted".into()))
    );
    gives_role(&mut white, &room, "Noisy", "participant").await;
    noisy
        .hears("their role", |one| role(one) == "participant")
        .await;
    let refused = gives_role(&mut white, &room, "coach", "none").await;
    assert_eq!(refused.attr("type"), Some("error"), "a player stays");
    gives_role(&mut white, &room, "Noisy", "none").await;
    let gone = noisy
        .hears("that they are out", |one| {
            one.attr("type") == Some("unavailable")
        })
        .await;
    assert_eq!(
        (codes(&gone), role(&gone).as_str()),
        (vec!["110".into(), "307".into()], "none")
    );
    let gone = black
        .hears("the same", |one| one.attr("type") == Some("unavailable"))
        .await;
    assert_eq!(codes(&gone), ["307"]);
    noisy.knocks(&room, "Noisy").await;
    assert_eq!(noisy.refused().await.0, "forbidden");
    let unknown = gives_role(&mut white, &room, "Nobody", "none").await;
    assert_eq!(unknown.attr("type"), Some("error"));
}

#[tokio::test]
async fn who_leaves_or_vanishes_is_gone() {
    let (_server, fake) = stage().await;
    let (mut white, black, room) = two_players(&fake).await;
    let mut ann = fake.person("ann@chess.example/1");
    let mut eve = fake.person("eve@chess.example/1");
    ann.joins(&room, "Ann").await;
    eve.joins(&room, "Eve").await;
    let leave = Element::core("presence").with("to", format!("{room}/Ann"));
    ann.sends(leave.with("type", "unavailable")).await;
    let is_gone =
        |one: &Element, who: &str| one.attr("type") == Some("unavailable") && nick(one) == who;
    let own = ann.hears("their leave", |one| is_gone(one, "Ann")).await;
    assert_eq!(codes(&own), ["110"]);
    white.hears("hers", |one| is_gone(one, "ann")).await;
    // A stanza to Eve comes back: her client is gone.
    let bounced = Element::core("message").with("to", room.as_str());
    eve.sends(bounced.with("type", "error")).await;
    white.hears("hers", |one| is_gone(one, "eve")).await;
    black.says(&room, "t1", "alone at last").await;
    white.line().await;
    let heard = ann.rest();
    assert!(heard.is_empty(), "{heard:?}");
}

#[tokio::test]
async fn a_client_may_be_called_otherwise() {
    let (_server, fake) = stage().await;
    let (_white, _black, room) = two_players(&fake).await;
    let mut eve = fake.person("eve@chess.example/1");
    eve.joins(&room, "Eve").await;
    let mut ann = fake.person("ann@chess.example/1");
    ann.joins(&room, "Ann").await;
    let is_gone = |one: &Element| one.attr("type") == Some("unavailable");
    let rename = |nick: &str| Element::core("presence").with("to", format!("{room}/{nick}"));
    ann.sends(rename("coach")).await;
    assert_eq!(ann.refused().await.0, "conflict");
    ann.sends(rename("Anna")).await;
    let gone = eve
        .hears("the old name", |one| is_gone(one) && nick(one) == "Ann")
        .await;
    assert_eq!(
        (nick(&gone), codes(&gone)),
        ("Ann".into(), vec!["303".to_owned()])
    );
    let here = eve.hears("the new name", |one| nick(one) == "Anna").await;
    assert_eq!(here.attr("type"), None);
    let own = ann.hears("their own", |one| nick(one) == "Anna").await;
    assert_eq!(codes(&own), ["110"]);
}

#[tokio::test]
async fn rooms_can_be_found() {
    let (_server, fake) = stage().await;
    let (mut white, _black, room) = two_players(&fake).await;
    let info = white.asks(GAMES, "get", Element::new("query", INFO)).await;
    let query = info.get("query", INFO).expect("what it is");
    let identity = query.get("identity", INFO).expect("an identity");
    assert_eq!(identity.attr("category"), Some("conference"));
    let items = white.asks(GAMES, "get", Element::new("query", ITEMS)).await;
    let query = items.get("query", ITEMS).expect("the games");
    let games: Vec<_> = query
        .elements()
        .map(|item| (item.attr("jid"), item.attr("name")))
        .collect();
    assert_eq!(games, [(Some(room.as_str()), Some("metajack - trainer"))]);
    let info = white.asks(&room, "get", Element::new("query", INFO)).await;
    let query = info.get("query", INFO).expect("what it is");
    let has = |var: &str| query.elements().any(|one| one.attr("var") == Some(var));
    assert!(has("muc_public") && has("muc_open") && has("http://jabber.org/protocol/muc"));
    let nowhere = format!("99@{GAMES}");
    let error = white
        .asks(&nowhere, "get", Element::new("query", INFO))
        .await;
    assert_eq!(error.attr("type"), Some("error"));
    let ping = || Element::new("ping", "urn:xmpp:ping");
    for (to, kind) in [
        (GAMES.to_owned(), "result"),
        (room.clone(), "result"),
        (format!("{room}/jack"), "result"),
        (format!("{room}/coach"), "error"),
        (nowhere, "error"),
    ] {
        let pong = white.asks(&to, "get", ping()).await;
        assert_eq!(pong.attr("type"), Some(kind), "{to}");
    }
}
