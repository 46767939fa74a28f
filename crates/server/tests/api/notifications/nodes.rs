//! Two nodes on one database: of what happens at either everybody is told once, wherever
//! they listen. Where PostgreSQL or NATS is not installed there is nothing to test.

use serde_json::json;

use super::{Post, choose, header};

async fn two() -> Option<[Post; 2]> {
    let (store, bus) = (servers::postgres()?, servers::shared_nats()?);
    let start = async || {
        let share = |settings: &mut server::settings::Settings| {
            (settings.store, settings.bus) = (store.clone(), bus.clone());
        };
        Post::start_with(share).await
    };
    Some([start().await?, start().await?])
}

#[tokio::test]
async fn everybody_is_told_once_wherever_they_listen() {
    let Some([here, there]) = two().await else {
        return;
    };
    let ann = here.confirmed("ann", "ann@nodes.example").await;
    let bob = here.server.registered("bob").await;
    choose(&ann, json!({ "challenge": { "email": false } }))
        .await
        .expect(200);
    let mut streams = [
        ann.listens("/v1/stream").await,
        there.server.again(&ann).listens("/v1/stream").await,
    ];
    let id = there.game(&there.server.again(&bob), &ann).await;
    bob.plays(&id, "e4").await.expect(200);
    for stream in &mut streams {
        stream.is_notified("your_turn", &id).await;
    }
    let turn = here.letters("ann@nodes.example", 2).await;
    assert_eq!(header(&turn[1], "subject"), "Your move against bob");
    there
        .server
        .again(&bob)
        .asks(&id, "resign")
        .await
        .expect(200);
    for stream in &mut streams {
        stream.is_notified("game_over", &id).await;
    }
    let letters = here.letters("ann@nodes.example", 3).await;
    assert_eq!(letters.len(), 3);
    let store = &here.server.running().app().store;
    let number = here.server.running().app().auth.person_by_name("ann").await;
    let number = number.expect("the store answers").expect("Ann").number;
    let told = store.streamed_notifications(number, 0, 100).await;
    let told = told.expect("the store answers");
    let turns = told.iter().filter(|told| told.what.kind == "your_turn");
    assert_eq!(turns.count(), 1);
}
