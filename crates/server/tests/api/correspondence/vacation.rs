//! Vacation.

use serde_json::{Value, json};

use super::{by_days, days_between};
use crate::client::{Answer, Client, Server, blitz};

async fn goes(player: &Client, wish: Value) -> Answer {
    player.put("/v1/me/vacation", wish).await
}

#[tokio::test]
async fn a_vacation_stops_the_own_clock_in_all_slow_games_and_opponents_see_it() {
    let server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    let (other, _, not_his) = server.game(by_days()).await;
    let before = black.game(&id).await;
    assert_eq!(before["players"]["white"].get("vacation_until"), None);
    let set = goes(&white, json!({ "days": 7 })).await.expect(200);
    assert_eq!(
        (&set["on_vacation"], &set["days_used"], &set["days_left"]),
        (&json!(true), &json!(7), &json!(23))
    );
    let after = black.game(&id).await;
    assert_eq!(after["players"]["white"]["vacation_until"], set["until"]);
    let longer = days_between(&before["move_deadline"], &after["move_deadline"]);
    assert!((6.99..7.01).contains(&longer), "{longer} days");
    assert_eq!(after["state"], "ACTIVE");
    let log = black.log(&id).await;
    let told = log.last().expect("an event");
    assert_eq!(told["type"], "VACATION_BEGAN");
    assert_eq!(
        (&told["color"], &told["until"]),
        (&json!("white"), &set["until"])
    );
    assert_eq!(told["move_deadline"], after["move_deadline"]);
    let stranger = other.game(&not_his).await;
    assert_eq!(stranger["players"]["white"].get("vacation_until"), None);

    // Black's clock runs as ever; White may move all the same.
    white.plays(&id, "e4").await.expect(200);
    let game = black.game(&id).await;
    let left = days_between(&game["last_move_at"], &game["move_deadline"]);
    assert!((2.99..3.01).contains(&left), "{left} days");

    black.plays(&id, "e5").await.expect(200);
    let back = goes(&white, json!({ "until": null })).await.expect(200);
    assert_eq!(
        (&back["on_vacation"], &back["days_used"]),
        (&json!(false), &json!(1))
    );
    let game = black.game(&id).await;
    assert_eq!(game["players"]["white"].get("vacation_until"), None);
    let left = days_between(&game["last_move_at"], &game["move_deadline"]);
    assert!((2.99..3.01).contains(&left), "{left} days");
    assert_eq!(
        black.log(&id).await.last().expect("an event")["type"],
        "VACATION_ENDED"
    );
}

#[tokio::test]
async fn a_game_that_begins_meanwhile_knows() {
    let server = Server::start().await;
    let (white, black) = (server.guest().await, server.guest().await);
    goes(&white, json!({ "days": 5 })).await.expect(200);
    let game = white.post("/v1/games", by_days()).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    let mut watcher = black.watches(id).await;
    black.asks(id, "join").await.expect(200);
    assert_eq!(watcher.hears("VACATION_BEGAN").await["color"], "white");
    let left = days_between(
        &black.game(id).await["started_at"],
        &black.game(id).await["move_deadline"],
    );
    assert!((7.99..8.01).contains(&left), "{left} days");
}

#[tokio::test]
async fn a_vacation_costs_nothing_where_seconds_count() {
    let server = Server::start().await;
    let (white, black, id) = server.game(blitz()).await;
    goes(&white, json!({ "days": 5 })).await.expect(200);
    let log = black.log(&id).await;
    assert!(log.iter().all(|entry| entry["type"] != "VACATION_BEGAN"));
}

#[tokio::test]
async fn a_year_has_so_many_days_however_often_one_comes_and_goes() {
    let server = Server::start_with(|settings| settings.vacation_days = 3).await;
    let white = server.guest().await;
    let refused = goes(&white, json!({ "days": 366 })).await;
    assert_eq!(refused.refused(409, "no_vacation_left")["days_left"], 3);
    for used in 1..=3 {
        // The year may end within it: then it takes a day of the next one too.
        goes(&white, json!({ "days": 1 })).await.expect(200);
        let again = goes(&white, json!({ "days": 1 })).await.expect(200);
        assert_eq!(again["on_vacation"], true);
        let back = goes(&white, json!({ "until": null })).await.expect(200);
        assert_eq!(back["days_used"], used);
    }
    let refused = goes(&white, json!({ "days": 1 })).await;
    assert_eq!(refused.refused(409, "no_vacation_left")["days_left"], 0);
    let export = white.get("/v1/me/export").await.expect(200);
    assert_eq!(export["vacations"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn a_vacation_ends_with_a_whole_day_and_another_end_within_it_is_none() {
    let server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    let first = goes(&white, json!({ "days": 5 })).await.expect(200);
    let until = server::text_time::read_rfc3339(first["until"].as_str().expect("a time"));
    let log = black.log(&id).await;
    for earlier in 1..20 {
        let at = until.expect("a time").0 - earlier;
        let until = server::text_time::rfc3339(chess::Timestamp(at));
        let again = goes(&white, json!({ "until": until })).await.expect(200);
        assert_eq!(again["days_used"], first["days_used"]);
    }
    let since = black.log(&id).await.len() - log.len();
    // Unless the year ends within it: then the day does so earlier.
    assert!(since <= 1, "{since} changes for nothing");
    // A moment that is past is no end, however much of its day is left.
    let begin = json!({ "until": first["since"] });
    goes(&white, begin).await.refused(422, "bad_vacation");
}

#[tokio::test]
async fn ten_vacations_an_hour_are_enough_and_one_may_always_come_back() {
    let server = Server::start_with(|settings| settings.rate_limits = true).await;
    let white = server.guest().await;
    for change in 0..10 {
        let wish = json!({ "days": 5 + change % 2 });
        goes(&white, wish.clone()).await.expect(200);
        // What changes nothing does not count.
        goes(&white, wish).await.expect(200);
    }
    goes(&white, json!({ "days": 5 }))
        .await
        .refused(429, "rate_limited");
    let back = goes(&white, json!({ "until": null })).await.expect(200);
    assert_eq!(back["on_vacation"], false);
}

#[tokio::test]
async fn a_wish_is_understood_or_named() {
    let server = Server::start().await;
    let white = server.guest().await;
    for wish in [
        json!({}),
        json!({ "days": 0 }),
        json!({ "days": 5, "until": null }),
        json!({ "until": "tomorrow" }),
    ] {
        goes(&white, wish).await.refused(400, "bad_request");
    }
    let past = json!({ "until": "2001-01-01T00:00:00Z" });
    goes(&white, past).await.refused(422, "bad_vacation");
    goes(&white, json!({ "until": null })).await.expect(200);
    let none = Server::start_with(|settings| settings.vacation_days = 0).await;
    let nobody = none.guest().await;
    goes(&nobody, json!({ "days": 1 }))
        .await
        .refused(409, "not_allowed");
    let shown = nobody.get("/v1/me/vacation").await.expect(200);
    assert_eq!(shown["days_left"], 0);
}
