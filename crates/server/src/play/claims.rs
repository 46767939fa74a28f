//! Claiming what the board or the clock gives.

use chess::game::Command;
use chess::{Millis, Timestamp};
use store::TableId;

use super::asked::Asked;
use super::look::Sight;
use super::sight::visible;
use crate::auth::Scope;
use crate::limits::rates::Rate;
use crate::problem::Problem;

/// Claims a draw by the board, or because the opponent left.
pub(crate) async fn draw(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.may(&[Scope::Play], Rate::Command)?;
    let (seen, grace) = opponent_seen(asked, id).await?;
    // Someone seen within the grace is here: then only the board can be claimed.
    let opponent_seen = seen.filter(|seen| asked.received.since(*seen) >= grace);
    let command = Command::ClaimDraw { opponent_seen };
    asked.carry_out(id, command).await
}

/// Claims the win of an opponent who left.
pub(crate) async fn win(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.may(&[Scope::Play], Rate::Command)?;
    let (opponent_seen, _) = opponent_seen(asked, id).await?;
    let command = Command::ClaimWin { opponent_seen };
    asked.carry_out(id, command).await
}

/// When the caller's opponent was last seen (`None`: nobody knows), and for
/// how long someone in this game may be out of sight.
async fn opponent_seen(
    asked: &Asked<'_>,
    id: TableId,
) -> Result<(Option<Timestamp>, Millis), Problem> {
    let game = visible(asked.app, id, Some(asked.caller)).await?;
    let seat = game.seat_of(asked.caller.number());
    let opponent = seat.and_then(|color| *game.seats().get(!color));
    let seen = opponent.and_then(|player| asked.app.games.seen(id, player));
    let grace = game.terms().control.speed().grace();
    Ok((seen.map(|seen| seen.last), grace.unwrap_or_default()))
}
