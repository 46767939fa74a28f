//! Claiming a draw on the board, or the game of an opponent who left.

use shakmaty::Color;

use super::{Answer, ask, refuse};
use crate::Timestamp;
use crate::game::{DrawReason, Ending, Event, Game, Phase, Refusal, WinReason};
use crate::table::{Actor, Verdict};

impl Game {
    /// FIDE 9.2 and 9.3: the player having the move may claim; and whoever
    /// may claim the win of an opponent who left may be content with a draw.
    pub(super) fn claim_draw(
        &self,
        now: Timestamp,
        who: Actor,
        opponent_seen: Option<Timestamp>,
    ) -> Answer {
        let seat = ask!(self.seat(who));
        if let Phase::Over(Ending::Drawn {
            by: DrawReason::Threefold | DrawReason::FiftyMoves | DrawReason::Abandoned,
        }) = self.phase()
        {
            return self.already();
        }
        ask!(self.in_play(now, false));
        let drawn = |by| {
            Verdict::Change(Event::Ended {
                ending: Ending::Drawn { by },
                by: Some(seat),
            })
        };
        if seat == self.turn() && self.repeats(3) {
            return drawn(DrawReason::Threefold);
        }
        if seat == self.turn() && self.board().quiet_plies() >= 100 {
            return drawn(DrawReason::FiftyMoves);
        }
        match self.is_gone(now, seat, opponent_seen) {
            Ok(()) => drawn(DrawReason::Abandoned),
            Err(not_yet @ Refusal::NotYet { .. }) if opponent_seen.is_some() => refuse(not_yet),
            Err(_) => refuse(Refusal::NothingToClaim(
                "on your own move you may claim the third occurrence of the position \
                 or fifty moves without capture or pawn move",
            )),
        }
    }

    pub(super) fn claim_win(
        &self,
        now: Timestamp,
        who: Actor,
        opponent_seen: Option<Timestamp>,
    ) -> Answer {
        let seat = ask!(self.seat(who));
        if self.phase() == Phase::Over(self.abandoned_to(seat)) {
            return self.already();
        }
        ask!(self.in_play(now, false));
        ask!(self.is_gone(now, seat, opponent_seen));
        Verdict::Change(Event::Ended {
            ending: self.abandoned_to(seat),
            by: Some(seat),
        })
    }

    /// What is left to the one who stayed: a win, if it could be won at all.
    fn abandoned_to(&self, seat: Color) -> Ending {
        if self.board().cannot_win(seat) {
            Ending::Drawn {
                by: DrawReason::Abandoned,
            }
        } else {
            Ending::Won {
                winner: seat,
                by: WinReason::Abandoned,
            }
        }
    }

    /// Whether the opponent of that side has been gone for long enough. A claim may have
    /// waited since they were looked for: whoever has moved meanwhile is there.
    fn is_gone(&self, now: Timestamp, seat: Color, seen: Option<Timestamp>) -> Result<(), Refusal> {
        let Some(grace) = self.terms().control.speed().grace() else {
            return Err(Refusal::NotAllowed(
                "without a clock that counts seconds nobody is gone",
            ));
        };
        let theirs = usize::from(self.turn() != seat);
        let moved_at = self.line().iter().rev().nth(theirs).map(|played| played.at);
        let seen = seen.max(seen.and(moved_at));
        let away = seen.map_or(crate::Millis::ZERO, |seen| now.since(seen));
        if away < grace {
            let left = grace - away;
            return Err(Refusal::NotYet {
                retry_after_seconds: left.0.div_ceil(1000),
            });
        }
        Ok(())
    }
}
