//! How players find each other, and who they are.

use std::time::Duration;

use serde_json::json;
use server::doors::xmpp::element::Element;

use super::fake::{ARBITER, GAME, GAMES, done, game_in, own, refused};
use super::{COACH, JACK, a_move, id_of, joined};

#[tokio::test]
async fn a_challenge_is_told_and_taken_up_or_not() {
    let (server, fake) = joined().await;
    let challenge = own("challenge")
        .with("to", "trainer@chesspark.com")
        .with("time", "1800")
        .with("side", "white");
    let nobody = fake.asks(JACK, "1", challenge.clone()).await;
    assert_eq!(
        refused(&nobody),
        ("item-not-found".into(), "not_found".into())
    );
    // Whoever was here once can be challenged.
    let seen = fake.asks(COACH, "1", own("resign")).await;
    assert_eq!(refused(&seen).1, "game_not_found");
    let game = game_in(&fake.asks(JACK, "2", challenge.clone()).await);
    let told = fake.hears(|stanza| stanza.name() == "message").await;
    let expected = Element::core("message")
        .with("from", ARBITER)
        .with("to", "trainer@chesspark.com")
        .child(
            own("game")
                .with("id", game.as_str())
                .with("room", format!("{game}@{GAMES}"))
                .with("white", "metajack@chesspark.com")
                .child(
                    own("challenge")
                        .with("from", "metajack@chesspark.com")
                        .with("to", "trainer@chesspark.com")
                        .with("side", "black")
                        .with("time", "1800")
                        .with("increment", "0")
                        .with("variant", "standard")
                        .with("rated", "0"),
                ),
        )
        .child(Element::core("body").text(format!("metajack challenges you: {game}@{GAMES}")));
    assert_eq!(told, expected, "{}", told.write());
    let decline = own("challenge").with("decline", "1");
    done(&fake.plays(COACH, "2", &game, decline).await);
    let other = game_in(&fake.asks(JACK, "3", challenge).await);
    let stranger = fake
        .plays("eve@chesspark.com/e", "1", &other, own("accept"))
        .await;
    assert_eq!(
        refused(&stranger),
        ("forbidden".into(), "not_invited".into())
    );
    game_in(&fake.plays(COACH, "3", &other, own("accept")).await);
    done(&fake.asks(JACK, "4", a_move("d4")).await);
    assert_eq!(server.nobody().game(&id_of(&other)).await["ply"], 1);
}

#[tokio::test]
async fn an_open_game_is_joined_by_its_code_and_withdrawn_by_its_maker() {
    let (server, fake) = joined().await;
    let ann = server.registered("ann").await;
    let game = json!({ "time_control": { "initial_seconds": 300, "increment_seconds": 0 } });
    let made = ann.post("/v1/games", game).await.expect(201);
    let code = made["join_code"].as_str().expect("a code").to_lowercase();
    let wrong = fake
        .asks(JACK, "0", own("accept").with("code", "AAAAAA"))
        .await;
    assert_eq!(refused(&wrong).1, "game_not_found");
    let joined = fake.asks(JACK, "1", own("accept").with("code", code)).await;
    assert_eq!(id_of(&game_in(&joined)), made["id"]);
    let own_game = game_in(&fake.asks(COACH, "1", own("create")).await);
    done(&fake.asks(COACH, "2", own("abort")).await);
    let gone = fake.plays(JACK, "2", &own_game, own("accept")).await;
    assert_eq!(refused(&gone).1, "game_not_waiting");
}

#[tokio::test]
async fn two_who_seek_the_same_find_each_other() {
    let (_server, fake) = joined().await;
    let seek = || own("seek").with("time", "300").with("increment", "3");
    let (jack, coach) = tokio::join!(fake.asks(JACK, "s", seek()), fake.asks(COACH, "s", seek()));
    assert_eq!(game_in(&jack), game_in(&coach));
    let busy = fake.asks(JACK, "t", seek()).await;
    assert_eq!(
        refused(&busy),
        ("conflict".into(), "active_game_exists".into())
    );
    let eve = "eve@chesspark.com/e";
    let begun = servers::now();
    fake.give(&super::iq(
        eve,
        "s",
        Element::new("game", GAME).child(seek()),
    ));
    // What is sent while one seeks does not wait for it.
    let other = fake.asks(eve, "r", own("resign")).await;
    assert_eq!(refused(&other).1, "game_not_found");
    done(&fake.asks(eve, "c", own("seek").with("cancel", "1")).await);
    let given_up = fake.answer(eve, "s").await;
    let expected = ("remote-server-timeout".into(), "no_opponent".into());
    assert_eq!(refused(&given_up), expected);
    // After 25 seconds it would be answered so in any case.
    let waited = servers::now() - begun;
    assert!(waited < Duration::from_secs(10), "{waited:?}");
}

#[tokio::test]
async fn a_local_account_is_linked_by_a_code_that_counts_once() {
    let (server, fake) = joined().await;
    let ann = server.registered("Ann").await;
    assert_eq!(
        ann.get("/v1/me/xmpp").await.expect(200),
        json!({ "jids": [] })
    );
    let asked = ann.post("/v1/me/xmpp", json!({})).await.expect(200);
    assert_eq!(asked["arbiter"], ARBITER);
    let code = asked["code"].as_str().expect("a code").to_owned();
    let link = |code: &str| own("link").with("code", code);
    let made_up = fake
        .asks(JACK, "0", link("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))
        .await;
    assert_eq!(refused(&made_up), ("forbidden".into(), "bad_code".into()));
    done(&fake.asks(JACK, "1", link(&code)).await);
    let again = fake.asks(COACH, "1", link(&code)).await;
    assert_eq!(refused(&again).1, "bad_code");
    let jids = json!({ "jids": ["metajack@chesspark.com"] });
    assert_eq!(ann.get("/v1/me/xmpp").await.expect(200), jids);
    let export = ann.get("/v1/me/export").await.expect(200);
    assert_eq!(export["identities"][0]["subject"], "metajack@chesspark.com");
    let create = || own("create").with("time", "60");
    let game = game_in(&fake.asks(JACK, "2", create()).await);
    assert_eq!(ann.game(&id_of(&game)).await["white"], "ann");
    ann.delete("/v1/me/xmpp/eve@chesspark.com")
        .await
        .refused(404, "not_found");
    ann.delete("/v1/me/xmpp/metajack@chesspark.com")
        .await
        .expect(204);
    let game = game_in(&fake.asks(JACK, "3", create()).await);
    assert_eq!(ann.game(&id_of(&game)).await["white"], "metajack");
    // What was spent stays so, though nobody is linked, as when the code was made.
    let replayed = fake.asks(COACH, "4", link(&code)).await;
    assert_eq!(refused(&replayed).1, "bad_code");
    // A code of before another change is none either.
    let older = ann.post("/v1/me/xmpp", json!({})).await.expect(200);
    let newer = ann.post("/v1/me/xmpp", json!({})).await.expect(200);
    let code_of = |asked: &serde_json::Value| asked["code"].as_str().expect("a code").to_owned();
    done(&fake.asks(JACK, "5", link(&code_of(&newer))).await);
    let stale = fake.asks(COACH, "5", link(&code_of(&older))).await;
    assert_eq!(refused(&stale).1, "bad_code");
    let guest = server.guest().await;
    guest
        .post("/v1/me/xmpp", json!({}))
        .await
        .refused(403, "not_for_guests");
}

#[tokio::test]
async fn a_name_that_is_taken_is_not_taken_over() {
    let (server, fake) = joined().await;
    let _jack = server.registered("metajack").await;
    let game = game_in(&fake.asks(JACK, "1", own("create")).await);
    let seen = server.nobody().game(&id_of(&game)).await;
    let name = seen["white"].as_str().expect("a name");
    assert!(name.starts_with("metajack-"), "{name}");
}

#[tokio::test]
async fn whoever_is_blocked_or_barred_is_forbidden() {
    let (server, fake) = joined().await;
    game_in(&fake.asks(JACK, "1", own("create")).await);
    let auth = &server.running().app().auth;
    let account = server.running().app().store.account_by_id("metajack");
    let account = account.await.expect("the store").expect("an account");
    auth.bar(account.number).await.expect("barred");
    let barred = fake.asks(JACK, "2", own("create")).await;
    assert_eq!(refused(&barred), ("forbidden".into(), "barred".into()));
    let blocked = store::OutsideIdentity {
        issuer: "xmpp:".into(),
        subject: "eve@chesspark.com".into(),
    };
    auth.block(blocked).await.expect("blocked");
    let eve = fake.asks("eve@chesspark.com/e", "1", own("create")).await;
    assert_eq!(refused(&eve).1, "barred");
}
