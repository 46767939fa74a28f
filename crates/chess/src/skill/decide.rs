//! Judging commands. Every function here only looks; what it decides is
//! applied by `evolve`.

use shakmaty::Color;

use super::{
    Act, Action, Command, Deed, Ending, Event, Match, MoveOrder, Phase, Position, Refusal, skill,
};
use crate::table::{Actor, Verdict};
use crate::{Millis, Timestamp};

type Answer = Verdict<Event, Refusal>;

/// A record longer than this takes only what ends the match or asks to, so
/// that nobody can make one without end out of selections and shuffled rooks.
/// Every event of the match tells all its moves.
const RECORD_MAX: u32 = 1_000;

/// How long a room lives that nobody joins.
const UNJOINED_MAX: Millis = Millis::from_days(1);

/// How long an unjoined room lives without its host.
const HOST_AWAY_MAX: Millis = Millis::from_secs(15 * 60);

impl Match {
    /// Judges a command received at `now`, without changing anything.
    pub fn decide(&self, now: Timestamp, who: Actor, command: &Command) -> Answer {
        // Late arrivals and clocks set back count as of the last change.
        let now = now.max(self.last_at());
        match command {
            Command::Join => self.join(now, who),
            Command::Act(action) => self.act(who, action),
            Command::Abort => self.abort(who),
            Command::Tick { host_seen } => self.tick(now, *host_seen),
            Command::Credit(_) => self.already(),
        }
    }

    /// When the match must be looked at even if nobody speaks: only an
    /// unjoined room closes by itself. `host_seen` is when its host was last seen.
    pub fn next_deadline(&self, host_seen: Timestamp) -> Option<Timestamp> {
        let created = self.created_at();
        let away = host_seen.max(created) + HOST_AWAY_MAX;
        (self.phase() == Phase::Waiting).then(|| away.min(created + UNJOINED_MAX))
    }

    fn tick(&self, now: Timestamp, host_seen: Timestamp) -> Answer {
        self.expiry(now, host_seen)
            .map_or_else(|| self.already(), Verdict::Change)
    }

    fn expiry(&self, now: Timestamp, host_seen: Timestamp) -> Option<Event> {
        let deadline = self.next_deadline(host_seen)?;
        (now >= deadline).then_some(Event::Ended(Ending::Expired))
    }

    /// Joining again is coming back.
    fn join(&self, now: Timestamp, who: Actor) -> Answer {
        let Actor::Player(player) = who else {
            return Verdict::Refused(Refusal::SeatOwnership);
        };
        if self.seat_of(player).is_some() {
            return self.already();
        }
        match self.phase() {
            Phase::Waiting => match self.expiry(now, now) {
                None => Verdict::Change(Event::Joined { player }),
                Some(consequence) => Verdict::RefusedBut {
                    why: Refusal::RoomNotFound,
                    consequence,
                },
            },
            Phase::Drafting | Phase::Active => Verdict::Refused(Refusal::RoomFull),
            Phase::Over(_) => Verdict::Refused(Refusal::RoomNotFound),
        }
    }

    fn abort(&self, who: Actor) -> Answer {
        match self.phase() {
            _ if who != Actor::Operator => Verdict::Refused(Refusal::SeatOwnership),
            Phase::Over(Ending::Aborted) => self.already(),
            Phase::Over(_) => Verdict::Refused(Refusal::InvalidPhase),
            _ => Verdict::Change(Event::Ended(Ending::Aborted)),
        }
    }

    /// Whether this deed, asked for when that version was made, is what made it.
    fn is_what_was_done(&self, version: u32, by: Color, deed: &Deed) -> bool {
        let before = self.as_of(version - 1);
        let asked = before.and_then(|then| then.judge(by, deed).ok());
        let done = self.entries().nth(version as usize - 1);
        matches!((asked, done.map(|entry| entry.event)),
            (Some(asked), Some(Event::Acted { act, .. })) if asked == act)
    }

    fn act(&self, who: Actor, action: &Action) -> Answer {
        let by = match who {
            Actor::Player(player) => self.seat_of(player),
            Actor::Server | Actor::Operator => None,
        };
        let Some(by) = by else {
            return Verdict::Refused(Refusal::SeatOwnership);
        };
        // A retry is recognised whatever has happened since.
        if let Some(version) = self.version_of(by, action.id) {
            return match self.is_what_was_done(version, by, &action.deed) {
                true => Verdict::Already(version),
                false => Verdict::Refused(Refusal::ActionReused),
            };
        }
        // Who is present is no part of the record, whatever the client last saw:
        // somebody's coming and going must not make the other one's move stale.
        let is_presence = match action.deed {
            Deed::JoinMatch => true,
            Deed::LeaveMatch => self.phase() != Phase::Waiting,
            _ => false,
        };
        if is_presence {
            return self.already();
        }
        if action.base_revision != u64::from(self.version()) {
            return Verdict::Refused(Refusal::StaleRevision);
        }
        match self.judge(by, &action.deed) {
            Ok(act) => Verdict::Change(Event::Acted {
                by,
                action: action.id,
                act,
            }),
            Err(why) => Verdict::Refused(why),
        }
    }

    fn judge(&self, by: Color, deed: &Deed) -> Result<Act, Refusal> {
        let act = match deed {
            Deed::UpdateDraftSelection { skill, position } => self.select(by, skill, *position),
            Deed::LockDraft => self.in_draft(by).map(|()| Act::Locked),
            Deed::MakeMove(order) => self.make_move(by, order),
            Deed::OfferDraw => self.offer_draw(by),
            Deed::AcceptDraw => self.accept_draw(by),
            Deed::DeclineDraw => self.decline_draw(),
            Deed::Resign => match self.phase() {
                Phase::Drafting | Phase::Active => Ok(Act::Resigned),
                Phase::Waiting | Phase::Over(_) => Err(Refusal::InvalidPhase),
            },
            Deed::LeaveMatch if self.phase() == Phase::Waiting => Ok(Act::Closed),
            Deed::JoinMatch | Deed::LeaveMatch => Err(Refusal::InvalidPhase),
        }?;
        let goes_on = matches!(
            act,
            Act::Selected { .. } | Act::Locked | Act::Moved { ending: None, .. }
        );
        if self.version() >= RECORD_MAX && goes_on {
            return Err(Refusal::InvalidPhase);
        }
        Ok(act)
    }

    fn in_draft(&self, by: Color) -> Result<(), Refusal> {
        match self.phase() {
            Phase::Drafting if self.draft(by).is_locked() => Err(Refusal::DraftLocked),
            Phase::Drafting => Ok(()),
            _ => Err(Refusal::InvalidPhase),
        }
    }

    fn select(&self, by: Color, id: &str, position: Option<Position>) -> Result<Act, Refusal> {
        self.in_draft(by)?;
        let skill = skill(id).ok_or(Refusal::UnknownSkill)?;
        let Some(position) = position else {
            return Ok(Act::Selected {
                skill,
                square: None,
            });
        };
        let square = position.square().ok_or(Refusal::InvalidPosition)?;
        self.board()
            .at(square)
            .filter(|piece| piece.color == by)
            .ok_or(Refusal::InvalidDraftPiece)?;
        self.draft(by).may_add(skill)?;
        Ok(Act::Selected {
            skill,
            square: Some(square),
        })
    }

    fn in_play(&self) -> Result<(), Refusal> {
        match self.phase() {
            Phase::Active => Ok(()),
            _ => Err(Refusal::InvalidPhase),
        }
    }

    /// Two who offer a draw agree on it.
    fn offer_draw(&self, by: Color) -> Result<Act, Refusal> {
        self.in_play()?;
        if self.draw_offer() == Some(!by) {
            return Ok(Act::AgreedToDraw);
        }
        self.draw_offers().may_offer(by, self.ply())?;
        Ok(Act::OfferedDraw)
    }

    fn accept_draw(&self, by: Color) -> Result<Act, Refusal> {
        self.in_play()?;
        match self.draw_offer() {
            Some(offerer) if offerer != by => Ok(Act::AgreedToDraw),
            _ => Err(Refusal::NoDrawOffer),
        }
    }

    /// Whoever made the offer withdraws it.
    fn decline_draw(&self) -> Result<Act, Refusal> {
        self.in_play()?;
        match self.draw_offer() {
            Some(_) => Ok(Act::DeclinedDraw),
            None => Err(Refusal::NoDrawOffer),
        }
    }

    fn make_move(&self, by: Color, order: &MoveOrder) -> Result<Act, Refusal> {
        self.in_play()?;
        if self.board().turn() != by {
            return Err(Refusal::NotYourTurn);
        }
        let m = self.board().judge(order)?;
        Ok(Act::Moved {
            from: m.from,
            to: m.to,
            promotion: m.promotion,
            skill: m.skill,
            ending: self.board().ending_after(&m),
        })
    }

    /// What is in effect already changes nothing and is answered as done.
    fn already(&self) -> Answer {
        Verdict::Already(self.version())
    }
}
