//! Making games, and joining them by code.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chess::game::{ColorChoice, Command, Creation, Event, Game};
use chess::table::PlayerId;
use chess::{Color, Timestamp};
use live::Failure;
use rand::RngExt;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use store::{AccountKind, TableId};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{settled, show, show_again, shown};
use super::idempotency::{IdempotencyKey, look_up};
use super::request::{NewGame, cannot_be_rated};
use super::view::{GameView, Shown};
use crate::auth::{Caller, Person, Scope};
use crate::http::extract::unreadable;
use crate::http::{Body, ClientAddress};
use crate::limits::rates::Rate;
use crate::play::App;
use crate::play::keys::Keyed;
use crate::play::names::find;
use crate::play::sight::may_see;
use crate::problem::{Kind, Problem};
use crate::room;

/// Why a guest's game is never rated.
const FOR_GUESTS: &str = "guests play casual games";

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
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
    tag = "games",
    params(IdempotencyKey),
    request_body = NewGame,
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 201, description = "The game, waiting or started", body = GameView),
        (status = 409, description = "`idempotency_mismatch`"),
        (status = 422, description = "`bad_time_control`, `bad_fen`, `bad_illegal_moves`, `cannot_be_rated`: which `field` forbids it"),
        (status = 429, description = "`rate_limited`"),
    ),
)]
async fn create(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<serde_json::Value>,
) -> Result<Response, Problem> {
    let text = body.to_string();
    let request: NewGame =
        serde_path_to_error::deserialize(body).map_err(|error| unreadable(&error))?;
    let by_service = request.white.is_some() || request.black.is_some() || request.start;
    if by_service {
        caller.require(Scope::Service)?;
        if !headers.contains_key("idempotency-key") {
            let detail = "Idempotency-Key is required when a service starts games";
            return Err(Problem::bad_request(detail).with("field", "Idempotency-Key"));
        }
    } else {
        caller.require_any(&[Scope::Play, Scope::Challenge])?;
    }
    let keyed = look_up(&app, &caller, &headers, &["POST", "/v1/games", &text]).await?;
    if let Keyed::Again(first) = &keyed {
        let game = app.games.read(first.table, Some(caller.number())).await?;
        let game = game.as_of(first.version);
        let game = game.ok_or_else(Problem::unavailable)?;
        return as_made(&app, first.table, &game, &caller, &keyed).await;
    }
    app.rates.check(Rate::Creation, caller.number())?;
    let now = app.now();
    let game = if by_service {
        started(&app, request, now).await?
    } else {
        waiting(&app, &caller, request, now).await?
    };
    let (id, game) = place(&app, game, &keyed).await?;
    as_made(&app, id, &game, &caller, &keyed).await
}

/// 201 with the game as it was made. Nothing of it depends on what happened
/// since, so that a repeated request gets the same bytes.
async fn as_made(
    app: &App,
    id: TableId,
    game: &Game,
    caller: &Caller,
    keyed: &Keyed,
) -> Result<Response, Problem> {
    let seen = shown(app, id, game, Some(caller.number()));
    let seen = Shown {
        now: game.last_at(),
        join_code: match keyed.seed() {
            Some(seed) => Some(join_code(seed, id)),
            None => seen.join_code,
        },
        ..seen
    };
    let mut view = seen.view().await?;
    let is_slow = game.terms().control.speed().grace().is_none();
    // Only who made the game can have come to it yet.
    let players = [&mut view.players.white, &mut view.players.black];
    for player in players.into_iter().flatten() {
        player.connected = is_slow || player.id == caller.person.id;
    }
    let response = (StatusCode::CREATED, Json(view)).into_response();
    Ok(located(response, id))
}

fn located(mut response: Response, id: TableId) -> Response {
    let place = HeaderValue::from_str(&format!("/v1/games/{id}")).expect("ids are ASCII");
    response.headers_mut().insert(header::LOCATION, place);
    response
}

/// A game that waits for its opponent.
async fn waiting(
    app: &App,
    caller: &Caller,
    request: NewGame,
    now: Timestamp,
) -> Result<Game, Problem> {
    has_room_for_more(app, caller.number()).await?;
    let opponent = find(app, "opponent_id", request.opponent_id.as_slice())
        .await?
        .pop();
    let invited = find(app, "invited", &request.invited).await?;
    let invited = invited.iter().map(|person| person.number).collect();
    let guests = [Some(&*caller.person), opponent.as_deref()];
    check_rated(request.rated, guests.into_iter().flatten())?;
    let opponent = opponent.map(|person| person.number);
    let creation = request.creation(caller.number(), opponent, invited, rand::rng().random())?;
    Ok(Game::create(now, creation)?)
}

/// A game between two named accounts that begins at once.
async fn started(app: &App, request: NewGame, now: Timestamp) -> Result<Game, Problem> {
    let (Some(white), Some(black), true) = (&request.white, &request.black, request.start) else {
        let detail = "a service names white and black and says start: true";
        return Err(Problem::bad_request(detail).with("field", "start"));
    };
    let names = [white.clone(), black.clone()];
    let people = find(app, "white, black", &names).await?;
    check_rated(request.rated, people.iter().map(|person| &**person))?;
    let invited = find(app, "invited", &request.invited).await?;
    let invited = invited.iter().map(|person| person.number).collect();
    let (white, black) = (people[0].number, people[1].number);
    let creation = request.creation(white, Some(black), invited, rand::rng().random())?;
    let mut game = Game::create(
        now,
        Creation {
            color: ColorChoice::White,
            ..creation
        },
    )?;
    game.evolve(
        now,
        &Event::Joined {
            player: black,
            color: Color::Black,
        },
    );
    Ok(game)
}

/// Insists that somebody has fewer unfinished games than anybody may have.
pub(super) async fn has_room_for_more(app: &App, player: PlayerId) -> Result<(), Problem> {
    let unfinished = app.store.count_unfinished(player).await?;
    if unfinished >= app.settings.games_per_account {
        return Err(Problem::rate_limited(60).with("unfinished_games", unfinished));
    }
    Ok(())
}

fn check_rated<'a>(
    rated: bool,
    mut people: impl Iterator<Item = &'a Person>,
) -> Result<(), Problem> {
    if rated && people.any(is_guest) {
        return Err(cannot_be_rated(FOR_GUESTS).with("field", "rated"));
    }
    Ok(())
}

fn is_guest(person: &Person) -> bool {
    person.kind == AccountKind::Guest
}

/// Finds the game a free id (and a free code, while it waits) and makes it durable.
pub(super) async fn place(
    app: &App,
    game: Game,
    keyed: &Keyed,
) -> Result<(TableId, std::sync::Arc<Game>), Problem> {
    for _ in 0..5 {
        let id = TableId::from_random(rand::rng().random());
        match place_at(app, id, game.clone(), keyed).await {
            Err(Failure::Taken) => {}
            placed => return Ok((id, placed?)),
        }
    }
    Err(Problem::unavailable())
}

pub(super) async fn place_at(
    app: &App,
    id: TableId,
    game: Game,
    keyed: &Keyed,
) -> Result<std::sync::Arc<Game>, Failure> {
    let waits = game.phase() == chess::game::Phase::Waiting;
    let seed = keyed.seed().unwrap_or_else(|| rand::rng().random());
    let code = waits.then(|| join_code(seed, id));
    app.games
        .create(id, game, code.as_deref(), keyed.remember())
        .await
}

/// Six characters that cannot be mistaken for one another. They follow from
/// chance, or from the request's key: the code is forgotten when somebody joins,
/// and a repeated request is told it all the same. Whoever could work it out
/// has to know the key and the game's id, which is chance.
fn join_code(seed: [u8; 32], id: TableId) -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let digest = Sha256::new()
        .chain_update(seed)
        .chain_update(id.number().to_le_bytes())
        .finalize();
    let letters = digest.iter().take(6);
    letters
        .map(|byte| char::from(LETTERS[usize::from(byte % 32)]))
        .collect()
}

/// A code a friend passed on.
#[derive(Debug, Deserialize, ToSchema)]
struct JoinByCode {
    /// Six characters, in any case.
    #[schema(example = "K7M2QX")]
    join_code: String,
}

/// Join by code
///
/// Takes the empty seat of the game whose creator passed on this code.
#[utoipa::path(
    post,
    path = "/v1/games/join",
    tag = "games",
    params(IdempotencyKey),
    request_body = JoinByCode,
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 200, description = "The game, started", body = GameView),
        (status = 404, description = "`game_not_found`: no game waits under this code"),
        (status = 409, description = "`own_game`, `game_not_waiting`; `not_allowed`: a guest plays no rated game"),
    ),
)]
async fn join_by_code(
    State(app): State<App>,
    caller: Caller,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Body(body): Body<JoinByCode>,
) -> Result<Response, Problem> {
    caller.require_any(&[Scope::Play, Scope::Challenge])?;
    app.rates.check(Rate::Creation, caller.number())?;
    app.rates.look(Rate::WrongCode, from)?;
    let code = body.join_code.trim().to_ascii_uppercase();
    let keyed = look_up(&app, &caller, &headers, &["/v1/games/join", &code]).await?;
    if let Keyed::Again(first) = keyed {
        return show_again(&app, first.table, first.version, &caller).await;
    }
    let Some(id) = app.store.by_join_code(&code).await? else {
        app.rates.count(Rate::WrongCode, from);
        return Err(Problem::game_not_found());
    };
    let game = join_once(&app, &caller, id, true, &keyed).await?;
    match keyed {
        Keyed::None => show(&app, id, &game, Some(caller.number())).await,
        _ => show_again(&app, id, game.version(), &caller).await,
    }
}

/// Takes the empty seat.
pub(super) async fn join(
    app: &App,
    caller: &Caller,
    id: TableId,
    by_code: bool,
) -> Result<std::sync::Arc<Game>, Problem> {
    join_once(app, caller, id, by_code, &Keyed::None).await
}

/// The same under a key.
pub(super) async fn join_once(
    app: &App,
    caller: &Caller,
    id: TableId,
    by_code: bool,
    keyed: &Keyed,
) -> Result<std::sync::Arc<Game>, Problem> {
    let waiting = app.games.read(id, None).await?;
    if !by_code && !may_see(&waiting, Some(caller)) {
        return Err(Problem::game_not_found());
    }
    if room::is_removed(app, id, &waiting, caller.number()).await? {
        return Err(Problem::game_not_found());
    }
    if waiting.terms().rated && is_guest(&caller.person) {
        return Err(Problem::new(Kind::Conflict, "not_allowed", FOR_GUESTS));
    }
    // Who has a seat already joins nothing, and hears what a retry hears.
    if waiting.seat_of(caller.number()).is_none() {
        has_room_for_more(app, caller.number()).await?;
    }
    let toss = if rand::rng().random() {
        Color::White
    } else {
        Color::Black
    };
    let command = Command::Join { toss, by_code };
    let outcome = app
        .games
        .submit(id, caller.actor(), command, app.now(), keyed.remember())
        .await?;
    settled(outcome, caller)
}
