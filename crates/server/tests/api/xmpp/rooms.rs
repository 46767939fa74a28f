//! What one occupant can do to the others in a room of XMPP, and what not.

use server::doors::xmpp::element::Element;

use crate::xmpp_rooms::{GAMES, Person, stage_with, state, two_players};

const ITEMS: &str = "http://jabber.org/protocol/disco#items";

fn renamed(room: &str, nick: &str) -> Element {
    Element::core("presence").with("to", format!("{room}/{nick}"))
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
