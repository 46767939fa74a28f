//! How Arbiter talks over its own sockets: a move is acknowledged once it is durable.

use std::time::Duration;

use super::sockets::{self, Dialect, Heard};
use super::{GAMES, Outcome};
use crate::frames;
use crate::process::Process;
use crate::world::World;

const TEXT: u8 = 1;

pub(super) fn load(server: &Process, lasting: Duration) -> Result<Outcome, String> {
    let mut world = World::new(server.address);
    world.grow(GAMES)?;
    let paths = world.games.iter().flat_map(|game| {
        [1, 2].map(|ply| {
            let token = &world.players[game.mover(ply)].token;
            format!("/v1/games/{}/stream?token={token}", game.id())
        })
    });
    let plies = vec![0; GAMES];
    sockets::load(server, paths.collect(), Arbiter { plies }, lasting)
}

struct Arbiter {
    /// Half-moves of each game that were acknowledged.
    plies: Vec<u32>,
}

impl Dialect for Arbiter {
    fn hear(&mut self, seat: usize, message: &[u8]) -> Heard {
        let is = |kind: &[u8]| {
            let rest = message.strip_prefix(b"{\"type\":\"");
            rest.is_some_and(|rest| rest.starts_with(kind))
        };
        if is(b"ACK\"") {
            self.plies[seat / 2] += 1;
            Heard::Accepted
        } else if is(b"REFUSED\"") {
            Heard::Refused
        } else if is(b"STATE\"") {
            Heard::Seated(None)
        } else {
            Heard::Nothing
        }
    }

    fn make_move(&self, seat: usize, uci: &str) -> Vec<u8> {
        let ply = self.plies[seat / 2] + 1;
        let text = format!("{{\"type\":\"MOVE\",\"id\":{ply},\"move\":\"{uci}\",\"ply\":{ply}}}");
        frames::from_client(TEXT, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_names_the_half_move_after_the_last_that_was_acknowledged() {
        let mut arbiter = Arbiter { plies: vec![0] };
        let first = arbiter.make_move(0, "e2e4");
        assert!(first.ends_with(br#"{"type":"MOVE","id":1,"move":"e2e4","ply":1}"#));
        let state = arbiter.hear(0, br#"{"type":"STATE","game":{}}"#);
        assert!(matches!(state, Heard::Seated(None)));
        let news = arbiter.hear(1, br#"{"type":"MOVE","ply":1}"#);
        assert!(matches!(news, Heard::Nothing));
        let acknowledged = arbiter.hear(0, br#"{"type":"ACK","id":1,"ply":1}"#);
        assert!(matches!(acknowledged, Heard::Accepted));
        let second = arbiter.make_move(1, "e7e5");
        assert!(second.ends_with(br#""move":"e7e5","ply":2}"#));
    }
}
