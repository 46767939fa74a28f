//! Pictures of boards, each another.

use std::time::Duration;

use super::Kind;
use super::repeat::{Pace, Repeat, unheard};
use super::stage::{Stage, Strike};
use crate::http;

pub(super) const KIND: Kind = Kind {
    name: "picture",
    what: "390 different pictures (`board.png`, up to 1080 pixels) of the honest games asked for at \
           once, every second, on 390 connections",
    answer: "half of the processors draw, 64 wait, the rest is 503; what was \
             drawn lately is kept",
    prepare,
};

/// Nearly as many as an address may have.
const CONNECTIONS: usize = 390;
/// No picture is asked for twice in a row.
const SIZES: u64 = 900;

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let (address, games) = (stage.address, stage.honest.clone());
    Ok(Box::new(move |until| {
        Repeat {
            address,
            connections: CONNECTIONS,
            pace: Pace {
                at_once: CONNECTIONS as u32,
                every: Duration::from_secs(1),
            },
            write: |n: u64, out: &mut Vec<u8>| {
                let (game, size) = (&games[n as usize % games.len()], 1080 - n % SIZES);
                let path = format!("/v1/games/{game}/board.png?size={size}");
                http::request(out, "GET", &path, "", b"");
            },
            hear: unheard,
        }
        .until(until)
    }))
}
