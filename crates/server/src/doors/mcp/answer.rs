//! What a model is answered: words to read, and the same as JSON.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::problem::Problem;

/// An answer.
pub(super) struct Said {
    /// For the model.
    pub(super) text: String,
    /// For programs around it.
    pub(super) data: Value,
}

impl From<Said> for CallToolResult {
    fn from(said: Said) -> CallToolResult {
        let mut result = CallToolResult::success(vec![ContentBlock::text(said.text)]);
        result.structured_content = Some(said.data);
        result
    }
}

/// A failure, as the model reads it: a code, a sentence, and what to do now.
pub(super) fn refusal(problem: &Problem) -> CallToolResult {
    let Problem { code, detail, .. } = problem;
    let advice = advice(code);
    let mut result = CallToolResult::error(vec![ContentBlock::text(format!(
        "{code}: {detail}. {advice}"
    ))]);
    result.structured_content = Some(told(problem));
    result
}

/// The same as JSON, in the form that every door has.
pub(super) fn told(problem: &Problem) -> Value {
    let mut told = json!({ "error": problem.code, "detail": problem.detail });
    if let Value::Object(fields) = &mut told {
        fields.extend(problem.context.clone());
    }
    told
}

/// What to do after an error.
fn advice(code: &str) -> &'static str {
    match code {
        "unauthorized" => {
            "Call sign_in_as_guest, and pass the token that it returns as `token` with every call."
        }
        "missing_scope" | "barred" | "registration_closed" => {
            "This cannot be helped by calling again: tell your user."
        }
        "rate_limited" | "unavailable" | "too_many_streams" => {
            "Wait as long as retry_after_seconds says, then call again."
        }
        "game_not_found" | "not_found" => {
            "Check it: my_games and find_games list the games that you can name."
        }
        "illegal_move" | "bad_move" | "unclear_move" => {
            "Choose a move from legal_moves and send it as it stands there."
        }
        "wrong_turn" => "It is your opponent's turn: call wait_for_opponent.",
        "stale_ply" | "ply_ahead" => "Call look_at_board and choose again.",
        "game_not_active" | "clock_expired" => "Call look_at_board to see how the game stands.",
        "game_not_waiting" => "Somebody else was first: find another with find_games.",
        "own_game" => "It is your own: wait_for_opponent until somebody joins.",
        "no_offer" => "Nothing is offered: look_at_board says if something is.",
        "too_soon" | "offer_pending" => "Play on, and offer it again some moves later if at all.",
        "nothing_to_claim" => "Play on: the position is no draw yet.",
        "not_a_player" => "You can only watch this game: my_games lists those that you play.",
        "too_late_to_abort" => "Both have moved: play on, or resign.",
        "bad_chat" | "chat_off" | "muted" => "Say nothing more, or say it shorter in one line.",
        "bad_request" => "Correct the argument and call again.",
        _ => "Call look_at_board if it is about a game, and decide from there.",
    }
}
