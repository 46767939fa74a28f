//! A match as its guests see it.

use chess::skill::{Match, MoveRecord, Phase, Piece, SKILLS_PER_PLAYER, Square, Uuid};
use chess::{ByColor, Color, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::guest::{Guest, Guests, Seated};
use crate::play::match_ids;
use crate::text_time::rfc3339;

/// Everything about a match.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OnlineMatchSnapshot {
    /// A UUID.
    id: String,
    /// By which the second guest joins.
    room_code: String,
    /// 1 at first; one more with the second guest and with every accepted action,
    /// except `joinMatch` and `leaveMatch`, which change only who is there.
    revision: u32,
    /// `waitingForPlayers`, `drafting`, `active` or `finished`.
    phase: &'static str,
    /// White's and Black's. Nobody is in a seat that is `invited`: its player has
    /// the id `00000000-0000-0000-0000-000000000000` and no name.
    seats: Vec<OnlineMatchSeat>,
    draft: OnlineSkillDraftState,
    board: ChessBoardSnapshot,
    /// `white` or `black`.
    current_turn: &'static str,
    status: ChessGameStatusSnapshot,
    /// `white` or `black`, while an offer of a draw waits for its answer.
    draw_offered_by: Option<&'static str>,
    outcome: Option<OnlineMatchOutcome>,
    created_at: String,
    updated_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OnlineMatchSeat {
    color: &'static str,
    player: GuestView,
    is_host: bool,
    is_local_device: bool,
    /// Whether the draft is locked.
    is_ready: bool,
    /// `connected`, `disconnected`, or `invited` while nobody has taken the seat.
    connection_status: &'static str,
}

/// A guest. The id is the guest's own for themselves, a public one for others.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GuestView {
    id: String,
    display_name: String,
    /// `GM`, `BOT`, ...: left out for whoever has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    created_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OnlineSkillDraftState {
    max_skills_per_player: usize,
    selections: Vec<OnlineSkillDraftSelection>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OnlineSkillDraftSelection {
    color: &'static str,
    #[serde(rename = "skillID")]
    skill_id: &'static str,
    position: Option<BoardPosition>,
    is_locked_in: bool,
}

/// Row 0 is White's back rank, column 0 the a-file.
#[derive(Debug, Serialize, ToSchema)]
struct BoardPosition {
    row: u8,
    column: u8,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChessBoardSnapshot {
    pieces: Vec<ChessPieceSnapshot>,
    move_history: Vec<ChessMoveRecordSnapshot>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChessPieceSnapshot {
    id: String,
    piece_name: &'static str,
    piece_color: &'static str,
    #[serde(rename = "behaviourID")]
    behaviour_id: &'static str,
    position: BoardPosition,
    move_count: u16,
    equipped_skills: Vec<EquippedSkillSnapshot>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EquippedSkillSnapshot {
    id: String,
    #[serde(rename = "skillID")]
    skill_id: &'static str,
    has_been_used: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChessMoveRecordSnapshot {
    id: String,
    #[serde(rename = "pieceID")]
    piece_id: String,
    piece_name: &'static str,
    piece_color: &'static str,
    from: BoardPosition,
    to: BoardPosition,
    #[serde(rename = "capturedPieceID")]
    captured_piece_id: Option<String>,
    captured_piece_name: Option<&'static str>,
    promotion_piece_name: Option<&'static str>,
    #[serde(rename = "equippedSkillID")]
    equipped_skill_id: Option<String>,
    #[serde(rename = "skillID")]
    skill_id: Option<&'static str>,
    created_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChessGameStatusSnapshot {
    /// `active`, `checkmate` or `stalemate`.
    kind: &'static str,
    turn: Option<&'static str>,
    in_check: Option<bool>,
    winner: Option<&'static str>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OnlineMatchOutcome {
    /// `checkmate`, `stalemate`, `agreement`, `resignation` or `aborted`.
    kind: &'static str,
    winner: Option<&'static str>,
    finished_at: String,
}

impl OnlineMatchSnapshot {
    /// The match as one of its guests sees it.
    pub(super) fn of(
        played: &Match,
        guests: &Guests,
        here: ByColor<bool>,
        viewer: &Seated,
    ) -> OnlineMatchSnapshot {
        let status = played.status();
        let outcome = played.ending().map(|ending| OnlineMatchOutcome {
            kind: ending.kind(),
            winner: ending.winner().map(color_name),
            finished_at: time(played.finished_at().unwrap_or(played.last_at())),
        });
        OnlineMatchSnapshot {
            id: match_ids::match_id(viewer.table).to_string(),
            room_code: match_ids::room_code(played.creation().seed),
            revision: played.version(),
            phase: played.phase().name(),
            seats: seats(played, guests, here, viewer),
            draft: draft(played),
            board: board(played),
            current_turn: color_name(played.board().turn()),
            status: ChessGameStatusSnapshot {
                kind: status.kind,
                turn: status.turn.map(color_name),
                in_check: status.in_check,
                winner: status.winner.map(color_name),
            },
            draw_offered_by: played.draw_offer().map(color_name),
            outcome,
            created_at: time(played.created_at()),
            updated_at: time(played.last_at()),
        }
    }
}

fn seats(
    played: &Match,
    guests: &Guests,
    here: ByColor<bool>,
    viewer: &Seated,
) -> Vec<OnlineMatchSeat> {
    let seat = |color: Color| {
        if played.seats().get(color).is_none() {
            return (played.phase() == Phase::Waiting).then(|| open_seat(played, color));
        }
        let is_own = color == viewer.color;
        Some(OnlineMatchSeat {
            color: color_name(color),
            player: match guests.get(color) {
                Some(guest) => GuestView::of(guest, is_own.then(|| viewer.guest.uuid())),
                None => GuestView::gone(),
            },
            is_host: color == Color::White,
            is_local_device: is_own,
            is_ready: played.draft(color).is_locked(),
            connection_status: if *here.get(color) {
                "connected"
            } else {
                "disconnected"
            },
        })
    };
    Color::ALL.into_iter().filter_map(seat).collect()
}

/// A seat that waits for somebody.
fn open_seat(played: &Match, color: Color) -> OnlineMatchSeat {
    OnlineMatchSeat {
        color: color_name(color),
        player: GuestView {
            id: Uuid([0; 16]).to_string(),
            display_name: String::new(),
            title: None,
            created_at: time(played.created_at()),
        },
        is_host: false,
        is_local_device: false,
        is_ready: false,
        connection_status: "invited",
    }
}

fn draft(played: &Match) -> OnlineSkillDraftState {
    let mut selections = Vec::new();
    for color in Color::ALL {
        let draft = played.draft(color);
        selections.extend(
            draft
                .selections()
                .iter()
                .map(|selection| OnlineSkillDraftSelection {
                    color: color_name(color),
                    skill_id: selection.skill.id(),
                    position: Some(selection.square.into()),
                    is_locked_in: draft.is_locked(),
                }),
        );
    }
    OnlineSkillDraftState {
        max_skills_per_player: SKILLS_PER_PLAYER,
        selections,
    }
}

fn board(played: &Match) -> ChessBoardSnapshot {
    let piece = |(square, piece): (Square, &Piece)| ChessPieceSnapshot {
        id: piece.id.to_string(),
        piece_name: piece.behaviour.name(),
        piece_color: color_name(piece.color),
        behaviour_id: piece.behaviour.id(),
        position: square.into(),
        move_count: piece.move_count,
        equipped_skills: played
            .board()
            .skills_of(piece.id)
            .map(|equipped| EquippedSkillSnapshot {
                id: equipped.id.to_string(),
                skill_id: equipped.skill.id(),
                has_been_used: equipped.used,
            })
            .collect(),
    };
    ChessBoardSnapshot {
        pieces: played.board().pieces().map(piece).collect(),
        move_history: played.moves().into_iter().map(Into::into).collect(),
    }
}

impl GuestView {
    /// A guest, under their own id if they are the one who looks.
    pub(super) fn of(guest: &Guest, own: Option<Uuid>) -> GuestView {
        GuestView {
            id: own.unwrap_or(guest.public_id).to_string(),
            display_name: guest.name.clone(),
            title: guest.title.clone(),
            created_at: time(guest.since),
        }
    }

    /// One whose account is no more.
    fn gone() -> GuestView {
        GuestView {
            id: Uuid([0; 16]).to_string(),
            display_name: "Guest".to_owned(),
            title: None,
            created_at: time(Timestamp(0)),
        }
    }
}

impl From<Square> for BoardPosition {
    fn from(square: Square) -> BoardPosition {
        BoardPosition {
            row: square.row(),
            column: square.column(),
        }
    }
}

impl From<MoveRecord> for ChessMoveRecordSnapshot {
    fn from(record: MoveRecord) -> ChessMoveRecordSnapshot {
        ChessMoveRecordSnapshot {
            id: record.id.to_string(),
            piece_id: record.piece_id.to_string(),
            piece_name: record.piece_name,
            piece_color: color_name(record.piece_color),
            from: record.from.into(),
            to: record.to.into(),
            captured_piece_id: record.captured_piece_id.map(|id| id.to_string()),
            captured_piece_name: record.captured_piece_name,
            promotion_piece_name: record.promotion_piece_name,
            equipped_skill_id: record.equipped_skill_id.map(|id| id.to_string()),
            skill_id: record.skill_id,
            created_at: time(record.created_at),
        }
    }
}

fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// Whole seconds: what the reference client's standard decoder reads.
pub(super) fn time(at: Timestamp) -> String {
    let mut text = rfc3339(at);
    text.truncate(19);
    text.push('Z');
    text
}
