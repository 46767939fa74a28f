//! Looking for games.

use axum::Json;
use chess::table::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::doors::native::games::list::{GamePage, limit, read_cursor, show_page};
use crate::http::Query;
use crate::play::App;
use crate::play::lists::{self, Only, Page, Wanted};
use crate::play::look::look;
use crate::problem::{Kind, Problem};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search))
}

/// Which games.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Filter {
    /// A game's id, or a player's name; left out: all games.
    #[serde(default)]
    search: String,
    /// `WAITING`, `ACTIVE`, `PAUSED` or `COMPLETED`.
    state: Option<String>,
    /// Where the previous page ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many, 1 to 100; 20 if left out.
    limit: Option<u32>,
}

/// Look for games, private ones too
#[utoipa::path(get, path = "/v1/admin/games", operation_id = "admin_search_games",
    params(Filter),
    responses((status = 200, description = "A page of games, newest first", body = GamePage)))]
async fn search(
    operator: Operator,
    Query(filter): Query<Filter>,
) -> Result<Json<GamePage>, Problem> {
    let (app, caller) = (operator.app(), Some(operator.caller()));
    let text = filter.search.trim();
    let wanted = Wanted {
        state: filter.state.as_deref().map(state_named).transpose()?,
        player: (!text.is_empty()).then(|| text.to_owned()),
        variant: None,
        only: Only::default(),
        after: filter.cursor.as_deref().map(read_cursor).transpose()?,
        oldest_first: false,
        limit: limit(filter.limit)?,
    };
    // A name may read like an id: what there is decides.
    if let Ok(id) = text.parse()
        && let Some(sight) = found(look(app, id, caller).await)?
    {
        let only = Page {
            games: vec![sight],
            next: None,
        };
        return show_page(app, only).await.map(Json);
    }
    let page = found(lists::page(app, caller, wanted).await)?;
    let page = page.unwrap_or(Page {
        games: Vec::new(),
        next: None,
    });
    show_page(app, page).await.map(Json)
}

fn state_named(name: &str) -> Result<State, Problem> {
    let detail = "state must be WAITING, ACTIVE, PAUSED or COMPLETED";
    let wrong = || Problem::bad_request(detail).with("field", "state");
    State::named(name).ok_or_else(wrong)
}

/// Nothing, where there is nothing.
fn found<V>(answer: Result<V, Problem>) -> Result<Option<V>, Problem> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(problem) if problem.kind == Kind::Missing => Ok(None),
        Err(problem) => Err(problem),
    }
}
