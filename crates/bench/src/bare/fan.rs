//! Pre-encoded frames written to every socket, one after the other; or to several at a time.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use crate::frames;
use crate::http::find;

type Sockets = Arc<Mutex<Vec<TcpStream>>>;

/// Serves until it is killed: `GET` makes a connection a socket, the body of
/// each `POST` is written to all of them once the `POST` is answered, by so many threads.
pub(crate) fn serve(senders: usize) -> Result<(), String> {
    listen(senders).map_err(|error| error.to_string())
}

fn listen(senders: usize) -> io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    println!("bare frames listens on {}", listener.local_addr()?);
    let sockets = Sockets::default();
    for stream in listener.incoming() {
        let mut stream = stream?;
        stream.set_nodelay(true)?;
        let mut input = Vec::new();
        let body_at = read_head(&mut stream, &mut input)?;
        if input.starts_with(b"GET") {
            stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")?;
            stream.set_nonblocking(true)?;
            lock(&sockets).push(stream);
        } else {
            let sockets = Arc::clone(&sockets);
            std::thread::spawn(move || command(stream, input, body_at, &sockets, senders));
        }
    }
    Ok(())
}

/// One connection that says what to write; ends with it.
fn command(
    mut stream: TcpStream,
    mut input: Vec<u8>,
    mut body_at: usize,
    sockets: &Sockets,
    senders: usize,
) {
    loop {
        let length =
            find(&input, b"Content-Length:").map_or(0, |at| crate::http::number(&input[at..]));
        while input.len() < body_at + length {
            if read_more(&mut stream, &mut input).is_err() {
                return;
            }
        }
        let frame = frames::text(&input[body_at..body_at + length]);
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        if stream.write_all(answer).is_err() {
            return;
        }
        write_to_all(&lock(sockets), &frame, senders);
        input.clear();
        match read_head(&mut stream, &mut input) {
            Ok(at) => body_at = at,
            Err(_) => return,
        }
    }
}

/// Each thread writes to a share of the sockets; this one to the first. What a socket does not
/// take is missing in the end.
fn write_to_all(sockets: &[TcpStream], frame: &[u8], senders: usize) {
    let write = |share: &[TcpStream]| {
        for mut socket in share {
            socket.write_all(frame).ok();
        }
    };
    let mut shares = sockets.chunks(sockets.len().div_ceil(senders.max(1)).max(1));
    let first = shares.next().unwrap_or_default();
    std::thread::scope(|scope| {
        for share in shares {
            scope.spawn(move || write(share));
        }
        write(first);
    });
}

fn read_head(stream: &mut TcpStream, input: &mut Vec<u8>) -> io::Result<usize> {
    loop {
        if let Some(at) = find(input, b"\r\n\r\n") {
            return Ok(at + 4);
        }
        read_more(stream, input)?;
    }
}

fn read_more(stream: &mut TcpStream, input: &mut Vec<u8>) -> io::Result<()> {
    let mut piece = [0; 4096];
    match stream.read(&mut piece)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        read => {
            input.extend_from_slice(&piece[..read]);
            Ok(())
        }
    }
}

fn lock(sockets: &Sockets) -> std::sync::MutexGuard<'_, Vec<TcpStream>> {
    sockets.lock().unwrap_or_else(PoisonError::into_inner)
}
