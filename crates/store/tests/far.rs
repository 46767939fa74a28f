//! How often a database that is far away is waited for.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::time::{Duration, Instant};

use chess::Timestamp;
use servers::Proxy;
use store::{Change, ChatNumbering, Error, NewChatLine, Row, Store};
use support::*;

/// How long each way is.
const FAR: Duration = Duration::from_millis(50);
/// The games with which each is tried.
const GAMES: std::ops::Range<u64> = 7..11;

fn with_a_code(number: u64) -> Row {
    Row {
        join_code: Some(format!("code{number}")),
        ..waiting(number)
    }
}

fn say(store: &Store, number: u64) {
    let line = NewChatLine {
        table: id(number),
        at: Timestamp(1_000),
        from: player(1),
        role: "player".to_owned(),
        audience: "room".to_owned(),
        is_notice: false,
        text: "hello".to_owned(),
    };
    let numbering = ChatNumbering {
        from: 0,
        next: Box::new(|_, before| before.first().map_or(1, |id| id + 1)),
    };
    told(|done| store.append_chat(line, numbering, done)).expect("it is said");
}

/// The yardstick is a load, which asks one question: then what else the machine does
/// makes no difference.
#[test]
fn whatever_is_written_waits_twice() {
    let Some(url) = servers::postgres() else {
        return;
    };
    let (proxy, through) = Proxy::to_url(&url);
    let store = Store::open(&through).expect("the store opens");
    // Connections are made before the way becomes long.
    commit(&store, created(with_a_code(1))).expect("it is the first");
    load(&store, id(1));
    proxy.delay(FAR);
    // A machine that stands still adds to what is measured and takes nothing away: the
    // least of a few counts, each of another game.
    let least = |ask: &dyn Fn(u64)| {
        let took = GAMES.map(|game| {
            let begun = Instant::now();
            ask(game);
            begun.elapsed()
        });
        took.min().expect("some games").as_secs_f64()
    };
    let one = least(&|_| drop(load(&store, id(1))));
    let trips = |what: &str, ask: &dyn Fn(u64)| {
        let trips = least(ask) / one;
        println!("{what}: {trips:.2} round trips");
        assert!(trips < 2.9, "{what}: {trips:.2} round trips");
    };
    trips("a creation", &|game| {
        commit(&store, created(with_a_code(game))).expect("it is the first");
    });
    trips("a keyed command", &|game| {
        let change = Change {
            remember: Some(remembered(1, &format!("key {game}"), 100)),
            ..changed(row(game, 2))
        };
        commit(&store, change).expect("it has the version");
    });
    trips("the end of a game", &|game| {
        commit(&store, changed(over(game, 3))).expect("it has the version");
    });
    trips("a change that comes too late", &|game| {
        assert_eq!(commit(&store, changed(over(game, 3))), Err(Error::Conflict));
    });
    trips("a line of chat", &|game| say(&store, game));
}
