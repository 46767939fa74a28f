//! What a player may ask of a game besides moving, by its name: the last part of the
//! address at which the same is asked for by `POST`.

use chess::game::{DeclineReason, Offer};
use serde::Deserialize;
use store::TableId;
use utoipa::ToSchema;

use super::commands::decline_reason;
use crate::play::look::Sight;
use crate::play::{Asked, claims, commands, join, offers, rematch};
use crate::problem::Problem;

/// Every name.
const NAMES: [&str; 20] = [
    "join",
    "resign",
    "abort",
    "decline",
    "cancel",
    "offer-draw",
    "accept-draw",
    "decline-draw",
    "claim-draw",
    "claim-win",
    "offer-takeback",
    "accept-takeback",
    "decline-takeback",
    "offer-pause",
    "accept-pause",
    "resume",
    "add-time",
    "offer-rematch",
    "accept-rematch",
    "tick",
];

/// Something to be done.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Deed {
    /// As the last part of the address where it is done by `POST`: `resign`, `offer-draw`,
    /// `accept-draw`, `claim-win`, `offer-takeback`, `add-time`, `offer-rematch`, ...
    #[serde(rename = "do")]
    #[schema(example = "offer-draw")]
    pub(crate) name: String,
    /// With `add-time`: how much.
    seconds: Option<u32>,
    /// With `decline`: why not.
    reason: Option<String>,
}

impl Deed {
    /// All that makes two of them under one key the same, besides the name: what the
    /// `POST` has in its body.
    pub(crate) fn what(&self) -> String {
        match &*self.name {
            "add-time" => self.seconds.unwrap_or_default().to_string(),
            "decline" => self.reason.clone().unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// Does it.
    pub(crate) async fn carry_out(&self, asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
        match &*self.name {
            "join" => join::by_id(asked, id).await,
            "resign" => commands::resign(asked, id).await,
            "abort" => commands::abort(asked, id).await,
            "decline" => commands::decline(asked, id, self.reason()?).await,
            "cancel" => commands::cancel(asked, id).await,
            "offer-draw" => offers::offer(asked, id, Offer::Draw).await,
            "accept-draw" => offers::accept(asked, id, Offer::Draw).await,
            "decline-draw" => offers::decline(asked, id, Offer::Draw).await,
            "claim-draw" => claims::draw(asked, id).await,
            "claim-win" => claims::win(asked, id).await,
            "offer-takeback" => offers::offer(asked, id, Offer::Takeback).await,
            "accept-takeback" => offers::accept(asked, id, Offer::Takeback).await,
            "decline-takeback" => offers::decline(asked, id, Offer::Takeback).await,
            "offer-pause" => offers::offer(asked, id, Offer::Pause).await,
            "accept-pause" => offers::accept(asked, id, Offer::Pause).await,
            "resume" => commands::resume(asked, id).await,
            "add-time" => commands::add_time(asked, id, self.seconds.unwrap_or_default()).await,
            "offer-rematch" => rematch::offer(asked, id).await,
            "accept-rematch" => rematch::accept(asked, id).await,
            "tick" => commands::tick(asked, id).await,
            _ => {
                let detail = format!("do is one of {}", NAMES.join(", "));
                Err(Problem::bad_request(detail).with("field", "do"))
            }
        }
    }

    fn reason(&self) -> Result<Option<DeclineReason>, Problem> {
        self.reason.as_deref().map(decline_reason).transpose()
    }
}
