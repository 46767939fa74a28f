//! Why a player may not do something: stable codes, and what is needed to recover.

use crate::table::State;
use shakmaty::Color;

use super::Phase;

/// A refusal. Nothing has changed, unless the verdict says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The caller has no seat in this game.
    NotAPlayer,
    /// That half-move has been played, or was taken back.
    StalePly {
        /// The half-moves played so far.
        current_ply: u32,
        /// Whose move it is.
        to_move: Color,
    },
    /// The game is waiting, paused or over.
    GameNotActive {
        /// What it is instead.
        state: State,
    },
    /// It is the opponent's move.
    WrongTurn {
        /// The half-moves played so far.
        current_ply: u32,
        /// Whose move it is.
        to_move: Color,
    },
    /// Half-moves before that one have not been played yet.
    PlyAhead {
        /// The half-moves played so far.
        current_ply: u32,
    },
    /// The flag had fallen when the move arrived.
    ClockExpired,
    /// The text is no move.
    BadMove(String),
    /// The move may not be played; the sentence says why.
    IllegalMove(String),
    /// The text could be one of several legal moves: no attempt at an illegal one.
    UnclearMove(String),
    /// The game is meant for somebody else.
    NotInvited,
    /// The game has begun, or is over.
    GameNotWaiting {
        /// What it is.
        state: State,
    },
    /// One cannot play against oneself.
    OwnGame,
    /// Both sides have moved.
    TooLateToAbort,
    /// Neither repetition nor fifty moves, or not the claimant's turn.
    NothingToClaim(&'static str),
    /// The opponent has not been away for long enough.
    NotYet {
        /// How many seconds more.
        retry_after_seconds: u32,
    },
    /// There is no such offer by the opponent.
    NoOffer,
    /// The opponent's offer must be answered first.
    OfferPending,
    /// The same offer was made a short while ago.
    TooSoon(&'static str),
    /// Not in this game; the sentence says why.
    NotAllowed(&'static str),
}

impl Refusal {
    /// The stable code on the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::NotAPlayer => "not_a_player",
            Refusal::StalePly { .. } => "stale_ply",
            Refusal::GameNotActive { .. } => "game_not_active",
            Refusal::WrongTurn { .. } => "wrong_turn",
            Refusal::PlyAhead { .. } => "ply_ahead",
            Refusal::ClockExpired => "clock_expired",
            Refusal::BadMove(_) => "bad_move",
            Refusal::IllegalMove(_) | Refusal::UnclearMove(_) => "illegal_move",
            Refusal::NotInvited => "not_invited",
            Refusal::GameNotWaiting { .. } => "game_not_waiting",
            Refusal::OwnGame => "own_game",
            Refusal::TooLateToAbort => "too_late_to_abort",
            Refusal::NothingToClaim(_) => "nothing_to_claim",
            Refusal::NotYet { .. } => "not_yet",
            Refusal::NoOffer => "no_offer",
            Refusal::OfferPending => "offer_pending",
            Refusal::TooSoon(_) => "too_soon",
            Refusal::NotAllowed(_) => "not_allowed",
        }
    }

    /// A sentence for a person.
    pub fn detail(&self) -> String {
        match self {
            Refusal::NotAPlayer => "you are not one of the two players".into(),
            Refusal::StalePly { current_ply, .. } => {
                format!("the game is already at ply {current_ply}")
            }
            Refusal::GameNotActive { state } | Refusal::GameNotWaiting { state } => {
                format!("the game is {state}")
            }
            Refusal::WrongTurn { to_move, .. } => {
                format!("it is {}'s move", to_move.fold_wb("White", "Black"))
            }
            Refusal::PlyAhead { current_ply } => {
                format!("the game is only at ply {current_ply}")
            }
            Refusal::ClockExpired => "the flag had fallen when the move arrived".into(),
            Refusal::BadMove(why) | Refusal::IllegalMove(why) | Refusal::UnclearMove(why) => {
                why.clone()
            }
            Refusal::NotInvited => "this game is meant for somebody else".into(),
            Refusal::OwnGame => "you cannot join your own game".into(),
            Refusal::TooLateToAbort => "both sides have moved: resign or offer a draw".into(),
            Refusal::NotYet {
                retry_after_seconds,
            } => {
                format!("the opponent may still come back for {retry_after_seconds} s")
            }
            Refusal::NoOffer => "the opponent has made no such offer".into(),
            Refusal::OfferPending => "answer the opponent's offer first".into(),
            Refusal::NothingToClaim(why) | Refusal::TooSoon(why) | Refusal::NotAllowed(why) => {
                (*why).into()
            }
        }
    }

    pub(super) const fn not_active(phase: Phase) -> Refusal {
        Refusal::GameNotActive {
            state: phase.state(),
        }
    }

    pub(super) const fn not_waiting(phase: Phase) -> Refusal {
        Refusal::GameNotWaiting {
            state: phase.state(),
        }
    }
}
