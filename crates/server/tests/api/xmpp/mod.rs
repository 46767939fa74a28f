//! The Chesspark door: what an XMPP server hands to it, and what it answers.
//!
//! The XMPP server is one of the tests' own, which speaks XEP-0114 and nothing else; a real
//! one is in a stage of `make test` of its own.

pub(crate) mod fake;
mod meeting;
mod mistakes;
mod rooms;

use server::doors::xmpp::element::Element;
use store::TableId;

use self::fake::{ARBITER, Fake, done, game_in, iq, own, refused};
use crate::client::Server;

pub(crate) const JACK: &str = "metajack@chesspark.com/cpc";
pub(crate) const COACH: &str = "trainer@chesspark.com/x";

/// A server that has joined an XMPP server.
pub(crate) async fn joined() -> (Server, Fake) {
    let fake = Fake::start().await;
    let server = Server::start_with(fake.joined_by()).await;
    fake.both().await;
    (server, fake)
}

/// A game of half an hour, begun; the first has White.
pub(crate) async fn begun(fake: &Fake) -> String {
    let create = own("create").with("time", "1800");
    let game = game_in(&fake.asks(JACK, "c1", create).await);
    let joined = fake.plays(COACH, "a1", &game, own("accept")).await;
    assert_eq!(game_in(&joined), game);
    game
}

/// What other doors call it.
pub(crate) fn id_of(game: &str) -> String {
    let number = game.parse().expect("a number");
    let id = TableId::from_number(number).expect("a game's number");
    id.to_string()
}

pub(crate) fn a_move(text: &str) -> Element {
    own("move").text(text)
}

#[tokio::test]
async fn two_players_play_with_the_seed_s_stanzas() {
    let (server, fake) = joined().await;
    let game = begun(&fake).await;
    // To the letter, white space and all, and without a number: it is the only game.
    let seed = "<iq to='arbiter.chesspark.com' from='metajack@chesspark.com/cpc' \n\
                type='set' id='move1'>\n\
                <game xmlns='http://onlinegamegroup.com/xml/chesspark-01'>\n\
                <move>e2e4</move>\n</game>\n</iq>";
    fake.give_text(ARBITER, seed.into());
    let result = fake.answer(JACK, "move1").await;
    let expected = Element::core("iq")
        .with("from", ARBITER)
        .with("to", JACK)
        .with("type", "result")
        .with("id", "move1");
    assert_eq!(result, expected);
    let moves = [(COACH, "e5"), (JACK, "Bc4"), (COACH, "b8c6"), (JACK, "Qh5")];
    for (number, (player, text)) in moves.into_iter().enumerate() {
        done(&fake.asks(player, &format!("m{number}"), a_move(text)).await);
    }
    done(&fake.plays(COACH, "m5", &game, a_move("Nf6")).await);
    let last = a_move(" h5f7\n").with("ply", "7");
    done(&fake.plays(JACK, "m6", &game, last).await);
    let seen = server.nobody().game(&id_of(&game)).await;
    assert_eq!(
        (&seen["result"], &seen["reason"]),
        (&"white_wins".into(), &"checkmate".into())
    );
    assert_eq!(
        (&seen["white"], &seen["black"]),
        (&"metajack".into(), &"trainer".into())
    );
    assert_eq!(seen["ply"], 7);
}

#[tokio::test]
async fn one_plays_by_xmpp_and_the_other_in_a_browser() {
    let (server, fake) = joined().await;
    let ann = server.registered("Ann").await;
    let challenge = own("challenge")
        .with("to", format!("ann@{ARBITER}"))
        .with("time", "300");
    let game = game_in(&fake.asks(JACK, "c", challenge).await);
    let id = id_of(&game);
    ann.post(&format!("/v1/games/{id}/join"), serde_json::json!({}))
        .await
        .expect(200);
    done(&fake.asks(JACK, "1", a_move("e4")).await);
    ann.plays(&id, "e7e5").await.expect(200);
    done(&fake.asks(JACK, "2", own("draw")).await);
    ann.asks(&id, "accept-draw").await.expect(200);
    let seen = ann.game(&id).await;
    assert_eq!(seen["result"], "draw");
}

#[tokio::test]
async fn every_command_does_what_it_says() {
    let (server, fake) = joined().await;
    let game = begun(&fake).await;
    let (id, nobody) = (id_of(&game), server.nobody());
    done(&fake.asks(JACK, "1", a_move("e2e4")).await);
    done(&fake.asks(COACH, "2", a_move("e7e5")).await);
    done(
        &fake
            .asks(JACK, "3", own("addtime").with("seconds", "30"))
            .await,
    );
    done(&fake.asks(JACK, "4", own("draw")).await);
    done(
        &fake
            .asks(COACH, "5", own("draw").with("decline", "1"))
            .await,
    );
    done(&fake.asks(COACH, "6", own("takeback")).await);
    done(&fake.asks(JACK, "7", own("takeback")).await);
    assert_eq!(nobody.game(&id).await["ply"], 1);
    done(&fake.asks(COACH, "8", own("pause")).await);
    done(&fake.asks(JACK, "9", own("pause")).await);
    assert_eq!(nobody.game(&id).await["state"], "PAUSED");
    done(&fake.asks(JACK, "10", own("resume")).await);
    done(&fake.asks(COACH, "11", own("resume")).await);
    done(&fake.asks(COACH, "12", own("resign")).await);
    assert_eq!(nobody.game(&id).await["result"], "white_wins");
    let rematch = game_in(&fake.plays(JACK, "13", &game, own("rematch")).await);
    let declined = own("rematch").with("decline", "1");
    done(&fake.plays(COACH, "14", &game, declined).await);
    assert_eq!(nobody.game(&id_of(&rematch)).await["state"], "COMPLETED");
    let again = game_in(&fake.plays(COACH, "15", &game, own("rematch")).await);
    let begun = game_in(&fake.plays(JACK, "16", &game, own("rematch")).await);
    assert_eq!(again, begun);
    done(&fake.asks(JACK, "17", own("abort")).await);
    assert_eq!(nobody.game(&id_of(&begun)).await["result"], "aborted");
}

#[tokio::test]
async fn what_is_sent_again_is_done_once_and_answered_again() {
    let (mut server, fake) = joined().await;
    let game = begun(&fake).await;
    let first = fake.asks(JACK, "m", a_move("e2e4")).await;
    assert_eq!(fake.asks(JACK, "m", a_move("e2e4")).await, first);
    done(&fake.asks(COACH, "m", a_move("e7e5")).await);
    // The same id with another payload is another command.
    done(&fake.asks(JACK, "m", a_move("g1f3")).await);
    let refusal = fake.asks(JACK, "n", a_move("f3g5")).await;
    assert_eq!(refused(&refusal).1, "wrong_turn");
    done(&fake.asks(COACH, "o", a_move("b8c6")).await);
    assert_eq!(
        fake.asks(JACK, "n", a_move("f3g5")).await,
        refusal,
        "as the first time"
    );
    // From another resource it is another command.
    done(
        &fake
            .asks("metajack@chesspark.com/phone", "n", a_move("f3g5"))
            .await,
    );
    // A server that was away in between knows what it did.
    server.restart().await;
    fake.cut();
    fake.both().await;
    done(&fake.asks(JACK, "m", a_move("g1f3")).await);
    assert_eq!(server.nobody().game(&id_of(&game)).await["ply"], 5);
    let create = own("create").with("time", "60");
    let made = game_in(&fake.asks(JACK, "c", create.clone()).await);
    server.restart().await;
    fake.cut();
    fake.both().await;
    assert_eq!(game_in(&fake.asks(JACK, "c", create).await), made);
}

#[tokio::test]
async fn a_connection_that_is_lost_is_made_again() {
    let (_server, fake) = joined().await;
    let _game = begun(&fake).await;
    for id in ["1", "2"] {
        fake.cut();
        fake.both().await;
        let answer = fake.asks(COACH, id, a_move("e7e5")).await;
        assert_eq!(refused(&answer).1, "wrong_turn");
    }
}

#[tokio::test]
async fn the_arbiter_says_what_it_is_and_answers_pings() {
    let (_server, fake) = joined().await;
    let ask = |id: &str, payload: Element| {
        let question = iq(JACK, id, payload).with("type", "get");
        fake.give(&question);
    };
    ask("p", Element::new("ping", "urn:xmpp:ping"));
    done(&fake.answer(JACK, "p").await);
    const INFO: &str = "http://jabber.org/protocol/disco#info";
    ask("i", Element::new("query", INFO));
    let info = fake.answer(JACK, "i").await;
    let query = info.get("query", INFO).expect("a query");
    let identity = query.get("identity", INFO).expect("an identity");
    assert_eq!(identity.attr("category"), Some("component"));
    assert_eq!(identity.attr("type"), Some("generic"));
    assert_eq!(identity.attr("name"), Some("Arbiter"));
    let features: Vec<_> = query.elements().filter_map(|e| e.attr("var")).collect();
    assert!(features.contains(&fake::GAME), "{features:?}");
    const ITEMS: &str = "http://jabber.org/protocol/disco#items";
    ask("j", Element::new("query", ITEMS));
    let items = fake.answer(JACK, "j").await;
    assert_eq!(
        items.get("query", ITEMS).map(|q| q.elements().count()),
        Some(0)
    );
}
