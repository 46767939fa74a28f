//! A move, through the guards in their fixed order.

use shakmaty::Color;
use shakmaty::packed::PackedUciMove;
use shakmaty::uci::UciMove;

use super::{Answer, ask, refuse};
use crate::game::{
    DrawReason, DrawRule, Ending, Event, Game, MoveCommand, Phase, Refusal, WinReason,
};
use crate::rules::{Board, BoardEnd, Move, NotPlayable, Spelled};
use crate::table::{Actor, State, Verdict};
use crate::{Millis, Timestamp};

impl Game {
    /// The guard table: the first check that fails answers. A retry is
    /// recognised before anything can refuse it.
    pub(super) fn make_move(&self, now: Timestamp, who: Actor, command: &MoveCommand) -> Answer {
        let seat = ask!(self.seat_at_table(who));
        let current = self.ply();
        let stale = Refusal::StalePly {
            current_ply: current,
            to_move: self.turn(),
        };
        if command
            .version
            .is_some_and(|seen| seen < self.ledger.takeback_version)
        {
            return refuse(stale);
        }
        let ply = command.ply.unwrap_or(current + 1);
        if ply <= current {
            return match self.played_before(seat, ply, &command.text) {
                Some(version) => Verdict::Already(version),
                None => refuse(stale),
            };
        }
        if self.phase() != Phase::Active {
            return refuse(Refusal::not_active(self.phase()));
        }
        if seat != Some(self.turn()) {
            return refuse(Refusal::WrongTurn {
                current_ply: current,
                to_move: self.turn(),
            });
        }
        if ply > current + 1 {
            return refuse(Refusal::PlyAhead {
                current_ply: current,
            });
        }
        if let Some(consequence) = self.due(now) {
            return Verdict::RefusedBut {
                why: self.too_late(),
                consequence,
            };
        }
        match meant(self.board(), &command.text) {
            Ok(m) => self.accept_move(now, m, command),
            Err(why @ Refusal::IllegalMove(_)) => self.count_illegal(why, &command.text),
            Err(why) => refuse(why),
        }
    }

    /// The side of a player; the creator of a waiting game may not have one yet.
    fn seat_at_table(&self, who: Actor) -> Result<Option<Color>, Refusal> {
        match self.seat(who) {
            Err(_) if who == Actor::Player(self.creator()) => Ok(None),
            seat => seat.map(Some),
        }
    }

    /// The version at which `seat` played this very move as half-move `ply`.
    fn played_before(&self, seat: Option<Color>, ply: u32, text: &str) -> Option<u32> {
        let index = usize::try_from(ply).ok()?.checked_sub(1)?;
        let line = self.line();
        let played = line.get(index)?;
        let mut board = self.start_board();
        for earlier in &line[..index] {
            let m = earlier.in_position(&board);
            board.play(m);
        }
        let meant = meant(&board, text).ok()?;
        let same = seat == Some(board.turn()) && meant == played.in_position(&board);
        same.then_some(played.version)
    }

    /// A first move that comes too late finds the game aborted, any other a fallen flag.
    fn too_late(&self) -> Refusal {
        if self.ledger.is_free_turn() {
            Refusal::GameNotActive {
                state: State::Completed,
            }
        } else {
            Refusal::ClockExpired
        }
    }

    fn accept_move(&self, now: Timestamp, m: Move, command: &MoveCommand) -> Answer {
        let mut after = self.board().clone();
        after.play(m);
        let ending = self.ending_after(&after);
        Verdict::Change(Event::Moved {
            uci: PackedUciMove::pack(UciMove::from_chess960(m)),
            lag: self.lag_of(now, command),
            offers_draw: command.offer_draw
                && ending.is_none()
                && self.may_offer_draw(self.turn()).is_ok(),
            ending,
        })
    }

    /// What of a turn is given back: no more than it took, and nothing where
    /// no clock runs.
    fn lag_of(&self, now: Timestamp, command: &MoveCommand) -> Millis {
        if self.is_clock_running() && self.terms().control.is_real_time() {
            command.lag.min(now.since(self.last_at()))
        } else {
            Millis::ZERO
        }
    }

    /// How the game ends with the move that leads to `after`, if it does.
    /// Mate and stalemate come before every count (FIDE 9.6.2).
    fn ending_after(&self, after: &Board) -> Option<Ending> {
        if let Some(end) = after.end() {
            return Some(board_ending(end, self.turn()));
        }
        let (times, fold, plies, quiet) = match self.terms().draw_rule {
            DrawRule::Automatic => (3, DrawReason::Threefold, 100, DrawReason::FiftyMoves),
            DrawRule::Claim => (5, DrawReason::Fivefold, 150, DrawReason::SeventyFiveMoves),
        };
        if self.would_repeat(after, times) {
            return Some(Ending::Drawn { by: fold });
        }
        (after.quiet_plies() >= plies).then_some(Ending::Drawn { by: quiet })
    }

    /// FIDE 7.5.5, where the game asks for it: the last attempt allowed
    /// loses, or draws against an opponent who cannot mate. An attempt sent
    /// again in the same turn is a retry, and counts once.
    fn count_illegal(&self, why: Refusal, text: &str) -> Answer {
        let limit = self.terms().forfeit_after;
        let tried = Spelled::read(text).map_or_else(|_| String::new(), Spelled::plain);
        if limit == 0 || self.was_tried(&tried) {
            return refuse(why);
        }
        let winner = !self.turn();
        let attempts = self.ledger.attempts.get(self.turn()).saturating_add(1);
        let ending = (attempts >= limit).then(|| {
            if self.board().cannot_win(winner) {
                Ending::Drawn {
                    by: DrawReason::Adjudicated,
                }
            } else {
                Ending::Won {
                    winner,
                    by: WinReason::IllegalMoves,
                }
            }
        });
        Verdict::RefusedBut {
            why,
            consequence: Event::IllegalAttempt {
                tried: tried.into(),
                ending,
            },
        }
    }

    /// Whether this illegal move was tried at the current half-move before.
    fn was_tried(&self, attempt: &str) -> bool {
        let is_attempt = |event: &Event, _| match event {
            Event::IllegalAttempt { tried, .. } => **tried == *attempt,
            _ => false,
        };
        self.last_ply_of(is_attempt) == Some(self.ply())
    }
}

/// The legal move that somebody wrote. What is written as a capture and
/// captures nothing is a slip: whoever wrote it had another board before them.
fn meant(board: &Board, text: &str) -> Result<Move, Refusal> {
    let spelled = Spelled::read(text).map_err(|e| Refusal::BadMove(e.to_string()))?;
    let m = board.resolve(spelled).map_err(|e| match e {
        NotPlayable::Illegal(why) => Refusal::IllegalMove(why),
        NotPlayable::Unclear(why) => Refusal::UnclearMove(why),
    })?;
    if spelled.claims_capture() && !m.is_capture() {
        let why = format!(
            "{} captures nothing: there is nothing on {}",
            text.trim(),
            m.to()
        );
        return Err(Refusal::BadMove(why));
    }
    Ok(m)
}

fn board_ending(end: BoardEnd, mover: Color) -> Ending {
    match end {
        BoardEnd::Checkmate => Ending::Won {
            winner: mover,
            by: WinReason::Checkmate,
        },
        BoardEnd::Stalemate => Ending::Drawn {
            by: DrawReason::Stalemate,
        },
        BoardEnd::InsufficientMaterial => Ending::Drawn {
            by: DrawReason::InsufficientMaterial,
        },
        BoardEnd::VariantEnd(Some(winner)) => Ending::Won {
            winner,
            by: WinReason::VariantEnd,
        },
        BoardEnd::VariantEnd(None) => Ending::Drawn {
            by: DrawReason::VariantEnd,
        },
    }
}
