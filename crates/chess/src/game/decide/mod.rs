//! Judging commands: one file per group.
//!
//! Every function here only looks; what it decides is applied by `evolve`.

mod claims;
mod due;
mod moves;
mod offers;
mod operator;
mod playing;
mod reseat;
mod vacation;
mod waiting;

use shakmaty::Color;

use super::{Command, Event, Game, Phase, Refusal};
use crate::Timestamp;
use crate::table::{Actor, State, Verdict};

pub(super) type Answer = Verdict<Event, Refusal>;

/// A record longer than this takes only what ends the game, so that nobody
/// can make a game without end out of offers and takebacks.
const RECORD_MAX: u32 = 20_000;

/// Records of a game besides the moves that stand: offers, answers, gifts,
/// invitations, and what was taken back. Whoever reads a game's record pays for each.
const EXTRAS_MAX: u32 = 2000;

impl Game {
    /// Judges a command received at `now`, without changing anything.
    pub fn decide(&self, now: Timestamp, who: Actor, command: &Command) -> Answer {
        // Late arrivals and clocks set back count as of the last change.
        let now = now.max(self.last_at());
        let answer = self.judge(now, who, command);
        match &answer {
            Verdict::Change(event) if self.version() >= RECORD_MAX && !event.ends_game() => refuse(
                Refusal::NotAllowed("the record of this game is full: end it"),
            ),
            _ => answer,
        }
    }

    fn judge(&self, now: Timestamp, who: Actor, command: &Command) -> Answer {
        match command {
            Command::Join {
                toss,
                by_code,
                ratings,
            } => self.join(now, who, *toss, *by_code, *ratings),
            Command::Decline(why) => self.decline(who, *why),
            Command::Cancel => self.cancel(who),
            Command::Invite(players) => self.invite(who, players),
            Command::Move(command) => self.make_move(now, who, command),
            Command::Resign => self.resign(now, who),
            Command::Abort => self.abort(now, who),
            Command::AddTime(gift) => self.add_time(now, who, *gift),
            Command::Resume => self.resume(now, who),
            Command::Offer(offer) => self.make_offer(now, who, *offer),
            Command::Accept(offer) => self.accept(now, who, *offer),
            Command::DeclineOffer(offer) => self.decline_offer(now, who, *offer),
            Command::ClaimDraw { opponent_seen } => self.claim_draw(now, who, *opponent_seen),
            Command::ClaimWin { opponent_seen } => self.claim_win(now, who, *opponent_seen),
            Command::Tick { host_seen } => self.tick(now, *host_seen),
            Command::Credit(outages) => self.credit(now, who, outages),
            Command::Adjudicate(ending) => self.adjudicate(who, *ending),
            Command::ChangeResult(ending) => self.change_result(who, *ending),
            Command::SetClock(left) => self.set_clock(now, who, *left),
            Command::Pause => self.operator_pause(now, who),
            Command::Vacation { of, until } => self.vacation(now, who, *of, *until),
            Command::Reseat { from, to } => self.reseat(who, *from, *to),
        }
    }

    /// The side of the one who asks. A creator who left the colour to chance
    /// has none before the game begins, but is no stranger.
    fn seat(&self, who: Actor) -> Result<Color, Refusal> {
        match who {
            Actor::Player(player) => self.seat_of(player).ok_or({
                if player == self.creator() {
                    Refusal::not_active(self.phase())
                } else {
                    Refusal::NotAPlayer
                }
            }),
            Actor::Server | Actor::Operator => Err(Refusal::NotAPlayer),
        }
    }

    /// Checks that the game is being played (or paused, where that will do)
    /// and that nothing has ended it meanwhile: a flag, an adjournment too long.
    fn in_play(&self, now: Timestamp, paused_too: bool) -> Result<(), Answer> {
        match self.phase() {
            Phase::Waiting | Phase::Over(_) => Err(refuse(Refusal::not_active(self.phase()))),
            Phase::Paused { .. } if !paused_too => Err(refuse(Refusal::not_active(self.phase()))),
            Phase::Paused { .. } | Phase::Active => match self.due(now) {
                None => Ok(()),
                Some(consequence) => Err(Verdict::RefusedBut {
                    why: Refusal::GameNotActive {
                        state: State::Completed,
                    },
                    consequence,
                }),
            },
        }
    }

    /// Whether the record has room for more than moves. What is played always has.
    fn has_room(&self) -> Result<(), Refusal> {
        if self.version() - self.ply() < EXTRAS_MAX {
            return Ok(());
        }
        Err(Refusal::NotAllowed(
            "this game's record is full of offers, gifts and takebacks",
        ))
    }

    /// What is in effect already changes nothing and is answered as done.
    fn already(&self) -> Answer {
        Verdict::Already(self.version())
    }
}

impl Event {
    /// What a full record takes all the same.
    fn ends_game(&self) -> bool {
        matches!(
            self,
            Event::Ended { .. }
                | Event::ResultChanged { .. }
                | Event::Reseated { .. }
                | Event::Moved {
                    ending: Some(_),
                    ..
                }
                | Event::IllegalAttempt {
                    ending: Some(_),
                    ..
                }
        )
    }
}

fn refuse(why: Refusal) -> Answer {
    Verdict::Refused(why)
}

/// `let color = ask!(self.seat(who));`: goes on with the value or answers with the refusal.
macro_rules! ask {
    ($checked:expr) => {
        match $checked {
            Ok(value) => value,
            Err(answer) => return $crate::game::decide::IntoAnswer::into_answer(answer),
        }
    };
}
use ask;

/// What [`ask!`] may answer with.
trait IntoAnswer {
    fn into_answer(self) -> Answer;
}

impl IntoAnswer for Refusal {
    fn into_answer(self) -> Answer {
        refuse(self)
    }
}

impl IntoAnswer for Answer {
    fn into_answer(self) -> Answer {
        self
    }
}
