//! Vacation.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::Caller;
use crate::http::Body;
use crate::play::App;
use crate::play::correspondence::vacation::{self, Standing, Wish};
use crate::problem::Problem;
use crate::text_time::{read_rfc3339, rfc3339};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, set))
}

/// Your vacation.
#[derive(Debug, Serialize, ToSchema)]
struct VacationView {
    /// Whether you are away.
    on_vacation: bool,
    /// Since when.
    #[schema(format = DateTime)]
    since: Option<String>,
    /// When it ends by itself.
    #[schema(format = DateTime)]
    until: Option<String>,
    /// Days that a calendar year has (UTC).
    days_per_year: u32,
    /// Those of this year that are taken: every vacation takes whole days.
    days_used: u32,
    /// Those of this year that are left.
    days_left: u32,
}

impl From<Standing> for VacationView {
    fn from(standing: Standing) -> VacationView {
        let Standing {
            running,
            days_per_year,
            days_used,
        } = standing;
        VacationView {
            on_vacation: running.is_some(),
            since: running.map(|running| rfc3339(running.began_at)),
            until: running.map(|running| rfc3339(running.ends_at)),
            days_per_year,
            days_used,
            days_left: days_per_year.saturating_sub(days_used),
        }
    }
}

/// How long to be away: `until` or `days`; `{"until": null}` ends it.
#[derive(Debug, Deserialize, ToSchema)]
struct NewVacation {
    /// When it ends, as RFC 3339 in UTC; `null`: now.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, format = DateTime)]
    until: Option<Option<String>>,
    /// For so many days, since it began.
    #[schema(minimum = 1)]
    days: Option<u32>,
}

/// Tells a field that is `null` from one that is not there.
fn present<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Option<String>>, D::Error> {
    Deserialize::deserialize(field).map(Some)
}

impl NewVacation {
    fn wish(&self) -> Result<Wish, Problem> {
        let bad = |field: &str, why: &str| {
            Problem::bad_request(format!("{field}: {why}")).with("field", field)
        };
        match (&self.until, self.days) {
            (Some(None), None) => Ok(Wish::Back),
            (Some(Some(until)), None) => match read_rfc3339(until) {
                Some(until) => Ok(Wish::Until(until)),
                None => Err(bad("until", "a time like 2026-12-24T00:00:00Z")),
            },
            (None, Some(days @ 1..=366)) => Ok(Wish::Days(days)),
            (None, Some(_)) => Err(bad("days", "from 1 to 366")),
            (None, None) => Err(bad("until", "say until when, or for how many days")),
            (Some(_), Some(_)) => Err(bad("days", "either until or days")),
        }
    }
}

/// Your vacation
#[utoipa::path(
    get,
    path = "/v1/me/vacation",
    operation_id = "show_vacation",
    responses((status = 200, description = "How it stands", body = VacationView)),
)]
async fn show(State(app): State<App>, caller: Caller) -> Result<Json<VacationView>, Problem> {
    Ok(Json(vacation::show(&app, &caller).await?.into()))
}

/// Go on vacation, or come back
///
/// In all your games with days per move your clock stands still while you are away; your
/// opponents see until when. It counts in a game from the moment it is recorded there, which
/// is at once, and is noted in games that begin meanwhile. Every vacation takes whole days of
/// the calendar years it touches, and lasts until the end of the last of them: `until` may be
/// later than you asked for. It can be begun or changed ten times an hour, and ended always.
#[utoipa::path(
    put,
    path = "/v1/me/vacation",
    operation_id = "set_vacation",
    request_body = NewVacation,
    responses(
        (status = 200, description = "How it stands now", body = VacationView),
        (status = 409, description = "`no_vacation_left` with `days_left` and `year`; `not_allowed`: this server gives none; `vacation_changed`: at the same time by another request"),
        (status = 422, description = "`bad_vacation`: it would end before now"),
    ),
)]
async fn set(
    State(app): State<App>,
    caller: Caller,
    Body(body): Body<NewVacation>,
) -> Result<Json<VacationView>, Problem> {
    Ok(Json(
        vacation::set(&app, &caller, body.wish()?).await?.into(),
    ))
}
