//! Draws by agreement over the wire.

use serde_json::{Value, json};

use super::guest::{Guest, Pair, order};
use crate::client::Server;

async fn does(guest: &Guest, id: &str, kind: &str) -> Value {
    guest.does(id, kind, json!({})).await
}

#[tokio::test]
async fn a_draw_is_offered_accepted_and_told_to_both() {
    let mut server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let Pair {
        white, black, id, ..
    } = &pair;
    pair.play("e2e4 e7e5").await;
    let mut streams = [white.follows(id).await, black.follows(id).await];
    for stream in &mut streams {
        assert_eq!(
            stream.next().await["snapshot"]["drawOfferedBy"],
            json!(null)
        );
    }
    let revision = white.sees(id).await["revision"].as_u64().expect("a number");
    let offer = does(white, id, "offerDraw").await;
    assert_eq!(offer["type"], "actionAccepted");
    assert_eq!(offer["revision"], revision + 1);
    let moved = white.plays(id, "g1f3").await;
    assert_eq!(moved["snapshot"]["drawOfferedBy"], "white");
    let action = black.action(id, "acceptDraw", json!({})).await;
    let accepted = black.sends(id, &action).await;
    let over = accepted.expect(200);
    assert_eq!(over["type"], "finished");
    let over = &over["snapshot"];
    assert_eq!(
        (&over["phase"], &over["drawOfferedBy"]),
        (&json!("finished"), &json!(null))
    );
    assert_eq!(over["status"]["kind"], "active");
    assert_eq!(over["outcome"]["kind"], "agreement");
    assert_eq!(over["outcome"]["winner"], json!(null));
    for stream in &mut streams {
        for (kind, by) in [
            ("actionAccepted", json!("white")),
            ("actionAccepted", json!("white")),
            ("finished", json!(null)),
        ] {
            let event = stream.next().await;
            assert_eq!(event["type"], kind);
            assert_eq!(event["snapshot"]["drawOfferedBy"], by);
        }
    }
    assert_eq!(black.sends(id, &action).await, accepted);
    drop(streams);
    server.restart().await;
    let pair = pair.again(&server);
    let outcome = pair.white.sees(id).await["outcome"].clone();
    assert_eq!(outcome, over["outcome"]);
}

#[tokio::test]
async fn an_offer_is_declined_lapses_or_is_answered_by_another() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let Pair {
        white, black, id, ..
    } = &pair;
    let none = json!({});
    white
        .fails(id, "offerDraw", none.clone(), "drawOfferTooSoon")
        .await;
    pair.play("e2e4 e7e5").await;
    for kind in ["acceptDraw", "declineDraw"] {
        black.fails(id, kind, none.clone(), "noDrawOffer").await;
    }
    // A move that was made before the offer was seen is not its answer.
    let unseen = white.action(id, "makeMove", order("g1f3", None)).await;
    does(black, id, "offerDraw").await;
    let refused = white.sends(id, &unseen).await.expect(200);
    assert_eq!(refused["rejectionReason"], "staleRevision");
    assert_eq!(refused["snapshot"]["drawOfferedBy"], "black");
    let lapsed = white.plays(id, "g1f3").await;
    assert_eq!(lapsed["snapshot"]["drawOfferedBy"], json!(null));
    black.fails(id, "offerDraw", none, "drawOfferTooSoon").await;
    does(white, id, "offerDraw").await;
    let declined = does(black, id, "declineDraw").await;
    assert_eq!(declined["type"], "actionAccepted");
    assert_eq!(declined["snapshot"]["drawOfferedBy"], json!(null));
    // Twenty half-moves after Black's offer.
    pair.black.plays(id, "g8f6").await;
    for _ in 0..4 {
        pair.play("f3g1 f6g8 g1f3 g8f6").await;
    }
    pair.play("f3g1 f6g8").await;
    does(black, id, "offerDraw").await;
    let agreed = does(white, id, "offerDraw").await;
    assert_eq!(agreed["snapshot"]["outcome"]["kind"], "agreement");
}
