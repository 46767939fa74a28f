//! The little language of these tests. A script is read from left to right:
//!
//! ```text
//! 1+0, claim | 0s e4 | 3s e5 | 63s -> black wins on time
//! ```
//!
//! First the terms (see [`terms`]), then steps. A step has a time (absolute, when
//! the command arrives; none: the same as before), a command (see [`command`];
//! none: somebody looks at the clock), and after `->` what must then hold (see
//! [`Table::expect`]). A step that does not say `refused` or `unchanged` must
//! change the game. Unless the terms say `waiting`, the other player joins at 0s;
//! what must hold then may follow the terms.

use chess::game::{Command, Event, Game, MoveReport, Offer, Refusal};
use chess::rules::Spelled;
use chess::table::{Actor, Table as _, Verdict};
use chess::{Color, Millis, Timestamp};

use crate::command::{self, Who};
use crate::endings::sentence;
use crate::terms;

/// Plays a script and panics where it does not go as it says.
#[track_caller]
pub(crate) fn check(script: &str) {
    let (first, rest) = script.split_once('|').unwrap_or((script, ""));
    let (terms, expected) = first.split_once("->").unwrap_or((first, ""));
    let (creation, begins) = terms::read(terms);
    let game = Game::create(at(Millis::ZERO), creation).expect("terms that may be agreed on");
    let mut table = Table {
        game,
        now: at(Millis::ZERO),
        verdict: None,
    };
    if begins {
        let (creator, other) = (table.game.creator(), [Who::White, Who::Black]);
        let other = other.into_iter().find(|who| who.player() != creator);
        table.submit(
            other.expect("two players").actor(),
            &command::joining(Color::Black),
        );
    }
    let mut done = String::from(terms);
    let at_first = format!("-> {expected}");
    let steps = rest.split('|').filter(|step| !step.is_empty());
    for step in std::iter::once(at_first.as_str()).chain(steps) {
        done = format!("{done} | {}", step.trim());
        if let Err(why) = table.step(step) {
            let position = table.game.board().fen();
            panic!("{why}\n  after: {done}\n  position: {position}");
        }
    }
}

/// A moment of the script.
pub(crate) fn at(since_start: Millis) -> Timestamp {
    Timestamp(1_700_000_000_000) + since_start
}

struct Table {
    game: Game,
    now: Timestamp,
    verdict: Option<Verdict<Event, Refusal>>,
}

impl Table {
    fn step(&mut self, step: &str) -> Result<(), String> {
        let (doing, expected) = step.split_once("->").unwrap_or((step, ""));
        let mut words: Vec<&str> = doing.split_whitespace().collect();
        if let Some(time) = words.first().and_then(|word| duration(word)) {
            self.now = at(time);
            words.remove(0);
        }
        let expected: Vec<&str> = expected
            .split(',')
            .map(str::trim)
            .filter(|e| !e.is_empty())
            .collect();
        let about_verdict = |e: &&str| e.starts_with("refused") || e.starts_with("unchanged");
        let mut must_change = !expected.iter().any(about_verdict);
        if words.is_empty() {
            words.push("tick");
            must_change = false;
        }
        let commands = command::read(&words, &mut self.now, self.game.turn());
        for (left, (who, command)) in (0..commands.len()).rev().zip(&commands) {
            self.submit(*who, command);
            if (must_change || left > 0) && !matches!(self.verdict, Some(Verdict::Change(_))) {
                return Err(format!("{command:?} led to {:?}", self.verdict));
            }
        }
        expected.iter().try_for_each(|e| self.expect(e))
    }

    /// Asks for a change, makes it, and sees that it is recorded faithfully.
    fn submit(&mut self, who: Actor, command: &Command) {
        let verdict = self.game.decide(self.now, who, command);
        if let Verdict::Change(event)
        | Verdict::RefusedBut {
            consequence: event, ..
        } = &verdict
        {
            let version = self.game.version();
            self.game.evolve(self.now, event);
            assert_eq!(self.game.version(), version + 1);
            let restored = Game::decode(&self.game.encode()).expect("a record that can be read");
            assert_eq!(restored.board().fen(), self.game.board().fen());
            assert_eq!(restored.phase(), self.game.phase());
            assert_eq!(restored.clocks(self.now), self.game.clocks(self.now));
        }
        self.verdict = Some(verdict);
    }

    /// What may be expected:
    ///
    /// - of the answer: `refused CODE`, `refused CODE yet recorded` (something
    ///   else came of it), `because SENTENCE`, `retry after N`, `unchanged`,
    ///   `unchanged since version N` (answered again as then);
    /// - of the game: `WAITING` `ACTIVE` `PAUSED` `COMPLETED`, an ending such as
    ///   `black wins on time`, `version N`, `ply N`, `w to move`, `w sits black`,
    ///   `fen ...`, `san ...` (of the last move), `draw offered by w`, `no offers`;
    /// - of a pause: `w is ready`, `nobody is ready`, `adjourned until TIME`;
    /// - of the clocks: `w 4:52.118`, `due at TIME`, `nothing due`, `move by TIME`,
    ///   `no move due`.
    fn expect(&self, expected: &str) -> Result<(), String> {
        let words: Vec<&str> = expected.split(' ').collect();
        let found = match words[..] {
            ["refused", ..] | ["unchanged", ..] => self.answer(),
            ["because", ..] => format!("because {}", self.refusal()?.detail()),
            ["retry", ..] => match self.refusal()? {
                Refusal::NotYet {
                    retry_after_seconds,
                } => format!("retry after {retry_after_seconds}"),
                other => format!("{other:?}"),
            },
            ["WAITING" | "ACTIVE" | "PAUSED" | "COMPLETED"] => {
                self.game.phase().state().name().into()
            }
            ["version", _] => format!("version {}", self.game.version()),
            ["ply", _] => format!("ply {}", self.game.ply()),
            [_, "to", "move"] => format!("{} to move", self.game.turn().char()),
            [name, "sits", _] => {
                let seat = self.game.seat_of(Who::read(name).ok_or("nobody")?.player());
                format!(
                    "{name} sits {}",
                    seat.map_or("nowhere".into(), |c| c.to_string())
                )
            }
            ["fen", ..] => format!("fen {}", self.game.board().fen()),
            ["san", _] => format!("san {}", self.last_san().unwrap_or_default()),
            [_, "offered", "by", _] | ["no", "offers"] => self.offers(),
            ["due", "at", time] => {
                return same(self.game.next_deadline(self.now), duration(time).map(at));
            }
            [_, "is", "ready"] => {
                let ready = self.game.resume_by();
                let name = ready.map_or("nobody".to_owned(), |color| color.char().to_string());
                format!("{name} is ready")
            }
            ["adjourned", "until", time] => {
                return same(self.game.adjourned_until(), duration(time).map(at));
            }
            ["move", "by", time] => {
                return same(self.game.move_deadline(), duration(time).map(at));
            }
            ["no", "move", "due"] => return same(self.game.move_deadline(), None),
            ["nothing", "due"] => return same(self.game.next_deadline(self.now), None),
            ["w" | "b", time] => {
                let clocks = self.game.clocks(self.now).ok_or("there is no clock")?;
                let color = Color::from_char(words[0].chars().next().unwrap_or_default());
                return same(color.map(|c| *clocks.get(c)), duration(time));
            }
            _ => self.game.ending().map_or("not over".into(), sentence),
        };
        same(found.as_str(), expected)
    }

    fn answer(&self) -> String {
        match &self.verdict {
            Some(Verdict::Refused(why)) => format!("refused {}", why.code()),
            Some(Verdict::RefusedBut { why, .. }) => {
                format!("refused {} yet recorded", why.code())
            }
            Some(Verdict::Already(version)) if *version == self.game.version() => {
                "unchanged".into()
            }
            Some(Verdict::Already(version)) => format!("unchanged since version {version}"),
            other => format!("{other:?}"),
        }
    }

    fn refusal(&self) -> Result<&Refusal, String> {
        match &self.verdict {
            Some(Verdict::Refused(why) | Verdict::RefusedBut { why, .. }) => Ok(why),
            other => Err(format!("expected a refusal, found {other:?}")),
        }
    }

    fn offers(&self) -> String {
        let standing: Vec<String> = Offer::ALL
            .into_iter()
            .filter_map(|o| {
                Some(format!(
                    "{} offered by {}",
                    o.name(),
                    self.game.offer(o)?.char()
                ))
            })
            .collect();
        match &standing[..] {
            [] => "no offers".into(),
            all => all.join(" and "),
        }
    }

    fn last_san(&self) -> Option<String> {
        let before = self.game.as_of(self.game.version() - 1)?;
        let m = before
            .board()
            .resolve(Spelled::Uci(self.game.line().last()?.uci.unpack()))
            .ok()?;
        Some(MoveReport::new(before.board(), m, &self.game).san)
    }
}

fn same<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("expected {expected:?}, found {found:?}"))
    }
}

/// Reads `63s`, `1.5s`, `29d23h`, or as a clock shows it: `4:52.118`, `1:30:00`.
pub(crate) fn duration(text: &str) -> Option<Millis> {
    if let Some((rest, seconds)) = text.rsplit_once(':') {
        let minutes = match rest.split_once(':') {
            Some((hours, minutes)) => {
                hours.parse::<u32>().ok()? * 60 + minutes.parse::<u32>().ok()?
            }
            None => rest.parse::<u32>().ok()?,
        };
        return Some(Millis::from_secs(minutes * 60) + decimal(seconds, 1000)?);
    }
    let mut total = Millis::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let unit = match rest[end..].chars().next()? {
            's' => 1000,
            'm' => 60_000,
            'h' => 3_600_000,
            'd' => 86_400_000,
            _ => return None,
        };
        total = total + decimal(&rest[..end], unit)?;
        rest = &rest[end + 1..];
    }
    (!text.is_empty()).then_some(total)
}

/// A decimal number of units of so many milliseconds.
pub(crate) fn decimal(number: &str, unit: u32) -> Option<Millis> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let thousandths: u32 = match fraction {
        "" => 0,
        digits => format!("{digits:0<3}").parse().ok()?,
    };
    let whole: u32 = whole.parse().ok()?;
    Some(Millis(whole * unit + thousandths * (unit / 1000)))
}
