//! No attack: as many cheap requests as the others send.

use super::Kind;
use super::repeat::reading;
use super::stage::{Stage, Strike};

pub(super) const KIND: Kind = Kind {
    name: "chatter",
    what: "no attack but the yardstick of the others: `GET /health`",
    answer: "nothing has to",
    prepare,
};

fn prepare(stage: &Stage) -> Result<Strike, String> {
    Ok(reading(stage.address, vec!["/health".into()]))
}
