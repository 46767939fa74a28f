//! XMPP: the arbiter in its first home (docs/xmpp.md).
//!
//! Arbiter joins an XMPP server as two external components. Players send `<iq/>`s to the
//! one ([`arbiter`]); every game is a room of the other ([`room`]). The XMPP server says
//! who people are ([`identity`]), and one node at a time speaks to it ([`lease`]).
//!
//! A stanza is read ([`stream`]) with the time of its receipt, gets in line behind what its
//! sender sent before ([`lanes`]), and is given to `arbiter::take` or `room::take`; what
//! they answer they put into the component's [`outbox`], which never waits.

mod arbiter;
mod component;
pub mod element;
pub mod error;
pub(crate) mod identity;
mod lanes;
mod lease;
pub mod link;
mod outbox;
mod room;
pub mod stream;
#[cfg(any(test, fuzzing))]
#[path = "tests/mod.rs"]
pub mod trial;

use std::ops::Deref;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use chess::Timestamp;
use chess::table::PlayerId;
use futures_util::FutureExt;
use jid::{BareJid, Jid};
use quick_cache::sync::Cache;
use store::TableId;
use tokio::sync::watch;
use tokio::time::sleep;

use self::element::{CORE, Element};
use self::error::Refused;
use self::lanes::{Lanes, Queued};
use self::lease::Holder;
use self::outbox::Outbox;
use self::stream::Flaw;
use crate::play::App;
use crate::settings::{Secret, Settings};

/// The namespace of everything of the game's own.
pub(crate) const GAME: &str = "http://onlinegamegroup.com/xml/chesspark-01";
/// How often is looked whether all was said, when the server stops.
const LOOK: Duration = Duration::from_millis(5);
/// The longest id of a stanza: it is said again to whoever sent it, or to a whole room.
const ID_MAX: usize = 1_024;
/// How many accounts' JIDs are remembered.
const JIDS_MAX: usize = 100_000;

/// One of the two components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Takes commands.
    Arbiter,
    /// Has the rooms.
    Games,
}

/// Where the XMPP server is, and what we are there.
#[derive(Clone)]
pub(crate) struct Config {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) secret: Secret,
    /// `arbiter.<domain>`.
    pub(crate) arbiter: BareJid,
    /// `games.<domain>`.
    pub(crate) games: BareJid,
}

impl Config {
    fn of(settings: &Settings) -> Option<Config> {
        Some(Config {
            host: settings.xmpp_host.clone()?,
            port: settings.xmpp_port,
            secret: settings.xmpp_secret.clone()?,
            arbiter: BareJid::new(settings.xmpp_arbiter.as_deref()?).ok()?,
            games: BareJid::new(settings.xmpp_games.as_deref()?).ok()?,
        })
    }
}

/// The door while this node has it; cheap to clone.
#[derive(Clone)]
pub(crate) struct Door(Arc<Parts>);

/// What the door is made of.
pub(crate) struct Parts {
    pub(crate) app: App,
    pub(crate) config: Config,
    /// What goes out as `arbiter.<domain>`.
    pub(crate) arbiter: Outbox,
    /// What goes out as `<number>@games.<domain>`.
    pub(crate) games: Outbox,
    pub(crate) rooms: room::Rooms,
    commands: arbiter::Commands,
    jids: Cache<PlayerId, BareJid>,
    lanes: Lanes<(Side, Stanza)>,
    /// Says when this node does not have the door any more.
    open: watch::Receiver<()>,
}

impl Deref for Door {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// A stanza that somebody sent.
pub(crate) struct Stanza {
    /// `iq`, `message` or `presence`, of the namespace [`CORE`].
    pub(crate) element: Element,
    pub(crate) from: Jid,
    pub(crate) to: Jid,
    /// When it was here.
    pub(crate) received: Timestamp,
}

/// Keeps the door open, if there is one, whenever this node is the one to do it.
pub async fn run(app: App) {
    let Some(config) = Config::of(&app.settings) else {
        return std::future::pending().await;
    };
    let holder = Holder::new();
    let mut stopping = app.components.stopping();
    loop {
        tokio::select! {
            () = holder.take(&app) => {}
            _ = stopping.wait_for(|is_stopping| *is_stopping) => break,
        }
        // Dropped with this turn, whatever ends it.
        let (_guard, open) = watch::channel(());
        let door = Door::new(app.clone(), config.clone(), open);
        tokio::select! {
            () = holder.keep(&app) => {}
            () = component::keep(door.clone(), Side::Arbiter) => {}
            () = component::keep(door.clone(), Side::Games) => {}
            () = arbiter::told::run(door.clone()) => {}
            () = last_words(&door, &mut stopping) => break,
        }
    }
    // Nobody is to begin again.
    drop(stopping);
    std::future::pending().await
}

/// Waits until the server stops, and then until all was said.
async fn last_words(door: &Door, stopping: &mut watch::Receiver<bool>) {
    let stops = stopping.wait_for(|is_stopping| *is_stopping).await;
    drop(stops);
    while [&door.arbiter, &door.games]
        .iter()
        .any(|outbox| outbox.has_more())
    {
        sleep(LOOK).await;
    }
}

impl Door {
    /// One through which nobody has come yet.
    fn new(app: App, config: Config, open: watch::Receiver<()>) -> Door {
        Door(Arc::new(Parts {
            app,
            config,
            arbiter: Outbox::default(),
            games: Outbox::default(),
            rooms: room::Rooms::default(),
            commands: arbiter::Commands::default(),
            jids: Cache::new(JIDS_MAX),
            lanes: Lanes::default(),
            open,
        }))
    }

    /// What a component is called.
    pub(crate) fn name(&self, side: Side) -> &BareJid {
        match side {
            Side::Arbiter => &self.config.arbiter,
            Side::Games => &self.config.games,
        }
    }

    /// What goes out by a component.
    pub(crate) fn outbox(&self, side: Side) -> &Outbox {
        match side {
            Side::Arbiter => &self.arbiter,
            Side::Games => &self.games,
        }
    }

    /// The room of a game: its number in decimal, since a JID's local part is case-folded.
    pub(crate) fn room(&self, id: TableId) -> String {
        format!("{}@{}", id.number(), self.config.games)
    }

    /// Does something on the side, as long as this node has the door.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut open = self.open.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = work => {}
                // Nothing is ever said by it: it ends.
                _ = open.changed() => {}
            }
        });
    }

    fn connected(&self, side: Side) {
        self.app.components.connected(true);
        if side == Side::Games {
            room::connected(self);
        }
    }

    fn disconnected(&self, side: Side) {
        self.app.components.connected(false);
        if side == Side::Games {
            room::disconnected(self);
        }
    }

    /// A stanza is here: it gets in line, or is refused at once.
    fn take(&self, side: Side, element: Element, flaw: Option<Flaw>, received: Timestamp) {
        let is_known = matches!(element.name(), "iq" | "message" | "presence");
        let jid = |name| element.attr(name).and_then(|text| Jid::new(text).ok());
        let (Some(from), Some(to)) = (jid("from"), jid("to")) else {
            return;
        };
        let is_long = element.attr("id").is_some_and(|id| id.len() > ID_MAX);
        if !is_known || is_long || element.ns() != CORE {
            return;
        }
        if let Some(flaw) = flaw {
            return self.refuse(side, &element, &flaw.into());
        }
        let sender = from.to_bare();
        let stanza = Stanza {
            element,
            from,
            to,
            received,
        };
        match self.lanes.put(&sender, (side, stanza)) {
            Queued::Waiting => {}
            Queued::TooMany((_, stanza)) => {
                let refused = Refused::new("wait", "resource-constraint", "rate_limited");
                self.refuse(side, &stanza.element, &refused);
            }
            Queued::First(first) => {
                let door = self.clone();
                self.spawn(async move { door.work_off(sender, first).await });
            }
        }
    }

    /// Deals with a sender's stanzas, one after the other. One that makes us panic is no
    /// reason not to deal with the others.
    async fn work_off(self, sender: BareJid, first: (Side, Stanza)) {
        let mut next = Some(first);
        while let Some((side, stanza)) = next {
            let (door, question) = (self.clone(), stanza.element.clone());
            let work = AssertUnwindSafe(async {
                match side {
                    Side::Arbiter => arbiter::take(&door, stanza).await,
                    Side::Games => room::take(&door, stanza).await,
                }
            });
            if work.catch_unwind().await.is_err() {
                let refused = Refused::new("cancel", "internal-server-error", "internal");
                self.refuse(side, &question, &refused);
            }
            next = self.lanes.next(&sender);
        }
    }

    /// Answers a stanza with an error, where one may be given.
    pub(crate) fn refuse(&self, side: Side, question: &Element, why: &Refused) {
        self.app.components.refused();
        if let Some(answer) = why.answer(question) {
            self.outbox(side).send(&answer);
        }
    }
}

/// The game of a number in decimal, if it is written as we write it.
pub(crate) fn game_of(text: &str) -> Option<TableId> {
    let is_plain = text == "0" || !text.starts_with('0');
    let is_number = is_plain && text.bytes().all(|byte| byte.is_ascii_digit());
    TableId::from_number(text.parse().ok().filter(|_| is_number)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_known_by_its_number_in_decimal() {
        assert_eq!(game_of("1234").map(TableId::number), Some(1234));
        for bad in ["", "+1", "01", "1e3", "-1", "140737488355328", "٣"] {
            assert_eq!(game_of(bad), None, "{bad}");
        }
    }
}
