//! An XMPP server with nobody but its two components: what a test sends as somebody goes
//! to a component, and what a component sends is kept for whom it is to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use server::doors::xmpp::element::Element;
use server::doors::xmpp::stream::{Heard, Reader};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex as AsyncMutex, watch};
use tokio::time::timeout;

pub(crate) const ARBITER: &str = "arbiter.chess.example";
pub(crate) const GAMES: &str = "games.chess.example";
const PATIENCE: Duration = Duration::from_secs(60);

/// The server.
#[derive(Clone)]
pub(crate) struct Fake(Arc<Inner>);

struct Inner {
    port: u16,
    lines: AsyncMutex<HashMap<String, OwnedWriteHalf>>,
    /// Everything that components have sent.
    heard: Mutex<Vec<Element>>,
    /// How much that is.
    count: watch::Sender<usize>,
    /// How often a component has connected.
    connected: watch::Sender<usize>,
}

impl Fake {
    pub(crate) async fn start() -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let fake = Fake(Arc::new(Inner {
            port,
            lines: AsyncMutex::default(),
            heard: Mutex::default(),
            count: watch::Sender::new(0),
            connected: watch::Sender::new(0),
        }));
        let server = fake.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = server.clone();
                tokio::spawn(async move { server.serve(stream).await });
            }
        });
        fake
    }

    pub(crate) fn port(&self) -> u16 {
        self.0.port
    }

    /// Waits until components have connected that often.
    pub(crate) async fn connected(&self, times: usize) {
        let mut connected = self.0.connected.subscribe();
        let waited = connected.wait_for(|count| *count >= times);
        timeout(PATIENCE, waited)
            .await
            .expect("in time")
            .expect("the server lives");
    }

    /// How often components have connected.
    pub(crate) fn connections(&self) -> usize {
        *self.0.connected.borrow()
    }

    /// Cuts both connections.
    pub(crate) async fn cut(&self) {
        self.0.lines.lock().await.clear();
    }

    async fn serve(&self, stream: TcpStream) {
        let (mut from, mut to) = stream.into_split();
        let mut reader = Reader::default();
        let mut buffer = vec![0; 16 << 10];
        let mut name = String::new();
        loop {
            let length = match from.read(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(length) => length,
            };
            if name.is_empty() {
                let head = String::from_utf8_lossy(&buffer[..length]).into_owned();
                let to = head
                    .split(" to='")
                    .nth(1)
                    .and_then(|to| to.split('\'').next());
                name = to.unwrap_or_default().to_owned();
            }
            let mut bytes = &buffer[..length];
            while let Some(heard) = reader.read(&mut bytes).expect("a component sends XML") {
                match heard {
                    Heard::Opened(_) => {
                        let head = format!(
                            "<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept' \
                             xmlns:stream='http://etherx.jabber.org/streams' id='1' from='{name}'>"
                        );
                        to.write_all(head.as_bytes()).await.expect("it listens");
                    }
                    Heard::Stanza(stanza, _) if stanza.name() == "handshake" => {
                        to.write_all(b"<handshake/>").await.expect("it listens");
                        self.0.lines.lock().await.insert(name.clone(), to);
                        self.0.connected.send_modify(|count| *count += 1);
                        return self.listen(from, reader, bytes.to_vec()).await;
                    }
                    _ => return,
                }
            }
        }
    }

    async fn listen(
        &self,
        mut from: tokio::net::tcp::OwnedReadHalf,
        mut reader: Reader,
        rest: Vec<u8>,
    ) {
        let mut chunk = rest;
        loop {
            let mut bytes = &chunk[..];
            while let Some(heard) = reader.read(&mut bytes).expect("a component sends XML") {
                if let Heard::Stanza(stanza, flaw) = heard {
                    assert_eq!(flaw, None, "{stanza:?}");
                    let mut all = self.0.heard.lock().expect("nobody panicked");
                    all.push(stanza);
                    self.0.count.send_replace(all.len());
                }
            }
            chunk.resize(16 << 10, 0);
            match from.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(length) => chunk.truncate(length),
            }
        }
    }

    /// Somebody with a client.
    pub(crate) fn person(&self, jid: &str) -> Person {
        Person {
            fake: self.clone(),
            jid: jid.to_owned(),
            read: 0,
            asked: 0,
        }
    }
}

/// Somebody with a client.
pub(crate) struct Person {
    fake: Fake,
    pub(crate) jid: String,
    /// How much of what components sent they have looked at.
    read: usize,
    asked: usize,
}

impl Person {
    /// Sends a stanza; the server says who it is from.
    pub(crate) async fn sends(&self, stanza: Element) {
        let to = stanza.attr("to").expect("to somebody").to_owned();
        let domain = to.split('/').next().unwrap_or_default();
        let domain = domain.split('@').next_back().unwrap_or_default();
        let text = stanza.with("from", self.jid.as_str()).write();
        self.sends_text(domain, &text).await;
    }

    /// The same, written already.
    pub(crate) async fn sends_text(&self, domain: &str, text: &str) {
        let mut lines = self.fake.0.lines.lock().await;
        let line = lines.get_mut(domain).expect("it is connected");
        line.write_all(text.as_bytes()).await.expect("it listens");
    }

    /// The next stanza to them that is so.
    pub(crate) async fn hears(&mut self, what: &str, is_it: impl Fn(&Element) -> bool) -> Element {
        let mut count = self.fake.0.count.subscribe();
        let search = async {
            loop {
                let known = *count.borrow_and_update();
                while self.read < known {
                    let next = {
                        let all = self.fake.0.heard.lock().expect("nobody panicked");
                        all[self.read].clone()
                    };
                    self.read += 1;
                    if next.attr("to") == Some(&self.jid) && is_it(&next) {
                        return next;
                    }
                }
                count.changed().await.expect("the server lives");
            }
        };
        match timeout(PATIENCE, search).await {
            Ok(found) => found,
            Err(_) => {
                let all = self.fake.0.heard.lock().expect("nobody panicked");
                let own = all.iter().filter(|one| one.attr("to") == Some(&self.jid));
                let own: Vec<String> = own.map(Element::write).collect();
                panic!("{} never heard {what}, but:\n{}", self.jid, own.join("\n"));
            }
        }
    }

    /// Everything they were sent since the last look, up to now.
    pub(crate) fn rest(&mut self) -> Vec<Element> {
        let all = self.fake.0.heard.lock().expect("nobody panicked");
        let rest = all[self.read..].iter();
        let own = rest.filter(|one| one.attr("to") == Some(&self.jid));
        let own = own.cloned().collect();
        self.read = all.len();
        own
    }

    /// The answer to a question; what else came is still to be heard.
    pub(crate) async fn asks(&mut self, to: &str, kind: &str, what: Element) -> Element {
        self.asked += 1;
        let id = format!("q{}", self.asked);
        let iq = Element::core("iq").with("to", to).with("type", kind);
        self.sends(iq.with("id", id.as_str()).child(what)).await;
        let read = self.read;
        let answer = self.hears(&id, |one| one.attr("id") == Some(&id)).await;
        self.read = read;
        answer
    }
}
