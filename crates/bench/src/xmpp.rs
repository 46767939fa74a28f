//! Scenario `xmpp`: many occupants of one room at the XMPP door, and as many sockets on a game
//! beside them.
//!
//! The other end is here: it takes Arbiter's two components as an XMPP server would, and sends
//! and receives for everybody. So what is measured is Arbiter, and no server that passes on.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::listener::SETTLE;
use crate::process::{cpu_of, memory_of};
use crate::report::{Section, count};
use crate::spread::{Receipt, Spread};
use crate::venue::Venue;
use crate::watch::{gather, make_moves, over};

const ARBITER: &str = "arbiter.bench.test";
const GAMES: &str = "games.bench.test";
/// Longer than everybody takes to come in.
const PATIENCE: Duration = Duration::from_secs(120);
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Runs it: a move every second for so many seconds, told to so many.
pub(crate) fn run(venue: &Venue, occupants: usize, seconds: u64) -> Result<Section, String> {
    let mut section = Section::new("xmpp", "many occupants of one room by XMPP").on(venue.setup);
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
    let port = listener.local_addr().map_err(|e| e.to_string())?.port();
    let nodes = [venue.place.start_with(&settings(port))?];
    let streams = components(&listener).map_err(|e| format!("no component came: {e}"))?;

    eprintln!("{occupants} sockets");
    let mut watched = over(&nodes);
    watched.grow(1)?;
    let sockets = gather(&watched, occupants)?;
    let acknowledged = make_moves(&nodes, &mut watched, seconds)?;
    let heard = sockets.end()?;
    let mut by_socket = Spread::new(&acknowledged, &heard.receipts, occupants);

    eprintln!("{occupants} occupants");
    let mut played = over(&nodes);
    played.grow(1)?;
    let empty = memory_of(&nodes);
    let room = Room::fill(&streams, &room_of(played.games[0].id()), occupants)?;
    let memory = memory_of(&nodes).saturating_sub(empty) as f64 / occupants as f64;
    std::thread::sleep(SETTLE); // whoever came last is told the state
    let cpu = cpu_of(&nodes);
    let acknowledged = make_moves(&nodes, &mut played, seconds)?;
    let cpu = cpu_of(&nodes).saturating_sub(cpu).as_secs_f64() * 1e6;
    std::thread::sleep(SETTLE); // the last move is still on its way
    let receipts = room.receipts();
    let cpu = cpu / receipts.len().max(1) as f64;
    let mut by_xmpp = Spread::new(&acknowledged, &receipts, occupants);

    let of = |what: &str| format!("{} occupants: {what}", count(occupants));
    section.row(
        of("all had joined after"),
        room.joined_in.as_secs_f64(),
        "s",
    );
    section.row(of("memory of each"), memory / 1000.0, "KB");
    section.row(of("server CPU per move and occupant"), cpu, "µs");
    let missing = by_xmpp.missing as f64;
    section
        .row(of("deliveries missing"), missing, "")
        .at_most(0.0);
    let after = "after the acknowledgement";
    for (what, value) in [
        ("first receipt, median", by_xmpp.first.ms(50.0)),
        ("last receipt, median", by_xmpp.last.ms(50.0)),
        ("last receipt, p99", by_xmpp.last.ms(99.0)),
    ] {
        section.row(of(&format!("{what} {after}")), value, "ms");
    }
    let of = |what: &str| format!("{} sockets: {what}", count(occupants));
    let last = by_socket.last.ms(50.0);
    section.row(of(&format!("last receipt, median {after}")), last, "ms");
    let ratio = by_xmpp.last.ms(50.0) / last;
    section.row("last receipt, median, occupants over sockets", ratio, "");
    Ok(section)
}

fn settings(port: u16) -> [(&'static str, String); 5] {
    [
        ("ARBITER_XMPP_HOST", "127.0.0.1".into()),
        ("ARBITER_XMPP_PORT", port.to_string()),
        ("ARBITER_XMPP_SECRET", "bench".into()),
        ("ARBITER_XMPP_ARBITER", ARBITER.into()),
        ("ARBITER_XMPP_GAMES", GAMES.into()),
    ]
}

/// The room of a game: its number in decimal.
fn room_of(id: &str) -> String {
    let digit = |byte| DIGITS.iter().position(|d| *d == byte).unwrap_or(0) as u64;
    let number = id.bytes().fold(0, |number, byte| number * 62 + digit(byte));
    format!("{number}@{GAMES}")
}

/// The streams of both components, and the one that has the rooms first.
struct Streams {
    games: TcpStream,
    _arbiter: TcpStream,
}

/// Takes in both components.
fn components(listener: &TcpListener) -> std::io::Result<Streams> {
    let (mut games, mut arbiter) = (None, None);
    while games.is_none() || arbiter.is_none() {
        let (mut stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let head = read_until(&mut stream, b"xmlns:stream", b">")?;
        let is_games = find(&head, GAMES.as_bytes()).is_some();
        let name = if is_games { GAMES } else { ARBITER };
        let answer = format!(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept' \
             xmlns:stream='http://etherx.jabber.org/streams' from='{name}' id='bench'>"
        );
        stream.write_all(answer.as_bytes())?;
        // Whoever knows the secret or not: nobody else can be here.
        read_until(&mut stream, b"<handshake", b"</handshake>")?;
        stream.write_all(b"<handshake/>")?;
        match is_games {
            true => games = Some(stream),
            false => arbiter = Some(stream),
        }
    }
    match (games, arbiter) {
        (Some(games), Some(_arbiter)) => Ok(Streams { games, _arbiter }),
        _ => Err(std::io::ErrorKind::NotConnected.into()),
    }
}

/// Reads until that begins and then ends.
fn read_until(stream: &mut TcpStream, begin: &[u8], end: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut read = Vec::new();
    let mut byte = [0];
    loop {
        stream.read_exact(&mut byte)?;
        read.push(byte[0]);
        if read.ends_with(end) && find(&read, begin).is_some() {
            return Ok(read);
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// A room full of people.
struct Room {
    ear: Arc<Ear>,
    joined_in: Duration,
}

/// What all of them heard.
#[derive(Default)]
struct Ear {
    joined: AtomicUsize,
    receipts: Mutex<Vec<Receipt>>,
}

impl Room {
    /// Lets so many people in.
    fn fill(streams: &Streams, room: &str, occupants: usize) -> Result<Room, String> {
        let text = |error: std::io::Error| error.to_string();
        let ear = Arc::new(Ear::default());
        let mut stream = streams.games.try_clone().map_err(text)?;
        stream.set_read_timeout(None).map_err(text)?;
        let listening = Arc::clone(&ear);
        std::thread::spawn(move || listening.listen(&mut stream));
        let begun = Instant::now();
        let mut out = streams.games.try_clone().map_err(text)?;
        for n in 0..occupants {
            let join = format!(
                "<presence from='u{n}@bench.test/x' to='{room}/u{n}'>\
                 <x xmlns='http://jabber.org/protocol/muc'/></presence>"
            );
            out.write_all(join.as_bytes()).map_err(text)?;
        }
        loop {
            let joined = ear.joined.load(Ordering::Relaxed);
            if joined >= occupants {
                break;
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("{joined} of {occupants} are in the room"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let joined_in = begun.elapsed();
        Ok(Room { ear, joined_in })
    }

    fn receipts(&self) -> Vec<Receipt> {
        let mut receipts = self
            .ear
            .receipts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *receipts)
    }
}

impl Ear {
    /// Hears everything until the stream ends.
    fn listen(&self, stream: &mut TcpStream) {
        let mut heard = Tags::default();
        let mut piece = vec![0; 256 << 10];
        while let Ok(read @ 1..) = stream.read(&mut piece) {
            let at = Instant::now();
            let mut receipts = self.receipts.lock().unwrap_or_else(PoisonError::into_inner);
            heard.read(&piece[..read], |news| match news {
                News::Joined => {
                    self.joined.fetch_add(1, Ordering::Relaxed);
                }
                News::Moved(ply) => receipts.push(Receipt { ply, at }),
            });
        }
    }
}

/// Something that one occupant was told.
#[derive(Debug, PartialEq, Eq)]
enum News {
    Joined,
    Moved(u32),
}

/// Reads no more of XML than its tags: `>` stands nowhere else.
#[derive(Default)]
struct Tags {
    /// What has begun and not ended.
    left: Vec<u8>,
    /// Whether the stanza is for everybody, and is no state for who joins.
    is_change: bool,
}

impl Tags {
    fn read(&mut self, piece: &[u8], mut tell: impl FnMut(News)) {
        let mut left = std::mem::take(&mut self.left);
        left.extend_from_slice(piece);
        let mut rest = &left[..];
        while let Some(begin) = rest.iter().position(|byte| *byte == b'<') {
            rest = &rest[begin..];
            let Some(end) = rest.iter().position(|byte| *byte == b'>') else {
                break;
            };
            self.tag(&rest[1..end], &mut tell);
            rest = &rest[end..];
        }
        let open = rest.first() == Some(&b'<');
        self.left = if open { rest.to_vec() } else { Vec::new() };
    }

    fn tag(&mut self, tag: &[u8], tell: &mut impl FnMut(News)) {
        if tag.starts_with(b"message ") {
            self.is_change = find(tag, b"'groupchat'").is_some();
        } else if tag.starts_with(b"state ") {
            self.is_change = false;
        } else if tag.starts_with(b"status code='110'") {
            tell(News::Joined);
        } else if self.is_change && tag.starts_with(b"move ") {
            let ply = find(tag, b" ply='").map(|at| crate::http::number(&tag[at + 6..]));
            tell(News::Moved(ply.unwrap_or(0) as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_heard_however_the_bytes_are_cut() {
        let text = "<presence to='a'><x><status code='110'/></x></presence>\
                    <message to='a'><game><state ply='1'><move ply='1'>e2e4</move></state></game></message>\
                    <message to='a' type='groupchat'><game><move player='x' side='black' ply='12'>e7e5</move>\
                    </game></message><message type='groupchat' to='b'><game><move ply='13'/></game></message>";
        for size in [1, 7, 1000] {
            let (mut tags, mut news) = (Tags::default(), Vec::new());
            for piece in text.as_bytes().chunks(size) {
                tags.read(piece, |heard| news.push(heard));
            }
            assert_eq!(news, [News::Joined, News::Moved(12), News::Moved(13)]);
        }
    }

    #[test]
    fn a_room_is_called_by_the_games_number() {
        assert_eq!(room_of("00000010"), format!("62@{GAMES}"));
    }
}
