//! Frames that are refused before anything is done for them, by sockets of nobody.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::Kind;
use super::outcome::Toll;
use super::stage::{Pair, Stage, Strike, long_game, steadily};
use crate::crowd::shake_hands;
use crate::frames;

pub(super) const KIND: Kind = Kind {
    name: "refused",
    what: "100 sockets without a token on one game, which say `{\"type\":\"MOVE\"}` and moves that cannot be \
           read, as fast as the server takes them, and read the answers",
    answer: "a socket has 100 frames that are refused at once, and 20 a second; the next is read later",
    prepare,
};

const LINE: usize = 23;
const SOCKETS: usize = 100;
/// How often each is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// Frames of text in a piece that is written at once.
const PIECE: usize = 50;
const TEXT: u8 = 1;

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let pair = Pair::begin(&mut stage.caller(), &long_game(0), LINE)?;
    let (address, path) = (stage.address, format!("/v1/games/{}/stream", pair.id));
    let many = stage.scaled(SOCKETS);
    Ok(Box::new(move |until| flood(address, &path, many, until)))
}

fn flood(address: SocketAddr, path: &str, many: usize, until: Instant) -> Result<Toll, String> {
    let mut toll = Toll::default();
    let mut talkers = Vec::new();
    for _ in 0..many {
        match shake_hands(address, path) {
            Ok((socket, came)) => talkers.push(Talker::new(socket, came)?),
            Err(_) => toll.refused += 1,
        }
    }
    let orders = [r#"{"type":"MOVE"}"#, r#"{"type":"MOVE","ply":-1}"#];
    let piece: Vec<u8> = orders
        .iter()
        .cycle()
        .take(PIECE)
        .flat_map(|order| frames::from_client(TEXT, order.as_bytes()))
        .collect();
    steadily(until, LOOK, || {
        talkers.retain_mut(|talker| {
            let is_open = talker.say(&piece).is_ok() && talker.hear().is_ok();
            toll.closed += u64::from(!is_open);
            toll.refused += std::mem::take(&mut talker.refused);
            is_open
        });
        Ok(())
    })?;
    toll.answered += talkers.len() as u64;
    let sent: usize = talkers.iter().map(|talker| talker.sent / piece.len()).sum();
    toll.note(format!("the server took some {} frames", sent * PIECE));
    Ok(toll)
}

/// Somebody who says the same over and over.
struct Talker {
    socket: TcpStream,
    /// Bytes.
    sent: usize,
    /// What came and is no whole frame.
    input: Vec<u8>,
    /// Answers of the server that say no, not counted yet.
    refused: u64,
}

impl Talker {
    fn new(socket: TcpStream, input: Vec<u8>) -> Result<Talker, String> {
        socket.set_nonblocking(true).map_err(|e| e.to_string())?;
        Ok(Talker {
            socket,
            sent: 0,
            input,
            refused: 0,
        })
    }

    /// Says as much as the server takes; goes on in the middle of a frame, if it must.
    fn say(&mut self, piece: &[u8]) -> std::io::Result<()> {
        loop {
            match self.socket.write(&piece[self.sent % piece.len()..]) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => self.sent += written,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    fn hear(&mut self) -> std::io::Result<()> {
        let mut piece = [0; 16 * 1024];
        loop {
            match self.socket.read(&mut piece) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => self.input.extend_from_slice(&piece[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        let mut at = 0;
        while let Some(frame) = frames::read(&self.input[at..]) {
            at += frame.length;
            let is_no = frame.payload.starts_with(br#"{"type":"REFUSED""#);
            self.refused += u64::from(is_no);
        }
        self.input.drain(..at);
        Ok(())
    }
}
