//! Claiming what the board or the clock gives.

use chess::game::Command;
use chess::{Millis, Timestamp};
use store::TableId;
use tokio::sync::oneshot;

use super::asked::Asked;
use super::look::Sight;
use super::sight::visible;
use crate::auth::Scope;
use crate::limits::rates::Rate;
use crate::problem::{Kind, Problem};

/// Claims a draw by the board, or because the opponent left.
pub(crate) async fn draw(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.may(&[Scope::Play], Rate::Command)?;
    let (seen, grace) = opponent_seen(asked, id).await?;
    let seen = seen.unwrap_or_default();
    // Someone seen within the grace is here: then only the board can be claimed.
    let opponent_seen = seen.filter(|seen| asked.received.since(*seen) >= grace);
    let command = Command::ClaimDraw { opponent_seen };
    asked.carry_out(id, command).await
}

/// Claims the win of an opponent who left.
pub(crate) async fn win(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.may(&[Scope::Play], Rate::Command)?;
    let (seen, _) = opponent_seen(asked, id).await?;
    let opponent_seen = seen.ok_or_else(not_every_node_answered)?;
    let command = Command::ClaimWin { opponent_seen };
    asked.carry_out(id, command).await
}

/// Not every node could say whether the opponent is there.
fn not_every_node_answered() -> Problem {
    let detail = "not every server could say whether your opponent is there; try again";
    Problem::new(Kind::Conflict, "not_yet", detail).after(1)
}

/// When the caller's opponent was last seen (`None` within: nobody knows; `None`: not
/// every node answered), and for how long someone in this game may be out of sight.
async fn opponent_seen(
    asked: &Asked<'_>,
    id: TableId,
) -> Result<(Option<Option<Timestamp>>, Millis), Problem> {
    let game = visible(asked.app, id, Some(asked.caller)).await?;
    let seat = game.seat_of(asked.caller.number());
    let opponent = seat.and_then(|color| *game.seats().get(!color));
    let grace = game.terms().control.speed().grace().unwrap_or_default();
    let Some(opponent) = opponent else {
        return Ok((Some(None), grace));
    };
    let (tell, told) = oneshot::channel();
    // Whoever asked may be gone.
    let tell = move |seen| tell.send(seen).unwrap_or_default();
    asked.app.games.live().seen_by_all(id, opponent, tell);
    Ok((told.await.ok().flatten().map(Some), grace))
}
