//! What is counted. Everything is made ready before a round begins.

use std::hint::black_box;
use std::net::SocketAddr;
use std::path::Path;

use server::operate::Running;
use server::settings::Settings;
use tokio::runtime::Builder;

use crate::peer::{Http, Socket, field, request};

/// What is counted: its name, how many rounds there are of it, each from the same beginning,
/// and how often it is done in one. What the clock brings about falls into some moves in one
/// round, and into others in the next.
pub(crate) const WORKS: [(&str, usize, usize); 3] = [
    ("post_move_whole_path", ROUNDS, COUNTED),
    ("socket_move_whole_path", ROUNDS, COUNTED),
    (SHOWN, PAIR_ROUNDS, PAIRS),
];
/// This is shown and held to nothing. It leaves events behind, which the store's writer
/// hands out within 200 ms: where the machine is busy a pair of requests takes as long, and
/// has that in every round. One run was 5 % above the rest, where moves were within 1 %.
pub(crate) const SHOWN: &str = "create_and_join_whole_path";

const ROUNDS: usize = 5;
const PAIR_ROUNDS: usize = 20;

/// Half-moves that are not counted, and those that are.
const BEFORE: usize = 16;
const COUNTED: usize = 48;
/// Games that are made and joined, uncounted and counted.
const PAIRS_BEFORE: usize = 1;
const PAIRS: usize = 4;

/// Two knights a side that go round for ever.
const WHITE: [&str; 6] = ["b1c3", "g1f3", "c3b5", "b5a3", "f3g1", "a3b1"];
const BLACK: [&str; 8] = [
    "b8c6", "g8f6", "c6b4", "f6g4", "b4a6", "g4h6", "a6b8", "h6g8",
];

/// How the messages begin that a move brings about.
const ACK: &str = r#"{"type":"ACK""#;
const MOVE: &str = r#"{"type":"MOVE""#;

const NEW_GAME: &str = r#"{"time_control":{"initial_seconds":10800,"increment_seconds":0},"draw_rule":"claim","color":"white"}"#;

pub(crate) fn run(directory: &Path) {
    let settings = Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        store: format!("sqlite:{}", directory.join("counted.db").display()),
        log: "warn".into(),
        creations_per_second: 1_000_000,
        creations_burst: 1_000_000,
        moves_per_second: 1_000_000,
        commands_per_second: 1_000_000,
        ..Settings::default()
    };
    // One thread, however many processors there are.
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let running = runtime.block_on(Running::start(settings));
    let running = running.expect("the server starts");
    let mut players = Players::come(running.address);
    for _ in 0..ROUNDS {
        players.post();
    }
    for _ in 0..ROUNDS {
        players.sockets();
    }
    for _ in 0..PAIR_ROUNDS {
        players.create_and_join();
    }
    runtime.block_on(running.stop());
}

/// Both players, and the one connection on which they ask.
struct Players {
    address: SocketAddr,
    http: Http,
    tokens: [String; 2],
}

impl Players {
    fn come(address: SocketAddr) -> Players {
        let mut http = Http::connect(address);
        let guest = request("POST", "/v1/guests", "", "", "{}");
        let tokens = [(); 2].map(|()| field(http.ask(&guest), "token").to_owned());
        Players {
            address,
            http,
            tokens,
        }
    }

    /// A game that White made and Black joined.
    fn game(&mut self) -> String {
        let create = request("POST", "/v1/games", &self.tokens[0], "", NEW_GAME);
        let id = field(self.http.ask(&create), "id").to_owned();
        self.http.ask(&join(&id, &self.tokens[1]));
        id
    }

    /// Moves by `POST`, in a game that nobody watches.
    fn post(&mut self) {
        let path = format!("/v1/games/{}/moves", self.game());
        let moves = (0..BEFORE + COUNTED).map(|ply| {
            let body = format!(r#"{{"move":"{}","ply":{}}}"#, uci(ply), ply + 1);
            request("POST", &path, &self.tokens[ply % 2], "", &body)
        });
        let moves: Vec<_> = moves.collect();
        for (ply, request) in moves.iter().enumerate() {
            if ply == BEFORE {
                begin_counting();
            }
            self.http.ask(request);
            end_piece(ply, BEFORE);
        }
    }

    /// Moves over the sockets of both players, who are both told of each.
    fn sockets(&mut self) {
        let path = format!("/v1/games/{}/stream", self.game());
        let open = |token: &String| Socket::open(self.address, &path, token);
        let [mut white, mut black] = self.tokens.each_ref().map(open);
        let moves = (0..BEFORE + COUNTED).map(|ply| {
            let (uci, next) = (uci(ply), ply + 1);
            let text = format!(r#"{{"type":"MOVE","id":{next},"move":"{uci}","ply":{next}}}"#);
            Socket::message(&text)
        });
        let moves: Vec<_> = moves.collect();
        for (ply, message) in moves.iter().enumerate() {
            if ply == BEFORE {
                begin_counting();
            }
            let (mover, other) = match ply % 2 {
                0 => (&mut white, &mut black),
                _ => (&mut black, &mut white),
            };
            mover.send(message);
            mover.wait_for(&[ACK, MOVE]);
            other.wait_for(&[MOVE]);
            end_piece(ply, BEFORE);
        }
    }

    fn create_and_join(&mut self) {
        let create = request("POST", "/v1/games", &self.tokens[0], "", NEW_GAME);
        for pair in 0..PAIRS_BEFORE + PAIRS {
            if pair == PAIRS_BEFORE {
                begin_counting();
            }
            let id = field(self.http.ask(&create), "id").to_owned();
            self.http.ask(&join(&id, &self.tokens[1]));
            end_piece(pair, PAIRS_BEFORE);
        }
    }
}

/// Each is counted by itself, after those that are not.
fn end_piece(number: usize, before: usize) {
    if number >= before {
        end_counting();
    }
}

fn join(id: &str, token: &str) -> Vec<u8> {
    request("POST", &format!("/v1/games/{id}/join"), token, "", "{}")
}

fn uci(ply: usize) -> &'static str {
    let turn = ply / 2;
    match ply % 2 {
        0 => WHITE[turn % WHITE.len()],
        _ => BLACK[turn % BLACK.len()],
    }
}

#[inline(never)]
fn begin_counting() {
    black_box("begin");
}

#[inline(never)]
fn end_counting() {
    black_box("end");
}
