//! What a pause leaves due, and who wants to end it.

use shakmaty::Color;

use super::{Game, Phase};
use crate::Timestamp;

impl Game {
    /// When the side to move loses by time, in a game that counts days and
    /// is not paused.
    pub fn move_deadline(&self) -> Option<Timestamp> {
        let is_slow = !self.terms().control.is_real_time();
        let is_active = self.phase() == Phase::Active;
        self.deadline().filter(|_| is_slow && is_active)
    }

    /// Until when a player is on vacation, as of that moment, if the game's record says so.
    pub fn on_vacation_until(&self, color: Color, now: Timestamp) -> Option<Timestamp> {
        self.ledger.away_until(color).filter(|until| *until > now)
    }

    /// When a paused game is aborted if nobody goes on with it.
    pub fn adjourned_until(&self) -> Option<Timestamp> {
        let is_paused = matches!(self.phase(), Phase::Paused { .. });
        self.deadline().filter(|_| is_paused)
    }

    /// Who is ready to go on with a paused game.
    pub fn resume_by(&self) -> Option<Color> {
        match self.phase() {
            Phase::Paused { ready, .. } => ready,
            _ => None,
        }
    }
}
