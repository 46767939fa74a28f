//! No attack: as many cheap requests as the others send.

use super::Kind;
use super::repeat::{Repeat, STEADY, unheard};
use super::stage::{CONNECTIONS, Stage, Strike};
use crate::http;

pub(super) const KIND: Kind = Kind {
    name: "chatter",
    what: "no attack but the yardstick of the others: `GET /health` on 8 connections",
    answer: "nothing has to",
    prepare,
};

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let address = stage.address;
    Ok(Box::new(move |until| {
        Repeat {
            address,
            connections: CONNECTIONS,
            pace: STEADY,
            write: |_, out: &mut Vec<u8>| http::request(out, "GET", "/health", "", b""),
            hear: unheard,
        }
        .until(until)
    }))
}
