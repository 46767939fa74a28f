//! Those who wait for an opponent.
//!
//! A ticket says everything that pairing asks of its owner, as it was when they
//! came: while they wait they play no other real-time game. An account has one
//! that is searching at most.

use std::ops::RangeInclusive;

use chess::pairing::{Colors, Origin, Paired, Seeker};
use chess::rating::Rating;
use chess::table::PlayerId;
use chess::{Color, Timestamp};

use crate::TableId;

/// A wish to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Rises with every ticket.
    pub id: u64,
    /// What its owner asked for.
    pub wish: Wish,
    /// When its owner was last there.
    pub seen_at: Timestamp,
    /// What has become of it.
    pub fate: TicketFate,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// What somebody who wants to play asks for, and who they are for pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Whose.
    pub account: PlayerId,
    /// What they want to play, as `chess::pairing::Pool` writes it.
    pub pool: String,
    /// Whether its games are played in real time: then nobody waits who plays one.
    pub is_real_time: bool,
    /// How strong they were.
    pub rating: Rating,
    /// The points an opponent must have, if they said so.
    pub range: Option<RangeInclusive<u32>>,
    /// The side that they want, if they said so.
    pub side: Option<Color>,
    /// The sides of their last games, the oldest first.
    pub sides: Vec<Color>,
    /// Whom they played last.
    pub last_opponent: Option<PlayerId>,
    /// Since when they wait.
    pub since: Timestamp,
}

/// What has become of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TicketFate {
    /// Its owner waits.
    Searching,
    /// It was paired: that is the game.
    Matched(TableId),
    /// Its owner took it back, went away, or began that other game.
    Cancelled(Option<TableId>),
    /// Nobody was found in time.
    TimedOut,
}

impl TicketFate {
    /// Its name in the database and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            TicketFate::Searching => "SEARCHING",
            TicketFate::Matched(_) => "MATCHED",
            TicketFate::Cancelled(_) => "CANCELLED",
            TicketFate::TimedOut => "TIMED_OUT",
        }
    }

    /// The game that it has to do with.
    pub fn table(self) -> Option<TableId> {
        match self {
            TicketFate::Matched(table) => Some(table),
            TicketFate::Cancelled(table) => table,
            TicketFate::Searching | TicketFate::TimedOut => None,
        }
    }

    pub(crate) fn read(name: &str, table: Option<TableId>) -> Option<TicketFate> {
        match (name, table) {
            ("SEARCHING", None) => Some(TicketFate::Searching),
            ("MATCHED", Some(table)) => Some(TicketFate::Matched(table)),
            ("CANCELLED", table) => Some(TicketFate::Cancelled(table)),
            ("TIMED_OUT", None) => Some(TicketFate::TimedOut),
            _ => None,
        }
    }
}

/// What came of asking for a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Queued {
    /// It is there.
    Entered(Ticket),
    /// There was one already.
    AlreadyIn(u64),
    /// They play this game.
    Plays(TableId),
}

/// Two sit down to play with a change, and what that means for those who wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begins {
    /// The two. Whoever of them waits for another real-time game does not any more.
    pub players: [PlayerId; 2],
    /// Whether they have to be there.
    pub is_real_time: bool,
    /// The tickets that led to it. If one of them has ended, or one of the two plays
    /// another real-time game, the change is refused with [`crate::Error::Conflict`].
    pub tickets: Vec<u64>,
}

impl Wish {
    /// The ticket that it becomes.
    pub(crate) fn numbered(self, id: u64) -> Ticket {
        Ticket {
            id,
            seen_at: self.since,
            wish: self,
            fate: TicketFate::Searching,
            ended_at: None,
        }
    }
}

impl Ticket {
    /// Its owner, for pairing.
    pub fn seeker(&self) -> Seeker {
        let wish = &self.wish;
        Seeker {
            origin: Origin::Ticket(self.id),
            player: wish.account,
            rating: wish.rating,
            since: wish.since,
            range: wish.range.clone(),
            side: wish.side,
            colors: Colors::of(wish.sides.iter().copied()),
            last_opponent: wish.last_opponent,
        }
    }

    /// What it says about how long others will wait, if it was paired.
    pub fn paired(&self) -> Option<Paired> {
        let at = self.ended_at?;
        matches!(self.fate, TicketFate::Matched(_)).then(|| Paired {
            at,
            points: self.wish.rating.points(),
            waited: at.since(self.wish.since),
        })
    }
}

/// Sides as they are stored: a letter each.
pub(crate) fn sides_text(sides: &[Color]) -> String {
    sides.iter().map(|side| side.char()).collect()
}

/// The side somebody wants as it is stored.
pub(crate) fn side_text(side: Option<Color>) -> Option<String> {
    side.map(|side| side.char().to_string())
}

/// What [`side_text`] wrote; `None` if that cannot be.
pub(crate) fn side(text: Option<&str>) -> Option<Option<Color>> {
    match text {
        None => Some(None),
        Some(text) => Some(Some(*sides(text)?.first()?)),
    }
}

/// What [`sides_text`] wrote.
pub(crate) fn sides(text: &str) -> Option<Vec<Color>> {
    text.chars().map(Color::from_char).collect()
}
