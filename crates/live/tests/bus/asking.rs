//! Questions to everybody, and their answers.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use live::bus::{Bus, Subscription};
use tokio::time::Instant;

use crate::support::{Cluster, PATIENCE, SOON, eventually, is_in_vain};

/// A node that answers every question with its name and the question.
fn answering(cluster: &Cluster, name: &'static str) -> (Bus, Subscription) {
    let bus = cluster.node();
    let answers = bus.subscribe("who", move |question| {
        assert!(question.is_question());
        let asked = String::from_utf8_lossy(&question.bytes);
        question.reply(format!("{name} {asked}"));
    });
    cluster.settle(&bus);
    (bus, answers)
}

fn ask(cluster: &Cluster, bus: &Bus, expected: usize, within: Duration) -> Vec<String> {
    let answers = cluster.wait(bus.ask("who", "is there", expected, within));
    let words = answers.iter().map(|a| String::from_utf8_lossy(a));
    let mut words: Vec<_> = words.map(|w| w.into_owned()).collect();
    words.sort();
    words
}

pub(crate) fn everybody_who_listens_answers(cluster: &Cluster) {
    let (here, _answers) = answering(cluster, "we");
    let _others = ["a", "b", "c"].map(|name| answering(cluster, name));
    // Whoever asks is not asked.
    let answers = ask(cluster, &here, 3, PATIENCE);
    assert_eq!(answers, ["a is there", "b is there", "c is there"]);
    assert_eq!(ask(cluster, &here, 2, PATIENCE).len(), 2);
    assert!(ask(cluster, &here, 0, PATIENCE).is_empty());
}

pub(crate) fn a_question_ends_in_time_if_too_few_answer(cluster: &Cluster) {
    let here = cluster.node();
    let _other = answering(cluster, "a");
    let silent = cluster.node();
    let _silence = silent.subscribe("who", drop);
    cluster.settle(&silent);
    let begin = Instant::now();
    assert_eq!(ask(cluster, &here, 2, SOON), ["a is there"]);
    assert!(
        begin.elapsed() >= SOON,
        "somebody might still have answered"
    );
    assert!(begin.elapsed() < PATIENCE, "it ends");
}

pub(crate) fn a_question_that_nobody_hears_ends_at_once(cluster: &Cluster) {
    // They could answer others.
    let (here, _answers) = answering(cluster, "we");
    eventually("nobody is waited for", || {
        is_in_vain(cluster.runtime(), &here, "who")
    });
}

pub(crate) fn an_answer_that_is_late_answers_nothing_else(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let (tell, heard) = channel();
    let _answers = there.subscribe("who", move |question| {
        drop(tell.send(Arc::new(question)));
    });
    cluster.settle(&there);
    let first = cluster.wait(here.ask("who", "first", 1, Duration::from_millis(50)));
    assert!(first.is_empty(), "nobody has answered yet");
    let first = heard.recv_timeout(PATIENCE).expect("it was asked");
    let second = cluster.runtime().spawn({
        let here = here.clone();
        async move { here.ask("who", "second", 1, PATIENCE).await }
    });
    let open = heard.recv_timeout(PATIENCE).expect("it was asked");
    first.reply("too late");
    open.reply("in time");
    let answers = cluster.wait(second).expect("the task ends");
    assert_eq!(answers, ["in time"]);
}

pub(crate) fn what_was_no_question_cannot_be_answered(cluster: &Cluster) {
    let (here, there) = (cluster.node(), cluster.node());
    let (tell, heard) = channel();
    let _answers = there.subscribe("who", move |message| {
        message.reply("you did not ask");
        tell.send(message.is_question()).expect("the test waits");
    });
    cluster.settle(&there);
    here.publish("who", "cares");
    assert_eq!(heard.recv_timeout(PATIENCE), Ok(false));
    assert_eq!(there.stats().dropped, 0);
}
