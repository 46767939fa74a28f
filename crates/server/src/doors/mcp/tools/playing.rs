//! Looking at a game, and playing it.

use chess::game::Offer;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::super::answer::Said;
use super::super::call::Call;
use super::view;
use crate::play::look::{look, table_id};
use crate::play::moves::{self, Order};
use crate::play::{Asked, claims, commands, offers, text};
use crate::problem::Problem;

/// A game, and nothing else.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Game {
    /// The game's id, eight letters and digits such as Ab3fK9xQ.
    pub(super) game_id: String,
}

pub(super) const LOOK: &str = "\
See a game: the board as text (capitals are White's pieces), FEN, whose turn it is, clocks, the last \
moves, offers, and all legal moves. Call it before you choose a move. \
Errors: `game_not_found` (no such game, or a private one: check the id with my_games).";

pub(super) async fn look_at(call: Call, Game { game_id }: Game) -> Result<Said, Problem> {
    let caller = call.reader().await?;
    let sight = look(&call.app, table_id(&game_id)?, caller.as_ref()).await?;
    view::game(&call.app, &sight).await
}

pub(super) const LEGAL: &str = "\
List the legal moves of the side to move, each in standard notation and in UCI. make_move takes \
either. None once the game is over. Errors: `game_not_found`.";

pub(super) async fn legal_moves(call: Call, Game { game_id }: Game) -> Result<Said, Problem> {
    let caller = call.reader().await?;
    let sight = look(&call.app, table_id(&game_id)?, caller.as_ref()).await?;
    let legal = text::legal(&sight.game);
    let written: Vec<String> = legal
        .iter()
        .map(|(san, uci)| format!("{san} ({uci})"))
        .collect();
    let moves = legal
        .iter()
        .map(|(san, uci)| json!({ "san": san, "uci": uci }));
    let to_move = view::color_name(sight.game.turn());
    Ok(Said {
        text: match written.is_empty() {
            true => "There are no legal moves: the game is over.".to_owned(),
            false => format!(
                "{} to move, {} legal moves: {}",
                to_move,
                written.len(),
                written.join(", ")
            ),
        },
        data: json!({
            "game_id": game_id, "ply": sight.game.ply(), "to_move": to_move,
            "your_turn": view::is_own_turn(&sight), "moves": moves.collect::<Vec<_>>(),
        }),
    })
}

pub(super) const MOVE: &str = "\
Make a move in standard notation (Nf3, exd5, O-O, e8=Q) or UCI (g1f3, e1g1, e7e8q). Returns the game \
after it; then call wait_for_opponent. With ply (the number of half-moves played so far, plus one) a call \
can be repeated without harm. Errors: `illegal_move`, `bad_move` (choose from legal_moves; some games \
count attempts and are lost by too many), `wrong_turn` (wait), `stale_ply` (the board has changed: look \
again), `game_not_active`, `clock_expired` (the game is over, or has not begun).";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Move {
    /// The game's id.
    game_id: String,
    /// The move, such as Nf3 or g1f3.
    #[serde(rename = "move")]
    text: String,
    /// Which half-move it is meant to be, from 1; left out: the next.
    ply: Option<u32>,
    /// Offer a draw with it.
    #[serde(default)]
    offer_draw: bool,
}

pub(super) async fn make_move(call: Call, wish: Move) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.player().await?);
    let id = table_id(&wish.game_id)?;
    let order = Order {
        text: wish.text.trim(),
        ply: wish.ply,
        version: None,
        offers_draw: wish.offer_draw,
    };
    let moved = moves::make(&Asked::new(app, &caller), id, &order).await?;
    let sight = look(app, id, Some(&caller)).await?;
    let Said { text, mut data } = view::game(app, &sight).await?;
    data["played"] =
        json!({ "san": moved.report.san, "uci": moved.report.uci, "ply": moved.report.ply });
    let offer = match moved.offer_refused {
        true => " It is too soon to offer a draw: the move counts, the offer does not.",
        false => "",
    };
    let san = moved.report.san;
    let text = format!("You played {san}.{offer}\n\n{text}");
    Ok(Said { text, data })
}

pub(super) const RESIGN: &str = "\
Resign a game that you play: your opponent wins at once, and it cannot be taken back. Repeating it is \
harmless. Errors: `game_not_active` (it is over already, or has not begun: then use call_off), `not_a_player`.";

pub(super) async fn resign(call: Call, Game { game_id }: Game) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.player().await?);
    let resigned = commands::resign(&Asked::new(app, &caller), table_id(&game_id)?).await?;
    view::game(app, &resigned).await
}

pub(super) const DRAW: &str = "\
Offer a draw, answer your opponent's offer (accept, decline), or claim one that the rules give (a position \
for the third time, fifty moves without capture or pawn move, or an opponent who left). An offer lapses \
when the opponent moves. Errors: `no_offer` (nothing to answer), `too_soon` (you offered one lately: play on), \
`nothing_to_claim`, `game_not_active`.";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Draw {
    /// The game's id.
    game_id: String,
    /// What to do about a draw.
    action: DrawAction,
}

/// offer, accept, decline (an offer of your own: withdraw it), or claim.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DrawAction {
    Offer,
    Accept,
    Decline,
    Claim,
}

pub(super) async fn draw(call: Call, draw: Draw) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.player().await?);
    let (asked, id) = (Asked::new(app, &caller), table_id(&draw.game_id)?);
    let sight = match draw.action {
        DrawAction::Offer => offers::offer(&asked, id, Offer::Draw).await?,
        DrawAction::Accept => offers::accept(&asked, id, Offer::Draw).await?,
        DrawAction::Decline => offers::decline(&asked, id, Offer::Draw).await?,
        DrawAction::Claim => claims::draw(&asked, id).await?,
    };
    view::game(app, &sight).await
}
