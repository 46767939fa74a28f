//! Letters about games, and how they are ended.

use serde_json::{Value, json};

use super::{Post, choose, header, path, settings};

/// What letters to an address are about, besides the question whether it is theirs.
fn subjects(letters: &[Value]) -> Vec<&str> {
    let subjects = letters.iter().map(|letter| header(letter, "subject"));
    subjects.skip(1).collect()
}

#[tokio::test]
async fn a_player_is_written_to_about_games_that_count_days() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.confirmed("Ann", "ann@games.example").await;
    let bob = post.server.registered("Bob").await;
    // No letter is written about a game with a clock.
    let blitz = json!({
        "time_control": { "initial_seconds": 300, "increment_seconds": 0 }, "opponent_id": ann.id,
    });
    bob.post("/v1/games", blitz).await.expect(201);
    let id = post.challenge(&bob, &ann).await;
    let letters = post.letters("ann@games.example", 2).await;
    assert_eq!(header(&letters[1], "subject"), "Bob challenges you");
    ann.asks(&id, "join").await.expect(200);
    bob.plays(&id, "e4").await.expect(200);
    let letters = post.letters("ann@games.example", 3).await;
    let letter = &letters[2];
    assert_eq!(header(letter, "subject"), "Your move against Bob");
    let text = letter["text"].as_str().expect("a text");
    let html = letter["html"].as_str().expect("HTML");
    assert!(text.contains(&format!("/game/{id}")) && html.contains(&format!("/game/{id}")));
    assert!(header(letter, "message-id").ends_with("@chess.example>"));
    bob.asks(&id, "resign").await.expect(200);
    let letters = post.letters("ann@games.example", 4).await;
    let about = subjects(&letters);
    let over = "Your game against Bob is over";
    assert_eq!(about, ["Bob challenges you", "Your move against Bob", over]);
    let text = letters[3]["text"].as_str().expect("a text");
    assert!(text.contains("you won by resignation"), "{text}");
}

#[tokio::test]
async fn letters_are_ended_by_one_click_of_whoever_has_them() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.confirmed("ann", "ann@ended.example").await;
    let cleo = post.confirmed("cleo", "cleo@ended.example").await;
    let bob = post.server.registered("bob").await;
    choose(&ann, json!({ "challenge": { "email": false } }))
        .await
        .expect(200);
    let id = post.game(&bob, &ann).await;
    bob.plays(&id, "e4").await.expect(200);
    let letters = post.letters("ann@ended.example", 2).await;
    let letter = &letters[1];
    let link = header(letter, "list-unsubscribe");
    let link = link.trim_start_matches('<').trim_end_matches('>');
    let one_click = header(letter, "list-unsubscribe-post");
    assert_eq!(one_click, "List-Unsubscribe=One-Click");
    let nobody = post.server.nobody();
    let email = async |kind: &str| settings(&ann).await[kind]["email"].clone();
    // Whoever only follows the link ends nothing.
    let page = nobody.get(path(link)).await;
    assert!(page.text.contains("<button>"), "{}", page.text);
    assert_eq!(email("your_turn").await, true);
    // Nobody can make a link for somebody else, or for something else.
    let me = cleo.get("/v1/me").await.expect(200);
    let uuid = me["uuid"].as_str().expect("a UUID").replace('-', "");
    let (before, code) = link.split_once("code=").expect("a code");
    let forged = format!("{before}code={uuid}{}", &code[32..]);
    assert_eq!(nobody.post(path(&forged), json!({})).await.status, 403);
    let other = link.replace("your_turn", "game_over");
    assert_eq!(nobody.post(path(&other), json!({})).await.status, 403);
    assert_eq!(settings(&cleo).await["your_turn"]["email"], true);
    assert_eq!(email("game_over").await, true);
    // As a mail program does it.
    let form = "application/x-www-form-urlencoded";
    let sent = nobody.http.post(link).header("content-type", form);
    let sent = sent.body(one_click.to_owned()).send().await;
    assert_eq!(sent.expect("it answers").status().as_u16(), 200);
    assert_eq!(email("your_turn").await, false);
    assert_eq!(email("game_over").await, true);
    ann.plays(&id, "e5").await.expect(200);
    bob.plays(&id, "Nf3").await.expect(200);
    bob.asks(&id, "resign").await.expect(200);
    let letters = post.letters("ann@ended.example", 3).await;
    let last = header(&letters[2], "subject");
    assert_eq!(
        last, "Your game against bob is over",
        "and nothing before it"
    );
}

#[tokio::test]
async fn what_waited_through_quiet_hours_comes_in_one_letter() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.confirmed("ann", "ann@quiet.example").await;
    let bob = post.server.registered("bob").await;
    let no_challenges = json!({ "email": false });
    // All day but for a minute that was a while ago.
    let now = chess::pgn::Utc::from(post.server.running().app().wall());
    let minute = (u32::from(now.hour) * 60 + u32::from(now.minute) + 720) % 1_440;
    let clock = |minute: u32| format!("{:02}:{:02}", minute / 60 % 24, minute % 60);
    let quiet = json!({
        "challenge": no_challenges,
        "quiet_hours": { "from": clock(minute + 1), "to": clock(minute) },
    });
    choose(&ann, quiet).await.expect(200);
    let mut stream = ann.listens("/v1/stream").await;
    let mut games = Vec::new();
    for _ in 0..3 {
        let id = post.game(&bob, &ann).await;
        bob.plays(&id, "e4").await.expect(200);
        // What is heard here was written down with what is to be sent.
        stream.is_notified("your_turn", &id).await;
        games.push(id);
    }
    choose(&ann, json!({ "challenge": no_challenges }))
        .await
        .expect(200);
    let id = post.game(&bob, &ann).await;
    bob.plays(&id, "d4").await.expect(200);
    games.push(id);
    let letters = post.letters("ann@quiet.example", 2).await;
    assert_eq!(subjects(&letters), ["4 games wait for your move"]);
    let text = letters[1]["text"].as_str().expect("a text");
    for game in &games {
        assert!(text.contains(&format!("/game/{game}")), "{text}");
    }
}
