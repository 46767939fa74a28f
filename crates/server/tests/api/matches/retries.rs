//! An action is done once, however often it is sent.

use serde_json::json;

use super::guest::{Pair, order};
use crate::client::Server;

#[tokio::test]
async fn a_repeated_action_is_answered_as_the_first_time() {
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
    assert_eq!(white.sends(id, &action).await, first);
    let resigns = black.action(id, "resign", json!({})).await;
    let last = black.sends(id, &resigns).await;
    assert_eq!(last.expect(200)["type"], "finished");
    assert_eq!(black.sends(id, &resigns).await, last);
    assert_eq!(white.sends(id, &action).await, first);
    assert_eq!(
        white.sees(id).await["board"]["moveHistory"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    // The other side's ids are its own.
    let mut same = resigns.clone();
    same["actorID"] = json!(white.id);
    let refused = white.sends(id, &same).await.expect(200);
    assert_eq!(refused["rejectionReason"], "staleRevision");
    server.restart().await;
    let pair = pair.again(&server);
    let again = pair.white.sends(id, &action).await.expect(200);
    assert_eq!(again["id"], first.expect(200)["id"]);
    assert_eq!(
        again["snapshot"]["board"],
        first.expect(200)["snapshot"]["board"]
    );
}
