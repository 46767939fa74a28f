//! A live core full of games, for the benchmarks that ask nobody over the wire.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chess::clock::TimeControl;
use chess::game::{Creation, Event, Game, Terms};
use chess::table::PlayerId;
use chess::tables::AnyTable;
use chess::{Color, Timestamp};
use live::{Handles, Limits, Live};
use server::clock::Clock;
use store::{Store, TableId};
use tokio::runtime::Runtime;

/// The live core on an empty store. It lives as long as the runtime.
pub(crate) fn start(store: &Store, clock: &Clock) -> (Runtime, Live<AnyTable>) {
    let handles = Handles {
        store: store.clone(),
        now: clock.handle(),
        around: Arc::new(live::Nobody),
        member: None,
    };
    let runtime = Runtime::new().expect("a runtime");
    let live = runtime
        .block_on(Live::start(handles, Limits::default()))
        .expect("an empty store starts");
    (runtime, live)
}

/// A game that began at `at`.
pub(crate) fn begun(at: Timestamp, control: TimeControl) -> Game {
    let player = |n| PlayerId::new(n).expect("not nobody");
    let creation = Creation::open(player(1), Terms::casual(control));
    let mut game = Game::create(at, creation).expect("good terms");
    game.evolve(
        at,
        &Event::Joined {
            player: player(2),
            color: Color::Black,
            ratings: chess::ByColor::default(),
        },
    );
    game
}

/// Makes games durable, a few thousand at a time.
pub(crate) fn create(live: &Live<AnyTable>, games: impl Iterator<Item = (u64, Game)>) {
    let under_way = Arc::new(AtomicUsize::new(0));
    for (n, game) in games {
        while under_way.load(Ordering::SeqCst) > 4_000 {
            std::thread::yield_now();
        }
        under_way.fetch_add(1, Ordering::SeqCst);
        let done = Arc::clone(&under_way);
        let reply = Box::new(move |created: Result<_, _>| {
            created.expect("the game is durable");
            done.fetch_sub(1, Ordering::SeqCst);
        });
        live.create(id(n), game.into(), None, live::With::default(), reply);
    }
    while under_way.load(Ordering::SeqCst) > 0 {
        std::thread::yield_now();
    }
}

/// Spread over the numbers as random ids are, and never the same twice.
pub(crate) fn id(n: u64) -> TableId {
    TableId::from_random(n.wrapping_mul(0x9e37_79b9_7f4a_7c15) & !0xf_ffff | n & 0xf_ffff)
}
