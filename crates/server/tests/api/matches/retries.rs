//! An action is done once, however often it is sent.

use serde_json::{Value, json};

use super::guest::{Pair, order};
use crate::client::Server;

#[tokio::test]
async fn a_repeated_action_is_answered_with_the_latest_snapshot() {
    let mut server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let Pair {
        white, black, id, ..
    } = &pair;
    // Who is there does not change meanwhile.
    let _streams = [white.follows(id).await, black.follows(id).await];
    let action = white.action(id, "makeMove", order("e2e4", None)).await;
    let first = white.sends(id, &action).await;
    assert_eq!(first.expect(200)["type"], "actionAccepted");
    assert_eq!(white.sends(id, &action).await, first);
    black.plays(id, "e7e5").await;
    let is_accepted_now = |again: &Value, seen: &Value| {
        assert_eq!(again["type"], "actionAccepted");
        assert_eq!(again["actionID"], action["id"]);
        assert_eq!(again["revision"], seen["revision"]);
        assert_eq!(again["snapshot"], *seen);
    };
    let again = white.sends(id, &action).await.expect(200);
    is_accepted_now(&again, &white.sees(id).await);
    assert_eq!(
        again["snapshot"]["board"]["moveHistory"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    let resigns = black.action(id, "resign", json!({})).await;
    let last = black.sends(id, &resigns).await;
    assert_eq!(last.expect(200)["type"], "finished");
    assert_eq!(black.sends(id, &resigns).await, last);
    // The move did not finish the match, though it is over by now.
    let again = white.sends(id, &action).await.expect(200);
    is_accepted_now(&again, &white.sees(id).await);
    assert_eq!(again["snapshot"]["phase"], "finished");
    // The other side's ids are its own.
    let mut same = resigns.clone();
    same["actorID"] = json!(white.id);
    let refused = white.sends(id, &same).await.expect(200);
    assert_eq!(refused["rejectionReason"], "staleRevision");
    server.restart().await;
    let pair = pair.again(&server);
    let again = pair.white.sends(id, &action).await.expect(200);
    is_accepted_now(&again, &pair.white.sees(id).await);
    let moves = &again["snapshot"]["board"]["moveHistory"];
    assert_eq!(moves.as_array().map(Vec::len), Some(2));
}
