//! One player's socket.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::time::Instant;

use mio::net::TcpStream;

use crate::frames::{self, Kind};
use crate::http;

const PONG: u8 = 10;

/// What became of a move.
pub(super) enum Heard {
    Accepted {
        game: u32,
        /// When it was to be sent, and when its answer was here.
        intended: Instant,
        at: Instant,
        /// How long the answer was.
        length: usize,
    },
    Refused {
        game: u32,
        why: String,
    },
    /// There will be no answer.
    Nothing,
}

/// A socket, and what is under way on it.
pub(super) struct Socket {
    pub(super) address: SocketAddr,
    pub(super) path: String,
    pub(super) stream: TcpStream,
    /// What has come of the next frame.
    input: Vec<u8>,
    output: Vec<u8>,
    /// Games with a move that is not answered yet, and when it was to be sent.
    pub(super) asked: Vec<(u32, Instant)>,
}

impl Socket {
    /// A WebSocket whose handshake is done, after which this had come.
    pub(super) fn new(
        address: SocketAddr,
        path: String,
        stream: std::net::TcpStream,
        input: Vec<u8>,
    ) -> io::Result<Socket> {
        stream.set_nonblocking(true)?;
        Ok(Socket {
            address,
            path,
            stream: TcpStream::from_std(stream),
            input,
            output: Vec::new(),
            asked: Vec::new(),
        })
    }

    pub(super) fn has_output(&self) -> bool {
        !self.output.is_empty()
    }

    /// Writes down a move, to be sent with the rest.
    pub(super) fn ask(
        &mut self,
        game: u32,
        id: Option<&str>,
        uci: &str,
        ply: u32,
        intended: Instant,
    ) {
        move_frame(&mut self.output, game, id, uci, ply);
        self.asked.push((game, intended));
    }

    /// Sends what was written down; `false` if that cannot be done.
    pub(super) fn flush(&mut self) -> bool {
        let written = self.stream.write(&self.output);
        let is_sent = matches!(written, Ok(n) if n == self.output.len());
        self.output.clear();
        is_sent
    }

    /// Reads what there is: what became of moves, and how many were told. `false`: it is closed.
    pub(super) fn receive(&mut self, heard: &mut Vec<Heard>, told: &mut u64) -> bool {
        let mut piece = [0; 16 * 1024];
        loop {
            let read = match self.stream.read(&mut piece) {
                Ok(read) if read > 0 => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return true,
                _ => return false,
            };
            if !self.take(&piece[..read], heard, told) {
                return false;
            }
            // There is a new event for whatever comes after a short read.
            if read < piece.len() {
                return true;
            }
        }
    }

    fn take(&mut self, piece: &[u8], heard: &mut Vec<Heard>, told: &mut u64) -> bool {
        let now = Instant::now();
        let mut input = std::mem::take(&mut self.input);
        // Nearly always whole messages are there: no copy.
        let bytes = if input.is_empty() {
            piece
        } else {
            input.extend_from_slice(piece);
            &input
        };
        let mut used = 0;
        while let Some(frame) = frames::read(&bytes[used..]) {
            used += frame.length;
            match frame.kind {
                Kind::Message => match type_of(frame.payload) {
                    Some("ACK" | "REFUSED") => {
                        heard.extend(self.answered(frame.payload, frame.length, now));
                    }
                    Some("YOUR_TURN" | "MOVE") => *told += 1,
                    _ => {}
                },
                Kind::Ping => self.output.extend(frames::from_client(PONG, frame.payload)),
                Kind::Close => return false,
                Kind::Other => {}
            }
        }
        self.input.extend_from_slice(&bytes[used..]);
        true
    }

    /// What became of the move that a message is the answer to.
    fn answered(&mut self, message: &[u8], length: usize, at: Instant) -> Option<Heard> {
        let id = http::number_of(message, "id")? as u32;
        let asked = self.asked.iter().position(|(game, _)| *game == id)?;
        let (game, intended) = self.asked.swap_remove(asked);
        Some(match type_of(message) {
            Some("ACK") => Heard::Accepted {
                game,
                intended,
                at,
                length,
            },
            _ => Heard::Refused {
                game,
                why: format!("a move was refused: {}", String::from_utf8_lossy(message)),
            },
        })
    }
}

/// What kind of message it is, which comes first.
fn type_of(message: &[u8]) -> Option<&str> {
    let rest = message.strip_prefix(b"{\"type\":\"")?;
    let length = rest.iter().position(|b| *b == b'"')?;
    std::str::from_utf8(&rest[..length]).ok()
}

/// Appends a move as a client's frame, by a mask that changes nothing; with the game's id, unless
/// the stream is the game's.
fn move_frame(out: &mut Vec<u8>, number: u32, game: Option<&str>, uci: &str, ply: u32) {
    let head = out.len();
    out.extend([0x81, 0, 0, 0, 0, 0]);
    write!(out, r#"{{"type":"MOVE","id":{number},"#).expect("a Vec takes it all");
    if let Some(game) = game {
        write!(out, r#""game_id":"{game}","#).expect("a Vec takes it all");
    }
    write!(out, r#""move":"{uci}","ply":{ply}}}"#).expect("a Vec takes it all");
    let length = out.len() - head - 6;
    debug_assert!(length < 126, "a move is short");
    out[head + 1] = 0x80 | length as u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_a_whole_frame() {
        let mut out = Vec::new();
        move_frame(&mut out, 499_999, Some("Ab3fK9xQ"), "e7e8q", 600);
        let text = r#"{"type":"MOVE","id":499999,"game_id":"Ab3fK9xQ","move":"e7e8q","ply":600}"#;
        assert_eq!(out, frames::from_client(1, text.as_bytes()));
        out.clear();
        move_frame(&mut out, 7, None, "e2e4", 1);
        let text = r#"{"type":"MOVE","id":7,"move":"e2e4","ply":1}"#;
        assert_eq!(out, frames::from_client(1, text.as_bytes()));
    }

    /// A socket to nobody, with a move under way in each of two games.
    fn socket() -> Socket {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stream = std::net::TcpStream::connect(address).unwrap();
        let mut socket = Socket::new(address, String::new(), stream, Vec::new()).unwrap();
        for game in [7, 70] {
            socket.ask(game, None, "e2e4", 1, Instant::now());
        }
        socket.output.clear();
        socket
    }

    #[test]
    fn answers_are_heard_however_the_bytes_are_cut() {
        let refused = br#"{"type":"REFUSED","id":7,"game_id":null,"status":409}"#;
        let accepted = br#"{"type":"ACK","id":70,"game_id":"Ab3fK9xQ","ply":1}"#;
        let mut bytes = frames::text(refused);
        bytes.extend(frames::text(br#"{"type":"YOUR_TURN","version":3,"ply":1}"#));
        bytes.extend([0x89, 0]);
        bytes.extend(frames::text(accepted));
        // What nobody asked for answers nothing.
        bytes.extend(frames::text(br#"{"type":"ACK","id":8}"#));
        for cut in 0..bytes.len() {
            let (mut socket, mut heard, mut told) = (socket(), Vec::new(), 0);
            assert!(socket.take(&bytes[..cut], &mut heard, &mut told));
            assert!(socket.take(&bytes[cut..], &mut heard, &mut told));
            let [
                Heard::Refused { game: 7, why },
                Heard::Accepted {
                    game: 70, length, ..
                },
            ] = &heard[..]
            else {
                panic!("{} answers, cut at {cut}", heard.len());
            };
            assert!(why.contains("409"));
            assert_eq!((*length, told), (accepted.len() + 2, 1));
            assert_eq!(socket.output, frames::from_client(PONG, b""));
            assert!(socket.asked.is_empty() && socket.input.is_empty());
        }
        assert!(!socket().take(&[0x88, 0], &mut Vec::new(), &mut 0));
    }

    #[test]
    fn messages_say_first_what_they_are() {
        assert_eq!(type_of(br#"{"type":"ACK","id":7}"#), Some("ACK"));
        assert_eq!(type_of(br#"{"type":"ACK"#), None);
        assert_eq!(type_of(b"{}"), None);
    }
}
