//! Moves over WebSockets: answered on the socket on which they are made, and told on the opponent's.

mod socket;

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};

use self::socket::{Heard, Socket};
use crate::crowd::shake_hands;
use crate::play::{Due, Pace, Play, Way};
use crate::world::World;

/// Moves of one socket that wait for their answers: as many as the server takes.
const IN_FLIGHT_MAX: usize = 64;
/// How long nothing at all may happen before a run is given up.
const SILENCE: Duration = Duration::from_secs(60);
/// When nothing was said for so long, all was said; and so it is after so much longer, since clocks
/// are told every second, and everybody is asked now and then whether they are there.
const QUIET: Duration = Duration::from_millis(200);
const QUIET_AT_LAST: Duration = Duration::from_secs(2);
/// After so many new sockets the older ones are heard: the server asks them whether they are there.
const AT_ONCE: usize = 32;

/// Whose socket is on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Each player has one, on their own stream: it tells them whenever it is their turn, in any of
    /// their games. So would a bot with many games.
    OwnStreams,
    /// Each player has one for each of the first so many games, on that game's stream. So would
    /// somebody with a board on the screen.
    GameStreams(usize),
}

/// Sockets of players.
pub(crate) struct Sockets {
    shape: Shape,
    poll: Poll,
    events: Events,
    sockets: Vec<Socket>,
    /// Moves in flight of all of them in a closed loop.
    pub(crate) closed_loop: usize,
    in_flight: usize,
    /// Those that have something to send.
    to_flush: Vec<usize>,
    /// What became of moves and is not passed on yet.
    heard: Vec<Heard>,
    /// Messages that told somebody of a move.
    pub(crate) told: u64,
    /// Sockets that were closed by the server, and opened again.
    pub(crate) closed: usize,
}

impl Sockets {
    /// Opens them at each server in turn; with so many moves in flight in a closed loop.
    pub(crate) fn open(world: &World, shape: Shape, closed_loop: usize) -> Result<Sockets, String> {
        let mut all = Sockets {
            shape,
            poll: Poll::new().map_err(|e| e.to_string())?,
            events: Events::with_capacity(1024),
            sockets: Vec::new(),
            closed_loop,
            in_flight: 0,
            to_flush: Vec::new(),
            heard: Vec::new(),
            told: 0,
            closed: 0,
        };
        for (index, path) in paths(world, shape).into_iter().enumerate() {
            let address = world.addresses[index % world.addresses.len()];
            all.add(address, path)
                .map_err(|error| format!("socket {index} could not be opened: {error}"))?;
        }
        all.hear_out().map_err(|error| error.to_string())?;
        Ok(all)
    }

    fn add(&mut self, address: SocketAddr, path: String) -> io::Result<()> {
        let index = self.sockets.len();
        let (stream, input) = shake_hands(address, &path)?;
        let socket = Socket::new(address, path, stream, input)?;
        self.sockets.push(socket);
        self.register(index)?;
        if index.is_multiple_of(AT_ONCE) {
            self.wait(Duration::ZERO)?;
        }
        Ok(())
    }

    fn register(&mut self, index: usize) -> io::Result<()> {
        let stream = &mut self.sockets[index].stream;
        let registry = self.poll.registry();
        registry.register(stream, Token(index), Interest::READABLE)
    }

    pub(crate) fn len(&self) -> usize {
        self.sockets.len()
    }

    /// Listens while something else is done.
    ///
    /// # Errors
    /// A socket cannot be read, or opened again.
    pub(crate) fn listen_while<T>(&mut self, deed: impl FnOnce() -> T) -> Result<T, String> {
        let stop = AtomicBool::new(false);
        let (done, listened) = std::thread::scope(|scope| {
            let listener = scope.spawn(|| self.listen(&stop));
            let done = deed();
            stop.store(true, Ordering::Relaxed);
            (done, listener.join())
        });
        let listened = listened.map_err(|_| "the listener panicked")?;
        listened.map_err(|error| error.to_string())?;
        Ok(done)
    }

    fn listen(&mut self, stop: &AtomicBool) -> io::Result<()> {
        while !stop.load(Ordering::Relaxed) {
            self.wait(QUIET)?;
        }
        self.hear_out()
    }

    /// Listens until nothing more is said.
    fn hear_out(&mut self) -> io::Result<()> {
        let begun = Instant::now();
        loop {
            self.wait(QUIET)?;
            if self.events.is_empty() || begun.elapsed() > QUIET_AT_LAST {
                return Ok(());
            }
        }
    }

    fn work(&mut self, play: &mut Play<'_>) -> io::Result<()> {
        loop {
            let wake = self.send(play);
            self.flush()?;
            if wake.is_none() && self.in_flight == 0 {
                return Ok(());
            }
            let wait = wake.map_or(SILENCE, |at| at.saturating_duration_since(Instant::now()));
            self.wait(wait)?;
            self.tell(play);
            if self.events.is_empty() && wake.is_none() {
                let why = format!("no answer to {} moves within {SILENCE:?}", self.in_flight);
                return Err(io::Error::new(io::ErrorKind::TimedOut, why));
            }
        }
    }

    /// Writes down as much as is due; says when there is more, if that is known.
    fn send(&mut self, play: &mut Play<'_>) -> Option<Instant> {
        let most = match play.pace {
            Pace::Open(_) => usize::MAX,
            Pace::Closed => self.closed_loop,
        };
        while self.in_flight < most {
            let can_send = |world: &World, game| {
                let socket = socket_of(world, self.shape, game);
                socket.is_some_and(|at| self.sockets[at].asked.len() < IN_FLIGHT_MAX)
            };
            match play.due(Instant::now(), can_send) {
                Due::Move { game, intended } => self.ask(play.world, game, intended),
                Due::At(at) => return Some(at),
                Due::Nothing => return None,
            }
        }
        None
    }

    fn ask(&mut self, world: &World, game: u32, intended: Instant) {
        let index = socket_of(world, self.shape, game).expect("it was chosen for it");
        let (_, ply, uci) = world.next(game as usize).expect("it was chosen for it");
        let socket = &mut self.sockets[index];
        if !socket.has_output() {
            self.to_flush.push(index);
        }
        let id = match self.shape {
            Shape::OwnStreams => Some(world.games[game as usize].id()),
            Shape::GameStreams(_) => None,
        };
        socket.ask(game, id, uci, ply, intended);
        self.in_flight += 1;
    }

    /// Sends what was written down: all of a socket at once.
    fn flush(&mut self) -> io::Result<()> {
        while let Some(index) = self.to_flush.pop() {
            if !self.sockets[index].flush() {
                self.reopen(index)?;
            }
        }
        Ok(())
    }

    /// Waits until something is said, hears it, and answers those who ask whether we are there.
    fn wait(&mut self, most: Duration) -> io::Result<()> {
        self.poll.poll(&mut self.events, Some(most))?;
        let events = std::mem::replace(&mut self.events, Events::with_capacity(0));
        for event in &events {
            self.receive(event.token().0)?;
        }
        self.events = events;
        self.flush()
    }

    fn receive(&mut self, index: usize) -> io::Result<()> {
        let socket = &mut self.sockets[index];
        let before = socket.asked.len();
        let is_open = socket.receive(&mut self.heard, &mut self.told);
        self.in_flight -= before - socket.asked.len();
        if socket.has_output() {
            self.to_flush.push(index);
        }
        match is_open {
            true => Ok(()),
            false => self.reopen(index),
        }
    }

    /// A socket has ended: its moves are lost, and another takes its place.
    fn reopen(&mut self, index: usize) -> io::Result<()> {
        self.closed += 1;
        let socket = &mut self.sockets[index];
        self.in_flight -= socket.asked.len();
        self.heard
            .extend(socket.asked.drain(..).map(|_| Heard::Nothing));
        let (stream, input) = shake_hands(socket.address, &socket.path)?;
        *socket = Socket::new(
            socket.address,
            std::mem::take(&mut socket.path),
            stream,
            input,
        )?;
        self.register(index)
    }

    /// Passes on what became of moves.
    fn tell(&mut self, play: &mut Play<'_>) {
        for heard in self.heard.drain(..) {
            match heard {
                Heard::Accepted {
                    game,
                    intended,
                    at,
                    length,
                } => play.accepted(game, intended, at, length),
                Heard::Refused { game, why } => play.refused(game, || why),
                Heard::Nothing => play.unanswered(),
            }
        }
    }
}

impl Way for Sockets {
    fn make(&mut self, play: &mut Play<'_>) -> Result<(), String> {
        let result = self.work(play);
        for socket in &mut self.sockets {
            self.heard
                .extend(socket.asked.drain(..).map(|_| Heard::Nothing));
        }
        self.in_flight = 0;
        self.tell(play);
        // Whoever's turn it is now is still being told.
        result
            .and_then(|()| self.hear_out())
            .map_err(|error| error.to_string())
    }
}

/// Where the sockets are.
fn paths(world: &World, shape: Shape) -> Vec<String> {
    match shape {
        Shape::OwnStreams => {
            let own = |player: &crate::world::Player| format!("/v1/stream?token={}", player.token);
            world.players.iter().map(own).collect()
        }
        Shape::GameStreams(games) => world.games[..games]
            .iter()
            .flat_map(|game| [1, 2].map(|ply| world.stream_of(game, ply)))
            .collect(),
    }
}

/// The socket on which the next move of a game is made; `None` if there is no such move.
fn socket_of(world: &World, shape: Shape, game: u32) -> Option<usize> {
    let (mover, ply, _) = world.next(game as usize)?;
    match shape {
        Shape::OwnStreams => Some(mover),
        // White's stands before Black's.
        Shape::GameStreams(games) => {
            let game = Some(game as usize).filter(|game| *game < games)?;
            Some(2 * game + usize::from(ply.is_multiple_of(2)))
        }
    }
}
