//! One table: from the creation of a game to its end, and what must then be so.

use crate::http;
use crate::lines::Lines;
use crate::rng::Rng;
use crate::world::{Player, World};

/// How a game is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Mate,
    Resignation,
    Draw,
    Flag,
    Abort,
}

/// What happens next at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Create,
    Join,
    Move,
    /// The same move again, as a client does that heard no answer.
    Again,
    Chat,
    Resign,
    OfferDraw,
    AcceptDraw,
    Abort,
    /// A look at the finished game.
    Look,
}

const MATE: [&str; 7] = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"];
const BLITZ: &[u8] =
    br#"{"time_control":{"initial_seconds":180,"increment_seconds":2},"draw_rule":"claim"}"#;
const BULLET: &[u8] =
    br#"{"time_control":{"initial_seconds":5,"increment_seconds":0},"draw_rule":"claim"}"#;
/// How long after its last move the flag of a bullet game has surely fallen.
pub(crate) const FLAG_MS: u64 = 6_000;

/// A table in use.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) ending: Ending,
    pub(crate) step: Step,
    pub(crate) ply: u32,
    /// Half-moves before it ends.
    last_ply: u32,
    line: usize,
    white: usize,
    black: usize,
    /// The answer to the last move.
    pub(crate) answer: Vec<u8>,
}

/// A finished game as it must be.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) id: String,
    pub(crate) ending: Ending,
    ply: u32,
    line: usize,
}

impl Table {
    /// A game of chance between two of the players.
    pub(crate) fn new(world: &World, rng: &mut Rng) -> Table {
        let ending = match rng.below(100) {
            0..15 => Ending::Mate,
            15..55 => Ending::Resignation,
            55..75 => Ending::Draw,
            75..92 => Ending::Flag,
            _ => Ending::Abort,
        };
        let last_ply = match ending {
            Ending::Mate => MATE.len() as u32,
            Ending::Flag => 4 + rng.below(6) as u32,
            Ending::Abort => rng.below(2) as u32,
            Ending::Resignation | Ending::Draw => 4 + rng.below(40) as u32,
        };
        let white = rng.below(world.players.len());
        let black = (white + 1 + rng.below(world.players.len() - 1)) % world.players.len();
        Table {
            id: String::new(),
            ending,
            step: Step::Create,
            ply: 0,
            last_ply,
            line: rng.below(1 << 16),
            white,
            black,
            answer: Vec::new(),
        }
    }

    pub(crate) fn player<'a>(&self, world: &'a World, is_white: bool) -> &'a Player {
        &world.players[if is_white { self.white } else { self.black }]
    }

    fn uci<'a>(&self, lines: &'a Lines, ply: u32) -> &'a str {
        uci(self.ending, self.line, lines, ply)
    }

    /// What is sent for the step.
    pub(crate) fn request(&self, world: &World, out: &mut Vec<u8>) {
        let player = |ply: u32| &self.player(world, ply % 2 == 1).token;
        let post = |out: &mut Vec<u8>, what: &str, token: &str, body: &[u8]| {
            http::request(
                out,
                "POST",
                &format!("/v1/games/{}/{what}", self.id),
                token,
                body,
            );
        };
        let to_move = self.ply + 1;
        match self.step {
            Step::Create => {
                let game = if self.ending == Ending::Flag {
                    BULLET
                } else {
                    BLITZ
                };
                http::request(out, "POST", "/v1/games", player(1), game);
            }
            Step::Join => post(out, "join", player(2), b""),
            Step::Move => {
                let uci = self.uci(&world.lines, to_move);
                http::move_request(out, &self.id, player(to_move), uci, to_move);
            }
            Step::Again => {
                let uci = self.uci(&world.lines, self.ply);
                http::move_request(out, &self.id, player(self.ply), uci, self.ply);
            }
            Step::Chat => post(
                out,
                "chat",
                player(to_move),
                br#"{"text":"good luck","audience":"room"}"#,
            ),
            // Whose move it is loses; so the result follows from the half-moves.
            Step::Resign => post(out, "resign", player(to_move), b""),
            Step::OfferDraw => post(out, "offer-draw", player(to_move), b""),
            Step::AcceptDraw => post(out, "accept-draw", player(to_move + 1), b""),
            Step::Abort => post(out, "abort", player(to_move), b""),
            Step::Look => http::request(out, "GET", &format!("/v1/games/{}", self.id), "", b""),
        }
    }

    /// What follows a step that went well.
    pub(crate) fn go_on(&mut self, rng: &mut Rng) {
        self.step = match self.step {
            Step::Create => Step::Join,
            Step::Move if rng.percent(4) && self.ending != Ending::Flag => Step::Again,
            Step::Move if rng.percent(8) && self.ending != Ending::Flag => Step::Chat,
            Step::Join | Step::Move | Step::Again | Step::Chat if self.ply < self.last_ply => {
                Step::Move
            }
            Step::Join | Step::Move | Step::Again | Step::Chat => match self.ending {
                Ending::Mate | Ending::Flag => Step::Look,
                Ending::Resignation => Step::Resign,
                Ending::Draw => Step::OfferDraw,
                Ending::Abort => Step::Abort,
            },
            Step::OfferDraw => Step::AcceptDraw,
            Step::Resign | Step::AcceptDraw | Step::Abort | Step::Look => Step::Look,
        };
    }

    pub(crate) fn finished(&self) -> Finished {
        Finished {
            id: self.id.clone(),
            ending: self.ending,
            ply: self.ply,
            line: self.line,
        }
    }
}

impl Finished {
    /// What is wrong with what the server says of the game, if anything is.
    pub(crate) fn differs(&self, lines: &Lines, body: &[u8]) -> Option<String> {
        let white_to_move = self.ply.is_multiple_of(2);
        let lost_by_mover = if white_to_move {
            "black_wins"
        } else {
            "white_wins"
        };
        let (result, reason) = match self.ending {
            Ending::Mate => ("white_wins", "checkmate"),
            Ending::Resignation => (lost_by_mover, "resignation"),
            Ending::Flag => (lost_by_mover, "timeout"),
            Ending::Draw => ("draw", "draw_agreed"),
            Ending::Abort => ("aborted", "aborted"),
        };
        let moves = (1..=self.ply).map(|ply| uci(self.ending, self.line, lines, ply));
        let moves: Vec<String> = moves.map(|uci| format!("\"{uci}\"")).collect();
        let expected = [
            "\"state\":\"COMPLETED\"".to_owned(),
            format!("\"result\":\"{result}\""),
            format!("\"reason\":\"{reason}\""),
            format!("\"ply\":{},", self.ply),
            format!("\"moves\":[{}]", moves.join(",")),
        ];
        let missing = expected
            .iter()
            .find(|text| http::find(body, text.as_bytes()).is_none())?;
        let body = String::from_utf8_lossy(&body[..body.len().min(400)]);
        Some(format!("game {} lacks {missing}: {body}", self.id))
    }
}

fn uci(ending: Ending, line: usize, lines: &Lines, ply: u32) -> &str {
    match ending {
        Ending::Mate => MATE[ply as usize - 1],
        _ => lines.get(line, ply).expect("blitz games are short"),
    }
}
