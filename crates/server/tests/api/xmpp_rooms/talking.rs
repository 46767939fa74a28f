//! Who hears whom.

use serde_json::json;
use server::doors::xmpp::element::Element;

use super::{GAME, MUC, Person, body, game, nick, stage, two_players};
use crate::xmpp_rooms::act;
use crate::xmpp_rooms::fake::ARBITER;

async fn banters(person: &Person, room: &str, text: &str) {
    let message = Element::core("message")
        .with("to", room)
        .with("type", "groupchat")
        .child(Element::core("body").text(text))
        .child(act("banter"));
    person.sends(message).await;
}

fn lines(stanzas: &[Element]) -> Vec<String> {
    let said = stanzas.iter().filter(|one| nick(one) != "Arbiter");
    said.filter_map(body).collect()
}

/// No player hears an observer before the end, nor the other's banter; then they are told.
#[tokio::test]
async fn an_observer_is_not_heard_by_players_before_the_end() {
    let (_server, fake) = stage().await;
    let (mut white, mut black, room) = two_players(&fake).await;
    let mut ann = fake.person("ann@chess.example/1");
    let mut eve = fake.person("eve@chess.example/1");
    ann.joins(&room, "Ann").await;
    eve.joins(&room, "Eve").await;
    ann.says(&room, "a1", "White is lost").await;
    assert_eq!(ann.line().await, ("Ann".into(), "White is lost".into()));
    assert_eq!(eve.line().await, ("Ann".into(), "White is lost".into()));
    banters(&black, &room, "He has not seen it").await;
    assert_eq!(black.line().await.1, "He has not seen it");
    let banter = eve
        .hears("the banter", |one| one.get("banter", GAME).is_some())
        .await;
    assert_eq!(nick(&banter), "coach");
    black.says(&room, "b1", "Your move").await;
    // What comes in order shows that nothing came before it.
    assert_eq!(white.line().await, ("coach".into(), "Your move".into()));
    assert_eq!(black.line().await, ("coach".into(), "Your move".into()));
    // Nor is it in what a player reads who comes back.
    let jid = white.jid.clone();
    let mut again = fake.person(&jid.replace("cpc", "phone"));
    again.knocks(&room, "jack").await;
    let mut told = vec![again.hears("something", |_| true).await];
    while super::state(&told[told.len() - 1]).is_none() {
        told.push(again.hears("something", |_| true).await);
    }
    assert_eq!(lines(&told), ["Your move"]);
    white.asks(ARBITER, "set", game(act("resign"))).await;
    for (player, missed) in [
        (&mut white, vec!["White is lost", "He has not seen it"]),
        (&mut black, vec!["White is lost"]),
    ] {
        player.told("result").await;
        for text in missed {
            let is_line = |one: &Element| body(one).is_some() && nick(one) != "Arbiter";
            let line = player.hears(text, is_line).await;
            assert_eq!(body(&line).as_deref(), Some(text));
            assert!(line.get("delay", "urn:xmpp:delay").is_some(), "{line:?}");
        }
    }
    ann.says(&room, "a2", "Well played").await;
    assert_eq!(white.line().await, ("Ann".into(), "Well played".into()));
}

#[tokio::test]
async fn a_newcomer_reads_as_much_of_the_past_as_they_wish() {
    let (_server, fake) = stage().await;
    let (mut white, _black, room) = two_players(&fake).await;
    for text in ["one", "two", "three"] {
        white.says(&room, text, text).await;
        white.line().await;
    }
    for (number, (wish, expected)) in [
        (None, vec!["one", "two", "three"]),
        (Some(("maxstanzas", "2")), vec!["two", "three"]),
        (Some(("maxstanzas", "0")), vec![]),
        (Some(("maxchars", "0")), vec![]),
    ]
    .into_iter()
    .enumerate()
    {
        let mut reader = fake.person(&format!("r{number}@chess.example/1"));
        let history = wish.map(|(name, value)| Element::new("history", MUC).with(name, value));
        let join = Element::new("x", MUC).children_of(history);
        let to = format!("{room}/R{number}");
        let presence = Element::core("presence").with("to", to).child(join);
        reader.sends(presence).await;
        let mut told = vec![reader.hears("something", |_| true).await];
        while super::state(&told[told.len() - 1]).is_none() {
            told.push(reader.hears("something", |_| true).await);
        }
        assert_eq!(lines(&told), expected);
        let subjects = told
            .iter()
            .filter(|one| one.elements().any(|child| child.name() == "subject"));
        assert_eq!(subjects.count(), 1);
    }
}

#[tokio::test]
async fn what_a_room_does_not_do_is_refused() {
    let (_server, fake) = stage().await;
    let (mut white, _black, room) = two_players(&fake).await;
    let to_coach = Element::core("message").with("to", format!("{room}/coach"));
    let whisper = Element::core("body").text("psst");
    white
        .sends(to_coach.with("type", "chat").child(whisper))
        .await;
    assert_eq!(white.refused().await.0, "not-allowed");
    let subject = Element::core("message")
        .with("to", room.as_str())
        .with("type", "groupchat")
        .child(Element::core("subject").text("mine"));
    white.sends(subject).await;
    assert_eq!(white.refused().await.0, "forbidden");
    white.says(&room, "t1", "a\nb").await;
    assert_eq!(white.refused().await.1.as_deref(), Some("bad_chat"));
    white.says(&room, "t2", &"x".repeat(5_000)).await;
    assert_eq!(white.refused().await.1.as_deref(), Some("bad_chat"));
}

/// Whatever an occupant sends, the stream that everybody shares goes on.
#[tokio::test]
async fn odd_stanzas_end_nobodys_stream() {
    let (server, fake) = stage().await;
    let (mut white, mut black, room) = two_players(&fake).await;
    let from = white.jid.clone();
    let deep = format!("{}{}", "<a>".repeat(500), "</a>".repeat(500));
    let large = "y".repeat(200_000);
    for odd in [
        format!("<presence from='{from}' to='{room}/a&lt;b&gt;&apos;&quot;&amp;'/>"),
        format!("<presence from='{from}' to='{room}/jack' type='nonsense'/>"),
        format!("<message from='{from}' to='{room}' type='groupchat'>{deep}</message>"),
        format!(
            "<message from='{from}' to='{room}' type='groupchat'><body>{large}</body></message>"
        ),
        format!(
            "<message from='{from}' to='{room}' type='groupchat'><body xmlns='x'>no</body></message>"
        ),
        format!(
            "<message from='{from}' to='{room}' type='groupchat'><body>]]&gt;&lt;/stream&gt;</body></message>"
        ),
        format!(
            "<iq from='{from}' to='{room}' type='set' id='&apos;&lt;'><query xmlns='http://jabber.org/protocol/muc#admin'><item nick='&lt;x&gt;' role='none'/></query></iq>"
        ),
        format!("<iq from='{from}' to='{room}' type='get' id='i'/>"),
        format!("<iq from='{from}' to='{room}' type='result' id='i'><a xmlns='b'/></iq>"),
        format!("<other from='{from}' to='{room}'/>"),
        "<message to='nobody'/>".to_owned(),
        format!(
            "<message from='{from}' to='{room}'><x xmlns='http://jabber.org/protocol/muc#user'><invite to='&lt;'/></x></message>"
        ),
    ] {
        white.sends_text(super::GAMES, &odd).await;
    }
    // Nicknames and words of all kinds are told as they are.
    let mut eve = fake.person("eve@chess.example/1");
    eve.joins(&room, "Eve").await;
    let mut ann = fake.person("ann@chess.example/<1>&'\"");
    ann.joins(&room, "<Ann>&'\"").await;
    let came = eve.hears("her", |one| nick(one) == "<Ann>&'\"").await;
    assert_eq!(came.name(), "presence");
    white.moves("e4").await;
    black.told("move").await;
    let game = server
        .nobody()
        .get("/v1/games?state=ACTIVE")
        .await
        .expect(200);
    assert_eq!(
        game["games"].as_array().map(Vec::len),
        Some(1),
        "{}",
        json!(game)
    );
    assert_eq!(fake.connections(), 2, "both are the first ones");
}
