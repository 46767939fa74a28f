//! `arbiter.<domain>`: where players send what they want to do.

mod act;
mod request;
mod retries;
mod seek;
pub(super) mod told;

use std::sync::Arc;

use self::act::{Done, act};
use self::request::Wish;
use self::retries::{KNOWN, Retries, Seen, Sent};
use self::seek::Seeks;
use super::element::Element;
use super::error::reply;
use super::{Door, GAME, Refused, Side, Stanza, identity};
use crate::auth::Caller;
use crate::limits::rates::Rate;
use crate::play::Asked;
use crate::play::keys::Key;
use crate::problem::{Kind, Problem};

const INFO: &str = "http://jabber.org/protocol/disco#info";
const ITEMS: &str = "http://jabber.org/protocol/disco#items";
const PING: &str = "urn:xmpp:ping";

/// What is remembered of commands.
#[derive(Default)]
pub(super) struct Commands {
    retries: Retries,
    seeks: Arc<Seeks>,
}

/// Deals with a stanza to `arbiter.<domain>`, or to an account there.
pub(super) async fn take(door: &Door, stanza: Stanza) {
    let question = &stanza.element;
    let kind = question.attr("type").unwrap_or_default();
    let is_question = question.name() == "iq" && matches!(kind, "get" | "set");
    if question.name() == "presence" || kind == "error" || kind == "result" {
        return;
    }
    let is_arbiter = is_question && stanza.to.node().is_none();
    let Some(payload) = question.elements().next().filter(|_| is_arbiter) else {
        return not_understood(door, question);
    };
    match (payload.name(), payload.ns()) {
        ("game", GAME) => command(door, &stanza, payload).await,
        ("ping", PING) if kind == "get" => answer(door, reply(question, "result")),
        ("query", INFO) if kind == "get" => answer(door, info(door, question, payload)),
        ("query", ITEMS) if kind == "get" => answer(door, items(question)),
        _ => not_understood(door, question),
    }
}

fn answer(door: &Door, answer: Element) {
    door.arbiter.send(&answer);
}

fn not_understood(door: &Door, question: &Element) {
    let refused = Refused::new("cancel", "service-unavailable", "");
    door.refuse(Side::Arbiter, question, &refused);
}

/// What this is, for whoever looks around.
fn info(_: &Door, question: &Element, asked: &Element) -> Element {
    if asked.attr("node").is_some() {
        let refused = Refused::new("cancel", "item-not-found", "");
        return reply(question, "error").child(refused.element());
    }
    let feature = |name: &str| Element::new("feature", INFO).with("var", name);
    let identity = Element::new("identity", INFO)
        .with("category", "component")
        .with("type", "generic")
        .with("name", "Arbiter");
    let query = Element::new("query", INFO)
        .child(identity)
        .children_of([INFO, ITEMS, PING, GAME].map(feature));
    reply(question, "result").child(query)
}

/// There is nothing below this.
fn items(question: &Element) -> Element {
    reply(question, "result").child(Element::new("query", ITEMS))
}

/// A command, once, however often it is sent.
async fn command(door: &Door, stanza: &Stanza, payload: &Element) {
    let question = &stanza.element;
    let id = question.attr("id").unwrap_or_default();
    let sent = Sent::new(stanza.from.as_str(), id, payload);
    match door.commands.retries.look(sent, stanza.received) {
        Seen::New => {}
        Seen::Pending => return,
        Seen::Answered(again) => return answer(door, again),
    }
    let mut pending = Some(Pending::new(door, sent));
    match carry_out(door, stanza, payload, sent, &mut pending).await {
        Ok(Carried::Done(done)) => conclude(door, question, sent, Ok(done)),
        // Answered when it is over; the sender's other stanzas do not wait for it.
        Ok(Carried::Later) => {}
        Err(problem) => conclude(door, question, sent, Err(problem)),
    }
}

/// A command that is being carried out. Its end is noted however it comes about: after a
/// panic, what was sent again would wait for an answer in vain.
struct Pending {
    door: Door,
    sent: Sent,
}

impl Pending {
    fn new(door: &Door, sent: Sent) -> Pending {
        let door = door.clone();
        Pending { door, sent }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.door.commands.retries.is_over(self.sent);
    }
}

/// What has become of a command.
enum Carried {
    Done(Done),
    Later,
}

/// Answers a command, and remembers the answer.
fn conclude(door: &Door, question: &Element, sent: Sent, outcome: Result<Done, Problem>) {
    let is_final = match &outcome {
        Ok(_) => true,
        Err(problem) => !matches!(
            problem.kind,
            Kind::TooMuch | Kind::Unavailable | Kind::Broken
        ),
    };
    let said = match outcome {
        Ok(Done::Plain) => reply(question, "result"),
        Ok(Done::Game(id)) => {
            let game = Element::new("game", GAME)
                .with("id", id.number().to_string())
                .with("room", door.room(id));
            reply(question, "result").child(game)
        }
        Err(problem) => {
            door.app.components.refused();
            reply(question, "error").child(Refused::from(problem).element())
        }
    };
    let retries = &door.commands.retries;
    retries.answered(sent, is_final.then_some(&said));
    answer(door, said);
}

async fn carry_out(
    door: &Door,
    stanza: &Stanza,
    payload: &Element,
    sent: Sent,
    pending: &mut Option<Pending>,
) -> Result<Carried, Problem> {
    let jid = stanza.from.to_bare();
    let caller = identity::caller(door, &jid).await?;
    let read = match stanza.element.attr("type") {
        Some("set") => request::read(payload),
        _ => Err(Problem::bad_request("a command is an iq of type set")),
    };
    let (id, wish) = match read {
        Ok(read) => read,
        Err(problem) => {
            // What is understood is counted where it is done.
            door.app.rates.check(Rate::Command, caller.number())?;
            return Err(problem);
        }
    };
    let asked = Asked {
        received: stanza.received,
        key: key(door, &caller, sent, stanza).await?,
        ..Asked::new(&door.app, &caller)
    };
    match wish {
        Wish::Seek(pool) => {
            let ticket = seek::begin(&door.commands.seeks, &asked, pool).await?;
            let (door, question) = (door.clone(), stanza.element.clone());
            let (caller, pending) = (caller.clone(), pending.take());
            door.clone().spawn(async move {
                let seeks = &door.commands.seeks;
                let found = seek::wait(seeks, &door.app, &caller, ticket).await;
                conclude(&door, &question, sent, found.map(Done::Game));
                drop(pending);
            });
            Ok(Carried::Later)
        }
        Wish::CancelSeek => {
            seek::cancel(&door.commands.seeks, &asked).await?;
            Ok(Carried::Done(Done::Plain))
        }
        wish => act(door, &asked, &jid, id, wish).await.map(Carried::Done),
    }
}

/// What the command is stored under: as it was the minute before, if it was then.
async fn key(
    door: &Door,
    caller: &Caller,
    sent: Sent,
    stanza: &Stanza,
) -> Result<Option<Key>, Problem> {
    if stanza.element.attr("id").is_none() {
        return Ok(None);
    }
    let now = stanza.received;
    let [text, before] = sent.keys(now);
    let (store, number) = (&door.app.store, caller.number());
    let first = store.remembered(number, &before, now).await?;
    let is_known = first.is_some_and(|first| now.since(first.at) < KNOWN);
    let text = if is_known { before } else { text };
    Ok(Some(Key::new(&text, &["xmpp"])))
}
