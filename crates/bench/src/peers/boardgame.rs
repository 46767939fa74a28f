//! How boardgame.io talks: Socket.IO, as text.

use std::time::Duration;

use super::sockets::{self, Dialect, Heard};
use super::{GAMES, Outcome};
use crate::http::{find, number};
use crate::process::Process;
use crate::socket_io::{self, Meant, text};

/// Where its games are.
const NAMESPACE: &str = "/chess,";

pub(super) fn load(server: &Process, lasting: Duration) -> Result<Outcome, String> {
    let paths = vec![socket_io::PATH.to_owned(); 2 * GAMES];
    let states = vec![0; GAMES];
    sockets::load(server, paths, BoardGame { states }, lasting)
}

struct BoardGame {
    /// The number of each game's last state, which a move must name.
    states: Vec<usize>,
}

impl Dialect for BoardGame {
    fn hear(&mut self, seat: usize, message: &[u8]) -> Heard {
        let state = find(message, b"\"_stateID\":").map(|at| number(&message[at..]));
        let (game, player) = (seat / 2, seat % 2);
        match socket_io::hear(message, NAMESPACE) {
            Meant::Reply(reply) => return Heard::Reply(reply),
            Meant::Joined => {
                // The first to ask for a game makes it.
                let sync = format!("42/chess,[\"sync\",\"game{game}\",\"{player}\",null,2]");
                return Heard::Reply(text(&sync));
            }
            Meant::Other => {}
        }
        if message.starts_with(b"42/chess,[\"sync\"") {
            self.states[game] = state.unwrap_or(0);
            Heard::Seated(None)
        } else if message.starts_with(b"42/chess,[\"update\"") {
            // Both players are told; the first to hear is enough.
            match state.filter(|state| *state > self.states[game]) {
                Some(state) => {
                    self.states[game] = state;
                    Heard::Accepted
                }
                None => Heard::Nothing,
            }
        } else {
            Heard::Nothing
        }
    }

    fn make_move(&self, seat: usize, uci: &str) -> Vec<u8> {
        let (game, player) = (seat / 2, seat % 2);
        let state = self.states[game];
        text(&format!(
            "42/chess,[\"update\",{{\"type\":\"MAKE_MOVE\",\"payload\":{{\"type\":\"move\",\
             \"args\":[\"{uci}\"],\"playerID\":\"{player}\",\"credentials\":null}}}},\
             {state},\"game{game}\",\"{player}\"]"
        ))
    }
}
