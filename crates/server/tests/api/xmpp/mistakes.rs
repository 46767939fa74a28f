//! Whatever people send, the connection that all of them share goes on.

use std::time::Duration;

use server::doors::xmpp::element::Element;
use tokio::time::sleep;

use super::fake::{ARBITER, GAME, done, iq, own, refused};
use super::{COACH, JACK, a_move, begun, joined};

#[tokio::test]
async fn a_connection_that_is_given_up_is_not_counted() {
    let (mut server, _fake) = joined().await;
    let app = server.running().app().clone();
    while app.components.counts()[0] < 2 {
        sleep(Duration::from_millis(10)).await;
    }
    server.stop().await;
    assert_eq!(app.components.counts()[0], 0);
}

#[tokio::test]
async fn a_refusal_has_the_fitting_condition_and_our_code() {
    let (_server, fake) = joined().await;
    let game = begun(&fake).await;
    let cases = [
        (COACH, a_move("e7e5"), "unexpected-request", "wrong_turn"),
        (JACK, a_move("e2e5"), "not-acceptable", "illegal_move"),
        (JACK, a_move("nonsense"), "bad-request", "bad_move"),
        (JACK, a_move(""), "bad-request", "bad_move"),
        (
            JACK,
            a_move("e4").with("ply", "9"),
            "unexpected-request",
            "ply_ahead",
        ),
        (JACK, own("dance"), "bad-request", "bad_request"),
        (
            JACK,
            Element::new("move", "urn:x").text("e4"),
            "bad-request",
            "bad_request",
        ),
        (
            JACK,
            own("draw").with("decline", "1"),
            "unexpected-request",
            "no_offer",
        ),
        (
            JACK,
            own("addtime").with("seconds", "7000"),
            "bad-request",
            "bad_request",
        ),
        (JACK, own("claim"), "unexpected-request", "not_yet"),
        (JACK, own("rematch"), "not-allowed", "not_allowed"),
        (
            "eve@x.example/e",
            own("resign"),
            "forbidden",
            "not_a_player",
        ),
    ];
    for (number, (from, command, condition, code)) in cases.into_iter().enumerate() {
        let shown = command.write();
        let answer = fake
            .plays(from, &format!("r{number}"), &game, command)
            .await;
        let expected = (condition.to_owned(), code.to_owned());
        assert_eq!(refused(&answer), expected, "{shown}");
    }
    let unknown = fake.plays(JACK, "u", "999", own("resign")).await;
    assert_eq!(
        refused(&unknown),
        ("item-not-found".into(), "game_not_found".into())
    );
    let other = fake.plays(JACK, "v", "Ab3fK9xQ", own("resign")).await;
    assert_eq!(refused(&other).1, "game_not_found");
    let wrong_clock = own("create").with("time", "99999999");
    let answer = fake.asks(JACK, "w", wrong_clock).await;
    assert_eq!(
        refused(&answer),
        ("not-acceptable".into(), "bad_time_control".into())
    );
}

#[tokio::test]
async fn what_is_no_command_is_not_understood() {
    let (_server, fake) = joined().await;
    let get = iq(JACK, "1", Element::new("game", GAME).child(own("resign"))).with("type", "get");
    fake.give(&get);
    assert_eq!(refused(&fake.answer(JACK, "1").await).1, "bad_request");
    let unknown = [
        iq(JACK, "2", Element::new("query", "jabber:iq:roster")),
        iq(JACK, "3", Element::new("game", "urn:other")),
        iq(JACK, "4", own("resign")),
        iq(JACK, "5", own("game").child(own("resign"))).with("to", format!("ann@{ARBITER}")),
    ];
    for (number, question) in (2..).zip(unknown) {
        fake.give(&question);
        let answer = fake.answer(JACK, &number.to_string()).await;
        assert_eq!(
            refused(&answer),
            ("service-unavailable".into(), String::new())
        );
    }
    // Nobody answers answers, nor what has no sender, nor presence.
    for kind in ["result", "error"] {
        fake.give(&iq(JACK, "6", Element::new("game", GAME)).with("type", kind));
    }
    fake.give(
        &Element::core("presence")
            .with("to", ARBITER)
            .with("from", JACK),
    );
    fake.give(&Element::core("iq").with("to", ARBITER).with("type", "set"));
    fake.give(
        &Element::core("iq")
            .with("to", ARBITER)
            .with("from", "@@")
            .with("type", "set"),
    );
    fake.give(
        &Element::new("sasl", "urn:x")
            .with("to", ARBITER)
            .with("from", JACK),
    );
    let ping = iq(JACK, "7", Element::new("ping", "urn:xmpp:ping")).with("type", "get");
    fake.give(&ping);
    done(&fake.answer(JACK, "7").await);
    assert_eq!(fake.left(|_| true), 0);
}

#[tokio::test]
async fn huge_and_deep_stanzas_are_refused_and_nothing_else_ends() {
    let (_server, fake) = joined().await;
    begun(&fake).await;
    let huge = iq(JACK, "1", own("game").child(a_move(&"e".repeat(70_000))));
    fake.give(&huge);
    let expected = ("policy-violation".to_owned(), "too_large".to_owned());
    assert_eq!(refused(&fake.answer(JACK, "1").await), expected);
    let value = iq(JACK, "2", own("game").with("id", "9".repeat(300_000)));
    fake.give(&value);
    assert_eq!(refused(&fake.answer(JACK, "2").await), expected);
    let mut deep = own("move");
    for _ in 0..100 {
        deep = own("game").child(deep);
    }
    fake.give(&iq(JACK, "3", deep));
    assert_eq!(refused(&fake.answer(JACK, "3").await), expected);
    done(&fake.asks(JACK, "4", a_move("e4")).await);
}

#[tokio::test]
async fn whatever_is_in_a_stanza_the_answer_is_well_formed() {
    let (_server, fake) = joined().await;
    // The fake server insists on XML, or it panics.
    let odd = "]]><iq/>'\"&\u{1}\u{fffe}\r\n\t";
    for (number, command) in [
        a_move(odd),
        own("create").with("variant", odd),
        own("link").with("code", odd),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("{number}'\"<>&");
        let answer = fake.asks(JACK, &id, command).await;
        assert_eq!(answer.attr("type"), Some("error"), "{}", answer.write());
    }
    let resource = "metajack@chesspark.com/<'\"&>";
    let answer = fake.asks(resource, "1", own("resign")).await;
    assert_eq!(refused(&answer).1, "game_not_found");
}

#[tokio::test]
async fn many_at_once_are_answered_in_the_order_they_were_sent() {
    let (_server, fake) = joined().await;
    begun(&fake).await;
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for (number, text) in moves.into_iter().cycle().take(7).enumerate() {
        let player = if number % 2 == 0 { JACK } else { COACH };
        done(&fake.asks(player, &number.to_string(), a_move(text)).await);
    }
    for number in 0..40 {
        let id = format!("q{number}");
        let question = own("game").child(own("draw").with("decline", "1"));
        fake.give(&iq(JACK, &id, question));
    }
    for number in 0..40 {
        let next = fake.hears(|stanza| stanza.attr("to") == Some(JACK)).await;
        assert_eq!(next.attr("id"), Some(format!("q{number}").as_str()));
    }
}
