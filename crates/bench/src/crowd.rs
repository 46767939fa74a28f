//! Many WebSockets in one thread, listening.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::frames::{self, Kind};
use crate::http::{find, parse};

/// How often a crowd looks up to see whether it is over.
const LOOK_UP: Duration = Duration::from_millis(50);
const PONG: u8 = 10;

/// Sockets that listen.
pub(crate) struct Crowd {
    poll: Poll,
    sockets: Vec<Option<Socket>>,
    /// Sockets that were closed by the server.
    pub(crate) closed: usize,
    /// Messages that were heard.
    pub(crate) messages: u64,
}

struct Socket {
    stream: TcpStream,
    input: Vec<u8>,
}

impl Crowd {
    /// Opens a socket for each path, one after the other.
    pub(crate) fn connect(
        address: SocketAddr,
        paths: impl Iterator<Item = String>,
    ) -> Result<Crowd, String> {
        let mut crowd = Crowd {
            poll: Poll::new().map_err(|e| e.to_string())?,
            sockets: Vec::new(),
            closed: 0,
            messages: 0,
        };
        for path in paths {
            let index = crowd.sockets.len();
            let open = |error: io::Error| format!("socket {index} could not be opened: {error}");
            let (stream, input) = shake_hands(address, &path).map_err(open)?;
            stream.set_nonblocking(true).map_err(open)?;
            let mut stream = TcpStream::from_std(stream);
            let registry = crowd.poll.registry();
            registry
                .register(&mut stream, Token(index), Interest::READABLE)
                .map_err(open)?;
            crowd.sockets.push(Some(Socket { stream, input }));
        }
        Ok(crowd)
    }

    /// Listens until told to stop: each message with its socket and the time
    /// at which it was read.
    pub(crate) fn listen(
        &mut self,
        stop: &AtomicBool,
        mut hear: impl FnMut(usize, &[u8], Instant),
    ) -> io::Result<()> {
        let mut events = Events::with_capacity(1024);
        while !stop.load(Ordering::Relaxed) {
            self.poll.poll(&mut events, Some(LOOK_UP))?;
            for event in &events {
                self.read(event.token().0, &mut hear);
            }
        }
        Ok(())
    }

    fn read(&mut self, index: usize, hear: &mut impl FnMut(usize, &[u8], Instant)) {
        let mut piece = [0; 16 * 1024];
        loop {
            let Some(socket) = &mut self.sockets[index] else {
                return;
            };
            let read = match socket.stream.read(&mut piece) {
                Ok(read) if read > 0 => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                _ => return self.close(index),
            };
            let now = Instant::now();
            let mut tell = |frame: &frames::Frame<'_>, stream: &mut TcpStream| match frame.kind {
                Kind::Message => {
                    self.messages += 1;
                    hear(index, frame.payload, now);
                    true
                }
                Kind::Ping => stream
                    .write(&frames::from_client(PONG, frame.payload))
                    .is_ok(),
                Kind::Close => false,
                Kind::Other => true,
            };
            let is_open = if socket.input.is_empty() {
                // Nearly always whole messages are there: no copy.
                let (used, is_open) = take(&piece[..read], &mut socket.stream, &mut tell);
                socket.input.extend_from_slice(&piece[used..read]);
                is_open
            } else {
                socket.input.extend_from_slice(&piece[..read]);
                let input = std::mem::take(&mut socket.input);
                let (used, is_open) = take(&input, &mut socket.stream, &mut tell);
                socket.input.extend_from_slice(&input[used..]);
                is_open
            };
            if !is_open {
                return self.close(index);
            }
            if read < piece.len() {
                return;
            }
        }
    }

    fn close(&mut self, index: usize) {
        self.sockets[index] = None;
        self.closed += 1;
    }
}

/// Hands over whole frames; how many bytes they took, and whether the socket lives on.
fn take(
    bytes: &[u8],
    stream: &mut TcpStream,
    tell: &mut impl FnMut(&frames::Frame<'_>, &mut TcpStream) -> bool,
) -> (usize, bool) {
    let mut used = 0;
    while let Some(frame) = frames::read(&bytes[used..]) {
        used += frame.length;
        if !tell(&frame, stream) {
            return (used, false);
        }
    }
    (used, true)
}

/// Opens a WebSocket; returns it with what came after the handshake.
pub(crate) fn shake_hands(
    address: SocketAddr,
    path: &str,
) -> io::Result<(std::net::TcpStream, Vec<u8>)> {
    let mut stream = std::net::TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes())?;
    let mut input = Vec::new();
    let mut piece = [0; 4096];
    loop {
        if let Some(at) = find(&input, b"\r\n\r\n") {
            if input.starts_with(b"HTTP/1.1 101") {
                return Ok((stream, input.split_off(at + 4)));
            }
            if let Some(parsed) = parse(&input) {
                let body = String::from_utf8_lossy(&input[parsed.body_at..parsed.length]);
                return Err(io::Error::other(format!("{}: {body}", parsed.status)));
            }
        }
        match stream.read(&mut piece)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => input.extend_from_slice(&piece[..read]),
        }
    }
}
