//! Every door and every other: what is done at one is told at the other.
//!
//! A door that is new implements [`Door`] and is put into [`all`]; every test here then has it.

mod lichess;
mod live_game;
mod mcp;
mod native;
mod skill_chess;
mod xmpp;

use futures_util::future::LocalBoxFuture;

use crate::client::{Client, Server};
use crate::live_game::player::Player;
use crate::xmpp::fake::Fake;
use crate::xmpp::joined;

/// What is done in a game, in the order of the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// The first challenges the second, to play five minutes with White.
    Create,
    /// The second joins.
    Join,
    /// The first moves e2e4.
    Move,
    /// The first offers a draw, when both have moved.
    Offer,
    /// The first says [`LINE`].
    Chat,
    /// The first resigns.
    Resign,
}

impl Deed {
    const ALL: [Deed; 6] = [
        Deed::Create,
        Deed::Join,
        Deed::Move,
        Deed::Offer,
        Deed::Chat,
        Deed::Resign,
    ];
}

/// What is said.
pub(crate) const LINE: &str = "good luck";

/// A way in, as its clients use it. Games are named by the id of the native door.
pub(crate) trait Door {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Whether its clients can do this, and be told of it.
    fn knows(&self, deed: Deed) -> bool;

    /// Makes a game against the other; its id.
    fn creates<'a>(&'a self, who: &'a Player, other: &'a Player) -> LocalBoxFuture<'a, String>;

    /// Does something in a game that is there.
    fn does<'a>(&'a self, who: &'a Player, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()>;

    /// Makes a move that is written like `e7e5`.
    fn moves<'a>(&'a self, who: &'a Player, game: &'a str, uci: &'a str) -> LocalBoxFuture<'a, ()>;

    /// Listens, before anything is done: to that game, or to whatever concerns the account.
    fn listens<'a>(
        &'a self,
        who: &'a Player,
        game: Option<&'a str>,
    ) -> LocalBoxFuture<'a, Box<dyn Ear + 'a>>;

    /// Whether a game is there.
    fn finds<'a>(&'a self, who: &'a Client, game: &'a str) -> LocalBoxFuture<'a, bool>;
}

/// Somebody who listens at a door.
pub(crate) trait Ear {
    /// Waits until they are told of that, in that game.
    fn hears<'a>(&'a mut self, game: &'a str, deed: Deed) -> LocalBoxFuture<'a, ()>;
}

/// The doors to games of chess; that of skill chess has tests of its own.
fn all(fake: Fake) -> Vec<Box<dyn Door>> {
    vec![
        Box::new(native::Native),
        Box::new(live_game::LiveGame),
        Box::new(mcp::Mcp),
        Box::new(lichess::Lichess),
        Box::new(xmpp::Xmpp::new(fake)),
    ]
}

/// Plays a game at one door, and listens at the other.
async fn plays_and_hears(server: &Server, here: &dyn Door, there: &dyn Door, number: usize) {
    println!("done at {}, heard at {}", here.name(), there.name());
    let first = Player::registered(server, &format!("ann{number}")).await;
    let second = Player::registered(server, &format!("ben{number}")).await;
    let mut ear = there.listens(&second, None).await;
    let game = here.creates(&first, &second).await;
    ear.hears(&game, Deed::Create).await;
    drop(ear);
    for deed in Deed::ALL.into_iter().skip(1) {
        if !here.knows(deed) || !there.knows(deed) {
            println!("  {deed:?} is not known at both");
            continue;
        }
        let (doer, hearer) = match deed {
            Deed::Join => (&second, &first),
            _ => (&first, &second),
        };
        if deed == Deed::Offer {
            here.moves(&second, &game, "e7e5").await;
        }
        let mut ear = there.listens(hearer, Some(&game)).await;
        here.does(doer, &game, deed).await;
        ear.hears(&game, deed).await;
    }
    let over = first.game(&game).await;
    assert_eq!(
        (&over["result"], &over["reason"]),
        (&"black_wins".into(), &"resignation".into())
    );
    assert_eq!(over["san"], serde_json::json!(["e4", "e5"]));
}

#[tokio::test]
async fn what_is_done_at_one_door_is_told_at_every_other() {
    let (server, fake) = joined().await;
    let doors = all(fake);
    let mut number = 0;
    for here in &doors {
        for there in &doors {
            number += 1;
            plays_and_hears(&server, &**here, &**there, number).await;
        }
    }
}
