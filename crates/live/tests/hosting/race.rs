//! A second set of rules, as small as can be: whoever reaches 21 wins, one to
//! five points at a time, and a race of which nothing is heard for a minute
//! is over.

use chess::table::{Actor, Corrupt, MoveRow, Outage, PlayerId, State, Summary, Table, Verdict};
use chess::{Millis, Timestamp};

#[derive(Clone, Debug)]
pub(crate) struct Race {
    pub(crate) total: u32,
    players: [PlayerId; 2],
    over: bool,
    last_at: Timestamp,
    history: Vec<u8>,
}

pub(crate) enum Add {
    Points(u32),
    Tick,
}

#[derive(Clone)]
pub(crate) enum Added {
    Points(u32),
    GivenUp,
}

#[derive(Debug, PartialEq)]
pub(crate) struct TooMuch;

impl Race {
    pub(crate) fn new(at: Timestamp, first: PlayerId, second: PlayerId) -> Race {
        let mut race = Race {
            total: 0,
            players: [first, second],
            over: false,
            last_at: at,
            history: Vec::new(),
        };
        race.write(at, first.number() << 16 | second.number());
        race
    }

    fn write(&mut self, at: Timestamp, what: u32) {
        self.history.extend(at.0.to_le_bytes());
        self.history.extend(what.to_le_bytes());
        self.last_at = at;
    }
}

/// With so many points a race cannot be looked at.
pub(crate) const UNLUCKY: u32 = 13;

const KIND: u8 = 200;
const GIVEN_UP: u32 = u32::MAX;

impl Table for Race {
    type Command = Add;
    type Event = Added;
    type Refusal = TooMuch;
    type Report = ();

    fn kind(&self) -> u8 {
        KIND
    }

    fn decide(&self, now: Timestamp, _: Actor, command: &Add) -> Verdict<Added, TooMuch> {
        match command {
            Add::Points(n @ 1..=5) if !self.over => Verdict::Change(Added::Points(*n)),
            Add::Points(_) => Verdict::Refused(TooMuch),
            Add::Tick if self.total == UNLUCKY => panic!("on purpose, in a test"),
            Add::Tick if !self.over && now >= self.last_at + Millis::from_secs(60) => {
                Verdict::Change(Added::GivenUp)
            }
            Add::Tick => Verdict::Already(self.version()),
        }
    }

    fn evolve(&mut self, at: Timestamp, event: &Added) {
        match event {
            Added::Points(n) => {
                self.total += n;
                self.over = self.total >= 21;
                self.write(at, *n);
            }
            Added::GivenUp => {
                self.over = true;
                self.write(at, GIVEN_UP);
            }
        }
    }

    fn version(&self) -> u32 {
        (self.history.len() / 12) as u32
    }

    fn next_deadline(&self, _: Timestamp) -> Option<Timestamp> {
        (!self.over).then(|| self.last_at + Millis::from_secs(60))
    }

    fn state(&self) -> State {
        if self.over {
            State::Completed
        } else {
            State::Active
        }
    }

    fn last_at(&self) -> Timestamp {
        self.last_at
    }

    fn players(&self) -> [Option<PlayerId>; 2] {
        self.players.map(Some)
    }

    fn tick(_: Timestamp) -> Add {
        Add::Tick
    }

    fn credit(_: Vec<Outage>) -> Add {
        Add::Tick
    }

    fn summary(&self) -> Summary {
        Summary {
            state: self.state(),
            creator: self.players[0],
            opponent: None,
            white: Some(self.players[0]),
            black: Some(self.players[1]),
            private: false,
            delay_ms: 0,
            invited: Vec::new(),
            variant: "race",
            rated: false,
            speed: "none",
            initial_ms: None,
            increment_ms: None,
            white_clock_ms: None,
            black_clock_ms: None,
            side_to_move: 'w',
            ply: self.total,
            fen: String::new(),
            result: None,
            reason: None,
            created_at: self.last_at,
            started_at: None,
            updated_at: self.last_at,
            ended_at: None,
        }
    }

    fn score_sheet(&self) -> Vec<MoveRow> {
        Vec::new()
    }

    fn encode(&self) -> Vec<u8> {
        self.history.clone()
    }

    fn encoded_since(&self, earlier: &Race) -> Vec<u8> {
        self.history[earlier.history.len()..].to_vec()
    }

    fn read_next(&self, added: &[u8]) -> Result<(Timestamp, Added), Corrupt> {
        let (at, what) = entry(added);
        Ok((at, happened(what)))
    }

    fn restore(kind: u8, bytes: &[u8]) -> Option<Result<Race, Corrupt>> {
        (kind == KIND).then(|| decode(bytes))
    }
}

fn decode(bytes: &[u8]) -> Result<Race, Corrupt> {
    let corrupt = || Corrupt {
        version: 0,
        why: "not a race",
    };
    let mut entries = bytes.chunks_exact(12).map(entry);
    let (at, players) = entries.next().ok_or_else(corrupt)?;
    let player = |number| PlayerId::new(number).ok_or_else(corrupt);
    let mut race = Race::new(at, player(players >> 16)?, player(players & 0xffff)?);
    for (at, what) in entries {
        race.evolve(at, &happened(what));
    }
    Ok(race)
}

fn entry(bytes: &[u8]) -> (Timestamp, u32) {
    let at = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    let what = u32::from_le_bytes(bytes[8..].try_into().unwrap());
    (Timestamp(at), what)
}

fn happened(what: u32) -> Added {
    match what {
        GIVEN_UP => Added::GivenUp,
        points => Added::Points(points),
    }
}
