//! Refusals in XMPP's words: a defined condition, and our stable code as text.

use serde_json::Value;

use super::GAME;
use super::element::{CORE, Element};
use super::stream::Flaw;
use crate::problem::{Kind, Problem};

/// The namespace of defined conditions.
pub const STANZAS: &str = "urn:ietf:params:xml:ns:xmpp-stanzas";

/// Codes that say how the game stands, and not what was wrong with the question.
const NOT_NOW: [&str; 13] = [
    "wrong_turn",
    "stale_ply",
    "ply_ahead",
    "clock_expired",
    "game_not_active",
    "game_not_waiting",
    "game_not_over",
    "no_offer",
    "offer_pending",
    "too_soon",
    "too_late_to_abort",
    "nothing_to_claim",
    "not_yet",
];

/// Why a stanza is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What a client does next: `auth`, `cancel`, `modify` or `wait`.
    pub kind: &'static str,
    /// The defined condition.
    pub condition: &'static str,
    /// The stable code; empty where the condition says all.
    pub code: &'static str,
    /// What else is known: a sentence, and what a client needs to recover.
    about: Option<Box<Element>>,
}

impl Refused {
    /// One with a code of its own.
    pub fn new(kind: &'static str, condition: &'static str, code: &'static str) -> Refused {
        Refused {
            kind,
            condition,
            code,
            about: None,
        }
    }

    /// The element `error` of a stanza.
    pub fn element(&self) -> Element {
        let text = Element::new("text", STANZAS).text(self.code);
        Element::core("error")
            .with("type", self.kind)
            .child(Element::new(self.condition, STANZAS))
            .children_of((!self.code.is_empty()).then_some(text))
            .children_of(self.about.as_deref().cloned())
    }

    /// The answer to a stanza that is refused; `None` where none may be given: to an error,
    /// or to a result.
    pub fn answer(&self, to: &Element) -> Option<Element> {
        let is_answer = match (to.name(), to.attr("type")) {
            (_, Some("error")) => true,
            ("iq", Some(kind)) => kind == "result",
            _ => false,
        };
        if is_answer || to.ns() != CORE {
            return None;
        }
        Some(reply(to, "error").child(self.element()))
    }
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        let (kind, condition) = match (problem.kind, problem.code) {
            (_, "no_opponent") => ("wait", "remote-server-timeout"),
            (_, code) if NOT_NOW.contains(&code) => ("wait", "unexpected-request"),
            (_, "not_allowed" | "own_game") => ("cancel", "not-allowed"),
            (Kind::Malformed, _) => ("modify", "bad-request"),
            (Kind::Unidentified, _) => ("auth", "not-authorized"),
            (Kind::Forbidden, _) => ("auth", "forbidden"),
            (Kind::Missing, _) => ("cancel", "item-not-found"),
            (Kind::WrongMethod | Kind::WrongProtocol, _) => ("cancel", "feature-not-implemented"),
            (Kind::Conflict | Kind::Stale, _) => ("cancel", "conflict"),
            (Kind::Gone, _) => ("cancel", "gone"),
            (Kind::TooLarge, _) => ("modify", "policy-violation"),
            (Kind::Impossible, _) => ("modify", "not-acceptable"),
            (Kind::TooMuch, _) => ("wait", "resource-constraint"),
            (Kind::Broken, _) => ("cancel", "internal-server-error"),
            (Kind::Unavailable, _) => ("wait", "service-unavailable"),
        };
        let mut about = Element::new("refused", GAME).with("code", problem.code);
        for (name, value) in &problem.context {
            match value {
                Value::String(text) => about.set(name, text.as_str()),
                Value::Number(_) | Value::Bool(_) => about.set(name, value.to_string()),
                _ => {}
            }
        }
        Refused {
            about: Some(Box::new(about.text(problem.detail))),
            ..Refused::new(kind, condition, problem.code)
        }
    }
}

impl From<Flaw> for Refused {
    fn from(flaw: Flaw) -> Refused {
        match flaw {
            Flaw::TooLarge | Flaw::TooDeep => {
                Refused::new("modify", "policy-violation", "too_large")
            }
        }
    }
}

/// An answer to a stanza, of that type: with its id, the other way round.
pub fn reply(to: &Element, kind: &str) -> Element {
    Element::core(to.name())
        .with_some("from", to.attr("to"))
        .with_some("to", to.attr("from"))
        .with("type", kind)
        .with_some("id", to.attr("id"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_its_code_and_what_helps() {
        let problem = Problem::new(Kind::Conflict, "wrong_turn", "it is Black's move")
            .with("current_ply", 1)
            .with("to_move", "black");
        let question = Element::core("iq")
            .with("type", "set")
            .with("id", "m1")
            .with("from", "a@b/c")
            .with("to", "arbiter.b");
        let expected = "<iq from='arbiter.b' to='a@b/c' type='error' id='m1'><error type='wait'>\
            <unexpected-request xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>\
            <text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>wrong_turn</text>\
            <refused xmlns='http://onlinegamegroup.com/xml/chesspark-01' code='wrong_turn' \
            current_ply='1' to_move='black'>it is Black&apos;s move</refused></error></iq>";
        let answer = Refused::from(problem).answer(&question).unwrap();
        assert_eq!(answer.write(), expected);
    }

    #[test]
    fn answers_are_not_answered() {
        let refused = Refused::new("cancel", "service-unavailable", "");
        for (name, kind) in [("iq", "result"), ("iq", "error"), ("message", "error")] {
            let said = Element::core(name).with("type", kind);
            assert_eq!(refused.answer(&said), None, "{name} {kind}");
        }
        assert!(refused.answer(&Element::core("message")).is_some());
    }
}
