//! One host, two sets of rules: chess and skill chess side by side.

use std::sync::{Arc, Mutex};

use chess::clock::TimeControl;
use chess::game::{self, Creation, Game, MoveCommand, StartRatings, Terms};
use chess::skill::{self, Match, Uuid};
use chess::table::{Actor, PlayerId, Table};
use chess::tables::{AnyTable, Command, Refusal};
use chess::{Color, Millis, Timestamp};
use live::{Failure, Handles, Limits, Live, Outcome, Submission};
use store::{Store, TableId};

const NOW: Timestamp = Timestamp(1_700_000_000_000);
const CHESS: u64 = 1;
const SKILL: u64 = 2;

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).unwrap()
}

fn table(number: u64) -> TableId {
    TableId::from_number(number).unwrap()
}

fn start(store: &Store) -> Live<AnyTable> {
    let handles = Handles {
        store: store.clone(),
        now: Arc::new(|| NOW),
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

/// What a callback was told; the memory store answers before the call returns.
fn told<V: Send + 'static>(
    ask: impl FnOnce(Box<dyn FnOnce(Result<V, Failure>) + Send>),
) -> Result<V, Failure> {
    let answer = Arc::new(Mutex::new(None));
    let slot = Arc::clone(&answer);
    ask(Box::new(move |result| *slot.lock().unwrap() = Some(result)));
    let result = answer.lock().unwrap().take();
    result.expect("the callback was called")
}

fn submit(live: &Live<AnyTable>, id: u64, who: u32, command: Command) -> Outcome<AnyTable> {
    let submission = Submission {
        who: Actor::Player(player(who)),
        command,
        received: NOW,
        with: live::With::default(),
    };
    told(|reply| live.submit(table(id), submission, reply)).expect("a table that is there")
}

fn version(outcome: &Outcome<AnyTable>) -> u32 {
    match outcome {
        Outcome::Changed { after, .. } => after.version(),
        _ => panic!("nothing changed"),
    }
}

fn read(live: &Live<AnyTable>, id: u64) -> Arc<AnyTable> {
    let view = told(|reply| live.read(table(id), None, reply));
    view.expect("a table that is there").table
}

/// A game and a match, both joined.
fn begun(store: &Store) -> Live<AnyTable> {
    let live = start(store);
    let terms = Terms::casual(TimeControl::Unlimited);
    let game = Game::create(NOW, Creation::open(player(1), terms)).expect("good terms");
    let creation = skill::Creation {
        host: player(1),
        seed: Uuid([1; 16]),
    };
    let played = Match::create(NOW, creation);
    for (id, made) in [(CHESS, AnyTable::from(game)), (SKILL, played.into())] {
        told(|reply| live.create(table(id), made, None, live::With::default(), reply))
            .expect("a new table");
    }
    let join = Command::Chess(game::Command::Join {
        toss: Color::Black,
        by_code: false,
        ratings: StartRatings::default(),
    });
    assert_eq!(version(&submit(&live, CHESS, 2, join)), 2);
    let join = Command::Skill(skill::Command::Join);
    assert_eq!(version(&submit(&live, SKILL, 2, join)), 2);
    live
}

#[test]
fn both_survive_a_restart_as_what_they_are() {
    let store = Store::open("memory:").expect("memory is always there");
    let live = begun(&store);
    let e4 = Command::Chess(game::Command::Move(MoveCommand::new("e4")));
    assert_eq!(version(&submit(&live, CHESS, 1, e4)), 3);
    let resign = Command::Skill(skill::Command::Act(skill::Action {
        id: Uuid([2; 16]),
        base_revision: 2,
        deed: skill::Deed::Resign,
    }));
    assert_eq!(version(&submit(&live, SKILL, 1, resign)), 3);
    let before = [read(&live, CHESS), read(&live, SKILL)];
    drop(live);

    let live = start(&store);
    let after = [read(&live, CHESS), read(&live, SKILL)];
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.kind(), after.kind());
        assert_eq!(before.encode(), after.encode());
    }
    assert_eq!(after[0].chess().map(|game| game.ply()), Some(1));
    assert!(after[0].skill().is_none());
    let ending = after[1].skill().and_then(|played| played.ending());
    let winner = Color::Black;
    assert_eq!(ending, Some(skill::Ending::Resignation { winner }));
    assert!(after[1].chess().is_none());
}

#[test]
fn what_belongs_to_other_rules_is_refused() {
    let store = Store::open("memory:").expect("memory is always there");
    let live = begun(&store);
    for (id, command) in [
        (CHESS, Command::Skill(skill::Command::Join)),
        (SKILL, Command::Chess(game::Command::Resign)),
    ] {
        let why = match submit(&live, id, 1, command) {
            Outcome::Refused { why, .. } => why,
            _ => panic!("that was not refused"),
        };
        assert_eq!(why, Refusal::OtherRules);
        assert_eq!(read(&live, id).version(), 2);
    }
}

/// Or the one who made the game could claim at once that they are gone.
#[test]
fn whoever_joins_is_there_from_then_on() {
    let store = Store::open("memory:").expect("memory is always there");
    let live = start(&store);
    let terms = Terms::casual(TimeControl::Unlimited);
    let game = Game::create(NOW, Creation::open(player(1), terms)).expect("good terms");
    told(|reply| {
        live.create(
            table(CHESS),
            game.into(),
            None,
            live::With::default(),
            reply,
        )
    })
    .expect("a new table");
    let received = NOW + Millis::from_secs(20);
    let join = game::Command::Join {
        toss: Color::Black,
        by_code: false,
        ratings: StartRatings::default(),
    };
    let submission = Submission {
        who: Actor::Player(player(2)),
        command: Command::Chess(join),
        received,
        with: live::With::default(),
    };
    told(|reply| live.submit(table(CHESS), submission, reply)).expect("an open game");
    let seen = live.seen(table(CHESS), player(2));
    assert_eq!(seen.map(|seen| seen.last), Some(received));
}

/// A host of one set of rules finds no tables of another.
#[test]
fn a_host_of_chess_alone_does_not_see_a_match() {
    let store = Store::open("memory:").expect("memory is always there");
    drop(begun(&store));
    let handles = Handles {
        store: store.clone(),
        now: Arc::new(|| NOW),
        around: Arc::new(live::Nobody),
        member: None,
    };
    let chess: Live<Game> = at_once(Live::start(handles, Limits::default()));
    let seen = |id| told(|reply| chess.read(table(id), None, reply));
    assert!(seen(CHESS).is_ok());
    assert!(matches!(seen(SKILL), Err(Failure::NotFound)));
}
