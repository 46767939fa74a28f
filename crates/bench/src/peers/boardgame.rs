//! How boardgame.io talks: a lobby over HTTP, then Socket.IO.

use std::time::Duration;

use super::sockets::{self, Dialect, Heard};
use super::{GAMES, Outcome};
use crate::ask::ask;
use crate::frames;
use crate::http::{find, number, text_of};
use crate::process::Process;

const TEXT: u8 = 1;

pub(super) fn load(server: &Process, lasting: Duration) -> Result<Outcome, String> {
    let mut seats = Vec::new();
    for _ in 0..GAMES {
        let game = post(server, "create", br#"{"numPlayers":2}"#)?;
        let game = text_of(&game, "matchID").ok_or("a match without an id")?;
        for player in 0..2 {
            let body = format!("{{\"playerID\":\"{player}\",\"playerName\":\"p{player}\"}}");
            let joined = post(server, &format!("{game}/join"), body.as_bytes())?;
            let secret =
                text_of(&joined, "playerCredentials").ok_or("a seat without credentials")?;
            seats.push(Seat {
                game: game.to_owned(),
                secret: secret.to_owned(),
                state: 0,
            });
        }
    }
    let path = "/socket.io/?EIO=4&transport=websocket".to_owned();
    let paths = vec![path; seats.len()];
    sockets::load(server, paths, BoardGame { seats }, lasting)
}

fn post(server: &Process, what: &str, body: &[u8]) -> Result<Vec<u8>, String> {
    ask(
        server.address,
        "POST",
        &format!("/games/chess/{what}"),
        body,
    )
}

struct BoardGame {
    seats: Vec<Seat>,
}

struct Seat {
    game: String,
    secret: String,
    /// The number of the last state heard of, which a move must name.
    state: usize,
}

fn text(text: String) -> Vec<u8> {
    frames::from_client(TEXT, text.as_bytes())
}

impl Dialect for BoardGame {
    fn hear(&mut self, index: usize, message: &[u8]) -> Heard {
        let state = find(message, b"\"_stateID\":").map(|at| number(&message[at..]));
        let seat = &mut self.seats[index];
        let player = index % 2;
        if message.starts_with(b"0{") {
            Heard::Reply(text("40/chess,".into()))
        } else if message == b"2" {
            Heard::Reply(text("3".into()))
        } else if message.starts_with(b"40/chess,") {
            let Seat { game, secret, .. } = seat;
            let sync = format!("42/chess,[\"sync\",\"{game}\",\"{player}\",\"{secret}\",2]");
            Heard::Reply(text(sync))
        } else if message.starts_with(b"42/chess,[\"sync\"") {
            seat.state = state.unwrap_or(0);
            Heard::Seated(None)
        } else if message.starts_with(b"42/chess,[\"update\"") {
            let state = state.unwrap_or(0);
            // The opponent must name it too, and may be told later.
            self.seats[index].state = state;
            self.seats[index ^ 1].state = state;
            Heard::Accepted
        } else {
            Heard::Nothing
        }
    }

    fn make_move(&self, index: usize, uci: &str) -> Vec<u8> {
        let Seat {
            game,
            secret,
            state,
        } = &self.seats[index];
        let player = index % 2;
        text(format!(
            "42/chess,[\"update\",{{\"type\":\"MAKE_MOVE\",\"payload\":{{\"type\":\"move\",\
             \"args\":[\"{uci}\"],\"playerID\":\"{player}\",\"credentials\":\"{secret}\"}}}},\
             {state},\"{game}\",\"{player}\"]"
        ))
    }
}
