//! An event as JSON: what is pulled, and what webhooks are sent.

use chess::game::{Game, MoveReport};
use chess::skill::Match;
use chess::table::PlayerId;
use chess::{ByColor, Color};
use serde::Serialize;
use store::{EventKind, OutboxEvent, RatedGame, TableId};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::doors::native::games::time_control::TimeControlJson;
use crate::doors::native::games::view::{Sides, clock_views, color_name, visibility};
use crate::play::App;
use crate::play::events::tables::{Then, then};
use crate::play::names::Names;
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// Something that happened.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Event)]
pub(crate) struct EventView {
    /// Opaque; later events of one game have greater ones. Whoever was told it knows it.
    id: String,
    /// `GameCreated`, `GameStarted`, `MovePlayed`, `GameEnded`, `RatingChanged`, `MatchEnded`
    /// or `PlayerReported`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// When it happened.
    #[schema(format = DateTime)]
    at: String,
    /// In which game or match; `null`: in none.
    game_id: Option<String>,
    /// With which version of it; 0 without one.
    version: u32,
    /// What it was.
    data: EventData,
}

/// What an event says: of a game as it was then. Which fields there are depends on the type.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct EventData {
    /// White; `null` while it is not known who.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<EventPlayer>)]
    white: Option<Option<EventPlayer>>,
    /// Black; `null` while it is not known who.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<EventPlayer>)]
    black: Option<Option<EventPlayer>>,
    /// Who made the game: its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    creator: Option<String>,
    /// Whom it is meant for, if for somebody: their id.
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: Option<String>,
    /// The clock that was agreed on; `null`: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<TimeControlJson>)]
    time_control: Option<Option<TimeControlJson>>,
    /// The rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'static str>,
    /// Whether ratings change.
    #[serde(skip_serializing_if = "Option::is_none")]
    rated: Option<bool>,
    /// `public`, `private` or `members`.
    #[serde(skip_serializing_if = "Option::is_none")]
    visibility: Option<&'static str>,
    /// The half-moves played.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    /// The position.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// `white` or `black`.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_move: Option<&'static str>,
    /// The move in UCI.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#move: Option<String>,
    /// The move in standard algebraic notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    /// Both clocks in milliseconds, after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_ms: Option<Sides<u32>>,
    /// `white_wins`, `black_wins`, `draw` or `aborted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    /// Why it ended, or what a report is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// `white` or `black`.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    /// Where the game can be had with its moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pgn_url: Option<String>,
    /// For which ratings it counts: a speed or a variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'static str>,
    /// The report's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    report_id: Option<u64>,
    /// The id of who was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    reported: Option<String>,
    /// The id of who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    reporter: Option<String>,
}

/// A player of the game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventPlayer {
    /// The account's id.
    id: String,
    /// The account's UUID.
    #[schema(format = "uuid")]
    uuid: String,
    /// The name as its owner writes it.
    name: String,
    /// The rating with which the game began; `null`: none.
    rating_before: Option<u32>,
    /// The rating after it; `null` if the game did not change it.
    rating_after: Option<u32>,
}

impl EventView {
    /// The event as it is told.
    ///
    /// # Errors
    /// `unavailable`: the store cannot say.
    pub(crate) async fn of(app: &App, event: &OutboxEvent) -> Result<EventView, Problem> {
        let data = match event.report {
            Some(report) => reported(app, report).await?,
            None => match (event.table, then(app, event).await?) {
                (Some(id), Some(Then::Game(game, made))) => {
                    of_game(app, id, event.kind, &game, made).await?
                }
                (_, Some(Then::Match(played))) => of_match(app, &played).await?,
                _ => EventData::default(),
            },
        };
        Ok(EventView {
            id: event.place.to_string(),
            kind: event.kind.name(),
            at: rfc3339(event.at),
            game_id: event.table.map(|id| id.to_string()),
            version: event.version,
            data,
        })
    }

    /// Whether what it is about is still there.
    pub(super) fn has_data(&self) -> bool {
        self.data.white.is_some() || self.data.report_id.is_some()
    }
}

async fn of_game(
    app: &App,
    id: TableId,
    kind: EventKind,
    game: &Game,
    made: Option<MoveReport>,
) -> Result<EventData, Problem> {
    let seats = game.seats();
    let creator = game.creator();
    let all = [Some(creator), game.opponent(), seats.white, seats.black];
    let names = Names::of(app, all.into_iter().flatten()).await?;
    let is_over = matches!(kind, EventKind::GameEnded | EventKind::RatingChanged);
    let rated = match is_over && game.terms().rated {
        true => app.store.rated_game(id).await?,
        false => None,
    };
    let side = |color| Some(game_player(game, color, &names, rated.as_ref()));
    let data = EventData {
        white: side(Color::White),
        black: side(Color::Black),
        variant: Some(game.terms().variant.name()),
        rated: Some(game.terms().rated),
        time_control: Some(TimeControlJson::of(&game.terms().control)),
        ply: Some(game.ply()),
        fen: Some(game.board().fen()),
        ..EventData::default()
    };
    Ok(match kind {
        EventKind::GameCreated => EventData {
            creator: Some(names.id(creator)),
            opponent: game.opponent().map(|player| names.id(player)),
            visibility: Some(visibility(game.terms())),
            ..data
        },
        EventKind::MovePlayed => {
            let clock_ms = made.as_ref().and_then(|made| clock_views(made.clocks).1);
            EventData {
                to_move: Some(color_name(game.turn())),
                r#move: made.as_ref().map(|made| made.uci.clone()),
                san: made.map(|made| made.san),
                clock_ms,
                ..data
            }
        }
        EventKind::GameEnded => {
            let ending = game.ending();
            EventData {
                result: ending.map(|ending| ending.result()),
                reason: ending.map(|ending| ending.reason().to_owned()),
                winner: ending.and_then(|ending| ending.winner()).map(color_name),
                pgn_url: Some(pgn_url(app, id)),
                ..data
            }
        }
        EventKind::RatingChanged => EventData {
            category: rated.map(|rated| rated.category.name()),
            ..data
        },
        _ => data,
    })
}

fn game_player(
    game: &Game,
    color: Color,
    names: &Names,
    rated: Option<&RatedGame>,
) -> Option<EventPlayer> {
    let began = *game.start_ratings().get(color);
    let began = began.map(|rating| u32::from(rating.points));
    let change = rated.map(|rated| rated.changes.get(color));
    let before = change.map(|change| change.before.points());
    let player = *game.seats().get(color);
    let mut player = player_of(player?, names);
    player.rating_before = before.or(began);
    player.rating_after = change.map(|change| change.after.points());
    Some(player)
}

fn player_of(player: PlayerId, names: &Names) -> EventPlayer {
    let person = names.get(player);
    let name = person.map(|person| person.display_name.as_ref().unwrap_or(&person.name).clone());
    EventPlayer {
        id: names.id(player),
        uuid: person
            .map_or(Uuid::nil(), |it| Uuid::from_bytes(it.uuid))
            .to_string(),
        name: name.unwrap_or_default(),
        rating_before: None,
        rating_after: None,
    }
}

async fn of_match(app: &App, played: &Match) -> Result<EventData, Problem> {
    let seats: ByColor<Option<PlayerId>> = played.seats();
    let names = Names::of(app, seats.iter().flatten().copied()).await?;
    let side = |color| {
        let player = *seats.get(color);
        Some(player.map(|player| player_of(player, &names)))
    };
    let summary = chess::table::Table::summary(played);
    Ok(EventData {
        white: side(Color::White),
        black: side(Color::Black),
        variant: Some(summary.variant),
        rated: Some(false),
        ply: Some(summary.ply),
        fen: Some(summary.fen),
        result: summary.result,
        reason: summary.reason.map(str::to_owned),
        ..EventData::default()
    })
}

async fn reported(app: &App, id: u64) -> Result<EventData, Problem> {
    let Some(report) = app.store.report_by_id(id).await? else {
        return Ok(EventData::default());
    };
    let people = [Some(report.reported), report.reporter];
    let names = Names::of(app, people.into_iter().flatten()).await?;
    Ok(EventData {
        report_id: Some(id),
        reason: Some(report.reason),
        reported: Some(names.id(report.reported)),
        reporter: report.reporter.map(|who| names.id(who)),
        ..EventData::default()
    })
}

fn pgn_url(app: &App, id: TableId) -> String {
    let base = app.settings.public_url.as_deref().unwrap_or_default();
    format!("{}/v1/games/{id}/pgn", base.trim_end_matches('/'))
}
