//! One keep-alive connection on which one thing is asked after the other.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use crate::dial::dial;
use crate::http;

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Somebody who asks and waits for the answer.
pub(super) struct Caller {
    from: Option<Ipv4Addr>,
    to: SocketAddr,
    stream: Option<TcpStream>,
}

/// An answer.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl Caller {
    pub(super) fn new(from: Option<Ipv4Addr>, to: SocketAddr) -> Caller {
        Caller {
            from,
            to,
            stream: None,
        }
    }

    /// Asks; again on a new connection if the old one had been closed.
    pub(super) fn ask(
        &mut self,
        method: &str,
        path: &str,
        token: &str,
        body: &str,
    ) -> Result<Reply, String> {
        let mut request = Vec::new();
        http::request(&mut request, method, path, token, body.as_bytes());
        let was_open = self.stream.is_some();
        let mut exchanged = self.exchange(&request);
        if exchanged.is_err() && was_open {
            exchanged = self.exchange(&request);
        }
        exchanged.map_err(|error| format!("{method} {path}: {error}"))
    }

    /// The same, where only yes will do.
    pub(super) fn insist(
        &mut self,
        method: &str,
        path: &str,
        token: &str,
        body: &str,
    ) -> Result<Reply, String> {
        let reply = self.ask(method, path, token, body)?;
        if (200..300).contains(&reply.status) {
            return Ok(reply);
        }
        let said = String::from_utf8_lossy(&reply.body);
        Err(format!("{method} {path}: {} {said}", reply.status))
    }

    /// A new guest's token.
    pub(super) fn guest(&mut self) -> Result<String, String> {
        self.insist("POST", "/v1/guests", "", "{}")?.text("token")
    }

    /// A new game of two; the first has White.
    pub(super) fn game(&mut self, tokens: &[String; 2], terms: &str) -> Result<String, String> {
        let made = self.insist("POST", "/v1/games", &tokens[0], terms)?;
        let id = made.text("id")?;
        self.insist("POST", &format!("/v1/games/{id}/join"), &tokens[1], "")?;
        Ok(id)
    }

    fn exchange(&mut self, request: &[u8]) -> io::Result<Reply> {
        // Put back only if it can be used again.
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                let stream = dial(self.from, self.to)?;
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                stream
            }
        };
        stream.write_all(request)?;
        let mut bytes = Vec::new();
        let mut piece = vec![0; 64 * 1024];
        loop {
            match stream.read(&mut piece)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => bytes.extend_from_slice(&piece[..read]),
            }
            if let Some(parsed) = http::parse(&bytes) {
                bytes.truncate(parsed.length);
                let body = bytes.split_off(parsed.body_at);
                self.stream = Some(stream);
                let status = parsed.status;
                return Ok(Reply { status, body });
            }
        }
    }
}

impl Reply {
    /// A text in it.
    pub(super) fn text(&self, key: &str) -> Result<String, String> {
        let found = http::text_of(&self.body, key).map(str::to_owned);
        let said = || String::from_utf8_lossy(&self.body).into_owned();
        found.ok_or_else(|| format!("no {key} in {}", said()))
    }
}
