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
    let trips = |what: &str, ask: &dyn Fn()| {
        let begun = Instant::now();
        load(&store, id(1));
        let one = begun.elapsed();
        let begun = Instant::now();
        ask();
        let trips = begun.elapsed().as_secs_f64() / one.as_secs_f64();
        println!("{what}: {trips:.2} round trips");
        assert!(trips < 2.9, "{what}: {trips:.2} round trips");
    };
    trips("a creation", &|| {
        commit(&store, created(with_a_code(7))).expect("it is the first");
    });
    trips("a keyed command", &|| {
        let change = Change {
            remember: Some(remembered(1, "key", 100)),
            ..changed(row(7, 2))
        };
        commit(&store, change).expect("it has the version");
    });
    trips("the end of a game", &|| {
        commit(&store, changed(over(7, 3))).expect("it has the version");
    });
    trips("a change that comes too late", &|| {
        assert_eq!(commit(&store, changed(over(7, 3))), Err(Error::Conflict));
    });
    trips("a line of chat", &|| say(&store, 7));
}
