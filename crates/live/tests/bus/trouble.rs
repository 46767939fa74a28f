//! What goes wrong costs those concerned, and nobody else.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use live::bus::QUEUE;

use crate::support::{Cluster, PATIENCE, eventually, is_in_vain};

pub(crate) fn a_listener_that_panics_costs_nobody_else_anything(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let _clumsy = there.subscribe("a", |_| panic!("on purpose"));
    let ear = cluster.ear(&there, "a");
    for number in 0..3 {
        here.publish("a", format!("{number}"));
        assert_eq!(ear.next(), format!("a: {number}"));
    }
}

pub(crate) fn a_listener_may_use_the_bus(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let ear = cluster.ear(&here, "echo.*");
    let kept = Arc::new(Mutex::new(Vec::new()));
    let (bus, keep) = (there.clone(), Arc::clone(&kept));
    let _echo = there.subscribe("a", move |message| {
        let echo = bus.clone();
        let another = bus.subscribe("b", move |message| echo.publish("echo.b", message.bytes));
        keep.lock().expect("nobody panics").push(another);
        bus.publish("echo.a", message.bytes);
    });
    cluster.settle(&there);
    here.publish("a", "1");
    assert_eq!(ear.next(), "echo.a: 1");
    cluster.settle(&there);
    here.publish("b", "2");
    assert_eq!(ear.next(), "echo.b: 2");
}

pub(crate) fn a_subject_that_makes_no_sense_is_dropped(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let ear = cluster.ear(&there, ">");
    let _never = there.subscribe("a..b", |_| {});
    let senseless = ["", "a.*", "a.>", "a b", "a\r\nPUB a 0\r\n"];
    for subject in senseless {
        here.publish(subject, "x");
    }
    assert_eq!(here.stats().dropped, senseless.len() as u64);
    assert!(cluster.wait(here.ask("a b", "x", 1, PATIENCE)).is_empty());
    here.publish("a", "x");
    assert_eq!(ear.next(), "a: x");
}

pub(crate) fn a_slow_listener_loses_and_nobody_waits_for_it(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let (go_on, gate) = channel::<()>();
    let gate: Mutex<Receiver<()>> = Mutex::new(gate);
    let _slow = there.subscribe("a", move |_| {
        // It ends when the test lets go.
        drop(gate.lock().map(|gate| gate.recv()));
    });
    cluster.settle(&there);
    // More than may wait, in portions that can be sent.
    for _ in 0..3 {
        for _ in 0..QUEUE / 2 {
            here.publish("a", "x");
        }
        cluster.settle(&here);
    }
    eventually("something is missed", || there.stats().missed > 0);
    assert_eq!(here.stats().dropped, 0);
    assert!(there.is_connected());
    drop(go_on);
    eventually("the rest is heard", || {
        there.stats().received >= QUEUE as u64
    });
}

pub(crate) fn a_closed_bus_sends_its_last_words_and_is_silent(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let ear = cluster.ear(&there, "a");
    let own = cluster.ear(&here, "b");
    for number in 0..1_000 {
        here.publish("a", format!("{number}"));
    }
    cluster.wait(here.close());
    for number in 0..1_000 {
        assert_eq!(ear.next(), format!("a: {number}"));
    }
    assert!(!here.is_connected());
    here.publish("a", "x");
    assert_eq!(here.stats().dropped, 1);
    let _late = here.subscribe("b", |_| {});
    eventually("nobody is there any more", || {
        is_in_vain(cluster.runtime(), &there, "b")
    });
    drop(own);
    // A second time is nothing.
    cluster.wait(here.close());
}

pub(crate) fn a_bus_that_nobody_holds_is_gone(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let ear = cluster.ear(&there, "a");
    drop(there);
    eventually("whoever listened there is gone", || {
        is_in_vain(cluster.runtime(), &here, "a")
    });
    drop(ear);
}
