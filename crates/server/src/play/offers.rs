//! Offering a draw, a takeback or a pause, and answering.

use chess::game::{Command, Offer};
use store::TableId;

use super::asked::Asked;
use super::look::Sight;
use crate::problem::Problem;

/// Offers something, or accepts what the opponent offers.
pub(crate) async fn offer(asked: &Asked<'_>, id: TableId, what: Offer) -> Result<Sight, Problem> {
    asked.play(id, Command::Offer(what)).await
}

/// Accepts what the opponent offers.
pub(crate) async fn accept(asked: &Asked<'_>, id: TableId, what: Offer) -> Result<Sight, Problem> {
    asked.play(id, Command::Accept(what)).await
}

/// Declines it.
pub(crate) async fn decline(asked: &Asked<'_>, id: TableId, what: Offer) -> Result<Sight, Problem> {
    asked.play(id, Command::DeclineOffer(what)).await
}
