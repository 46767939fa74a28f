//! A game as it changes: whoever listens is told the whole of it each time.

use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::response::Response;
use store::TableId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asking::{is_here, table_id};
use super::error::{Error, ErrorView};
use super::view::GameState;
use crate::auth::Caller;
use crate::http::{ClientAddress, Path};
use crate::play::look::look;
use crate::play::{App, room};
use crate::problem::Problem;
use crate::rooms::Visit;
use crate::stream::socket::Upgrade;
use crate::stream::{Out, Position, Source};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(follow))
}

/// Follow a game
///
/// A WebSocket: the game as `GET` shows it, at once and whenever it changes.
#[utoipa::path(
    get,
    path = "/live/v1/games/{game_id}/ws",
    operation_id = "live_follow_game",
    params(("game_id" = String, Path, description = "The game's UUID")),
    responses(
        (status = 101, description = "A WebSocket"),
        (status = 404, description = "`game_not_found`", body = ErrorView),
        (status = 426, description = "`upgrade_required`: this is a WebSocket", body = ErrorView),
        (status = 429, description = "`too_many_streams`", body = ErrorView),
    ),
)]
async fn follow(
    State(app): State<App>,
    address: ClientAddress,
    caller: Result<Caller, Problem>,
    path: Result<Path<String>, Problem>,
    upgrade: Result<Upgrade, Problem>,
) -> Result<Response, Error> {
    let (caller, Path(id)) = (caller?, path?);
    let id = table_id(&id)?;
    let sight = look(&app, id, Some(&caller)).await?;
    if !is_here(&sight.game) {
        return Err(Problem::game_not_found().into());
    }
    let upgrade = upgrade?;
    let place = app.rooms.place(Some(caller.number()), address.0)?;
    let visit = room::visit(&app, id, Some(&caller)).await?;
    let is_player = sight.game.is_player(caller.number());
    let follower = Follower {
        app,
        caller,
        visit,
        is_player,
        is_stale: true,
        told: 0,
    };
    Ok(upgrade.serve(follower, place))
}

/// One socket.
struct Follower {
    app: App,
    caller: Caller,
    visit: Visit,
    is_player: bool,
    /// Whether there may be something new to see: being interrupted must not lose this.
    is_stale: bool,
    /// The version that was told last.
    told: u32,
}

impl Follower {
    /// The game, if it is not as it was told last.
    async fn news(&mut self) -> Result<Option<Utf8Bytes>, Problem> {
        let mut sight = look(&self.app, self.visit.table(), Some(&self.caller)).await?;
        if !self.is_player && sight.game.is_player(self.caller.number()) {
            // They have joined since: from now on they are there as a player is, and are
            // told what players are.
            self.visit = room::visit(&self.app, sight.id, Some(&self.caller)).await?;
            self.is_player = true;
            sight = look(&self.app, sight.id, Some(&self.caller)).await?;
        }
        let version = sight.game.version();
        if version == self.told {
            return Ok(None);
        }
        let shown = GameState::of(&self.app, &sight).await?;
        let text = serde_json::to_string(&shown).map_err(|_| Problem::unavailable())?;
        self.told = version;
        Ok(Some(text.into()))
    }
}

impl Source for Follower {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        Some(&self.caller)
    }

    fn table(&self) -> Option<TableId> {
        Some(self.visit.table())
    }

    fn is_player(&self) -> bool {
        self.is_player
    }

    async fn next(&mut self) -> Out {
        loop {
            if !self.is_stale && !self.visit.is_stirred().await {
                return Out::BYE;
            }
            self.is_stale = true;
            let news = self.news().await;
            self.is_stale = false;
            match news {
                Ok(Some(text)) => return Out::Text(text, Position::default()),
                Ok(None) => {}
                Err(_) => return Out::close(1013, "try again later"),
            }
        }
    }
}
