//! Making games, and joining them by code.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use store::TableId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{answer, table_id, whole};
use super::idempotency::{IdempotencyKey, is_keyed, key};
use super::request::NewGame;
use super::view::{GameView, Shown};
use crate::auth::Caller;
use crate::http::extract::unreadable;
use crate::http::{Body, ClientAddress};
use crate::play::{App, Asked, Sight, create, join};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create_game))
        .routes(routes!(join_by_code))
}

/// Make a game
///
/// Open to anyone, meant for one player, or (with scope `service`) started at
/// once between two named accounts. Honours `Idempotency-Key`.
#[utoipa::path(
    post,
    path = "/v1/games",
    operation_id = "create_game",
    params(IdempotencyKey),
    request_body = NewGame,
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 201, description = "The game, waiting or started", body = GameView),
        (status = 403, description = "`not_accepting`: the opponent does not take it; `barred` from rated games, with `why` and `until`"),
        (status = 409, description = "`idempotency_mismatch`"),
        (status = 422, description = "`bad_time_control`, `bad_fen`, `bad_illegal_moves`, `cannot_be_rated`: which `field` forbids it"),
        (status = 429, description = "`rate_limited`"),
    ),
)]
async fn create_game(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<serde_json::Value>,
) -> Result<Response, Problem> {
    let what = match is_keyed(&headers) {
        true => body.to_string(),
        false => String::new(),
    };
    let key = key(&headers, &["POST", "/v1/games", &what])?;
    let request: NewGame =
        serde_path_to_error::deserialize(body).map_err(|error| unreadable(&error))?;
    let asked = Asked {
        key,
        ..Asked::new(&app, &caller)
    };
    let made = create::make(&asked, request.read()?).await?;
    as_made(&app, made, &caller).await
}

/// 201 with the game as it was made. Nothing of it depends on what happened
/// since, so that a repeated request gets the same bytes.
async fn as_made(app: &App, sight: Sight, caller: &Caller) -> Result<Response, Problem> {
    let id = sight.id;
    let view = new_view(app, sight, |player| player == caller.person.id).await?;
    let response = (StatusCode::CREATED, whole(view)).into_response();
    Ok(located(response, id))
}

/// The game as it was made, when only those can have come to it who are here by then.
pub(super) async fn new_view(
    app: &App,
    sight: Sight,
    is_here: impl Fn(&str) -> bool,
) -> Result<GameView, Problem> {
    let is_slow = sight.game.terms().control.speed().grace().is_none();
    let mut view = Shown { app, sight }.view().await?;
    let players = [&mut view.players.white, &mut view.players.black];
    for player in players.into_iter().flatten() {
        player.connected = is_slow || is_here(&player.id);
    }
    Ok(view)
}

pub(super) fn located(mut response: Response, id: TableId) -> Response {
    let place = HeaderValue::from_str(&format!("/v1/games/{id}")).expect("ids are ASCII");
    response.headers_mut().insert(header::LOCATION, place);
    response
}

/// A code a friend passed on.
#[derive(Debug, Deserialize, ToSchema)]
struct JoinByCode {
    /// Six characters, in any case.
    #[schema(example = "K7M2QX")]
    join_code: String,
    /// The game, if the link names it: whoever comes too late is told what became of it.
    game_id: Option<String>,
}

/// Join by code
///
/// Takes the empty seat of the game whose creator passed on this code.
#[utoipa::path(
    post,
    path = "/v1/games/join",
    params(IdempotencyKey),
    request_body = JoinByCode,
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 200, description = "The game, started", body = GameView),
        (status = 403, description = "`not_accepting`: one of you blocks the other; `barred` from rated games"),
        (status = 404, description = "`game_not_found`: no game waits under this code"),
        (status = 409, description = "`own_game`, `game_not_waiting`; `not_allowed`: a guest plays no rated game; `link_used`, if `game_id` says which game it was"),
        (status = 410, description = "`link_cancelled`, if `game_id` says which game it was"),
    ),
)]
async fn join_by_code(
    State(app): State<App>,
    caller: Caller,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Body(body): Body<JoinByCode>,
) -> Result<Response, Problem> {
    let code = body.join_code.trim().to_ascii_uppercase();
    let asked = Asked {
        key: key(&headers, &["/v1/games/join", &code])?,
        ..Asked::new(&app, &caller)
    };
    let named = body.game_id.as_deref().map(table_id).transpose()?;
    let joined = join::by_code(&asked, from, &code, named).await?;
    answer(&app, joined).await
}
