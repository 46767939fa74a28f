//! Before the game begins: join, decline, cancel, invite.

use shakmaty::Color;

use super::{Answer, refuse};
use crate::Timestamp;
use crate::game::terms::INVITED_MAX;
use crate::game::{AbortReason, DeclineReason, Ending, Event, Game, Phase, Refusal, StartRatings};
use crate::table::{Actor, PlayerId, State, Verdict};

impl Game {
    pub(super) fn join(
        &self,
        now: Timestamp,
        who: Actor,
        toss: Color,
        by_code: bool,
        ratings: StartRatings,
    ) -> Answer {
        let Actor::Player(player) = who else {
            return refuse(Refusal::NotAPlayer);
        };
        if self.phase() != Phase::Waiting {
            let joined = player != self.creator() && self.seat_of(player).is_some();
            return if joined {
                self.already()
            } else {
                refuse(Refusal::not_waiting(self.phase()))
            };
        }
        if player == self.creator() {
            return refuse(Refusal::OwnGame);
        }
        let welcome = match self.opponent() {
            Some(opponent) => opponent == player,
            None => !self.terms().private || by_code || self.invited().contains(&player),
        };
        if !welcome {
            return refuse(Refusal::NotInvited);
        }
        if let Some(consequence) = self.expiry(now, now) {
            return Verdict::RefusedBut {
                why: Refusal::GameNotWaiting {
                    state: State::Completed,
                },
                consequence,
            };
        }
        let color = self.creators_seat().map_or(toss, |creators| !creators);
        Verdict::Change(Event::Joined {
            player,
            color,
            ratings: ratings.by_color(color),
        })
    }

    pub(super) fn decline(&self, who: Actor, why: Option<DeclineReason>) -> Answer {
        if self.opponent().map(Actor::Player) != Some(who) {
            return refuse(Refusal::NotInvited);
        }
        // Whoever declines again has said why the first time.
        match self.phase() {
            Phase::Over(Ending::Aborted { by }) if by.is_declined() => self.already(),
            _ => self.withdraw(AbortReason::Declined(why)),
        }
    }

    pub(super) fn cancel(&self, who: Actor) -> Answer {
        if who != Actor::Player(self.creator()) {
            return refuse(Refusal::NotAPlayer);
        }
        self.withdraw(AbortReason::Cancelled)
    }

    fn withdraw(&self, by: AbortReason) -> Answer {
        let ending = Ending::Aborted { by };
        match self.phase() {
            Phase::Waiting => Verdict::Change(Event::Ended { ending, by: None }),
            Phase::Over(over) if over == ending => self.already(),
            phase => refuse(Refusal::not_waiting(phase)),
        }
    }

    pub(super) fn invite(&self, who: Actor, players: &[PlayerId]) -> Answer {
        if who != Actor::Operator && who != Actor::Player(self.creator()) {
            return refuse(Refusal::NotAllowed("only the creator invites"));
        }
        if matches!(self.phase(), Phase::Over(_)) {
            return refuse(Refusal::not_active(self.phase()));
        }
        let mut new: Vec<PlayerId> = Vec::new();
        for player in players {
            if !self.invited().contains(player) && !new.contains(player) {
                new.push(*player);
            }
        }
        if self.invited().len() + new.len() > INVITED_MAX {
            return refuse(Refusal::NotAllowed("a game invites at most 200 names"));
        }
        if new.is_empty() {
            return self.already();
        }
        Verdict::Change(Event::Invited(new))
    }
}
