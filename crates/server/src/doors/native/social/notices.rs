//! What the owner of an account is to know.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use store::Notice;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::{Caller, Scope};
use crate::http::Path;
use crate::limits::rates::Rate;
use crate::play::App;
use crate::problem::Problem;
use crate::text_time::rfc3339;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(put_away))
}

/// Something that an operator decided and the player is to know.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Notice)]
pub(crate) struct NoticeView {
    /// Its number.
    id: u64,
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// `warn`, `mute`: you may not speak, or `bar_rated`: you may not play rated games.
    kind: String,
    /// Why.
    text: String,
    /// Until when; `null`: it has no end, or none is known.
    #[schema(format = DateTime)]
    until: Option<String>,
}

impl From<&Notice> for NoticeView {
    fn from(notice: &Notice) -> NoticeView {
        NoticeView {
            id: notice.id,
            at: rfc3339(notice.at),
            kind: notice.kind.clone(),
            text: notice.text.clone(),
            until: notice.until.map(rfc3339),
        }
    }
}

/// Put a notice away
///
/// You have read it: it is in `/v1/me` no longer. What was decided stays.
#[utoipa::path(
    delete,
    path = "/v1/me/notices/{id}",
    operation_id = "put_notice_away",
    params(("id" = u64, Path, description = "Its number")),
    responses(
        (status = 204, description = "Put away"),
        (status = 404, description = "`not_found`"),
    ),
    security(("token" = ["play"])),
)]
async fn put_away(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())?;
    let none = || Problem::not_found("you have no such notice");
    let id: u64 = id.parse().map_err(|_| none())?;
    let now = app.wall();
    match app.store.put_notice_away(caller.number(), id, now).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(none()),
    }
}
