//! Weeks of games with days per move: nothing of them is in memory while nobody looks,
//! and everything happens in its time, through restarts and downtime.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use chess::clock::TimeControl;
use chess::game::{
    Command, Conditional, ConditionalMoves, Creation, Ending, Game, MoveCommand, Phase,
    StartRatings, Terms,
};
use chess::table::{Actor, PlayerId};
use chess::{Color, Timestamp};
use live::{Failure, Handles, Limits, Live, Outcome, Reply, Stats, Submission, With};
use store::memory::Control;
use store::{Plan, Store, TableId, Upkeep};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// How late the end of a game may be noticed: two looks at the clock.
const LATE: u64 = 2 * MINUTE;

/// A server whose time passes a minute at a step.
struct Hall {
    live: Live<Game>,
    store: Store,
    control: Control,
    now: Arc<AtomicU64>,
}

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).unwrap()
}

fn table(number: u64) -> TableId {
    TableId::from_number(number).unwrap()
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

fn told<V: Send + 'static>(ask: impl FnOnce(Reply<V>)) -> Result<V, Failure> {
    let slot: Arc<Mutex<Option<Result<V, Failure>>>> = Arc::default();
    let told = Arc::clone(&slot);
    ask(Box::new(move |result| {
        *slot.lock().unwrap() = Some(result);
    }));
    let told = told.lock().unwrap().take();
    told.expect("answered at once")
}

impl Hall {
    fn open() -> Hall {
        let upkeep = Upkeep {
            to_row: Some(live::to_row::<Game>()),
            ..Upkeep::default()
        };
        let (store, control) = Store::in_memory(upkeep);
        let now = Arc::new(AtomicU64::new(1_700_000_000_000));
        let live = start(&store, &now);
        Hall {
            live,
            store,
            control,
            now,
        }
    }

    fn time(&self) -> u64 {
        self.now.load(Ordering::SeqCst)
    }

    /// A game that has begun, with so many days per move.
    fn begin(&self, number: u64, days: u8) {
        let terms = Terms::casual(TimeControl::Correspondence { days });
        let creation = Creation::open(player(1), terms);
        let game = Game::create(Timestamp(self.time()), creation).unwrap();
        let created = told(|reply| {
            self.live
                .create(table(number), game, None, With::default(), reply);
        });
        created.unwrap();
        let join = Command::Join {
            toss: Color::Black,
            by_code: false,
            ratings: StartRatings::default(),
        };
        self.ask(number, Actor::Player(player(2)), join);
    }

    fn ask(&self, number: u64, who: Actor, command: Command) -> Arc<Game> {
        self.ask_as_of(Timestamp(self.time()), number, who, command)
    }

    fn ask_as_of(
        &self,
        received: Timestamp,
        number: u64,
        who: Actor,
        command: Command,
    ) -> Arc<Game> {
        let submission = Submission {
            who,
            command,
            received,
            with: With::default(),
        };
        let outcome = told(|reply| self.live.submit(table(number), submission, reply));
        match outcome.unwrap() {
            Outcome::Changed { after, .. } => after,
            Outcome::Already { table, .. } => table,
            Outcome::Refused { why, .. } => panic!("{why:?}"),
        }
    }

    fn play(&self, number: u64, text: &str) -> Arc<Game> {
        let game = self.game(number);
        let mover = game.seats().get(game.turn()).unwrap();
        let command = Command::Move(MoveCommand::new(text));
        self.ask(number, Actor::Player(mover), command)
    }

    fn away(&self, number: u64, who: u32, until: Option<u64>) -> Arc<Game> {
        let command = Command::Vacation {
            of: player(who),
            until: until.map(Timestamp),
        };
        self.ask(number, Actor::Server, command)
    }

    /// A player says how they answer, while the opponent is to move.
    fn plan(&self, number: u64, who: u32, line: &str) {
        let line = line.split_whitespace().map(str::to_owned).collect();
        let moves = ConditionalMoves::read(&self.game(number), &[line]).expect("a good line");
        at_once(self.store.set_plan(planned(number, player(who), &moves)));
    }

    /// Plays what both have said, as the server does after a change and after a start. How
    /// many moves.
    fn follow(&self, number: u64) -> u32 {
        let mut many = 0;
        'changed: loop {
            let game = self.game(number);
            for before in at_once(self.store.plans_of(table(number))) {
                let who = before.account;
                let moves = ConditionalMoves::from_text(before.ply, before.version, &before.lines);
                let seat = game.seat_of(who).expect("they play");
                match moves.stand(&game, seat) {
                    Conditional::Answers(text) => {
                        let command = Command::Move(MoveCommand::new(&text));
                        self.ask_as_of(game.last_at(), number, Actor::Player(who), command);
                        many += 1;
                        continue 'changed;
                    }
                    Conditional::Waits(left) => {
                        let after = planned(number, who, &left);
                        at_once(self.store.change_plan(before, Some(after)));
                    }
                    Conditional::Gone => {
                        at_once(self.store.change_plan(before, None));
                    }
                    Conditional::Held => {}
                }
            }
            return many;
        }
    }

    fn game(&self, number: u64) -> Arc<Game> {
        told(|reply| self.live.read(table(number), None, reply))
            .unwrap()
            .table
    }

    /// Time passes while the server works as it does.
    fn pass(&self, span: u64) {
        let end = self.time() + span;
        while self.time() < end {
            self.now.fetch_add(MINUTE, Ordering::SeqCst);
            self.live.heartbeat();
            self.live.tick();
            // What the first look found is looked at now.
            self.now.fetch_add(20, Ordering::SeqCst);
            self.live.tick();
            self.now.fetch_sub(20, Ordering::SeqCst);
            self.live.evict();
        }
    }

    /// The server is killed, and is back after a while.
    fn down(&mut self, span: u64) {
        self.store = self.control.crash();
        self.now.fetch_add(span, Ordering::SeqCst);
        self.live = start(&self.store, &self.now);
    }

    fn stats(&self) -> Stats {
        self.live.stats()
    }
}

fn planned(number: u64, account: PlayerId, moves: &ConditionalMoves) -> Plan {
    Plan {
        table: table(number),
        account,
        ply: moves.ply,
        version: moves.version,
        lines: moves.text(),
    }
}

fn deadline(game: &Game) -> u64 {
    game.move_deadline().expect("a move is due").0
}

#[track_caller]
fn is_about(game: &Game, expected: u64) {
    let off = deadline(game).abs_diff(expected);
    assert!(off <= LATE, "{off} ms");
}

#[test]
fn hundreds_of_games_that_nobody_looks_at_are_not_in_memory() {
    let hall = Hall::open();
    for number in 1..=280 {
        hall.begin(number, 1 + (number % 14) as u8);
    }
    assert_eq!(hall.stats().armed, 0, "none is due within minutes");
    hall.pass(20 * MINUTE);
    assert_eq!((hall.stats().resident, hall.stats().armed), (0, 0));
    // They end one after the other, though nobody ever looks at one of them.
    for days in 1..=14_u64 {
        hall.pass(DAY - 20 * MINUTE * u64::from(days == 1) + LATE * u64::from(days == 1));
        assert!(hall.stats().resident <= 20, "{:?}", hall.stats());
        let left = at_once(hall.store.due()).len() as u64;
        let ended = (1..=280).filter(|number| number % 14 < days).count() as u64;
        assert_eq!(left, 280 - ended, "after {days} days");
    }
    let ending = hall.game(1).ending();
    assert!(matches!(ending, Some(Ending::Won { winner, .. }) if winner == Color::Black));
}

#[test]
fn a_deadline_that_falls_into_downtime_moves_by_its_length() {
    let mut hall = Hall::open();
    hall.begin(1, 3);
    hall.begin(2, 1);
    let due = deadline(&hall.game(1));
    hall.pass(12 * HOUR);
    // Down for four days, over both deadlines.
    hall.down(4 * DAY);
    hall.pass(MINUTE);
    let moved = deadline(&hall.game(1)) - due;
    assert!((4 * DAY..=4 * DAY + LATE).contains(&moved), "{moved} ms");
    assert_eq!(hall.game(2).phase(), Phase::Active);
    // Twelve hours of the second were gone, and so are the rest now.
    hall.pass(12 * HOUR - 2 * MINUTE);
    assert_eq!(hall.game(2).phase(), Phase::Active);
    hall.pass(2 * MINUTE + LATE);
    assert!(matches!(hall.game(2).phase(), Phase::Over(_)));
    // A flag that had fallen before has fallen, also if nobody saw it.
    hall.pass(2 * DAY - 12 * HOUR);
    assert_eq!(hall.game(1).phase(), Phase::Active);
    hall.pass(12 * HOUR);
    hall.down(DAY);
    hall.pass(LATE);
    assert!(matches!(hall.game(1).phase(), Phase::Over(_)));
}

#[test]
fn weeks_with_restarts_and_vacation_end_when_they_should() {
    let mut hall = Hall::open();
    hall.begin(1, 3);
    let mut expected = hall.time() + 3 * DAY;
    for (day, text) in (0..).zip(["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"]) {
        hall.pass(2 * DAY);
        if day % 3 == 1 {
            hall.down(6 * HOUR);
        }
        assert_eq!(hall.game(1).phase(), Phase::Active, "day {day}");
        let game = hall.play(1, text);
        expected = hall.time() + 3 * DAY;
        assert_eq!(deadline(&game), expected);
        hall.pass(MINUTE);
    }
    // White is to move, goes away for ten days, and the server is down for two of them.
    hall.pass(DAY);
    let until = hall.time() + 10 * DAY;
    let game = hall.away(1, 1, Some(until));
    expected += 10 * DAY;
    let off = deadline(&game).abs_diff(expected);
    assert!(off <= MINUTE, "{off} ms");
    hall.pass(3 * DAY);
    hall.down(2 * DAY);
    hall.pass(6 * DAY);
    assert_eq!(hall.game(1).phase(), Phase::Active);
    assert_eq!(deadline(&hall.game(1)), deadline(&game), "it cost nothing");
    // Back at the table, once more away and back early.
    hall.play(1, "O-O");
    hall.away(1, 2, Some(hall.time() + 9 * DAY));
    hall.pass(4 * DAY);
    let game = hall.away(1, 2, None);
    assert_eq!(deadline(&game), hall.time() + 3 * DAY);
    hall.down(MINUTE);
    hall.pass(3 * DAY - 2 * MINUTE);
    assert_eq!(hall.game(1).phase(), Phase::Active);
    hall.pass(2 * MINUTE + LATE);
    let ending = hall.game(1).ending();
    assert!(matches!(ending, Some(Ending::Won { winner, .. }) if winner == Color::White));
}

#[test]
fn weeks_in_which_both_have_said_how_they_answer() {
    let mut hall = Hall::open();
    hall.begin(1, 3);
    // Black says it while White thinks; White after a move that the server dies of before
    // it is answered. Then everything is played that both have said.
    hall.plan(1, 2, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    hall.pass(2 * DAY);
    hall.play(1, "e4");
    hall.down(6 * HOUR);
    hall.plan(1, 1, "e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 d7d6 c2c3");
    assert_eq!(hall.follow(1), 6);
    assert_eq!(hall.game(1).ply(), 7);
    hall.pass(MINUTE);
    is_about(&hall.game(1), hall.time() + 3 * DAY);
    // Black is away, the server is down for a part of it, and White's lines wait.
    let back = hall.time() + 10 * DAY;
    hall.away(1, 2, Some(back));
    hall.pass(3 * DAY);
    hall.down(2 * DAY);
    hall.pass(2 * DAY);
    assert_eq!((hall.follow(1), hall.game(1).phase()), (0, Phase::Active));
    hall.play(1, "d6");
    assert_eq!(hall.follow(1), 1, "and are played when Black moves");
    is_about(&hall.game(1), back + 3 * DAY);
    assert_eq!(at_once(hall.store.plans_of(table(1))), [], "to their end");
    // White is away too: what was said is played all the same, also after a restart.
    hall.plan(1, 1, "g8f6 e1g1");
    hall.away(1, 1, Some(hall.time() + 20 * DAY));
    hall.pass(back + 2 * DAY - hall.time());
    hall.down(MINUTE);
    hall.play(1, "Nf6");
    assert_eq!(hall.follow(1), 1);
    assert_eq!(hall.game(1).ply(), 11);
    is_about(&hall.game(1), hall.time() + 3 * DAY);
    hall.pass(3 * DAY - LATE);
    assert_eq!(hall.game(1).phase(), Phase::Active);
    hall.pass(3 * LATE);
    let ending = hall.game(1).ending();
    assert!(matches!(ending, Some(Ending::Won { winner, .. }) if winner == Color::White));
}

#[test]
fn thousands_that_are_overdue_after_a_start_end_in_seconds() {
    let mut hall = Hall::open();
    const GAMES: u64 = 3_000;
    for number in 1..=GAMES {
        hall.begin(number, 1);
    }
    hall.pass(DAY - 5 * MINUTE);
    // Down within the last minutes, and back: their time is given back, and then it is up.
    hall.down(3 * DAY);
    let begun = hall.time();
    while at_once(hall.store.due()).iter().any(|due| due.at.is_some()) {
        hall.now.fetch_add(20, Ordering::SeqCst);
        hall.live.tick();
        assert!(hall.time() - begun < 6 * MINUTE, "{:?}", hall.stats());
    }
    // Once to be given back their time, and once when it is up.
    assert!(hall.stats().deadlines <= 2 * GAMES + GAMES / 10);
}

/// Each page costs it a look at all that is not over.
#[test]
fn a_shared_store_is_asked_for_one_large_page() {
    const GAMES: u64 = 2_500;
    for is_shared in [false, true] {
        let hall = Hall::open();
        for number in 1..=GAMES {
            hall.begin(number, 1);
        }
        if is_shared {
            hall.control.share();
        }
        hall.now.fetch_add(DAY - 5 * MINUTE, Ordering::SeqCst);
        hall.live.tick();
        let found = if is_shared { GAMES } else { 1_000 };
        assert_eq!(hall.stats().armed as u64, found);
    }
}
