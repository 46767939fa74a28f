//! How moves were answered, by whichever way they came in.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Moves by outcome, and how long their answers took; cheap to clone.
#[derive(Clone)]
pub struct MoveCounts {
    outcomes: Family<Outcome, Counter>,
    /// That of the accepted, found once: there are thousands a second.
    accepted: Counter,
    seconds: Histogram,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

impl Default for MoveCounts {
    fn default() -> MoveCounts {
        let outcomes: Family<Outcome, Counter> = Family::default();
        let outcome = "accepted";
        MoveCounts {
            accepted: outcomes.get_or_create_owned(&Outcome { outcome }),
            outcomes,
            seconds: latencies(),
        }
    }
}

impl MoveCounts {
    /// A move was answered, after so long: with the code of its refusal, if it was refused.
    pub fn answered(&self, refusal: Option<&'static str>, elapsed: Duration) {
        self.seconds.observe(elapsed.as_secs_f64());
        match refusal {
            None => self.accepted.inc(),
            Some(outcome) => self.outcomes.get_or_create(&Outcome { outcome }).inc(),
        };
    }

    /// Shows them among everything that is measured.
    pub fn register(&self, registry: &mut Registry) {
        registry.register(
            "moves",
            "Moves submitted by POST and over sockets, by outcome: accepted, or the code of the refusal",
            self.outcomes.clone(),
        );
        registry.register(
            "move_seconds",
            "Time from a move's receipt to its answer, durable if accepted",
            self.seconds.clone(),
        );
    }
}

/// What takes from half a millisecond to half a minute.
pub fn latencies() -> Histogram {
    let bounds = [
        0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0,
    ];
    Histogram::new(bounds)
}
