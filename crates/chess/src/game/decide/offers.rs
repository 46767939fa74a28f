//! Draw, takeback and pause: offering, accepting, declining.

use shakmaty::{ByColor, Color};

use super::{Answer, ask, refuse};
use crate::game::{DrawReason, Ending, Entry, Event, Game, Offer, Phase, Refusal};
use crate::table::{Actor, Verdict};
use crate::{Millis, Timestamp};

/// Takebacks in one game.
const TAKEBACKS_MAX: usize = 100;

impl Game {
    pub(super) fn make_offer(&self, now: Timestamp, who: Actor, offer: Offer) -> Answer {
        let seat = ask!(self.seat(who));
        if self.has_come_about(offer) {
            return self.already();
        }
        ask!(self.in_play(now, offer == Offer::Draw));
        ask!(self.is_allowed(offer, seat));
        if self.offer(offer).is_none() {
            ask!(self.has_room());
        }
        match self.offer(offer) {
            Some(by) if by == seat => self.already(),
            // Two takebacks mean two different positions; two draws or pauses the same.
            Some(_) if offer == Offer::Takeback => refuse(Refusal::OfferPending),
            Some(_) => self.agree(offer, seat),
            None => {
                ask!(self.not_too_soon(offer, seat));
                Verdict::Change(Event::Offered { offer, by: seat })
            }
        }
    }

    pub(super) fn accept(&self, now: Timestamp, who: Actor, offer: Offer) -> Answer {
        let seat = ask!(self.seat(who));
        if self.has_come_about(offer) {
            return self.already();
        }
        ask!(self.in_play(now, offer == Offer::Draw));
        if self.offer(offer) == Some(!seat) {
            return self.agree(offer, seat);
        }
        match self.last_event() {
            Some(Event::TakenBack { by, .. }) if offer == Offer::Takeback && by == seat => {
                self.already()
            }
            _ => refuse(Refusal::NoOffer),
        }
    }

    pub(super) fn decline_offer(&self, now: Timestamp, who: Actor, offer: Offer) -> Answer {
        let seat = ask!(self.seat(who));
        ask!(self.in_play(now, offer == Offer::Draw));
        // Whoever made it withdraws it.
        let declined = Event::OfferDeclined { offer, by: seat };
        if self.offer(offer).is_some() {
            Verdict::Change(declined)
        } else if self.last_event() == Some(declined) {
            self.already()
        } else {
            refuse(Refusal::NoOffer)
        }
    }

    /// Whether what is offered is what the game has come to.
    fn has_come_about(&self, offer: Offer) -> bool {
        match self.phase() {
            Phase::Over(ending) => {
                offer == Offer::Draw
                    && ending
                        == Ending::Drawn {
                            by: DrawReason::Agreed,
                        }
            }
            Phase::Paused { .. } => offer == Offer::Pause,
            _ => false,
        }
    }

    fn agree(&self, offer: Offer, by: Color) -> Answer {
        Verdict::Change(match offer {
            Offer::Draw => Event::Ended {
                ending: Ending::Drawn {
                    by: DrawReason::Agreed,
                },
                by: Some(by),
            },
            // To before the offerer's last move: the opponent's reply goes too.
            Offer::Takeback => {
                let plies = if self.turn() == by { 1 } else { 2 };
                let given = self.given_since(plies);
                Event::TakenBack { plies, by, given }
            }
            Offer::Pause => Event::Paused { by: Some(by) },
        })
    }

    fn is_allowed(&self, offer: Offer, seat: Color) -> Result<(), Refusal> {
        let terms = self.terms();
        match offer {
            Offer::Draw => Ok(()),
            Offer::Takeback if terms.rated => Err(Refusal::NotAllowed(
                "moves are never taken back in rated games",
            )),
            Offer::Takeback if !terms.takebacks => Err(Refusal::NotAllowed(
                "this game was agreed without takebacks",
            )),
            Offer::Takeback if self.ledger.moves_by(seat) == 0 => {
                Err(Refusal::NotAllowed("you have not moved yet"))
            }
            Offer::Takeback if self.takebacks() >= TAKEBACKS_MAX => {
                Err(Refusal::NotAllowed("this game has had its 100 takebacks"))
            }
            Offer::Pause if terms.rated && terms.control.is_real_time() => Err(
                Refusal::NotAllowed("rated games with a clock are not paused"),
            ),
            Offer::Takeback | Offer::Pause => Ok(()),
        }
    }

    /// What the players have given each other, and still have, since the
    /// turn that so many half-moves back ended.
    fn given_since(&self, plies: u16) -> ByColor<Millis> {
        let mut given = ByColor::<Millis>::default();
        // What was given in all when each move that stands was made.
        let mut at_moves: Vec<ByColor<Millis>> = Vec::new();
        let add = |to: &mut ByColor<Millis>, color, gift| {
            let so_far = to.get_mut(color);
            *so_far = *so_far + gift;
        };
        for entry in self.entries() {
            match entry.event {
                Event::Moved { .. } => at_moves.push(given),
                Event::TimeAdded { to, gift } => add(&mut given, to, gift),
                Event::TakenBack {
                    plies, given: kept, ..
                } => {
                    let retracted = at_moves.split_off(at_moves.len() - usize::from(plies));
                    given = retracted[0];
                    for (color, gift) in kept.zip_color() {
                        add(&mut given, color, gift);
                    }
                }
                _ => {}
            }
        }
        let then = at_moves[at_moves.len() - usize::from(plies)];
        ByColor::new_with(|color| *given.get(color) - *then.get(color))
    }

    fn takebacks(&self) -> usize {
        let is_takeback = |entry: &Entry| matches!(entry.event, Event::TakenBack { .. });
        self.entries().filter(is_takeback).count()
    }

    fn not_too_soon(&self, offer: Offer, seat: Color) -> Result<(), Refusal> {
        if offer == Offer::Draw {
            return self.may_offer_draw(seat);
        }
        let turned_down = Event::OfferDeclined { offer, by: !seat };
        if self.last_ply_of(|event, _| *event == turned_down) == Some(self.ply()) {
            return Err(Refusal::TooSoon("the opponent has just declined"));
        }
        Ok(())
    }

    /// Whether `seat` may offer a draw now without being a nuisance.
    pub(super) fn may_offer_draw(&self, seat: Color) -> Result<(), Refusal> {
        if self.ply() < 2 {
            return Err(Refusal::TooSoon("both sides must have moved"));
        }
        if self.ledger.ply < *self.draw_offer_from.get(seat) {
            return Err(Refusal::TooSoon(
                "you offered a draw within the last 20 half-moves",
            ));
        }
        Ok(())
    }
}
