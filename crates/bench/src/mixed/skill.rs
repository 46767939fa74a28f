//! Matches of skill chess that go on meanwhile, by the door made for them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::agenda::Agenda;
use crate::client::{Answer, Load, Next};
use crate::collector::{at, uuid};
use crate::http;
use crate::rng::Rng;
use crate::world::unexpected;

/// What is given to which piece before the first move.
const DRAFT: [(Side, &str, &str); 3] = [
    (Side::White, "deadeye", "a2"),
    (Side::White, "knightfall", "e2"),
    (Side::Black, "shadowstep", "b8"),
];
/// A match to mate with every skill; a move with one names the piece's first square.
const MOVES: [(&str, Option<&str>); 13] = [
    ("a2a7", Some("deadeye")),
    ("a8a7", None),
    ("a1a7", None),
    ("b8a7", Some("shadowstep")),
    ("e2e4", None),
    ("g7g5", None),
    ("e4g5", Some("knightfall")),
    ("b7b6", None),
    ("f1c4", None),
    ("h7h6", None),
    ("d1h5", None),
    ("a7c6", None),
    ("h5f7", None),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    White,
    Black,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// Whose turn it is after so many half-moves.
    fn to_move(plies: usize) -> Side {
        [Side::White, Side::Black][plies % 2]
    }
}

/// What happens next at a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Host,
    Join,
    Draft(usize),
    Lock(Side),
    Move(usize),
    Resign,
    /// Each looks at the finished match.
    Look(Side),
}

/// One match, from its room to its end.
struct Match {
    /// What the devices of White and Black made for themselves.
    guests: [String; 2],
    /// Half-moves until somebody resigns; all of them end in mate.
    last: usize,
    step: Step,
    id: String,
    code: String,
    revision: u64,
    /// The last snapshot.
    seen: Value,
    /// The action that is on its way.
    action: Value,
    /// The answer to it, if it is being sent a second time.
    first_answer: Option<Value>,
}

/// Matches side by side.
pub(crate) struct Matches {
    until: Instant,
    tables: Vec<Match>,
    agenda: Agenda,
    rng: Rng,
    pub(crate) finished: u64,
    pub(crate) repeated: u64,
    pub(crate) requests: u64,
    pub(crate) wrong: Vec<String>,
}

impl Matches {
    pub(crate) fn new(tables: usize, lasting: Duration) -> Matches {
        let mut rng = Rng::new(34);
        let now = Instant::now();
        let mut agenda = Agenda::default();
        (0..tables).for_each(|table| agenda.add(now, table));
        Matches {
            until: now + lasting,
            tables: (0..tables).map(|_| Match::new(&mut rng)).collect(),
            agenda,
            rng,
            finished: 0,
            repeated: 0,
            requests: 0,
            wrong: Vec::new(),
        }
    }

    fn later(&mut self, index: usize) {
        let pause = Duration::from_millis(100 + self.rng.below(800) as u64);
        self.agenda.add(Instant::now() + pause, index);
    }

    fn begin_again(&mut self, index: usize) {
        if Instant::now() < self.until {
            self.tables[index] = Match::new(&mut self.rng);
            self.later(index);
        }
    }
}

impl Load for Matches {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        let (intended, index) = match self.agenda.due(now) {
            Ok(due) => due,
            Err(next) => return next,
        };
        self.tables[index].request(&mut self.rng, out);
        Next::Send {
            tag: index as u64,
            intended,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        let index = answer.tag as usize;
        self.requests += 1;
        let table = &mut self.tables[index];
        let was_repeated = table.first_answer.is_some();
        if let Err(why) = table.accept(answer) {
            let step = table.step;
            self.wrong.push(format!("a match at {step:?}: {why}"));
            return self.begin_again(index);
        }
        self.repeated += u64::from(was_repeated);
        if table.step == Step::Look(Side::Black) {
            self.finished += 1;
            return self.begin_again(index);
        }
        let is_action = table.action != Value::Null;
        if is_action && !was_repeated && self.rng.percent(4) {
            // As a client does that heard no answer.
            table.first_answer = Some(table.seen.clone());
        } else {
            table.go_on();
        }
        self.later(index);
    }

    fn lost(&mut self, tag: u64) {
        let step = self.tables[tag as usize].step;
        self.wrong
            .push(format!("a match at {step:?} was not answered"));
    }
}

impl Match {
    fn new(rng: &mut Rng) -> Match {
        Match {
            guests: [uuid(rng), uuid(rng)],
            last: 2 + rng.below(MOVES.len() - 1),
            step: Step::Host,
            id: String::new(),
            code: String::new(),
            revision: 0,
            seen: Value::Null,
            action: Value::Null,
            first_answer: None,
        }
    }

    fn guest(&self, side: Side) -> &str {
        &self.guests[side as usize]
    }

    fn request(&mut self, rng: &mut Rng, out: &mut Vec<u8>) {
        let (method, path, body) = match self.step {
            Step::Host | Step::Join => {
                let side = if self.step == Step::Host {
                    Side::White
                } else {
                    Side::Black
                };
                let body = json!({
                    "roomCode": self.code, "guestID": self.guest(side), "displayName": side.name(),
                });
                let path = if self.step == Step::Host {
                    "/v1/matches"
                } else {
                    "/v1/matches/join"
                };
                ("POST", path.to_owned(), body)
            }
            Step::Look(side) => {
                let path = format!("/v1/matches/{}?guestID={}", self.id, self.guest(side));
                ("GET", path, Value::Null)
            }
            _ => {
                if self.first_answer.is_none() {
                    self.action = self.act(rng);
                }
                let path = format!("/v1/matches/{}/actions", self.id);
                ("POST", path, self.action.clone())
            }
        };
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        http::request(out, method, &path, "", body.as_bytes());
    }

    /// The action of the step.
    fn act(&self, rng: &mut Rng) -> Value {
        let (side, kind, payload) = match self.step {
            Step::Draft(index) => {
                let (side, skill, square) = DRAFT[index];
                let payload = json!({ "skillID": skill, "position": at(square) });
                (side, "updateDraftSelection", payload)
            }
            Step::Lock(side) => (side, "lockDraft", json!({})),
            Step::Move(ply) => {
                let (squares, skill) = MOVES[ply];
                let (from, to) = squares.split_at(2);
                let skill = skill.map(|skill| self.equipped(from, skill));
                let payload = json!({ "move": {
                    "from": at(from), "to": at(to),
                    "promotionPieceName": null, "equippedSkillID": skill,
                } });
                (Side::to_move(ply), "makeMove", payload)
            }
            _ => (Side::to_move(self.last), "resign", json!({})),
        };
        json!({
            "id": uuid(rng), "matchID": self.id, "actorID": self.guest(side),
            "baseRevision": self.revision, "type": kind, "submittedAt": "2026-03-21T20:00:00Z",
            "payload": payload,
        })
    }

    /// The id of the skill of the piece on a square.
    fn equipped(&self, square: &str, skill: &str) -> Value {
        let pieces = self.seen["snapshot"]["board"]["pieces"].as_array();
        let mut pieces = pieces.into_iter().flatten();
        let piece = pieces.find(|piece| piece["position"] == at(square));
        let skills = piece.and_then(|piece| piece["equippedSkills"].as_array());
        let mut skills = skills.into_iter().flatten();
        let found = skills.find(|equipped| equipped["skillID"] == skill);
        found.map_or(Value::Null, |equipped| equipped["id"].clone())
    }

    /// Takes in an answer, if it is as it must be.
    fn accept(&mut self, answer: &Answer<'_>) -> Result<(), String> {
        let wrong = || unexpected("it", answer);
        let body: Value = serde_json::from_slice(answer.body).map_err(|_| wrong())?;
        if !(200..300).contains(&answer.status) {
            return Err(wrong());
        }
        if let Some(first) = self.first_answer.take() {
            let is_alike = body["id"] == first["id"] && body["revision"] == first["revision"];
            return if is_alike { Ok(()) } else { Err(wrong()) };
        }
        match self.step {
            Step::Look(_) => return self.differs(&body).map_or(Ok(()), Err),
            Step::Host => {
                let text = |field: &str| body["snapshot"][field].as_str().map(str::to_owned);
                self.id = text("id").ok_or_else(wrong)?;
                self.code = text("roomCode").ok_or_else(wrong)?;
            }
            _ => {}
        }
        let revision = body["snapshot"]["revision"].as_u64();
        let is_done = body["rejectionReason"].is_null() && revision == Some(self.revision + 1);
        if !is_done {
            return Err(wrong());
        }
        self.revision += 1;
        self.seen = body;
        Ok(())
    }

    fn go_on(&mut self) {
        self.action = Value::Null;
        self.step = match self.step {
            Step::Host => Step::Join,
            Step::Join => Step::Draft(0),
            Step::Draft(index) if index + 1 < DRAFT.len() => Step::Draft(index + 1),
            Step::Draft(_) => Step::Lock(Side::White),
            Step::Lock(Side::White) => Step::Lock(Side::Black),
            Step::Lock(Side::Black) => Step::Move(0),
            Step::Move(ply) if ply + 1 < self.last => Step::Move(ply + 1),
            Step::Move(ply) if ply + 1 < MOVES.len() => Step::Resign,
            Step::Move(_) | Step::Resign => Step::Look(Side::White),
            Step::Look(_) => Step::Look(Side::Black),
        };
    }

    /// What is wrong with the finished match, if anything is.
    fn differs(&self, seen: &Value) -> Option<String> {
        let (kind, winner) = if self.last == MOVES.len() {
            ("checkmate", Side::White)
        } else {
            ("resignation", Side::to_move(self.last + 1))
        };
        let moves = seen["board"]["moveHistory"].as_array();
        let moves = moves.into_iter().flatten();
        let moves: Vec<(&Value, &Value)> = moves.map(|m| (&m["from"], &m["to"])).collect();
        let expected = MOVES[..self.last]
            .iter()
            .map(|(squares, _)| squares.split_at(2));
        let expected: Vec<(Value, Value)> = expected.map(|(from, to)| (at(from), at(to))).collect();
        let is_as_played = moves.len() == expected.len()
            && moves
                .iter()
                .zip(&expected)
                .all(|(m, e)| m.0 == &e.0 && m.1 == &e.1);
        let outcome = &seen["outcome"];
        let is_right = seen["phase"] == "finished"
            && outcome["kind"] == kind
            && outcome["winner"] == winner.name()
            && seen["revision"] == self.revision
            && is_as_played;
        (!is_right).then(|| format!("match {} after {} half-moves: {seen}", self.id, self.last))
    }
}
