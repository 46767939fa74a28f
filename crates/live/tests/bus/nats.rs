//! What only a server that can go away brings with it.

use std::sync::mpsc::channel;
use std::time::Duration;

use live::bus::Bus;

use crate::support::{PATIENCE, eventually, is_in_vain, runtime, within};

/// A server that is back is used again within this time.
const BACK: Duration = Duration::from_secs(2);

#[test]
fn a_server_that_was_killed_is_used_again_when_it_is_back() {
    let Some(mut server) = servers::nats() else {
        return;
    };
    let runtime = runtime();
    let here = Bus::open(server.url(), "test", runtime.handle().clone()).expect("a URL");
    let there = here.another();
    let (tell, heard) = channel();
    let _ear = there.subscribe("table.*", move |message| {
        drop(tell.send(message.bytes));
    });
    for round in 0..3 {
        eventually("both are connected", || {
            here.is_connected() && there.is_connected()
        });
        // Subscribing again takes its time, and what is told before that is lost.
        let is_heard = || {
            here.publish("table.1", format!("round {round}"));
            heard
                .try_recv()
                .is_ok_and(|said| said == format!("round {round}"))
        };
        within(BACK, "what is published is heard", is_heard);

        server.kill();
        eventually("that is noticed", || {
            !here.is_connected() && !there.is_connected()
        });
        let before = here.stats();
        here.publish("table.1", "lost");
        assert!(is_in_vain(&runtime, &here, "table.1"));
        let after = here.stats();
        assert_eq!(after.dropped, before.dropped + 2);
        assert_eq!(after.published, before.published);
        // Who comes and goes meanwhile is known when the server is back.
        let _new = there.subscribe("chat.1", |question| question.reply("here"));
        drop(there.subscribe("chat.2", |_| {}));

        server.start();
        within(BACK, "the server is used again", || {
            here.is_connected() && there.is_connected()
        });
        eventually("the new one answers", || {
            let asked = here.ask("chat.1", "?", 1, PATIENCE);
            runtime.block_on(asked) == ["here"]
        });
        eventually("the one that has gone does not", || {
            is_in_vain(&runtime, &here, "chat.2")
        });
        assert_eq!(here.stats().connects, round + 2);
        let told: Vec<_> = heard.try_iter().collect();
        assert!(!told.iter().any(|said| said == "lost"), "{told:?}");
    }
}

#[test]
fn a_bus_is_there_before_its_server() {
    let Some(mut server) = servers::nats() else {
        return;
    };
    server.kill();
    let runtime = runtime();
    let here = Bus::open(server.url(), "test", runtime.handle().clone()).expect("a URL");
    let there = here.another();
    assert!(here.is_shared());
    assert!(!here.is_connected());
    here.publish("a", "nobody hears this");
    assert_eq!(here.stats().dropped, 1);
    let _answers = there.subscribe("a", |question| question.reply("here"));
    server.start();
    within(BACK, "both are connected", || {
        here.is_connected() && there.is_connected()
    });
    eventually("there is an answer", || {
        let asked = here.ask("a", "?", 1, PATIENCE);
        runtime.block_on(asked) == ["here"]
    });
}

#[test]
fn another_server_of_the_list_will_do() {
    let (Some(mut one), Some(two)) = (servers::nats(), servers::nats()) else {
        return;
    };
    one.kill();
    let runtime = runtime();
    let url = format!("{},{}", one.url(), two.url());
    let bus = Bus::open(&url, "test", runtime.handle().clone()).expect("a URL");
    eventually("it is connected", || bus.is_connected());
}

#[test]
fn who_we_are_is_told_to_the_server() {
    let options = ["--user", "arbiter", "--pass", "p@ss:word"];
    let Some(server) = servers::nats_with(&options) else {
        return;
    };
    let runtime = runtime();
    let open = |login: &str| {
        let url = server.url().replace("://", &format!("://{login}"));
        Bus::open(&url, "test", runtime.handle().clone()).expect("a URL")
    };
    let (nobody, wrong) = (open(""), open("arbiter:password@"));
    let right = open("arbiter:p%40ss%3Aword@");
    eventually("we are let in", || right.is_connected());
    assert!(!nobody.is_connected() && !wrong.is_connected());
}

#[test]
fn what_names_no_bus_is_refused() {
    let runtime = runtime();
    for (url, space) in [
        ("", "test"),
        ("redis://127.0.0.1", "test"),
        ("nats://", "test"),
        ("local:", ""),
        ("local:", "a.b"),
        ("nats://127.0.0.1", "a b"),
    ] {
        let opened = Bus::open(url, space, runtime.handle().clone());
        assert!(opened.is_err(), "{url} {space}");
    }
    let local = Bus::open("local", "test", runtime.handle().clone()).expect("a bus");
    assert!(local.is_connected());
    assert!(!local.is_shared());
}
