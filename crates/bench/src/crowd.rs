//! Many WebSockets in one thread, listening.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::dial::dial;
use crate::frames::{self, Kind};
use crate::http::{find, parse};

/// How often a crowd looks up to see whether it is over.
const LOOK_UP: Duration = Duration::from_millis(50);
const PONG: u8 = 10;

/// A frame to be sent, and on which socket.
pub(crate) type Reply = (usize, Vec<u8>);

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
        Crowd::calling(None, &[address], paths)
    }

    /// The same, to each address in turn.
    pub(crate) fn spread(
        addresses: &[SocketAddr],
        paths: impl Iterator<Item = String>,
    ) -> Result<Crowd, String> {
        Crowd::calling(None, addresses, paths)
    }

    /// [`Crowd::connect`] from an address of this machine.
    pub(crate) fn calling_from(
        from: Option<Ipv4Addr>,
        address: SocketAddr,
        paths: impl Iterator<Item = String>,
    ) -> Result<Crowd, String> {
        Crowd::calling(from, &[address], paths)
    }

    fn calling(
        from: Option<Ipv4Addr>,
        addresses: &[SocketAddr],
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
            let (stream, input) = dial(from, addresses[index % addresses.len()])
                .and_then(|stream| upgrade(stream, &path))
                .map_err(open)?;
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
    /// at which it was read. The frames in the answer are sent in return.
    pub(crate) fn listen<H>(&mut self, stop: &AtomicBool, mut hear: H) -> io::Result<()>
    where
        H: FnMut(usize, &[u8], Instant) -> Vec<Reply>,
    {
        // Something may have come along with the handshake.
        for index in 0..self.sockets.len() {
            self.take(index, &[], &mut hear);
        }
        let mut events = Events::with_capacity(1024);
        while !stop.load(Ordering::Relaxed) {
            self.poll.poll(&mut events, Some(LOOK_UP))?;
            for event in &events {
                self.read(event.token().0, &mut hear);
            }
        }
        Ok(())
    }

    fn read<H>(&mut self, index: usize, hear: &mut H)
    where
        H: FnMut(usize, &[u8], Instant) -> Vec<Reply>,
    {
        let mut piece = [0; 16 * 1024];
        while let Some(socket) = &mut self.sockets[index] {
            match socket.stream.read(&mut piece) {
                Ok(read) if read > 0 => {
                    self.take(index, &piece[..read], hear);
                    // There is a new event for whatever comes after a short read.
                    if read < piece.len() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                _ => return self.close(index),
            }
        }
    }

    /// Takes in some bytes: hands over the messages that are whole by now.
    fn take<H>(&mut self, index: usize, piece: &[u8], hear: &mut H)
    where
        H: FnMut(usize, &[u8], Instant) -> Vec<Reply>,
    {
        let Some(socket) = &mut self.sockets[index] else {
            return;
        };
        let now = Instant::now();
        let mut input = std::mem::take(&mut socket.input);
        // Nearly always whole messages are there: no copy.
        let bytes = if input.is_empty() {
            piece
        } else {
            input.extend_from_slice(piece);
            &input
        };
        let mut used = 0;
        let mut replies = Vec::new();
        while let Some(frame) = frames::read(&bytes[used..]) {
            used += frame.length;
            match frame.kind {
                Kind::Message => {
                    self.messages += 1;
                    replies.append(&mut hear(index, frame.payload, now));
                }
                Kind::Ping => replies.push((index, frames::from_client(PONG, frame.payload))),
                Kind::Close => return self.close(index),
                Kind::Other => {}
            }
        }
        socket.input = bytes[used..].to_vec();
        for (index, frame) in replies {
            let socket = &mut self.sockets[index];
            let written = socket.as_mut().map(|s| s.stream.write(&frame));
            if !matches!(written, Some(Ok(n)) if n == frame.len()) {
                self.close(index);
            }
        }
    }

    fn close(&mut self, index: usize) {
        self.closed += usize::from(self.sockets[index].take().is_some());
    }
}

/// Opens a WebSocket; returns it with what came after the handshake.
pub(crate) fn shake_hands(
    address: SocketAddr,
    path: &str,
) -> io::Result<(std::net::TcpStream, Vec<u8>)> {
    upgrade(std::net::TcpStream::connect(address)?, path)
}

/// Makes a connection a WebSocket; returns it with what came after the handshake.
pub(crate) fn upgrade(
    mut stream: std::net::TcpStream,
    path: &str,
) -> io::Result<(std::net::TcpStream, Vec<u8>)> {
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
