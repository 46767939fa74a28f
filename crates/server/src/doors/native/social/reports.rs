//! Saying something about a player to the operators.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::Report;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::Caller;
use crate::doors::native::games::answer::table_id;
use crate::http::Body;
use crate::play::App;
use crate::play::names::Names;
use crate::play::reports::{self, Complaint};
use crate::problem::Problem;
use crate::text_time::rfc3339;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(make))
}

/// Something to be said about a player.
#[derive(Debug, Deserialize, ToSchema)]
struct NewReport {
    /// The player's id.
    player: String,
    /// What it is about.
    reason: Reason,
    /// In which game.
    game_id: Option<String>,
    /// In one's own words; at most 1,000 characters.
    #[serde(default)]
    text: String,
}

/// What a report is about.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Reason {
    Cheating,
    Abuse,
    Sandbagging,
    Spam,
    Other,
}

impl Reason {
    fn name(self) -> &'static str {
        match self {
            Reason::Cheating => "cheating",
            Reason::Abuse => "abuse",
            Reason::Sandbagging => "sandbagging",
            Reason::Spam => "spam",
            Reason::Other => "other",
        }
    }
}

/// What its reporter sees of a report.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnReport)]
pub(crate) struct OwnReportView {
    /// Its number.
    id: u64,
    /// The player's id.
    player: String,
    /// `cheating`, `abuse`, `sandbagging`, `spam` or `other`.
    reason: String,
    /// In which game.
    game_id: Option<String>,
    /// In one's own words.
    text: String,
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// `open`, or `decided`: somebody has looked at it. What was decided is not told.
    state: &'static str,
}

impl OwnReportView {
    pub(crate) fn of(report: &Report, names: &Names) -> OwnReportView {
        OwnReportView {
            id: report.id,
            player: names.id(report.reported),
            reason: report.reason.clone(),
            game_id: report.table.map(|id| id.to_string()),
            text: report.text.clone(),
            at: rfc3339(report.at),
            state: state(report),
        }
    }
}

/// Whether somebody has looked at it.
pub(crate) fn state(report: &Report) -> &'static str {
    match report.decided {
        Some(_) => "decided",
        None => "open",
    }
}

/// Report a player
///
/// An operator decides what comes of it. The player is not told who said it.
#[utoipa::path(
    post,
    path = "/v1/reports",
    operation_id = "report_player",
    request_body = NewReport,
    responses(
        (status = 201, description = "It will be looked at", body = OwnReportView),
        (status = 404, description = "`not_found`: there is no such player; `game_not_found`"),
        (status = 409, description = "`already_reported`: the same report of yours is open; \
            `too_many_reports`: 20 of yours are; `not_allowed`: nobody reports themselves"),
    ),
    security(("token" = ["play"])),
)]
async fn make(
    State(app): State<App>,
    caller: Caller,
    Body(new): Body<NewReport>,
) -> Result<(StatusCode, Json<OwnReportView>), Problem> {
    let game = new.game_id.as_deref().map(table_id).transpose()?;
    let complaint = Complaint {
        player: new.player,
        reason: new.reason.name(),
        game,
        text: new.text,
    };
    let report = reports::make(&app, &caller, complaint).await?;
    let names = Names::of(&app, [report.reported]).await?;
    let view = OwnReportView::of(&report, &names);
    Ok((StatusCode::CREATED, Json(view)))
}
