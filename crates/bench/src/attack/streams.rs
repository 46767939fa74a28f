//! Streams that come and go, that never read, and that chat without end.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::Kind;
use super::caller::Caller;
use super::outcome::Toll;
use super::stage::{Pair, Stage, Strike, long_game, steadily, together};
use crate::crowd::shake_hands;
use crate::frames;

pub(super) const KIND: Kind = Kind {
    name: "streams",
    what: "on a game that goes on at 40 moves a second: WebSockets and server-sent events opened and \
           closed 200 times a second, 100 sockets that send pings of 4 kB and read nothing, and chat \
           200 times a second",
    answer: "`sockets_per_address`, `stuck_seconds`, `chat_per_ten_seconds`; who reads nothing is read no more",
    prepare,
};

const LINE: usize = 22;
const MOVES: f64 = 40.0;
const DEAF: usize = 100;
const EVERY: Duration = Duration::from_millis(5);
/// How often the deaf speak.
const DEAF_EVERY: Duration = Duration::from_millis(50);
/// A frame of text.
const TEXT: u8 = 1;

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let mut caller = stage.caller();
    let pair = Pair::begin(&mut caller, &long_game(0), LINE)?;
    let (address, game) = (stage.address, format!("/v1/games/{}", pair.id));
    let (opened, listened) = (game.clone(), game.clone());
    let (token, many) = (pair.tokens[0].clone(), stage.scaled(DEAF));
    Ok(together(vec![
        pair.playing(stage, MOVES),
        Box::new(move |until| coming_and_going(address, &opened, until)),
        Box::new(move |until| deaf(address, &listened, many, until)),
        Box::new(move |until| chatting(&mut caller, &game, &token, until)),
    ]))
}

fn coming_and_going(address: SocketAddr, game: &str, until: Instant) -> Result<Toll, String> {
    let (mut toll, mut n) = (Toll::default(), 0);
    steadily(until, EVERY, || {
        n += 1;
        let opened = if n % 2 == 0 {
            shake_hands(address, &format!("{game}/stream")).map(drop)
        } else {
            events(address, &format!("{game}/events"))
        };
        match opened {
            Ok(()) => toll.answered += 1,
            Err(_) => toll.refused += 1,
        }
        Ok(())
    })?;
    Ok(toll)
}

/// Opens a stream of events, and leaves with the first.
fn events(address: SocketAddr, path: &str) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes())?;
    let mut piece = [0; 4096];
    let read = stream.read(&mut piece)?;
    if piece[..read].starts_with(b"HTTP/1.1 200") {
        return Ok(());
    }
    Err(ErrorKind::PermissionDenied.into())
}

fn deaf(address: SocketAddr, game: &str, many: usize, until: Instant) -> Result<Toll, String> {
    let mut toll = Toll::default();
    let mut sockets = Vec::new();
    for _ in 0..many {
        match shake_hands(address, &format!("{game}/stream")) {
            Ok((socket, _)) => sockets.push(socket),
            Err(_) => toll.refused += 1,
        }
    }
    for socket in &sockets {
        socket.set_nonblocking(true).map_err(|e| e.to_string())?;
    }
    let ping = format!(r#"{{"type":"PING","id":"{}"}}"#, "p".repeat(4000));
    let ping = frames::from_client(TEXT, ping.as_bytes());
    let mut sent = 0;
    steadily(until, DEAF_EVERY, || {
        sockets.retain_mut(|socket| match socket.write(&ping) {
            Ok(_) => {
                sent += 1;
                true
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => true,
            Err(_) => {
                toll.closed += 1;
                false
            }
        });
        Ok(())
    })?;
    toll.answered += sockets.len() as u64;
    toll.note(format!("the deaf sent {sent} pings"));
    Ok(toll)
}

fn chatting(caller: &mut Caller, game: &str, token: &str, until: Instant) -> Result<Toll, String> {
    let mut toll = Toll::default();
    let line = format!(r#"{{"text":"{}"}}"#, "chat ".repeat(99));
    steadily(until, EVERY, || {
        let path = format!("{game}/chat");
        toll.count(caller.ask("POST", &path, token, &line)?.status);
        Ok(())
    })?;
    Ok(toll)
}
