//! Connections on which nothing, or next to nothing, happens.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::Kind;
use super::outcome::Toll;
use super::stage::{Stage, Strike};

pub(super) const KIND: Kind = Kind {
    name: "silent",
    what: "600 connections that say nothing, half a head or half a preface of HTTP/2, ask for 30 MB \
           and take a byte at a time, or send a head a byte at a time; each that is closed is \
           opened again",
    answer: "`connections_per_address` (503 and closed), `head_seconds`, `answer_seconds`",
    prepare,
};

const CONNECTIONS: usize = 600;
/// How often each is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// After the first look, connections opened anew at each: it is not about connecting.
const OPENED_AT_ONCE: usize = 20;

/// What is said to one too many.
const FULL: &[u8] = b"HTTP/1.1 503";

/// What is done on a connection.
#[derive(Clone, Copy)]
enum Manner {
    /// Says this and no more.
    Says(&'static [u8]),
    /// Asks for much, and takes a byte at each look.
    Sips,
    /// Sends a byte at each look.
    Trickles,
}

const MANNERS: [Manner; 5] = [
    Manner::Says(b""),
    Manner::Says(b"GET /health HTTP/1.1\r\nHost: a\r\nX-Half: "),
    Manner::Says(b"PRI * HTTP/2.0\r\n\r\nSM"),
    Manner::Sips,
    Manner::Trickles,
];

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let address = stage.address;
    Ok(Box::new(move |until| {
        let mut toll = Toll::default();
        let mut held: Vec<Option<TcpStream>> = (0..CONNECTIONS).map(|_| None).collect();
        let (mut most, mut may_open) = (0, CONNECTIONS);
        while Instant::now() < until {
            let mut opened = 0;
            for (index, place) in held.iter_mut().enumerate() {
                let manner = MANNERS[index % MANNERS.len()];
                if place.as_mut().is_some_and(|s| !go_on(s, manner, &mut toll)) {
                    *place = None;
                }
                if place.is_none() && opened < may_open {
                    opened += 1;
                    *place = Some(open(address, manner).map_err(|e| e.to_string())?);
                }
            }
            may_open = OPENED_AT_ONCE;
            most = most.max(held.iter().flatten().count());
            std::thread::sleep(LOOK);
        }
        toll.answered += held.iter().flatten().count() as u64;
        toll.note(format!("at most {most} connections were open"));
        Ok(toll)
    }))
}

fn open(address: SocketAddr, manner: Manner) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nonblocking(true)?;
    let many = "GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100);
    let bytes = match manner {
        Manner::Says(bytes) => bytes,
        Manner::Sips => many.as_bytes(),
        Manner::Trickles => b"G",
    };
    // One that is refused may be closed by now, which the next look finds.
    drop(stream.write(bytes));
    Ok(stream)
}

/// Looks at a connection; whether it is still open.
fn go_on(stream: &mut TcpStream, manner: Manner, toll: &mut Toll) -> bool {
    if matches!(manner, Manner::Trickles) {
        drop(stream.write(b"E"));
    }
    let mut piece = [0; 64];
    match stream.peek(&mut piece) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => true,
        Ok(read @ 1..) => {
            // Whatever comes unasked says why, and then the server closes.
            let is_asked = matches!(manner, Manner::Sips) && !piece[..read].starts_with(FULL);
            toll.refused += u64::from(!is_asked);
            is_asked && stream.read(&mut piece[..1]).is_ok()
        }
        Ok(0) | Err(_) => {
            toll.closed += 1;
            false
        }
    }
}
