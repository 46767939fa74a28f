//! Why something was not done: stable names.

/// A refusal. Nothing has changed, unless the verdict says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The match has changed since the client saw it.
    StaleRevision,
    /// The action's id is that of another action.
    ActionReused,
    /// It is the opponent's move.
    NotYourTurn,
    /// Not while the match waits, is drafted, is played or is over.
    InvalidPhase,
    /// The one who asks has no seat here.
    SeatOwnership,
    /// The piece is the opponent's.
    WrongSeat,
    /// Nobody stands there.
    PieceNotFound,
    /// The piece does not move like that.
    IllegalMove,
    /// One's own king would be in check.
    SelfCheck,
    /// An own piece stands there.
    OccupiedByAlly,
    /// Something stands in the way.
    BlockedPath,
    /// The move is a promotion: to what?
    PromotionRequired,
    /// One cannot become that, or not here.
    InvalidPromotion,
    /// The skill does not do that.
    InvalidSkillMove,
    /// The piece has no such skill.
    SkillNotEquipped,
    /// The skill has been used.
    SkillAlreadyUsed,
    /// The player has locked the draft.
    DraftLocked,
    /// No own piece stands there.
    InvalidDraftPiece,
    /// Two skills are selected already.
    SkillLimit,
    /// The skill is selected already.
    DuplicateSkill,
    /// There is no such skill.
    UnknownSkill,
    /// No square of the board.
    InvalidPosition,
    /// Nobody offers a draw, or not the opponent.
    NoDrawOffer,
    /// Not before both have moved, nor twice within 20 half-moves.
    DrawOfferTooSoon,
    /// Both seats are taken.
    RoomFull,
    /// The room is closed.
    RoomNotFound,
}

impl Refusal {
    /// The reason on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Refusal::StaleRevision => "staleRevision",
            Refusal::ActionReused => "actionReused",
            Refusal::NotYourTurn => "notYourTurn",
            Refusal::InvalidPhase => "invalidPhase",
            Refusal::SeatOwnership => "seatOwnership",
            Refusal::WrongSeat => "wrongSeat",
            Refusal::PieceNotFound => "pieceNotFound",
            Refusal::IllegalMove => "illegalMove",
            Refusal::SelfCheck => "selfCheck",
            Refusal::OccupiedByAlly => "occupiedByAlly",
            Refusal::BlockedPath => "blockedPath",
            Refusal::PromotionRequired => "promotionRequired",
            Refusal::InvalidPromotion => "invalidPromotion",
            Refusal::InvalidSkillMove => "invalidSkillMove",
            Refusal::SkillNotEquipped => "skillNotEquipped",
            Refusal::SkillAlreadyUsed => "skillAlreadyUsed",
            Refusal::DraftLocked => "draftLocked",
            Refusal::InvalidDraftPiece => "invalidDraftPiece",
            Refusal::SkillLimit => "skillLimit",
            Refusal::DuplicateSkill => "duplicateSkill",
            Refusal::UnknownSkill => "unknownSkill",
            Refusal::InvalidPosition => "invalidPosition",
            Refusal::NoDrawOffer => "noDrawOffer",
            Refusal::DrawOfferTooSoon => "drawOfferTooSoon",
            Refusal::RoomFull => "roomFull",
            Refusal::RoomNotFound => "roomNotFound",
        }
    }
}
