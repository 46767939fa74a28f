//! Waiting for an opponent.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chess::pairing::Pool;
use chess::rules::Variant;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::games::request::{present, variant_named};
use super::games::time_control::{TimeControlJson, time_control};
use super::games::view::color_name;
use crate::auth::{Caller, Names};
use crate::http::{Body, MaybeCaller, Path, Query};
use crate::play::matchmaking::queue::{self, Crowded, Waiting, Wanted};
use crate::play::{App, Asked};
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// The calls of this file.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(enter))
        .routes(routes!(look, leave))
        .routes(routes!(pools))
}

/// What to play, and against whom.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({
    "time_control": { "initial_seconds": 300, "increment_seconds": 3 },
    "variant": "standard",
    "rated": true,
}))]
struct Wish {
    /// The clock; `null` for none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<TimeControlJson>, required)]
    time_control: Option<Option<serde_json::Value>>,
    /// `standard` (default), or another variant.
    variant: Option<String>,
    /// Whether it counts. Not for guests, nor without a clock.
    #[serde(default)]
    rated: bool,
    /// The rating that an opponent must have.
    rating_range: Option<RangeJson>,
}

/// A range of ratings; what is left out is not limited.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RangeJson {
    /// The least.
    min: Option<u32>,
    /// The most.
    max: Option<u32>,
}

/// A place in the queue, and what has become of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueEntry {
    /// Its id.
    pub queue_entry_id: String,
    /// `SEARCHING`, `MATCHED`, `CANCELLED` or `TIMED_OUT`.
    pub status: &'static str,
    /// How long those waited who were paired here in the last half hour with about the
    /// same rating; `null` if nobody was.
    pub estimated_wait_seconds: Option<u32>,
    /// The clock.
    pub time_control: Option<TimeControlJson>,
    /// By which rules.
    pub variant: &'static str,
    /// Whether it counts.
    pub rated: bool,
    /// The rating one is paired by.
    pub rating: u32,
    /// Since when.
    pub since: String,
    /// The game: that of the pairing, or the other one that ended the waiting.
    pub game_id: Option<String>,
    /// One's side there.
    pub color: Option<&'static str>,
    /// The opponent's id there.
    pub opponent: Option<String>,
}

/// The pools.
#[derive(Debug, Serialize, ToSchema)]
pub struct Pools {
    /// Those that many like, and all where somebody waits.
    pub pools: Vec<PoolView>,
}

/// A pool.
#[derive(Debug, Serialize, ToSchema)]
pub struct PoolView {
    /// The clock.
    pub time_control: Option<TimeControlJson>,
    /// By which rules.
    pub variant: &'static str,
    /// Whether it counts.
    pub rated: bool,
    /// How many wait.
    pub waiting: usize,
    /// How long those waited, in the middle, who were paired here in the last half hour;
    /// `null` if nobody was.
    pub typical_wait_seconds: Option<u32>,
}

/// How long to wait for an answer.
#[derive(Debug, Default, Deserialize, IntoParams)]
struct Patience {
    /// Seconds, up to 30: the answer comes when something has become of the entry.
    wait: Option<u32>,
}

/// Wait for an opponent
///
/// One is found among those who wait for the same, of about the same rating: the longer
/// one waits, the further away. `GET` with `wait`, or `PAIRED` on one's own stream, tells
/// the game. Whoever neither asks nor listens for half a minute waits no more.
#[utoipa::path(
    post,
    path = "/v1/matchmaking/queue",
    operation_id = "enter_queue",
    tag = "matchmaking",
    request_body = Wish,
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 201, description = "Waiting", body = QueueEntry),
        (status = 403, description = "`barred` from rated play"),
        (status = 409, description = "`already_in_queue` with `queue_entry_id`; `active_game_exists` with `game_id`"),
        (status = 422, description = "`bad_time_control`, `cannot_be_rated`"),
        (status = 429, description = "`rate_limited`"),
    ),
)]
async fn enter(
    State(app): State<App>,
    caller: Caller,
    Body(wish): Body<Wish>,
) -> Result<Response, Problem> {
    let asked = Asked::new(&app, &caller);
    let waiting = queue::enter(&asked, wish.read()?).await?;
    let place = format!("/v1/matchmaking/queue/{}", waiting.ticket.id);
    let mut response = (StatusCode::CREATED, shown(&app, waiting).await?).into_response();
    if let Ok(place) = HeaderValue::from_str(&place) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

/// Look at one's place in the queue
#[utoipa::path(
    get,
    path = "/v1/matchmaking/queue/{id}",
    operation_id = "show_queue_entry",
    tag = "matchmaking",
    params(("id" = String, Path, description = "The `queue_entry_id`"), Patience),
    responses(
        (status = 200, description = "What has become of it", body = QueueEntry),
        (status = 404, description = "`not_found`: none of yours, or it ended over an hour ago"),
    ),
)]
async fn look(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(patience): Query<Patience>,
) -> Result<Json<QueueEntry>, Problem> {
    let wait = u64::from(patience.wait.unwrap_or(0));
    if wait > queue::WAIT_MAX.as_secs() {
        return Err(Problem::bad_request("wait must be from 0 to 30").with("field", "wait"));
    }
    let wait = Duration::from_secs(wait);
    let waiting = queue::look(&app, &caller, number(&id), wait).await?;
    shown(&app, waiting).await
}

/// Wait no more
///
/// Answers what has become of the entry: if an opponent was found first, that game.
#[utoipa::path(
    delete,
    path = "/v1/matchmaking/queue/{id}",
    operation_id = "leave_queue",
    tag = "matchmaking",
    params(("id" = String, Path, description = "The `queue_entry_id`")),
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 200, description = "What has become of it", body = QueueEntry),
        (status = 404, description = "`not_found`"),
    ),
)]
async fn leave(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<QueueEntry>, Problem> {
    let asked = Asked::new(&app, &caller);
    let waiting = queue::leave(&asked, number(&id)).await?;
    shown(&app, waiting).await
}

/// Where people wait
#[utoipa::path(
    get,
    path = "/v1/matchmaking/pools",
    operation_id = "list_pools",
    tag = "matchmaking",
    responses((status = 200, description = "The pools", body = Pools)),
    security((), ("token" = [])),
)]
async fn pools(State(app): State<App>, _: MaybeCaller) -> Result<Json<Pools>, Problem> {
    let view = |Crowded {
                    pool,
                    waiting,
                    typical,
                }: Crowded| PoolView {
        time_control: TimeControlJson::of(&pool.control),
        variant: pool.variant.name(),
        rated: pool.rated,
        waiting,
        typical_wait_seconds: typical.map(|wait| wait.as_secs()),
    };
    let pools = queue::pools(&app).await?.into_iter().map(view).collect();
    Ok(Json(Pools { pools }))
}

impl Wish {
    fn read(self) -> Result<Wanted, Problem> {
        let variant = self.variant.as_deref().map(variant_named).transpose()?;
        let range = self.rating_range.map(|range| {
            let (min, max) = (range.min.unwrap_or(0), range.max.unwrap_or(u32::MAX));
            match min <= max {
                true => Ok(min..=max),
                false => {
                    let detail = "rating_range: min must be at most max";
                    Err(Problem::bad_request(detail).with("field", "rating_range"))
                }
            }
        });
        Ok(Wanted {
            pool: Pool {
                control: time_control(self.time_control)?,
                variant: variant.unwrap_or(Variant::Standard),
                rated: self.rated,
            },
            range: range.transpose()?,
            side: None,
        })
    }
}

async fn shown(app: &App, waiting: Waiting) -> Result<Json<QueueEntry>, Problem> {
    let Waiting {
        ticket,
        estimate,
        game,
    } = waiting;
    let pool: Pool = ticket
        .wish
        .pool
        .parse()
        .map_err(|_| Problem::unavailable())?;
    let opponent = game.as_ref().and_then(|seated| seated.opponent);
    let names = Names::of(app, opponent).await?;
    Ok(Json(QueueEntry {
        queue_entry_id: ticket.id.to_string(),
        status: ticket.fate.name(),
        estimated_wait_seconds: estimate.map(|wait| wait.as_secs()),
        time_control: TimeControlJson::of(&pool.control),
        variant: pool.variant.name(),
        rated: pool.rated,
        rating: ticket.wish.rating.points(),
        since: rfc3339(ticket.wish.since),
        game_id: game.as_ref().map(|seated| seated.id.to_string()),
        color: game
            .as_ref()
            .and_then(|seated| seated.color)
            .map(color_name),
        opponent: opponent.map(|player| names.id(player)),
    }))
}

/// The ticket's number; zero, which none has, for what is no number.
fn number(id: &str) -> u64 {
    id.parse().unwrap_or(0)
}
