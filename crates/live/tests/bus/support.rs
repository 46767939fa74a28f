//! Buses to test, and short ways to use them.

use std::future::Future;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use live::bus::{Bus, Message, Subscription};
use tokio::runtime::Runtime;
use tokio::time::Instant;

/// How long anything may take that has to happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How long to wait for what should not happen.
pub(crate) const SOON: Duration = Duration::from_millis(300);

/// How long to wait for an answer that nobody can give: longer than anything takes on a
/// machine that has a lot to do.
const VAIN: Duration = Duration::from_secs(5);

/// Where nodes can be made.
pub(crate) struct Cluster {
    first: Bus,
    url: String,
    runtime: Runtime,
    _server: Option<servers::Nats>,
}

pub(crate) fn local() -> Option<Cluster> {
    Some(Cluster::new("local:", None))
}

pub(crate) fn over_nats() -> Option<Cluster> {
    let server = servers::nats()?;
    let url = server.url().to_owned();
    Some(Cluster::new(&url, Some(server)))
}

impl Cluster {
    fn new(url: &str, server: Option<servers::Nats>) -> Cluster {
        let runtime = runtime();
        let first = Bus::open(url, "test", runtime.handle().clone());
        Cluster {
            first: first.expect("the URL makes sense"),
            url: url.to_owned(),
            runtime,
            _server: server,
        }
    }

    /// The bus of one more node.
    pub(crate) fn node(&self) -> Bus {
        let bus = self.first.another();
        eventually("it is connected", || bus.is_connected());
        bus
    }

    /// The bus of a node of another cluster on the same server.
    pub(crate) fn stranger(&self) -> Bus {
        let bus = Bus::open(&self.url, "strange", self.runtime.handle().clone());
        let bus = bus.expect("the URL makes sense");
        eventually("it is connected", || bus.is_connected());
        bus
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// Runs something on the threads of the bus, and waits for it.
    pub(crate) fn wait<T>(&self, run: impl Future<Output = T>) -> T {
        self.runtime.block_on(run)
    }

    /// Comes back when everything that this bus did before is in force everywhere.
    pub(crate) fn settle(&self, bus: &Bus) {
        // The answer that nobody is there comes after all that went before.
        let answers = self.wait(bus.ask("nobody.at.all", "", 1, PATIENCE));
        assert!(answers.is_empty(), "nobody listens there");
    }

    /// Listens, and is listening when this returns.
    pub(crate) fn ear(&self, bus: &Bus, pattern: &str) -> Ear {
        let (tell, heard) = channel();
        let subscription = bus.subscribe(pattern, move |message: Message| {
            let text = String::from_utf8(message.bytes.to_vec()).expect("tests write text");
            // The test may have ended.
            drop(tell.send(format!("{}: {text}", message.subject)));
        });
        self.settle(bus);
        Ear {
            heard,
            subscription,
        }
    }
}

/// Somebody who writes down what is heard.
pub(crate) struct Ear {
    heard: Receiver<String>,
    subscription: Subscription,
}

impl Ear {
    /// What is heard next, as `subject: text`.
    pub(crate) fn next(&self) -> String {
        self.heard.recv_timeout(PATIENCE).expect("it is heard")
    }

    /// Stops listening; what was heard until then can still be looked at.
    pub(crate) fn stop(self) -> Receiver<String> {
        drop(self.subscription);
        self.heard
    }
}

pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime for the test")
}

/// Waits until something is so.
pub(crate) fn eventually(what: &str, is_so: impl FnMut() -> bool) {
    within(PATIENCE, what, is_so);
}

/// Waits until something is so, which must not take longer than that.
pub(crate) fn within(time: Duration, what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = servers::now();
    while !is_so() {
        assert!(
            servers::now() - begin < time,
            "after {time:?} it is not so that {what}"
        );
        std::thread::park_timeout(Duration::from_millis(2));
    }
}

/// Whether a question comes back at once because nobody can hear it.
pub(crate) fn is_in_vain(runtime: &Runtime, bus: &Bus, subject: &str) -> bool {
    let begin = Instant::now();
    let answers = runtime.block_on(bus.ask(subject, "?", 1, VAIN));
    answers.is_empty() && begin.elapsed() < VAIN
}
