//! How Colyseus talks: seats are reserved over HTTP, then bytes on a socket.

use std::time::Duration;

use super::sockets::{self, Dialect, Heard};
use super::{GAMES, Outcome};
use crate::ask::ask;
use crate::frames;
use crate::http::text_of;
use crate::process::Process;

const BINARY: u8 = 2;
/// Kinds of messages: the first byte of each.
const JOIN_ROOM: u8 = 10;
const ROOM_DATA: u8 = 13;
/// A short string in MessagePack begins with this and its length.
const STRING: u8 = 0xa0;

pub(super) fn load(server: &Process, lasting: Duration) -> Result<Outcome, String> {
    let mut paths = Vec::new();
    for _ in 0..GAMES {
        let first = reserve(server, "create/chess")?;
        let room = text_of(&first, "roomId").ok_or("a reservation without a room")?;
        let second = reserve(server, &format!("joinById/{room}"))?;
        for seat in [&first, &second] {
            let of = |key| text_of(seat, key).ok_or(format!("a reservation without {key}"));
            let (process, room, session) = (of("processId")?, of("roomId")?, of("sessionId")?);
            paths.push(format!("/{process}/{room}?sessionId={session}"));
        }
    }
    sockets::load(server, paths, Colyseus, lasting)
}

fn reserve(server: &Process, how: &str) -> Result<Vec<u8>, String> {
    ask(server.address, "POST", &format!("/matchmake/{how}"), b"{}")
}

struct Colyseus;

impl Dialect for Colyseus {
    fn hear(&mut self, _: usize, message: &[u8]) -> Heard {
        match message {
            [JOIN_ROOM, ..] => Heard::Seated(Some(frames::from_client(BINARY, &[JOIN_ROOM]))),
            [ROOM_DATA, length, b'o', b'k', ..] if *length == STRING + 2 => Heard::Accepted,
            [ROOM_DATA, length, b'n', b'o', ..] if *length == STRING + 2 => Heard::Refused,
            _ => Heard::Nothing,
        }
    }

    fn make_move(&self, _: usize, uci: &str) -> Vec<u8> {
        let mut message = vec![ROOM_DATA];
        for text in ["move", uci] {
            message.push(STRING + text.len() as u8);
            message.extend(text.as_bytes());
        }
        frames::from_client(BINARY, &message)
    }
}
