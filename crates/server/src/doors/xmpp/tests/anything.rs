//! Whatever somebody sends, what we say to anybody is well-formed, in bounds, and answers
//! what was asked once: a whole door that is sent anything, and each stanza that comes of
//! it read again.
//!
//! `fuzz/` runs it under libFuzzer (`make fuzz TARGET=xmpp`), [`super::short`] for a few
//! seconds in every test run.

use std::cell::RefCell;
use std::time::Duration;

use chess::Timestamp;
use jid::Jid;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::time::timeout;

use super::stanzas;
use crate::doors::xmpp::element::{CORE, Element};
use crate::doors::xmpp::stream::{Flaw, Heard, Reader};
use crate::doors::xmpp::{Config, Door, ID_MAX, Side, Stanza, arbiter, room};
use crate::operate::open;
use crate::settings::Settings;

const HEAD: &str = "<stream:stream xmlns='jabber:component:accept' \
    xmlns:stream='http://etherx.jabber.org/streams' id='7'>";
const ARBITER: &str = "arbiter.chesspark.com";
const GAMES: &str = "games.chesspark.com";
/// White, black, one who watches, and one who is not in the room.
const PEOPLE: [&str; 4] = [
    "metajack@chesspark.com/cpc",
    "trainer@chesspark.com/cpc",
    "eve@chesspark.com/desk",
    "far@elsewhere.example/x",
];
/// So many inputs come to one door: what they leave there makes others go further.
const INPUTS_MAX: u32 = 200;
/// Who seeks an opponent waits for longer.
const PATIENCE: Duration = Duration::from_millis(250);
/// What was said to one is told to others soon after, by tasks of their own.
const TURNS: usize = 20;

thread_local! {
    static WORLD: RefCell<Option<World>> = const { RefCell::new(None) };
}

/// Sends the bytes: as they are, if they begin as XML does; else they choose what is sent.
pub fn run(bytes: &[u8]) {
    let text = match bytes.first() {
        Some(b'<') => String::from_utf8_lossy(bytes).into_owned(),
        _ => stanzas::chosen_by(bytes),
    };
    WORLD.with_borrow_mut(|world| {
        let door = world.get_or_insert_with(World::new);
        door.hears(&text);
        if door.left == 0 {
            *world = None;
        }
    });
}

/// A door with a game that two play and one watches.
struct World {
    runtime: Runtime,
    door: Door,
    /// What it says, by component.
    said: [UnboundedReceiver<String>; 2],
    /// The game's number.
    game: String,
    left: u32,
    _open: watch::Sender<()>,
}

impl World {
    fn new() -> World {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let settings = Settings {
            store: "memory:".into(),
            rate_limits: false,
            xmpp_host: Some("127.0.0.1".into()),
            xmpp_secret: Some("secret".into()),
            xmpp_arbiter: Some(ARBITER.into()),
            xmpp_games: Some(GAMES.into()),
            ..Settings::default()
        };
        let config = Config::of(&settings).expect("it is all there");
        let app = runtime.block_on(open(settings)).expect("it opens");
        let (open, is_open) = watch::channel(());
        let door = Door::new(app, config, is_open);
        let said = [door.arbiter.open(), door.games.open()];
        let mut world = World {
            runtime,
            door,
            said,
            game: "1234".into(),
            left: INPUTS_MAX,
            _open: open,
        };
        world.begin();
        world
    }

    fn begin(&mut self) {
        let made = self.send(&stanzas::command(PEOPLE[0], "", "<create time='1800'/>"));
        let made = made.iter().find_map(|stanza| stanza.elements().next());
        let game = made.and_then(|game| game.attr("id"));
        self.game = game.expect("a game was made").to_owned();
        self.send(&stanzas::command(PEOPLE[1], "1234", "<accept/>"));
        for (person, nick) in PEOPLE.iter().zip(["jack", "coach", "eve"]) {
            self.send(&stanzas::join(person, nick));
        }
    }

    fn hears(&mut self, text: &str) {
        self.left -= 1;
        self.send(text);
    }

    /// Sends stanzas, whose game is called 1234: what is said then.
    fn send(&mut self, text: &str) -> Vec<Element> {
        let text = format!("{HEAD}{}", text.replace("1234", &self.game));
        let (mut reader, mut bytes) = (Reader::default(), text.as_bytes());
        let mut all = Vec::new();
        // What is no XML the XMPP server does not pass on.
        while let Ok(Some(heard)) = reader.read(&mut bytes) {
            if let Heard::Stanza(element, flaw) = heard {
                let element = vouched(element);
                let said = self.take(&element, flaw);
                all.extend(said);
            }
        }
        all
    }

    /// Lets the door deal with one stanza.
    fn take(&mut self, element: &Element, flaw: Option<Flaw>) -> Vec<Element> {
        let jid = |name| element.attr(name).and_then(|text| Jid::new(text).ok());
        let (Some(from), Some(to)) = (jid("from"), jid("to")) else {
            return Vec::new();
        };
        let side = match to.domain().as_str() {
            ARBITER => Side::Arbiter,
            _ => Side::Games,
        };
        let is_long = element.attr("id").is_some_and(|id| id.len() > ID_MAX);
        let is_stanza = matches!(element.name(), "iq" | "message" | "presence");
        let is_known = is_stanza && !is_long && element.ns() == CORE;
        let door = self.door.clone();
        let stanza = Stanza {
            element: element.clone(),
            from,
            to,
            received: door.app.now(),
        };
        let is_dealt_with = self.runtime.block_on(async {
            let work = async {
                match side {
                    _ if flaw.is_some() || !is_known => {
                        door.take(side, stanza.element, flaw, Timestamp(0));
                    }
                    Side::Arbiter => arbiter::take(&door, stanza).await,
                    Side::Games => room::take(&door, stanza).await,
                }
            };
            let is_done = timeout(PATIENCE, work).await.is_ok();
            for _ in 0..TURNS {
                tokio::task::yield_now().await;
            }
            is_done
        });
        let said = self.said();
        let answers = said.iter().filter(|said| is_answer(said, element)).count();
        let wants_one = is_known && wants_answer(element) && !is_seek(element);
        assert!(answers <= 1, "{answers} answers to {}", element.write());
        assert!(
            answers == 1 || !is_dealt_with || !wants_one,
            "no answer to {}",
            element.write()
        );
        said
    }

    /// All that was said since, read again.
    fn said(&mut self) -> Vec<Element> {
        let said = &mut self.said;
        let texts = said
            .iter_mut()
            .flat_map(|line| std::iter::from_fn(|| line.try_recv().ok()));
        texts.map(|text| read_again(&text)).collect()
    }
}

/// The stanza as an XMPP server passes it on: from somebody, and to us.
fn vouched(mut stanza: Element) -> Element {
    let from = stanza.attr("from").unwrap_or_default();
    if !PEOPLE.contains(&from) {
        let chosen = stanza.write().len() % PEOPLE.len();
        stanza.set("from", PEOPLE[chosen]);
    }
    let to = stanza.attr("to").and_then(|to| Jid::new(to).ok());
    let domain = to.as_ref().map(|to| to.domain().as_str());
    if !matches!(domain, Some(ARBITER | GAMES)) {
        stanza.set("to", ARBITER);
    }
    stanza
}

/// One stanza and nothing else, as a strict parser sees it, from us and to somebody.
fn read_again(text: &str) -> Element {
    let whole = format!("{HEAD}{text}");
    let (mut reader, mut bytes) = (Reader::default(), whole.as_bytes());
    let mut heard = Vec::new();
    loop {
        match reader.read(&mut bytes) {
            Ok(Some(next)) => heard.push(next),
            Ok(None) => break,
            Err(why) => panic!("{why} in {text}"),
        }
    }
    let [Heard::Opened(_), Heard::Stanza(stanza, None)] = &heard[..] else {
        panic!("{text} is {heard:?}");
    };
    let domain = |name| {
        let jid = stanza.attr(name).and_then(|jid| Jid::new(jid).ok());
        jid.map(|jid| jid.domain().as_str().to_owned())
    };
    let from = domain("from");
    assert!(
        matches!(from.as_deref(), Some(ARBITER | GAMES)),
        "{text} is from {from:?}"
    );
    assert!(domain("to").is_some(), "{text} is to nobody");
    assert!(
        matches!(stanza.name(), "iq" | "message" | "presence"),
        "{text}"
    );
    stanza.clone()
}

fn wants_answer(stanza: &Element) -> bool {
    stanza.name() == "iq" && matches!(stanza.attr("type"), Some("get" | "set"))
}

fn is_answer(said: &Element, question: &Element) -> bool {
    let is_back = |a, b| said.attr(a) == question.attr(b);
    wants_answer(question)
        && said.name() == "iq"
        && matches!(said.attr("type"), Some("result" | "error"))
        && is_back("id", "id")
        && is_back("to", "from")
}

fn is_seek(stanza: &Element) -> bool {
    let inner = stanza.elements().flat_map(Element::elements);
    inner.into_iter().any(|element| element.name() == "seek")
}
