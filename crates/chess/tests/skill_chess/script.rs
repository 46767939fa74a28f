//! Scripts of whole matches, read from left to right:
//!
//! ```text
//! drafting | w assigns shadowstep b1 | w locks | b locks -> active | 5s w plays e2e4
//! ```
//!
//! First where it begins: `waiting`, `drafting`, or `active` after both locked
//! without skills. Then steps: perhaps a time (absolute, when it arrives), who
//! (`w`, `b`, a `stranger`, the `op`erator, the `server`), what (see [`read`]),
//! and after `->` what must then hold (see [`Table::expect`]). A step that
//! does not say otherwise must change the match.
//!
//! Every action has an id of its own and tells the newest revision, unless it
//! says `as 7` (the seventh id) or `at 3` (the third revision).

use chess::skill::{Action, Command, Creation, Deed, Match, Uuid};
use chess::table::{Actor, PlayerId, Table as _, Verdict};
use chess::{Millis, Timestamp};

use crate::position::{order, square};

/// Plays a script and panics where it does not go as it says; returns where it led.
#[track_caller]
pub(crate) fn check(script: &str) -> Match {
    let (phase, rest) = script.split_at(script.find([' ', '|']).unwrap_or(script.len()));
    let steps = rest.split('|').map(str::trim);
    let mut table = Table::begin(phase);
    let mut done = String::new();
    for step in steps.filter(|step| !step.is_empty()) {
        done += &format!("\n  {step}");
        if let Err(why) = table.step(step) {
            panic!("{why}\n  after:{done}");
        }
    }
    table.now
}

/// A moment of the script.
pub(crate) fn moment(since_start: Millis) -> Timestamp {
    Timestamp(1_700_000_000_000) + since_start
}

pub(crate) fn player(name: &str) -> PlayerId {
    let number = ["w", "b", "stranger"].iter().position(|n| *n == name);
    let number = number.unwrap_or_else(|| panic!("who is {name}?"));
    PlayerId::new(number as u32 + 1).expect("not nobody")
}

struct Table {
    now: Match,
    time: Timestamp,
    actions: u128,
    verdict: Verdict<(), &'static str>,
}

impl Table {
    fn begin(phase: &str) -> Table {
        let creation = Creation {
            host: player("w"),
            seed: Uuid([9; 16]),
        };
        let mut table = Table {
            now: Match::create(moment(Millis::ZERO), creation),
            time: moment(Millis::ZERO),
            actions: 100,
            verdict: Verdict::Already(0),
        };
        let first: &[&str] = match phase {
            "waiting" => &[],
            "drafting" => &["b joins"],
            "active" => &["b joins", "w locks", "b locks"],
            other => panic!("no match begins {other}"),
        };
        for step in first {
            table.step(step).expect("a usual beginning");
        }
        table
    }

    fn step(&mut self, step: &str) -> Result<(), String> {
        let (doing, expected) = step.split_once("->").unwrap_or((step, ""));
        let mut words: Vec<&str> = doing.split_whitespace().collect();
        if let Some(time) = words.first().and_then(|word| duration(word)) {
            self.time = moment(time);
            words.remove(0);
        }
        let expected: Vec<&str> = expected.split(',').map(str::trim).collect();
        if let Some(who) = words.first() {
            let actor = match *who {
                "op" => Actor::Operator,
                "server" => Actor::Server,
                name => Actor::Player(player(name)),
            };
            self.submit(actor, &words[1..]);
            let told =
                |e: &&str| e.starts_with("refused") || *e == "unchanged" || e.starts_with("as at");
            if !expected.iter().any(told) && self.verdict != Verdict::Change(()) {
                return Err(format!("{:?}", self.verdict));
            }
        }
        let wanted = expected.iter().filter(|e| !e.is_empty());
        wanted.into_iter().try_for_each(|e| self.expect(e))
    }

    /// Asks for a change, makes it, and sees that it is recorded faithfully.
    fn submit(&mut self, who: Actor, words: &[&str]) {
        let command = self.read(words);
        let (event, verdict) = match self.now.decide(self.time, who, &command) {
            Verdict::Change(event) => (Some(event), Verdict::Change(())),
            Verdict::Already(version) => (None, Verdict::Already(version)),
            Verdict::Refused(why) => (None, Verdict::Refused(why.name())),
            Verdict::RefusedBut { why, consequence } => {
                (Some(consequence), Verdict::Refused(why.name()))
            }
        };
        self.verdict = verdict;
        if let Some(event) = event {
            let before = self.now.clone();
            self.now.evolve(self.time, &event);
            assert_eq!(self.now.version(), before.version() + 1);
            assert!(self.now.encode().starts_with(&before.encode()));
            assert_eq!(Match::decode(&self.now.encode()).as_ref(), Ok(&self.now));
            assert_eq!(self.now.as_of(before.version()).as_ref(), Some(&before));
        }
    }

    /// What is asked for: `joins`, `aborts`, `looks [host seen TIME]`, or one of
    /// the actions `returns`, `leaves`, `assigns SKILL SQUARE`, `takes back
    /// SKILL`, `locks`, `plays MOVE`, `offers draw`, `accepts draw`, `declines
    /// draw`, `resigns`.
    fn read(&mut self, words: &[&str]) -> Command {
        let number = |of: &str| {
            let place = words.iter().position(|word| *word == of)?;
            words[place + 1].parse::<u8>().ok()
        };
        let (id, revision) = (number("as"), number("at"));
        let spent = 2 * (usize::from(id.is_some()) + usize::from(revision.is_some()));
        let deed = match &words[..words.len() - spent] {
            ["joins"] => return Command::Join,
            ["aborts"] => return Command::Abort,
            ["looks"] => return Match::tick(self.time),
            ["looks", "host", "seen", time] => {
                return Match::tick(moment(duration(time).expect("a time")));
            }
            ["returns"] => Deed::JoinMatch,
            ["leaves"] => Deed::LeaveMatch,
            ["assigns", skill, "off-board"] => Deed::UpdateDraftSelection {
                skill: (*skill).to_owned(),
                position: Some(chess::skill::Position { row: 8, column: 0 }),
            },
            ["assigns", skill, on] => Deed::UpdateDraftSelection {
                skill: (*skill).to_owned(),
                position: Some(square(on).into()),
            },
            ["takes", "back", skill] => Deed::UpdateDraftSelection {
                skill: (*skill).to_owned(),
                position: None,
            },
            ["locks"] => Deed::LockDraft,
            ["plays", text @ ..] => Deed::MakeMove(order(self.now.board(), &text.join(" "))),
            ["offers", "draw"] => Deed::OfferDraw,
            ["accepts", "draw"] => Deed::AcceptDraw,
            ["declines", "draw"] => Deed::DeclineDraw,
            ["resigns"] => Deed::Resign,
            other => panic!("what is {other:?}?"),
        };
        self.actions += 1;
        Command::Act(Action {
            id: Uuid(id.map_or(self.actions, u128::from).to_be_bytes()),
            base_revision: revision.map_or_else(|| self.now.version().into(), u64::from),
            deed,
        })
    }

    /// `refused REASON`, `unchanged`, `as at VERSION`; a phase; `revision N`;
    /// an outcome's kind; `COLOUR wins`, `nobody wins`; `check`; `draw offered by
    /// w`, `no offer`; `due at TIME`, `never due`.
    fn expect(&self, expected: &str) -> Result<(), String> {
        let now = &self.now;
        let status = now.status();
        let deadline = now.next_deadline(self.time);
        let (holds, is) = match expected.split(' ').collect::<Vec<_>>()[..] {
            ["refused", why] => (
                self.verdict == Verdict::Refused(why),
                format!("{:?}", self.verdict),
            ),
            ["unchanged"] => (
                self.verdict == Verdict::Already(now.version()),
                format!("{:?}", self.verdict),
            ),
            ["as", "at", version] => (
                self.verdict == Verdict::Already(version.parse().expect("a version")),
                format!("{:?}", self.verdict),
            ),
            ["revision", n] => (now.version().to_string() == n, now.version().to_string()),
            [who, "wins"] => {
                let winner = status
                    .winner
                    .map_or("nobody", |c| c.fold_wb("white", "black"));
                (winner == who, winner.to_owned())
            }
            ["check"] => (status.in_check == Some(true), format!("{status:?}")),
            ["draw", "offered", "by", who] => {
                let by = now.draw_offer().map(|c| c.fold_wb("w", "b"));
                (by == Some(who), format!("{by:?}"))
            }
            ["no", "offer"] => (
                now.draw_offer().is_none(),
                format!("{:?}", now.draw_offer()),
            ),
            ["due", "at", time] => (
                deadline == duration(time).map(moment),
                format!("{deadline:?}"),
            ),
            ["never", "due"] => (deadline.is_none(), format!("{deadline:?}")),
            [word] => {
                let kind = now.ending().map(chess::skill::Ending::kind);
                let is = format!("{} {kind:?}", now.phase().name());
                (now.phase().name() == word || kind == Some(word), is)
            }
            _ => panic!("what is {expected:?}?"),
        };
        if holds {
            Ok(())
        } else {
            Err(format!("expected {expected:?}, but it is {is}"))
        }
    }
}

/// `1h30m`, `59.999s`.
pub(crate) fn duration(text: &str) -> Option<Millis> {
    let mut total = 0.0;
    let mut number = String::new();
    for c in text.chars() {
        let unit = match c {
            '0'..='9' | '.' => {
                number.push(c);
                continue;
            }
            'h' => 3_600_000.0,
            'm' => 60_000.0,
            's' => 1_000.0,
            _ => return None,
        };
        total += std::mem::take(&mut number).parse::<f64>().ok()? * unit;
    }
    number.is_empty().then_some(Millis(total.round() as u32))
}
