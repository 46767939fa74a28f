//! Challenges: games that wait for the caller, or for whom the caller named.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::games::GameView;
use super::games::list::{limit, read_cursor, show_page};
use crate::auth::Caller;
use crate::http::Query;
use crate::http::described::about;
use crate::play::{App, challenges};
use crate::problem::Problem;

/// Every call under `/v1/challenges`.
pub fn routes() -> OpenApiRouter<App> {
    about("lobby", OpenApiRouter::new().routes(routes!(list)))
}

/// Which part of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
struct Part {
    /// Where the previous page ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many in both directions together, 1 to 100; 20 if left out.
    limit: Option<u32>,
}

/// A page of challenges, newest first.
#[derive(Debug, Serialize, ToSchema)]
struct Challenges {
    /// Those made to the caller: `join` accepts one, `decline` does not.
    r#in: Vec<GameView>,
    /// Those that the caller made: `cancel` withdraws one.
    out: Vec<GameView>,
    /// Where the next page begins; `null`: this was the last.
    next_cursor: Option<String>,
}

/// List your challenges
///
/// Games that wait for one player in particular, made by the caller or to the caller.
/// One that is answered, withdrawn or has expired is no longer among them; your own
/// stream says so at once.
#[utoipa::path(
    get,
    path = "/v1/challenges",
    operation_id = "list_challenges",
    params(Part),
    responses(
        (status = 200, description = "A page of challenges", body = Challenges),
        (status = 400, description = "`bad_request`: the limit is not 1 to 100"),
    ),
)]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(part): Query<Part>,
) -> Result<Json<Challenges>, Problem> {
    let limit = limit(part.limit)?;
    let after = part.cursor.as_deref().map(read_cursor).transpose()?;
    let found = challenges::page(&app, &caller, after, limit).await?;
    let page = show_page(&app, found).await?;
    let own = &caller.person.id;
    let (out, r#in) = page.games.into_iter().partition(|g| g.creator == *own);
    Ok(Json(Challenges {
        r#in,
        out,
        next_cursor: page.next_cursor,
    }))
}
