//! The players and games of a run, as the generator remembers them.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::client::{Answer, Client, Load, Next};
use crate::http;
use crate::lines::Lines;

/// Connections that make players and games: as many as make moves in a closed loop.
const CONNECTIONS: usize = 256;
/// Games of one player: well below what the server allows anyone.
const GAMES_PER_PLAYER: usize = 250;
const PLAYERS_MIN: usize = 64;
/// Three hours each, so that no flag falls; threefold does not end the game.
const NEW_GAME: &[u8] =
    br#"{"time_control":{"initial_seconds":10800,"increment_seconds":0},"draw_rule":"claim"}"#;

/// Everyone and everything.
pub(crate) struct World {
    /// Where its servers are, which are one to their clients.
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) lines: Arc<Lines>,
    pub(crate) players: Vec<Player>,
    pub(crate) games: Vec<Game>,
}

pub(crate) struct Player {
    pub(crate) token: String,
}

/// A game, and what was acknowledged of it.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    id: [u8; 8],
    white: u32,
    black: u32,
    /// Half-moves that were acknowledged.
    pub(crate) ply: u32,
    pub(crate) is_busy: bool,
}

impl Game {
    pub(crate) fn id(&self) -> &str {
        std::str::from_utf8(&self.id).expect("ids are ASCII")
    }

    /// The one who makes a half-move.
    pub(crate) fn mover(&self, ply: u32) -> usize {
        (if ply % 2 == 1 { self.white } else { self.black }) as usize
    }
}

impl World {
    /// Nobody and nothing yet.
    pub(crate) fn new(address: SocketAddr) -> World {
        World::over(vec![address])
    }

    /// The same over several servers.
    pub(crate) fn over(addresses: Vec<SocketAddr>) -> World {
        World {
            addresses,
            lines: Arc::new(Lines::new()),
            players: Vec::new(),
            games: Vec::new(),
        }
    }

    /// A world to send to a server that knows one player and asks nothing
    /// about games: with as many requests to choose from, so that choosing one
    /// takes as long.
    pub(crate) fn stand_in(address: SocketAddr, like: &World) -> World {
        let token = like.players[0].token.clone();
        let game = |game: &Game| Game {
            white: 0,
            black: 0,
            ply: 0,
            is_busy: false,
            ..game.clone()
        };
        World {
            addresses: vec![address],
            lines: Arc::clone(&like.lines),
            players: vec![Player { token }],
            games: like.games.iter().map(game).collect(),
        }
    }

    /// So many connections, over all of its servers.
    pub(crate) fn client(&self, connections: usize) -> Result<Client, String> {
        Client::to_all(&self.addresses, connections).map_err(|e| e.to_string())
    }

    /// Begins every game of a stand-in again.
    pub(crate) fn rewind(&mut self) {
        for game in &mut self.games {
            game.ply = 0;
        }
    }

    /// Adds players until there are so many.
    pub(crate) fn invite(&mut self, players: usize) -> Result<(), String> {
        let mut client = self.client(CONNECTIONS)?;
        let mut guests = Guests {
            missing: players.saturating_sub(self.players.len()),
            players: &mut self.players,
            wrong: None,
        };
        client.run(&mut guests)?;
        guests.wrong.map_or(Ok(()), Err)
    }

    /// Adds players until there are enough for so many games.
    pub(crate) fn invite_for(&mut self, games: usize) -> Result<(), String> {
        self.invite((2 * games).div_ceil(GAMES_PER_PLAYER).max(PLAYERS_MIN))
    }

    /// Adds games until there are so many, and players for them.
    pub(crate) fn grow(&mut self, games: usize) -> Result<Grown, String> {
        self.invite_for(games)?;
        let mut client = self.client(CONNECTIONS)?;
        let mut tables = Tables {
            missing: games.saturating_sub(self.games.len()),
            players: &self.players,
            games: &mut self.games,
            to_join: VecDeque::new(),
            answer_bytes: 0,
            wrong: None,
        };
        let begun = Instant::now();
        client.run(&mut tables)?;
        let grown = Grown {
            took: begun.elapsed(),
            answer_bytes: tables.answer_bytes,
        };
        tables.wrong.map_or(Ok(grown), Err)
    }

    /// Who makes the next move of a game, which half-move it is, and what; `None` if there are
    /// no more.
    pub(crate) fn next(&self, game: usize) -> Option<(usize, u32, &str)> {
        let ply = self.games[game].ply + 1;
        let uci = self.lines.get(game, ply)?;
        Some((self.games[game].mover(ply), ply, uci))
    }

    /// Where the one who makes a half-move of a game finds its stream.
    pub(crate) fn stream_of(&self, game: &Game, ply: u32) -> String {
        let token = &self.players[game.mover(ply)].token;
        format!("/v1/games/{}/stream?token={token}", game.id())
    }

    /// The next move of a game as a request; `None` if it has no more.
    pub(crate) fn next_move(&self, game: usize, out: &mut Vec<u8>) -> Option<()> {
        let (mover, ply, uci) = self.next(game)?;
        let token = &self.players[mover].token;
        http::move_request(out, self.games[game].id(), token, uci, ply);
        Some(())
    }
}

/// What it took to make games.
pub(crate) struct Grown {
    pub(crate) took: Duration,
    /// The length of the last answer to the making of one, head and body; 0 if there was none.
    pub(crate) answer_bytes: usize,
}

/// Makes guests.
struct Guests<'a> {
    missing: usize,
    players: &'a mut Vec<Player>,
    wrong: Option<String>,
}

impl Load for Guests<'_> {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        if self.missing == 0 || self.wrong.is_some() {
            return Next::Idle;
        }
        self.missing -= 1;
        http::request(out, "POST", "/v1/guests", "", b"{}");
        Next::Send {
            tag: 0,
            intended: now,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        match http::text_of(answer.body, "token") {
            Some(token) if answer.status == 201 => self.players.push(Player {
                token: token.to_owned(),
            }),
            _ => self.wrong = Some(unexpected("a guest", answer)),
        }
    }

    fn lost(&mut self, _: u64) {
        self.wrong = Some("a guest was not answered".into());
    }
}

/// Makes games: one player opens it, another joins.
struct Tables<'a> {
    missing: usize,
    players: &'a [Player],
    games: &'a mut Vec<Game>,
    /// Games that wait, by their place in `games`.
    to_join: VecDeque<u32>,
    answer_bytes: usize,
    wrong: Option<String>,
}

/// The bit of a tag that says: a join.
const JOIN: u64 = 1 << 32;

impl Load for Tables<'_> {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        if self.wrong.is_some() {
            return Next::Idle;
        }
        let tag = if let Some(index) = self.to_join.pop_front() {
            let game = &self.games[index as usize];
            let path = format!("/v1/games/{}/join", game.id());
            let token = &self.players[game.black as usize].token;
            http::request(out, "POST", &path, token, b"");
            JOIN | u64::from(index)
        } else if self.missing > 0 {
            self.missing -= 1;
            let white = self.missing % self.players.len();
            let token = &self.players[white].token;
            http::request(out, "POST", "/v1/games", token, NEW_GAME);
            white as u64
        } else {
            return Next::Idle;
        };
        Next::Send { tag, intended: now }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        let index = answer.tag as u32;
        if answer.tag & JOIN != 0 {
            self.games[index as usize].is_busy = false;
            if answer.status != 200 {
                self.wrong = Some(unexpected("a join", answer));
            }
            return;
        }
        let id = http::text_of(answer.body, "id").and_then(|id| id.as_bytes().try_into().ok());
        let Some(id) = id.filter(|_| answer.status == 201) else {
            self.wrong = Some(unexpected("a game", answer));
            return;
        };
        self.answer_bytes = answer.length;
        let shift = 1 + self.games.len() / self.players.len() % (self.players.len() - 1);
        self.to_join.push_back(self.games.len() as u32);
        self.games.push(Game {
            id,
            white: index,
            black: ((index as usize + shift) % self.players.len()) as u32,
            ply: 0,
            is_busy: true,
        });
    }

    fn lost(&mut self, _: u64) {
        self.wrong = Some("a game was not answered".into());
    }
}

/// What to say of an answer that should not be.
pub(crate) fn unexpected(what: &str, answer: &Answer<'_>) -> String {
    let body = String::from_utf8_lossy(&answer.body[..answer.body.len().min(300)]);
    format!("{what} was answered with {}: {body}", answer.status)
}
