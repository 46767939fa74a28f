//! Every set of rules that one server hosts: a closed choice, so that hosting,
//! storing and recovering see tables and never ask which.

use std::sync::{Arc, OnceLock};

use crate::Timestamp;
use crate::game::{self, Game};
use crate::rating::Effect;
use crate::skill::{self, Match};
use crate::table::{
    Actor, Beginning, Corrupt, MoveRow, Outage, PlayerId, State, Summary, Table, Verdict,
};
use crate::telling::Kinds;

/// A table of any rules. What a door knows how to show, it takes out as an
/// `Arc`, which costs nothing.
#[derive(Clone, Debug)]
pub enum AnyTable {
    /// Chess and its variants.
    Chess(Arc<Game>),
    /// Skill chess.
    Skill(Arc<Match>),
}

/// What one may ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Of a game of chess.
    Chess(game::Command),
    /// Of a match of skill chess.
    Skill(skill::Command),
    /// Of any: to look at its clock.
    Tick {
        /// When the one who waits for an opponent was last seen.
        host_seen: Timestamp,
    },
    /// Of any: to give back what the server's own downtimes cost.
    Credit(Vec<Outage>),
}

/// What can have happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// To a game of chess.
    Chess(game::Event),
    /// To a match of skill chess.
    Skill(skill::Event),
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// In a game of chess.
    Chess(game::Refusal),
    /// In a match of skill chess.
    Skill(skill::Refusal),
    /// What was asked for is not known in the rules of this table.
    OtherRules,
}

impl AnyTable {
    /// The game, if it is one of chess.
    pub fn chess(&self) -> Option<&Arc<Game>> {
        match self {
            AnyTable::Chess(game) => Some(game),
            AnyTable::Skill(_) => None,
        }
    }

    /// The match, if it is one of skill chess.
    pub fn skill(&self) -> Option<&Arc<Match>> {
        match self {
            AnyTable::Skill(played) => Some(played),
            AnyTable::Chess(_) => None,
        }
    }
}

/// One set of rules among them: how its own things are found among those of
/// all, so that a door speaks to a table in the words of its rules.
pub trait Hosted: Table + Into<AnyTable> {
    /// The table, if it is of these rules.
    fn of(table: &AnyTable) -> Option<&Arc<Self>>;
    /// What is asked, said to a table of any rules.
    fn asked(command: Self::Command) -> Command;
    /// What happened, if it is of these rules.
    fn happened(event: Event) -> Option<Self::Event>;
    /// Why not, if it is of these rules.
    fn refused(why: Refusal) -> Option<Self::Refusal>;
    /// What is worked out of a change of these rules.
    fn reported(report: Arc<OnceLock<game::MoveReport>>) -> Arc<Self::Report>;
}

impl Hosted for Game {
    fn of(table: &AnyTable) -> Option<&Arc<Game>> {
        table.chess()
    }

    fn asked(command: game::Command) -> Command {
        Command::Chess(command)
    }

    fn happened(event: Event) -> Option<game::Event> {
        match event {
            Event::Chess(event) => Some(event),
            Event::Skill(_) => None,
        }
    }

    fn refused(why: Refusal) -> Option<game::Refusal> {
        match why {
            Refusal::Chess(why) => Some(why),
            Refusal::Skill(_) | Refusal::OtherRules => None,
        }
    }

    fn reported(report: Arc<OnceLock<game::MoveReport>>) -> Arc<OnceLock<game::MoveReport>> {
        report
    }
}

impl Hosted for Match {
    fn of(table: &AnyTable) -> Option<&Arc<Match>> {
        table.skill()
    }

    fn asked(command: skill::Command) -> Command {
        Command::Skill(command)
    }

    fn happened(event: Event) -> Option<skill::Event> {
        match event {
            Event::Skill(event) => Some(event),
            Event::Chess(_) => None,
        }
    }

    fn refused(why: Refusal) -> Option<skill::Refusal> {
        match why {
            Refusal::Skill(why) => Some(why),
            Refusal::Chess(_) | Refusal::OtherRules => None,
        }
    }

    fn reported(_: Arc<OnceLock<game::MoveReport>>) -> Arc<()> {
        Arc::default()
    }
}

impl From<Game> for AnyTable {
    fn from(game: Game) -> AnyTable {
        AnyTable::Chess(Arc::new(game))
    }
}

impl From<Match> for AnyTable {
    fn from(played: Match) -> AnyTable {
        AnyTable::Skill(Arc::new(played))
    }
}

/// The same of whichever it is.
macro_rules! either {
    ($table:expr, $it:ident => $answer:expr) => {
        match $table {
            AnyTable::Chess($it) => $answer,
            AnyTable::Skill($it) => $answer,
        }
    };
}

impl Table for AnyTable {
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;
    type Report = OnceLock<game::MoveReport>;

    fn kind(&self) -> u8 {
        either!(self, table => table.kind())
    }

    fn decide(&self, now: Timestamp, who: Actor, command: &Command) -> Verdict<Event, Refusal> {
        let chess = |game: &Game, command: &game::Command| {
            named(game.decide(now, who, command), Event::Chess, Refusal::Chess)
        };
        let skill = |played: &Match, command: &skill::Command| {
            named(
                played.decide(now, who, command),
                Event::Skill,
                Refusal::Skill,
            )
        };
        match (self, command) {
            (AnyTable::Chess(game), Command::Chess(command)) => chess(game, command),
            (AnyTable::Skill(played), Command::Skill(command)) => skill(played, command),
            (AnyTable::Chess(game), Command::Tick { host_seen }) => {
                chess(game, &<Game as Table>::tick(*host_seen))
            }
            (AnyTable::Skill(played), Command::Tick { host_seen }) => {
                skill(played, &<Match as Table>::tick(*host_seen))
            }
            (AnyTable::Chess(game), Command::Credit(outages)) => {
                chess(game, &<Game as Table>::credit(outages.clone()))
            }
            (AnyTable::Skill(played), Command::Credit(outages)) => {
                skill(played, &<Match as Table>::credit(outages.clone()))
            }
            (AnyTable::Chess(_), Command::Skill(_)) | (AnyTable::Skill(_), Command::Chess(_)) => {
                Verdict::Refused(Refusal::OtherRules)
            }
        }
    }

    fn evolve(&mut self, at: Timestamp, event: &Event) {
        match (self, event) {
            (AnyTable::Chess(game), Event::Chess(event)) => Arc::make_mut(game).evolve(at, event),
            (AnyTable::Skill(played), Event::Skill(event)) => {
                Arc::make_mut(played).evolve(at, event);
            }
            (AnyTable::Chess(_), Event::Skill(_)) | (AnyTable::Skill(_), Event::Chess(_)) => {
                unreachable!("an event happens to the table that decided it")
            }
        }
    }

    fn version(&self) -> u32 {
        either!(self, table => table.version())
    }

    fn next_deadline(&self, host_seen: Timestamp) -> Option<Timestamp> {
        either!(self, table => table.next_deadline(host_seen))
    }

    fn state(&self) -> State {
        either!(self, table => table.state())
    }

    fn keeps_code(&self) -> bool {
        either!(self, table => table.keeps_code())
    }

    fn is_listed_as(&self, before: &AnyTable) -> bool {
        match (self, before) {
            (AnyTable::Chess(game), AnyTable::Chess(before)) => game.is_listed_as(before),
            (AnyTable::Skill(played), AnyTable::Skill(before)) => played.is_listed_as(before),
            _ => false,
        }
    }

    fn begins(&self, before: Option<&AnyTable>) -> Option<Beginning> {
        match self {
            AnyTable::Chess(game) => game.begins(before.and_then(AnyTable::chess).map(|b| &**b)),
            AnyTable::Skill(played) => {
                played.begins(before.and_then(AnyTable::skill).map(|b| &**b))
            }
        }
    }

    fn rates(&self, before: Option<&AnyTable>) -> Option<Effect> {
        match self {
            AnyTable::Chess(game) => game.rates(before.and_then(AnyTable::chess).map(|b| &**b)),
            AnyTable::Skill(played) => {
                Table::rates(&**played, before.and_then(AnyTable::skill).map(|b| &**b))
            }
        }
    }

    fn tells(&self, before: Option<&AnyTable>, every_move: bool) -> Kinds {
        match self {
            AnyTable::Chess(game) => {
                let before = before.and_then(AnyTable::chess);
                game.tells(before.map(|b| &**b), every_move)
            }
            AnyTable::Skill(played) => {
                let before = before.and_then(AnyTable::skill);
                played.tells(before.map(|b| &**b), every_move)
            }
        }
    }

    fn last_at(&self) -> Timestamp {
        either!(self, table => table.last_at())
    }

    fn players(&self) -> [Option<PlayerId>; 2] {
        either!(self, table => table.players())
    }

    fn tick(host_seen: Timestamp) -> Command {
        Command::Tick { host_seen }
    }

    fn credit(outages: Vec<Outage>) -> Command {
        Command::Credit(outages)
    }

    fn summary(&self) -> Summary {
        either!(self, table => table.summary())
    }

    fn score_sheet(&self) -> Vec<MoveRow> {
        either!(self, table => table.score_sheet())
    }

    fn encode(&self) -> Vec<u8> {
        either!(self, table => table.encode())
    }

    fn encoded_since(&self, earlier: &AnyTable) -> Vec<u8> {
        match (self, earlier) {
            (AnyTable::Chess(game), AnyTable::Chess(earlier)) => game.encoded_since(earlier),
            (AnyTable::Skill(played), AnyTable::Skill(earlier)) => played.encoded_since(earlier),
            (AnyTable::Chess(_), AnyTable::Skill(_)) | (AnyTable::Skill(_), AnyTable::Chess(_)) => {
                unreachable!("a table keeps its rules")
            }
        }
    }

    fn read_next(&self, added: &[u8]) -> Result<(Timestamp, Event), Corrupt> {
        Ok(match self {
            AnyTable::Chess(game) => {
                let (at, event) = game.read_next(added)?;
                (at, Event::Chess(event))
            }
            AnyTable::Skill(played) => {
                let (at, event) = Table::read_next(&**played, added)?;
                (at, Event::Skill(event))
            }
        })
    }

    fn restore(kind: u8, bytes: &[u8]) -> Option<Result<AnyTable, Corrupt>> {
        let chess = Game::restore(kind, bytes).map(|read| read.map(AnyTable::from));
        chess.or_else(|| Match::restore(kind, bytes).map(|read| read.map(AnyTable::from)))
    }
}

fn named<E, R>(
    verdict: Verdict<E, R>,
    event: impl Fn(E) -> Event,
    refusal: impl Fn(R) -> Refusal,
) -> Verdict<Event, Refusal> {
    match verdict {
        Verdict::Change(change) => Verdict::Change(event(change)),
        Verdict::Already(version) => Verdict::Already(version),
        Verdict::Refused(why) => Verdict::Refused(refusal(why)),
        Verdict::RefusedBut { why, consequence } => Verdict::RefusedBut {
            why: refusal(why),
            consequence: event(consequence),
        },
    }
}
