//! The other end: as little as a client can do. It is not counted, but has to be waited for.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// More than any answer takes.
const ANSWER_MAX: usize = 1 << 16;

/// A connection on which one thing is asked for at a time.
pub(crate) struct Http {
    stream: TcpStream,
    answer: Box<[u8; ANSWER_MAX]>,
}

/// A request, whole.
pub(crate) fn request(method: &str, path: &str, token: &str, more: &str, body: &str) -> Vec<u8> {
    let authorization = match token {
        "" => String::new(),
        token => format!("Authorization: Bearer {token}\r\n"),
    };
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: bench\r\n{authorization}{more}\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

impl Http {
    pub(crate) fn connect(address: SocketAddr) -> Http {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        let answer = vec![0; ANSWER_MAX].into_boxed_slice();
        let answer = answer.try_into().expect("of that size");
        Http { stream, answer }
    }

    /// Asks, and insists on success; every answer is an object.
    pub(crate) fn ask(&mut self, request: &[u8]) -> &str {
        self.stream.write_all(request).expect("it is sent");
        let mut length = 0;
        while !self.answer[..length].ends_with(b"}") {
            let read = self.stream.read(&mut self.answer[length..]);
            length += read.expect("an answer");
        }
        let answer = std::str::from_utf8(&self.answer[..length]).expect("text");
        assert!(answer.starts_with("HTTP/1.1 2"), "{answer}");
        answer
    }
}

/// A text of an answer's first field of that name.
pub(crate) fn field<'a>(answer: &'a str, name: &str) -> &'a str {
    let (_, rest) = answer
        .split_once(&format!("\"{name}\":\""))
        .expect("the field");
    rest.split_once('"').expect("a text").0
}

/// A game's stream.
pub(crate) struct Socket {
    stream: TcpStream,
    input: Vec<u8>,
    taken: usize,
}

impl Socket {
    /// Opens it; the first message is the game.
    pub(crate) fn open(address: SocketAddr, path: &str, token: &str) -> Socket {
        let mut stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEC==\r\n";
        let request = request("GET", path, token, upgrade, "");
        stream.write_all(&request).expect("it is sent");
        let mut socket = Socket {
            stream,
            input: Vec::with_capacity(ANSWER_MAX),
            taken: 0,
        };
        let end = b"\r\n\r\n";
        while !socket.input.windows(4).any(|four| four == end) {
            socket.read();
        }
        let head = socket.input.windows(4).position(|four| four == end);
        socket.taken = head.expect("it was found") + 4;
        assert!(socket.input.starts_with(b"HTTP/1.1 101"));
        socket.wait_for(&["{\"type\":\"STATE\""]);
        socket
    }

    /// A message as a client sends it. The mask that every one must have is nothing here.
    pub(crate) fn message(text: &str) -> Vec<u8> {
        let length = u8::try_from(text.len()).ok().filter(|length| *length < 126);
        let mut frame = vec![0x81, 0x80 | length.expect("a short message"), 0, 0, 0, 0];
        frame.extend_from_slice(text.as_bytes());
        frame
    }

    pub(crate) fn send(&mut self, message: &[u8]) {
        self.stream.write_all(message).expect("it is sent");
    }

    /// Reads messages until there was one that begins like each of these, in any order.
    pub(crate) fn wait_for(&mut self, beginnings: &[&str]) {
        let mut left = beginnings.len();
        while left > 0 {
            let rest = &self.input[self.taken..];
            let (head, length) = match rest {
                [_, 126, high, low, ..] => (4, usize::from(u16::from_be_bytes([*high, *low]))),
                [_, length @ 0..126, ..] => (2, usize::from(*length)),
                _ => (0, usize::MAX),
            };
            if rest.len() < length.saturating_add(head) {
                self.read();
                continue;
            }
            let message = &rest[head..];
            let is_one = |beginning: &&str| message.starts_with(beginning.as_bytes());
            left -= usize::from(beginnings.iter().any(is_one));
            self.taken += head + length;
            if self.taken == self.input.len() {
                self.input.clear();
                self.taken = 0;
            }
        }
    }

    fn read(&mut self) {
        let mut some = [0; 4096];
        let read = self.stream.read(&mut some).expect("it is open");
        assert!(read > 0, "the server closed a socket");
        self.input.extend_from_slice(&some[..read]);
    }
}
