//! Time in which no move could be accepted costs nobody anything.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use chess::clock::TimeControl;
use chess::game::{Command, Creation, Game, MoveCommand, Phase, StartRatings, Terms};
use chess::table::{Actor, PlayerId};
use chess::{Color, Millis, Timestamp};
use live::{Failure, Handles, Limits, Live, Outcome, Reply, Submission};
use store::memory::{Control, Fate};
use store::{Store, TableId, Upkeep};

/// A game of 20 seconds each, White to move since second 0, on a disk in our hand.
struct Hall {
    live: Live<Game>,
    store: Store,
    control: Control,
    now: Arc<AtomicU64>,
}

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).unwrap()
}

fn table() -> TableId {
    TableId::from_number(7).unwrap()
}

fn start(store: &Store, now: &Arc<AtomicU64>) -> Live<Game> {
    let clock = Arc::clone(now);
    let handles = Handles {
        store: store.clone(),
        now: Arc::new(move || Timestamp(clock.load(Ordering::SeqCst))),
        around: Arc::new(live::Nobody),
        member: None,
    };
    at_once(Live::start(handles, Limits::default()))
}

/// The value of a future that the store in memory completes at once.
fn at_once<V>(future: impl Future<Output = Result<V, store::Error>>) -> V {
    let waker = std::task::Waker::noop();
    match std::pin::pin!(future).poll(&mut std::task::Context::from_waker(waker)) {
        std::task::Poll::Ready(result) => result.unwrap(),
        std::task::Poll::Pending => panic!("the store in memory never waits"),
    }
}

type Told<V> = Arc<Mutex<Option<Result<V, Failure>>>>;

fn reply<V: Send + 'static>() -> (Reply<V>, Told<V>) {
    let told: Told<V> = Arc::default();
    let slot = Arc::clone(&told);
    (
        Box::new(move |result| *slot.lock().unwrap() = Some(result)),
        told,
    )
}

impl Hall {
    fn open() -> Hall {
        let (store, control) = Store::in_memory(Upkeep::default());
        let now = Arc::new(AtomicU64::new(1_000_000));
        let live = start(&store, &now);
        let hall = Hall {
            live,
            store,
            control,
            now,
        };
        let control = TimeControl::Fischer {
            initial: Millis::from_secs(20),
            increment: Millis::ZERO,
        };
        let creation = Creation::open(player(1), Terms::casual(control));
        let game = Game::create(hall.time(), creation).unwrap();
        let (created, _) = reply();
        hall.live
            .create(table(), game, None, live::With::default(), created);
        let join = Command::Join {
            toss: Color::White,
            by_code: false,
            ratings: StartRatings::default(),
        };
        hall.ask(2, join);
        assert_eq!(hall.read().phase(), Phase::Active);
        hall.control.set_manual(true);
        hall
    }

    fn time(&self) -> Timestamp {
        Timestamp(self.now.load(Ordering::SeqCst))
    }

    fn ask(&self, who: u32, command: Command) -> Told<Outcome<Game>> {
        let (reply, told) = reply();
        let submission = Submission {
            who: Actor::Player(player(who)),
            command,
            received: self.time(),
            with: live::With::default(),
        };
        self.live.submit(table(), submission, reply);
        told
    }

    fn play(&self, text: &str) -> Told<Outcome<Game>> {
        let mover = match self.read().turn() {
            Color::White => self.read().seats().white,
            Color::Black => self.read().seats().black,
        };
        let command = Command::Move(MoveCommand::new(text));
        self.ask(mover.unwrap().number(), command)
    }

    fn read(&self) -> Arc<Game> {
        let (reply, told) = reply();
        self.live.read(table(), None, reply);
        self.control.complete_load(0);
        self.control.complete_next_batch(9);
        let game = told.lock().unwrap().take();
        game.expect("reading waits for no other").unwrap().table
    }

    /// Time passes, with all its ticks; the disk fails, or not.
    fn pass(&self, ms: u64, fails: bool) {
        for _ in 0..ms / 20 {
            self.now.fetch_add(20, Ordering::SeqCst);
            self.live.tick();
            self.disk(fails);
        }
    }

    fn disk(&self, fails: bool) {
        while self.control.pending() > 0 {
            if fails {
                self.control.fail_next_batch(9, Fate::Lost);
            } else {
                self.control.complete_next_batch(9);
            }
            self.control.complete_load(0);
        }
    }

    fn left_ms(&self) -> (u32, u32) {
        let clocks = self.read().clocks(self.time()).unwrap();
        (clocks.white.0, clocks.black.0)
    }
}

fn is_unavailable(told: &Told<Outcome<Game>>) -> bool {
    matches!(&*told.lock().unwrap(), Some(Err(Failure::Unavailable(_))))
}

#[test]
fn a_store_that_fails_for_longer_than_the_clock_has_flags_nobody() {
    let hall = Hall::open();
    hall.pass(5_000, false);
    let lost = hall.play("e4");
    hall.disk(true);
    assert!(is_unavailable(&lost));
    assert!(hall.live.refuses_since().is_some());
    hall.pass(40_000, true);
    // Refused at once: nothing is asked of the store.
    assert!(is_unavailable(&hall.play("e4")));
    hall.pass(200, false);
    assert_eq!(hall.live.refuses_since(), None);
    assert_eq!(hall.read().phase(), Phase::Active);
    let (white, _) = hall.left_ms();
    assert!((14_800..=15_000).contains(&white), "{white} ms are left");

    let kept = hall.play("e4");
    hall.disk(false);
    assert!(matches!(
        &*kept.lock().unwrap(),
        Some(Ok(Outcome::Changed { .. }))
    ));
    // And the flag falls when it should.
    hall.pass(19_900, false);
    assert_eq!(hall.read().phase(), Phase::Active);
    hall.pass(200, false);
    assert!(matches!(hall.read().phase(), Phase::Over(_)));
}

#[test]
fn a_flag_that_had_fallen_before_has_fallen() {
    let hall = Hall::open();
    hall.pass(19_900, false);
    // The first thing that fails is the flag itself.
    hall.pass(40_000, true);
    assert_eq!(hall.read().phase(), Phase::Active);
    hall.pass(200, false);
    assert!(matches!(hall.read().phase(), Phase::Over(_)));
}

#[test]
fn a_move_that_the_store_holds_back_costs_the_opponent_nothing() {
    let hall = Hall::open();
    let slow = hall.play("e4");
    // Nothing fails, and nothing happens: Black cannot know of the move.
    for _ in 0..1_500 {
        hall.now.fetch_add(20, Ordering::SeqCst);
        hall.live.tick();
    }
    assert!(slow.lock().unwrap().is_none());
    hall.disk(false);
    assert!(matches!(
        &*slow.lock().unwrap(),
        Some(Ok(Outcome::Changed { .. }))
    ));
    hall.pass(200, false);
    let (_, black) = hall.left_ms();
    assert!((19_800..=20_000).contains(&black), "{black} ms are left");
    assert_eq!(hall.read().phase(), Phase::Active);
}

#[test]
fn a_stop_is_downtime_from_the_moment_it_refuses() {
    let hall = Hall::open();
    hall.pass(5_000, false);
    hall.live.heartbeat();
    hall.live.close();
    // The stop drags on beyond the flag; then it is over.
    hall.pass(30_000, false);
    hall.live.note_alive();
    hall.live.heartbeat();
    hall.disk(false);
    hall.now.fetch_add(60_000, Ordering::SeqCst);
    hall.control.set_manual(false);
    let again = start(&hall.store, &hall.now);
    let (shown, told) = reply();
    again.read(table(), None, shown);
    let game = told.lock().unwrap().take().unwrap().unwrap();
    assert_eq!(game.table.phase(), Phase::Active);
    let left = game.table.clocks(hall.time()).unwrap();
    assert_eq!(left.white, Millis::from_secs(15));
}
