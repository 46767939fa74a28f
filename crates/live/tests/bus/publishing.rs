//! Publishing and listening.

use crate::support::{Cluster, PATIENCE, eventually, is_in_vain};

pub(crate) fn others_hear_what_is_published_in_order(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let ears = ["table.1", "table.2"].map(|subject| cluster.ear(&there, subject));
    for number in 0..2_000 {
        here.publish("table.1", format!("{number}"));
        here.publish("table.2", format!("{number}"));
    }
    for number in 0..2_000 {
        assert_eq!(ears[0].next(), format!("table.1: {number}"));
        assert_eq!(ears[1].next(), format!("table.2: {number}"));
    }
    assert_eq!(here.stats().dropped, 0);
    assert!(here.stats().published >= 4_000, "{:?}", here.stats());
    assert_eq!(there.stats().received, 4_000);
}

pub(crate) fn nobody_hears_themselves(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let ear = cluster.ear(&here, "table.1");
    here.publish("table.1", "mine");
    here.clone().publish("table.1", "mine, too");
    cluster.settle(&here);
    there.publish("table.1", "theirs");
    assert_eq!(ear.next(), "table.1: theirs");
}

pub(crate) fn everybody_who_listens_hears(cluster: &Cluster) {
    let (here, there, elsewhere) = (cluster.node(), cluster.node(), cluster.node());
    let ears = [
        cluster.ear(&there, "table.1"),
        cluster.ear(&there, "table.1"),
        cluster.ear(&there, "table.*"),
        cluster.ear(&elsewhere, "table.1"),
    ];
    here.publish("table.1", "hello");
    for ear in &ears {
        assert_eq!(ear.next(), "table.1: hello");
    }
}

pub(crate) fn a_pattern_hears_many_subjects(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let word = cluster.ear(&there, "table.*.moves");
    let rest = cluster.ear(&there, "table.>");
    let all = cluster.ear(&there, ">");
    let subjects = [
        "table",
        "table.1.chat",
        "table.1.moves.2",
        "table.1.moves",
        "chat.1.moves",
        "table.2.moves",
    ];
    for subject in subjects {
        here.publish(subject, "x");
    }
    for subject in subjects {
        assert_eq!(all.next(), format!("{subject}: x"));
    }
    for subject in [1, 2, 3, 5].map(|n| subjects[n]) {
        assert_eq!(rest.next(), format!("{subject}: x"));
    }
    for subject in [3, 5].map(|n| subjects[n]) {
        assert_eq!(word.next(), format!("{subject}: x"));
    }
}

pub(crate) fn whoever_stops_listening_hears_nothing_more(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let (gone, kept) = (cluster.ear(&there, "a"), cluster.ear(&there, "a"));
    here.publish("a", "1");
    assert_eq!((gone.next(), kept.next()), ("a: 1".into(), "a: 1".into()));
    let heard = gone.stop();
    for number in 2..100 {
        here.publish("a", format!("{number}"));
        assert_eq!(kept.next(), format!("a: {number}"));
    }
    assert!(heard.try_recv().is_err(), "it is over");
    drop(kept.stop());
    eventually("the server has forgotten them", || {
        is_in_vain(cluster.runtime(), &here, "a")
    });
}

pub(crate) fn thousands_may_listen_each_on_their_own_subject(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let (tell, heard) = std::sync::mpsc::channel();
    let all: Vec<_> = (0..3_000)
        .map(|number| {
            let tell = tell.clone();
            there.subscribe(&format!("table.{number}"), move |message| {
                drop(tell.send((number, message.subject)));
            })
        })
        .collect();
    cluster.settle(&there);
    for number in (0..3_000).rev() {
        here.publish(&format!("table.{number}"), "x");
    }
    let mut numbers: Vec<_> = (0..3_000)
        .map(|_| {
            let heard = heard.recv_timeout(PATIENCE);
            let (number, subject) = heard.expect("it is heard");
            assert_eq!(subject, format!("table.{number}"));
            number
        })
        .collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..3_000), "each hears its own");
    drop(all);
}

pub(crate) fn a_task_may_publish_much_in_one_turn(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let ear = cluster.ear(&there, "a");
    let publisher = here.clone();
    let task = cluster.runtime().spawn(async move {
        for number in 0..5_000 {
            publisher.publish("a", format!("{number}"));
        }
    });
    cluster.wait(task).expect("the task ends");
    for number in 0..5_000 {
        assert_eq!(ear.next(), format!("a: {number}"));
    }
    assert_eq!(here.stats().dropped, 0);
}

pub(crate) fn another_space_is_not_heard(cluster: &Cluster) {
    let (here, there, stranger) = (cluster.node(), cluster.node(), cluster.stranger());
    let ear = cluster.ear(&there, ">");
    let strange_ear = cluster.ear(&stranger, ">");
    stranger.publish("a", "strange");
    cluster.settle(&stranger);
    here.publish("a", "ours");
    assert_eq!(ear.next(), "a: ours");
    assert!(strange_ear.stop().try_recv().is_err(), "it is not theirs");
}
