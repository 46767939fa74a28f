//! A game as its players see it.

use chess::rules::{Board, Spelled, Start, Variant};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::Value;

use crate::record::{Kinds, Record};

/// A game that ends by itself.
const FOOLS_MATE: &[&str] = &["f2f3", "e7e5", "g2g4", "d8h4"];
/// A game that may be claimed as a draw.
const REPETITION: &[&str] = &[
    "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8",
];

/// A game and who plays it.
pub(crate) struct Table {
    pub(crate) record: Record,
    /// 0 or 1: which of the two has White.
    pub(crate) white: usize,
    pub(crate) state: String,
    /// 0 or 1: who made it.
    pub(crate) creator: usize,
    board: Board,
    pub(crate) ply: usize,
}

impl Table {
    pub(crate) fn new(record: Record, white: usize, creator: usize) -> Table {
        Table {
            record,
            white,
            state: "WAITING".into(),
            creator,
            board: first_position(),
            ply: 0,
        }
    }

    /// A legal move: by chance, or one of a few games that come to an end.
    pub(crate) fn some_move(&self, rng: &mut StdRng) -> Option<String> {
        let scripted = match self.record.id.as_bytes()[0] % 4 {
            0 => FOOLS_MATE.get(self.ply),
            1 => REPETITION.get(self.ply),
            _ => None,
        };
        if let Some(text) = scripted
            && Spelled::read(text).is_ok_and(|spelled| self.board.resolve(spelled).is_ok())
        {
            return Some((*text).to_owned());
        }
        let moves = self.board.legal_moves();
        moves.choose(rng).map(|m| self.board.uci_text(*m))
    }

    /// 0 or 1: whose move it is.
    pub(crate) fn mover(&self) -> usize {
        (self.white + self.ply) % 2
    }

    /// Whether the board is such that a draw can be claimed.
    pub(crate) fn may_claim(&self) -> bool {
        self.record.id.as_bytes()[0] % 4 == 1 && self.ply == REPETITION.len()
    }

    /// A move was made.
    pub(crate) fn moved(&mut self, told: &Value) {
        play(&mut self.board, &told["move"]);
        self.ply += 1;
        self.state = told["game_state"].as_str().expect("a state").to_owned();
    }

    /// The game is like this.
    pub(crate) fn show(&mut self, game: &Value) {
        self.state = game["state"].as_str().expect("a state").to_owned();
        let moves = game["moves"].as_array().expect("moves");
        self.board = first_position();
        for text in moves {
            play(&mut self.board, text);
        }
        self.ply = moves.len();
    }
}

fn play(board: &mut Board, text: &Value) {
    let text = text.as_str().expect("a move");
    let spelled = Spelled::read(text).expect("a move");
    let m = board.resolve(spelled).expect("a legal move");
    board.play(m);
}

fn first_position() -> Board {
    Board::start(Variant::Standard, &Start::Usual).expect("a board")
}

/// What each command becomes in the log.
pub(crate) fn kinds_of(command: &str) -> Kinds {
    match command {
        "join" | "accept-rematch" => &["STARTED"],
        "invite" => &["INVITED"],
        "offer-draw" => &["OFFER", "GAME_OVER"],
        "offer-pause" => &["OFFER", "PAUSED"],
        "offer-takeback" => &["OFFER"],
        "decline-draw" | "decline-takeback" => &["OFFER_DECLINED"],
        "accept-takeback" => &["TAKEBACK"],
        "accept-pause" => &["PAUSED"],
        "resume" => &["RESUME_ASKED", "RESUMED"],
        "add-time" => &["TIME_ADDED"],
        "cancel" | "decline" | "abort" | "resign" | "accept-draw" | "claim-draw" => &["GAME_OVER"],
        _ => panic!("what is {command}?"),
    }
}
