//! The match as a table.

use super::{Command, Event, Match, Refusal};
use crate::Timestamp;
use crate::table::{Actor, Corrupt, MoveRow, Outage, PlayerId, State, Summary, Table, Verdict};
use crate::telling::{Kind, Kinds};

impl Table for Match {
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;
    type Report = ();

    fn kind(&self) -> u8 {
        Match::KIND
    }

    fn decide(&self, now: Timestamp, who: Actor, command: &Command) -> Verdict<Event, Refusal> {
        Match::decide(self, now, who, command)
    }

    fn evolve(&mut self, at: Timestamp, event: &Event) {
        Match::evolve(self, at, event);
    }

    fn version(&self) -> u32 {
        Match::version(self)
    }

    fn next_deadline(&self, host_seen: Timestamp) -> Option<Timestamp> {
        Match::next_deadline(self, host_seen)
    }

    fn state(&self) -> State {
        self.phase().state()
    }

    /// Players come back by it, and others learn that the room is full.
    fn keeps_code(&self) -> bool {
        self.ending().is_none()
    }

    /// A match is told of when it is over: until then it is its guests' alone.
    fn tells(&self, before: Option<&Match>, _: bool) -> Kinds {
        let was_over = before.is_some_and(|before| before.ending().is_some());
        match self.ending().is_some() && !was_over {
            true => Kinds::NONE.with(Kind::MatchEnded),
            false => Kinds::NONE,
        }
    }

    fn last_at(&self) -> Timestamp {
        Match::last_at(self)
    }

    fn players(&self) -> [Option<PlayerId>; 2] {
        let seats = self.seats();
        [seats.white, seats.black]
    }

    fn tick(host_seen: Timestamp) -> Command {
        Command::Tick { host_seen }
    }

    fn credit(outages: Vec<Outage>) -> Command {
        Command::Credit(outages)
    }

    fn summary(&self) -> Summary {
        Match::summary(self)
    }

    fn score_sheet(&self) -> Vec<MoveRow> {
        Match::score_sheet(self)
    }

    fn encode(&self) -> Vec<u8> {
        self.history().bytes()
    }

    fn encoded_since(&self, earlier: &Match) -> Vec<u8> {
        self.history().after(earlier.history().len()).concat()
    }

    fn read_next(&self, added: &[u8]) -> Result<(Timestamp, Event), Corrupt> {
        let entry = Match::read_next(self, added)?;
        Ok((entry.at, entry.event))
    }

    fn restore(kind: u8, bytes: &[u8]) -> Option<Result<Match, Corrupt>> {
        (kind == Match::KIND).then(|| Match::decode(bytes))
    }
}
