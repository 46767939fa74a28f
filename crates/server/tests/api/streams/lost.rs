//! What is lost on the way is told again, though nothing else happens.

use live::room::Loss;
use server::rooms::{News, What};

use crate::client::Server;

/// Nothing of the next game is in the finished one: looking there is not enough.
#[tokio::test]
async fn those_at_a_finished_game_are_told_again_of_the_rematch() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut watcher = server.nobody().watches(&id).await;
    black.asks(&id, "resign").await.expect(200);
    let offered = white.asks(&id, "offer-rematch").await.expect(200);
    let rematch = |told: serde_json::Value| (told["game_id"].clone(), told["accepted"].clone());
    let first = rematch(watcher.hears("REMATCH").await);
    assert_eq!(first, (offered["id"].clone(), false.into()));
    let rooms = server.running().app().rooms.clone();
    rooms.all().lost(id.parse().expect("an id"), Loss::Full);
    assert_eq!(rematch(watcher.hears("REMATCH").await), first);
}

/// A game that is over waits for nobody, so the list of what waits lacks it.
#[tokio::test]
async fn an_account_learns_of_an_end_it_was_not_told_of() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut account = white.listens("/v1/stream").await;
    account.hears("YOUR_TURN").await;
    black.asks(&id, "resign").await.expect(200);
    let told = account.hears("GAME_OVER").await;
    let app = server.running().app().clone();
    let player = app.auth.person_by_name(&white.id).await;
    let player = player.expect("the store answers").expect("a guest").number;
    let look = News::of(What::Look(id.parse().expect("an id"), None));
    app.rooms.feeds().tell(player, look);
    assert_eq!(account.hears("GAME_OVER").await, told);
}
