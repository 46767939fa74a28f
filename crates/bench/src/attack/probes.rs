//! What monitors ask, by somebody who asks all the time.

use super::Kind;
use super::repeat::reading;
use super::stage::{Stage, Strike};

pub(super) const KIND: Kind = Kind {
    name: "probes",
    what: "`GET /ready` and `GET /metrics` in turn",
    answer: "the store is asked once a second for all of `/ready`; `metrics_from` keeps `/metrics` to some",
    prepare,
};

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let paths = ["/ready", "/metrics"].map(str::to_owned);
    Ok(reading(stage.address, paths.to_vec()))
}
