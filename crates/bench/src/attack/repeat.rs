//! The same again and again, on a few connections.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::outcome::Toll;
use super::stage::{CONNECTIONS, Strike};
use crate::client::{Answer, Client, Load, Next};
use crate::http;

/// How fast at most. Slower if the answers take longer: each connection waits
/// for one before it asks again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) at_once: u32,
    pub(super) every: Duration,
}

/// A thousand a second: little work for whoever asks, so that it is the
/// answers that cost, and not the asking.
pub(super) const STEADY: Pace = Pace {
    at_once: 1,
    every: Duration::from_millis(1),
};

/// What is asked, the how manieth time; and what is done with the answers.
pub(super) struct Repeat<W, H> {
    pub(super) address: SocketAddr,
    pub(super) connections: usize,
    pub(super) pace: Pace,
    pub(super) write: W,
    pub(super) hear: H,
}

impl<W, H> Repeat<W, H>
where
    W: FnMut(u64, &mut Vec<u8>),
    H: FnMut(&Answer<'_>, &mut Toll),
{
    /// Asks until then.
    pub(super) fn until(self, until: Instant) -> Result<Toll, String> {
        let mut client =
            Client::new(self.address, self.connections).map_err(|error| error.to_string())?;
        let mut repeating = Repeating {
            begun: Instant::now(),
            until,
            sent: 0,
            toll: Toll::default(),
            repeat: self,
        };
        client.run(&mut repeating)?;
        Ok(repeating.toll)
    }
}

struct Repeating<W, H> {
    repeat: Repeat<W, H>,
    begun: Instant,
    until: Instant,
    sent: u64,
    toll: Toll,
}

impl<W, H> Load for Repeating<W, H>
where
    W: FnMut(u64, &mut Vec<u8>),
    H: FnMut(&Answer<'_>, &mut Toll),
{
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        let Pace { at_once, every } = self.repeat.pace;
        let waves = u32::try_from(self.sent / u64::from(at_once)).unwrap_or(u32::MAX);
        let at = self.begun + every * waves;
        if now >= self.until || at >= self.until {
            return Next::Idle;
        }
        if at > now {
            return Next::At(at);
        }
        (self.repeat.write)(self.sent, out);
        self.sent += 1;
        Next::Send {
            tag: self.sent - 1,
            intended: now,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        self.toll.count(answer.status);
        (self.repeat.hear)(answer, &mut self.toll);
    }

    fn lost(&mut self, _: u64) {
        self.toll.closed += 1;
    }
}

/// Does nothing with an answer.
pub(super) fn unheard(_: &Answer<'_>, _: &mut Toll) {}

/// Reads these in turn, as nobody in particular.
pub(super) fn reading(address: SocketAddr, paths: Vec<String>) -> Strike {
    Box::new(move |until| {
        Repeat {
            address,
            connections: CONNECTIONS,
            pace: STEADY,
            write: |n: u64, out: &mut Vec<u8>| {
                let path = &paths[n as usize % paths.len()];
                http::request(out, "GET", path, "", b"");
            },
            hear: unheard,
        }
        .until(until)
    })
}
