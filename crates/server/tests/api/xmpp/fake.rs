//! An XMPP server as components see it (XEP-0114): it lets them in, hands on what they
//! send, and gives them what its users send.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use server::doors::xmpp::element::Element;
use server::doors::xmpp::stream::{Heard, Reader};
use server::settings::{Secret, Settings};
use sha1::{Digest, Sha1};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::time::timeout;

pub(crate) const ARBITER: &str = "arbiter.chesspark.com";
pub(crate) const GAMES: &str = "games.chesspark.com";
pub(crate) const GAME: &str = "http://onlinegamegroup.com/xml/chesspark-01";
const SECRET: &str = "s3cr3t";
const STREAM_ID: &str = "4f2a";
/// Longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server.
#[derive(Clone)]
pub(crate) struct Fake {
    pub(crate) port: u16,
    state: Arc<State>,
}

struct State {
    lines: Mutex<HashMap<String, UnboundedSender<String>>>,
    heard: Mutex<VecDeque<Element>>,
    /// How often a component got in, and other news.
    news: watch::Sender<u64>,
}

impl Fake {
    /// Listens on a free port.
    pub(crate) async fn start() -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(State {
            lines: Mutex::default(),
            heard: Mutex::default(),
            news: watch::Sender::new(0),
        });
        let fake = Fake { port, state };
        let serving = fake.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let fake = serving.clone();
                tokio::spawn(async move { fake.serve(stream).await });
            }
        });
        fake
    }

    /// What a server needs to join it.
    pub(crate) fn joined_by(&self) -> impl FnOnce(&mut Settings) + use<> {
        let port = self.port;
        move |settings| {
            settings.xmpp_host = Some("127.0.0.1".into());
            settings.xmpp_port = port;
            settings.xmpp_secret = Some(Secret::from(SECRET));
            settings.xmpp_arbiter = Some(ARBITER.into());
            settings.xmpp_games = Some(GAMES.into());
        }
    }

    async fn serve(&self, mut stream: TcpStream) {
        let (mut reader, mut name) = (Reader::default(), String::new());
        let (sender, mut line) = unbounded_channel::<String>();
        let mut buffer = [0u8; 4096];
        loop {
            let length = tokio::select! {
                read = stream.read(&mut buffer) => read.unwrap_or(0),
                said = line.recv() => {
                    let Some(text) = said else { return };
                    if stream.write_all(text.as_bytes()).await.is_err() {
                        return;
                    }
                    continue;
                }
            };
            if length == 0 {
                return;
            }
            if name.is_empty() {
                let text = String::from_utf8_lossy(&buffer[..length]).into_owned();
                let (_, to) = text.split_once(" to='").expect("whom it wants to be");
                name = to.split('\'').next().unwrap_or_default().to_owned();
            }
            let mut bytes = &buffer[..length];
            while let Some(heard) = reader.read(&mut bytes).expect("what it says is XML") {
                match heard {
                    Heard::Opened(_) => drop(sender.send(format!(
                        "<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept' \
                         xmlns:stream='http://etherx.jabber.org/streams' id='{STREAM_ID}'>"
                    ))),
                    Heard::Stanza(element, _) if element.name() == "handshake" => {
                        let expected = Sha1::digest(format!("{STREAM_ID}{SECRET}"));
                        let expected: String =
                            expected.iter().map(|byte| format!("{byte:02x}")).collect();
                        assert_eq!(element.words(), expected);
                        drop(sender.send("<handshake/>".into()));
                        let mut lines = self.state.lines.lock().expect("no panic");
                        lines.insert(name.clone(), sender.clone());
                        drop(lines);
                        self.tell();
                    }
                    Heard::Stanza(element, flaw) => {
                        assert_eq!(flaw, None);
                        let mut heard = self.state.heard.lock().expect("no panic");
                        heard.push_back(element);
                        drop(heard);
                        self.tell();
                    }
                    Heard::Closed => return,
                }
            }
        }
    }

    fn tell(&self) {
        self.state.news.send_modify(|count| *count += 1);
    }

    /// Waits until both components are there.
    pub(crate) async fn both(&self) {
        let there = |fake: &Fake| {
            let lines = fake.state.lines.lock().expect("no panic");
            [ARBITER, GAMES]
                .iter()
                .all(|name| lines.contains_key(*name))
                .then_some(())
        };
        self.until(there).await;
    }

    /// Breaks all connections.
    pub(crate) fn cut(&self) {
        let mut lines = self.state.lines.lock().expect("no panic");
        for (_, line) in lines.drain() {
            drop(line.send("</stream:stream>".into()));
        }
    }

    async fn until<T>(&self, mut look: impl FnMut(&Fake) -> Option<T>) -> T {
        let mut news = self.state.news.subscribe();
        let found = async {
            loop {
                news.mark_unchanged();
                if let Some(found) = look(self) {
                    return found;
                }
                news.changed().await.expect("the server is there");
            }
        };
        match timeout(PATIENCE, found).await {
            Ok(found) => found,
            Err(_) => panic!("it never came; there is {:?}", self.state.heard),
        }
    }

    /// Gives a component what somebody sent.
    pub(crate) fn give(&self, stanza: &Element) {
        self.give_text(stanza.attr("to").unwrap_or_default(), stanza.write());
    }

    /// The same, as it is.
    pub(crate) fn give_text(&self, to: &str, text: String) {
        let to = to.rsplit('@').next().unwrap_or_default();
        let to = to.split('/').next().unwrap_or_default();
        let lines = self.state.lines.lock().expect("no panic");
        let line = lines.get(to).expect("the component is there");
        line.send(text).expect("the connection is there");
    }

    /// The next stanza of that kind that a component sends, whatever else comes.
    pub(crate) async fn hears(&self, is_it: impl Fn(&Element) -> bool) -> Element {
        self.until(|fake| {
            let mut heard = fake.state.heard.lock().expect("no panic");
            let place = heard.iter().position(&is_it)?;
            heard.remove(place)
        })
        .await
    }

    /// How many stanzas came that nobody asked for yet.
    pub(crate) fn left(&self, is_it: impl Fn(&Element) -> bool) -> usize {
        let heard = self.state.heard.lock().expect("no panic");
        heard.iter().filter(|stanza| is_it(stanza)).count()
    }

    /// The answer to an `<iq/>`.
    pub(crate) async fn answer(&self, to: &str, id: &str) -> Element {
        let is_it = |stanza: &Element| {
            stanza.name() == "iq" && stanza.attr("to") == Some(to) && stanza.attr("id") == Some(id)
        };
        self.hears(is_it).await
    }

    /// Sends a command to the arbiter; what it answers.
    pub(crate) async fn asks(&self, from: &str, id: &str, command: Element) -> Element {
        self.give(&iq(from, id, Element::new("game", GAME).child(command)));
        self.answer(from, id).await
    }

    /// The same about a game.
    pub(crate) async fn plays(&self, from: &str, id: &str, game: &str, what: Element) -> Element {
        let about = Element::new("game", GAME).with("id", game).child(what);
        self.give(&iq(from, id, about));
        self.answer(from, id).await
    }
}

/// An `<iq type='set'/>` to the arbiter.
pub(crate) fn iq(from: &str, id: &str, payload: Element) -> Element {
    Element::core("iq")
        .with("type", "set")
        .with("to", ARBITER)
        .with("from", from)
        .with("id", id)
        .child(payload)
}

/// An element of the game's own.
pub(crate) fn own(name: &str) -> Element {
    Element::new(name, GAME)
}

/// The number of the game in a result.
#[track_caller]
pub(crate) fn game_in(result: &Element) -> String {
    assert_eq!(result.attr("type"), Some("result"), "{}", result.write());
    let game = result.get("game", GAME).expect("a game");
    let number = game.attr("id").expect("its number").to_owned();
    let room = format!("{number}@{GAMES}");
    assert_eq!(game.attr("room"), Some(room.as_str()));
    number
}

/// Insists on an empty result.
#[track_caller]
pub(crate) fn done(answer: &Element) {
    assert_eq!(answer.attr("type"), Some("result"), "{}", answer.write());
    assert_eq!(answer.elements().count(), 0, "{}", answer.write());
}

/// The condition and the code of a refusal.
#[track_caller]
pub(crate) fn refused(answer: &Element) -> (String, String) {
    const STANZAS: &str = "urn:ietf:params:xml:ns:xmpp-stanzas";
    assert_eq!(answer.attr("type"), Some("error"), "{}", answer.write());
    let error = answer.elements().find(|element| element.name() == "error");
    let error = error.expect("an error");
    let condition = error.elements().next().expect("a condition");
    assert_eq!(condition.ns(), STANZAS);
    let text = error.get("text", STANZAS);
    let text = text.map(Element::words).unwrap_or_default();
    (condition.name().to_owned(), text)
}
