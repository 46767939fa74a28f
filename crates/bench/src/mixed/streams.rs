//! Streams on some of the games, that break off and come back where they were.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::crowd::shake_hands;
use crate::frames::{self, Kind};
use crate::http;
use crate::rng::Rng;

/// Streams open at a time; what comes beyond is not followed.
const STREAMS: usize = 200;
/// How often each is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// A stream that has heard nothing for so many looks is given up.
const SILENCE: u32 = 60_000 / 5;

/// A game to follow.
pub(crate) struct Announcement {
    pub(crate) game: String,
    pub(crate) token: String,
}

/// What was heard.
#[derive(Default)]
pub(crate) struct Followed {
    pub(crate) messages: u64,
    pub(crate) reconnects: u64,
    pub(crate) wrong: Vec<String>,
    pub(crate) notes: Vec<String>,
}

struct Stream {
    announcement: Announcement,
    socket: TcpStream,
    input: Vec<u8>,
    /// The last version heard of.
    version: usize,
    silent: u32,
    is_over: bool,
}

/// Follows games until no more are announced and all of them are over.
pub(crate) fn follow(address: SocketAddr, announced: &Receiver<Announcement>) -> Followed {
    let mut followed = Followed::default();
    let mut streams: VecDeque<Stream> = VecDeque::new();
    let mut rng = Rng::new(5);
    let mut is_open = true;
    while is_open || !streams.is_empty() {
        match announced.recv_timeout(LOOK) {
            Ok(announcement) if streams.len() < STREAMS && is_open => {
                match Stream::open(address, announcement) {
                    Ok(stream) => streams.push_back(stream),
                    Err(why) => {
                        followed.notes.push(format!("streams were left out: {why}"));
                        return followed;
                    }
                }
            }
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                is_open = false;
                std::thread::sleep(LOOK);
            }
        }
        for _ in 0..streams.len() {
            let Some(mut stream) = streams.pop_front() else {
                break;
            };
            if let Err(wrong) = stream.look(address, &mut rng, &mut followed) {
                followed.wrong.push(format!(
                    "stream of game {}: {wrong}",
                    stream.announcement.game
                ));
            } else if !stream.is_over {
                streams.push_back(stream);
            }
        }
    }
    followed
}

impl Stream {
    fn open(address: SocketAddr, announcement: Announcement) -> Result<Stream, String> {
        let (socket, input) = connect(address, &announcement, None)?;
        Ok(Stream {
            announcement,
            socket,
            input,
            version: 0,
            silent: 0,
            is_over: false,
        })
    }

    /// Reads what has come; now and then breaks off and comes back.
    fn look(
        &mut self,
        address: SocketAddr,
        rng: &mut Rng,
        followed: &mut Followed,
    ) -> Result<(), String> {
        let mut piece = [0; 16 * 1024];
        match self.socket.read(&mut piece) {
            Ok(0) => return Err("was closed by the server".into()),
            Ok(read) => {
                self.input.extend_from_slice(&piece[..read]);
                self.silent = 0;
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.silent += 1,
            Err(error) => return Err(error.to_string()),
        }
        let input = std::mem::take(&mut self.input);
        let mut used = 0;
        while let Some(frame) = frames::read(&input[used..]) {
            used += frame.length;
            if frame.kind == Kind::Message {
                followed.messages += 1;
                self.hear(frame.payload)?;
            }
        }
        self.input = input[used..].to_vec();
        if self.silent > SILENCE {
            return Err("has heard nothing for a minute".into());
        }
        if self.version > 0 && !self.is_over && rng.below(1_000) == 0 {
            let (socket, input) = connect(address, &self.announcement, Some(self.version))?;
            (self.socket, self.input) = (socket, input);
            followed.reconnects += 1;
        }
        Ok(())
    }

    /// Every version once, in order.
    fn hear(&mut self, message: &[u8]) -> Result<(), String> {
        let text = || String::from_utf8_lossy(&message[..message.len().min(200)]).into_owned();
        let kind = http::text_of(message, "type").unwrap_or_default();
        self.is_over |= kind == "GAME_OVER";
        let version = http::number_of(message, "version");
        match (kind, version) {
            ("STATE", Some(version)) if self.version == 0 => {
                self.version = version;
                self.is_over |= http::find(message, b"\"state\":\"COMPLETED\"").is_some();
            }
            ("STATE", _) => return Err(format!("was brought forward: {}", text())),
            ("SYNC", Some(version)) if version != self.version => {
                return Err(format!(
                    "missed something before version {version}: {}",
                    text()
                ));
            }
            ("SYNC", _) | (_, None) => {}
            // One version may carry several messages.
            (_, Some(version)) if version == self.version || version == self.version + 1 => {
                self.version = version;
            }
            (_, Some(_)) => {
                return Err(format!("had version {} before {}", self.version, text()));
            }
        }
        Ok(())
    }
}

fn connect(
    address: SocketAddr,
    announcement: &Announcement,
    since: Option<usize>,
) -> Result<(TcpStream, Vec<u8>), String> {
    let since = since.map_or_else(String::new, |version| format!("&since={version}"));
    let Announcement { game, token } = announcement;
    let path = format!("/v1/games/{game}/stream?token={token}{since}");
    let (socket, input) = shake_hands(address, &path).map_err(|e| e.to_string())?;
    socket.set_nonblocking(true).map_err(|e| e.to_string())?;
    Ok((socket, input))
}
