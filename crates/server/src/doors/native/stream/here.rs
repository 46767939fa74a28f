//! Who is at a game, as clients see it.

use std::sync::Arc;

use axum::Json;
use chess::Color;
use chess::game::Game;
use chess::table::PlayerId;
use serde::Serialize;
use store::TableId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::Person;
use crate::doors::native::games::reading::Reading;
use crate::http::described::NoGame;
use crate::play::names::Names;
use crate::play::{App, Sight, presence};
use crate::problem::Problem;
use crate::rooms::here::{Audience, PlayerHere};
use crate::text_time::rfc3339;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show))
}

/// Who is at a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Presence)]
pub(super) struct PresenceView {
    white: Option<PlayerHereView>,
    black: Option<PlayerHereView>,
    #[serde(flatten)]
    audience: AudienceView,
}

/// A player.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PlayerPresence)]
pub(super) struct PlayerHereView {
    /// The name as its owner writes it.
    name: String,
    /// `GM`, `BOT`, ...
    title: Option<String>,
    /// Whether they are there.
    online: bool,
    /// When their opponent may claim the game, unless they come back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    claim_at: Option<String>,
}

/// Those who watch.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Audience)]
pub(super) struct AudienceView {
    /// How many watch.
    spectators: usize,
    /// Those of them who agreed to be seen (`seen_watching` among their
    /// preferences), 50 at most. Not told to players before the game is over, nor
    /// to spectators of a delayed game before they know that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    observers: Option<Vec<ObserverView>>,
}

/// Somebody who watches.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Observer)]
pub(super) struct ObserverView {
    /// The account's id.
    id: String,
    /// The name as its owner writes it.
    name: String,
    /// `GM`, `BOT`, ...
    title: Option<String>,
}

impl AudienceView {
    pub(super) fn of(audience: &Audience) -> AudienceView {
        let observer = |person: &Arc<Person>| ObserverView {
            id: person.id.clone(),
            name: person.name.clone(),
            title: person.title.clone(),
        };
        let observers = audience.observers.as_ref();
        AudienceView {
            spectators: audience.spectators,
            observers: observers.map(|people| people.iter().map(observer).collect()),
        }
    }
}

impl PlayerHereView {
    pub(super) fn of(player: &PlayerHere, names: &Names) -> PlayerHereView {
        let person = names.get(player.player);
        PlayerHereView {
            name: person.map_or_else(|| names.id(player.player), |person| person.name.clone()),
            title: names.title(player.player),
            online: player.is_online,
            claim_at: player.claim_at.map(rfc3339),
        }
    }
}

/// Who is at a game, for somebody who sees it like this.
pub(super) async fn view(
    app: &App,
    id: TableId,
    seen: &Game,
    viewer: Option<PlayerId>,
    names: &Names,
) -> Result<PresenceView, Problem> {
    let here = presence::seen_by(app, id, seen, viewer);
    let plays = viewer.is_some_and(|viewer| seen.is_player(viewer));
    let observers = presence::observers(app, id, seen).await?;
    let player = |color| {
        here.get(color)
            .map(|player| PlayerHereView::of(player, names))
    };
    let audience = presence::audience(app, id, seen, plays, &observers);
    Ok(PresenceView {
        white: player(Color::White),
        black: player(Color::Black),
        audience: AudienceView::of(&audience),
    })
}

/// See who is at a game
///
/// As the streams tell it: the players, how many watch, and who of them agreed
/// to be seen.
#[utoipa::path(
    get,
    path = "/v1/games/{id}/presence",
    tag = "games",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, description = "Who is there", body = PresenceView), NoGame),
)]
async fn show(reading: Reading) -> Result<Json<PresenceView>, Problem> {
    let sight = reading.look().await?;
    let Sight {
        id, game, viewer, ..
    } = &sight;
    let names = Names::of(&reading.app, game.seats().iter().flatten().copied()).await?;
    view(&reading.app, *id, game, *viewer, &names)
        .await
        .map(Json)
}
