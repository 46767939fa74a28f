//! Who is at a game, as clients see it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use chess::game::Game;
use chess::table::PlayerId;
use chess::{Color, Millis};
use serde::Serialize;
use store::TableId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::presence::{self, PlayerHere};
use crate::auth::{Caller, Person};
use crate::doors::native::games::reads::{Sight, look};
use crate::http::MaybeCaller;
use crate::http::{Path, SeenVersion};
use crate::play::App;
use crate::play::names::Names;
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// As many observers are named.
const NAMED_MAX: usize = 50;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show))
}

/// Who is at a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Presence)]
pub(crate) struct PresenceView {
    white: Option<PlayerHereView>,
    black: Option<PlayerHereView>,
    #[serde(flatten)]
    audience: AudienceView,
}

/// A player.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PlayerPresence)]
pub(crate) struct PlayerHereView {
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
pub(crate) struct AudienceView {
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
pub(crate) struct ObserverView {
    /// The account's id.
    id: String,
    /// The name as its owner writes it.
    name: String,
    /// `GM`, `BOT`, ...
    title: Option<String>,
}

/// Those who watch a game, as somebody may know it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Audience {
    spectators: usize,
    /// `None`: not to be told.
    observers: Option<Vec<Arc<Person>>>,
}

impl Audience {
    /// Of those who agreed to be seen, whoever sees the game like this knows
    /// them all or none.
    pub(crate) fn of(
        app: &App,
        id: TableId,
        seen: &Game,
        is_player: bool,
        observers: &[Arc<Person>],
    ) -> Audience {
        let is_undelayed = !is_player && seen.spectator_delay() == Millis::ZERO;
        let is_told = seen.ending().is_some() || is_undelayed;
        Audience {
            spectators: app.rooms.hub().watchers(id),
            observers: is_told.then(|| observers.to_vec()),
        }
    }

    /// Whether whoever was told that has still to be told this.
    pub(crate) fn differs_from(&self, told: &Audience) -> bool {
        let now = self.observers.as_deref().unwrap_or_default();
        let then = told.observers.as_deref().unwrap_or_default();
        (self.spectators, now) != (told.spectators, then)
    }

    pub(crate) fn view(&self) -> AudienceView {
        let observer = |person: &Arc<Person>| ObserverView {
            id: person.id.clone(),
            name: person.name.clone(),
            title: person.title.clone(),
        };
        let observers = self.observers.as_ref();
        AudienceView {
            spectators: self.spectators,
            observers: observers.map(|people| people.iter().map(observer).collect()),
        }
    }
}

/// Those at a game who agreed to be seen, and still do.
pub(crate) async fn observers(app: &App, id: TableId) -> Result<Vec<Arc<Person>>, store::Error> {
    let numbers = app.rooms.hub().shown(id, NAMED_MAX);
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let people = app.auth.people(&numbers).await?;
    let people = numbers.iter().filter_map(|number| people.get(number));
    let agree = people.filter(|person| person.seen_watching && !person.deleted);
    Ok(agree.cloned().collect())
}

/// Who is at a game, for somebody who sees it like this.
pub(crate) async fn view(
    app: &App,
    id: TableId,
    seen: &Game,
    viewer: Option<PlayerId>,
    names: &Names,
) -> Result<PresenceView, Problem> {
    let here = presence::seen_by(app, id, seen, viewer);
    let plays = viewer.is_some_and(|viewer| seen.is_player(viewer));
    let observers = observers(app, id).await?;
    let player = |color| here.get(color).map(|player| player_view(player, names));
    Ok(PresenceView {
        white: player(Color::White),
        black: player(Color::Black),
        audience: Audience::of(app, id, seen, plays, &observers).view(),
    })
}

pub(crate) fn player_view(player: &PlayerHere, names: &Names) -> PlayerHereView {
    let person = names.get(player.player);
    PlayerHereView {
        name: person.map_or_else(|| names.id(player.player), |person| person.name.clone()),
        title: names.title(player.player),
        online: player.is_online,
        claim_at: player.claim_at.map(rfc3339),
    }
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
    security((), ("token" = [])),
    responses(
        (status = 200, description = "Who is there", body = PresenceView),
        (status = 404, description = "`game_not_found`"),
    ),
)]
async fn show(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    Path(id): Path<String>,
    seen: SeenVersion,
) -> Result<Json<PresenceView>, Problem> {
    let sight = look(&app, &id, caller, seen).await?;
    let viewer = sight.caller.as_ref().map(Caller::number);
    let Sight { id, game, .. } = &sight;
    let names = Names::of(&app, game.seats().iter().flatten().copied()).await?;
    view(&app, *id, game, viewer, &names).await.map(Json)
}
