//! Games worth watching, by channel.

mod feed;

use std::cmp::Reverse;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use chess::Color;
use chess::clock::Speed;
use chess::game::Game;
use chess::rules::Variant;
use chess::table::PlayerId;
use serde_json::{Map, Value, json};

use self::feed::Feed;
use super::Call;
use super::body::Asked;
use super::caller::{BOT, Base};
use super::error::Error;
use super::export::card::User;
use super::export::flags::{Flags, Form};
use super::export::{Page, Writer};
use super::ndjson;
use super::reader::Reader;
use super::vocab::{self, Rules};
use crate::http::{ClientAddress, Path};
use crate::play::names::Names;
use crate::play::{App, Sight};
use crate::problem::Problem;

/// Games of a channel that are told of.
const GAMES: usize = 10;
const GAMES_MAX: usize = 30;

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    vec![
        Call::get("/api/tv/channels", channels),
        Call::get("/api/tv/feed", best_feed),
        Call::get("/api/tv/{channel}/feed", feed),
        Call::get("/api/tv/{channel}", games),
    ]
}

/// What a channel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    /// Whatever runs.
    Best,
    /// Standard chess between people, of one speed.
    Of(Speed),
    /// A variant.
    Variant(Variant),
    /// Programs play.
    Bot,
    /// The server's own do.
    Computer,
}

impl Channel {
    fn all() -> impl Iterator<Item = Channel> {
        let speeds = [
            Speed::Bullet,
            Speed::Blitz,
            Speed::Rapid,
            Speed::Classical,
            Speed::UltraBullet,
        ];
        let variants = Variant::ALL.into_iter().skip(1).map(Channel::Variant);
        [Channel::Best, Channel::Bot, Channel::Computer]
            .into_iter()
            .chain(speeds.into_iter().map(Channel::Of))
            .chain(variants)
    }

    fn key(self) -> &'static str {
        match self {
            Channel::Best => "best",
            Channel::Of(speed) => vocab::speed(speed),
            Channel::Variant(variant) => Rules::Of(variant).key(),
            Channel::Bot => "bot",
            Channel::Computer => "computer",
        }
    }

    fn named(name: &str) -> Result<Channel, Error> {
        let found = Channel::all().find(|channel| channel.key().eq_ignore_ascii_case(name));
        found.ok_or_else(|| Error::not_found("No such channel"))
    }

    /// Whether a game is shown there.
    fn shows(self, app: &App, game: &Game, names: &Names) -> bool {
        let terms = game.terms();
        let mut players = game.seats().iter().flatten().copied();
        let is_bot = |player: PlayerId| names.title(player).as_deref() == Some(BOT);
        match self {
            Channel::Best => true,
            Channel::Of(speed) => {
                Rules::of(game) == Rules::Of(Variant::Standard)
                    && terms.control.speed() == speed
                    && !players.any(is_bot)
            }
            Channel::Variant(variant) => terms.variant == variant,
            Channel::Bot => players.any(is_bot),
            Channel::Computer => players.any(|player| app.rooms.residents().has(player)),
        }
    }
}

/// Those of the games that a channel shows, between the strongest first.
async fn shown(app: &App, games: &[Sight], channel: Channel) -> Result<Vec<Sight>, Problem> {
    let players = games.iter().flat_map(|sight| sight.game.seats().iter());
    let players: Vec<PlayerId> = players.flatten().copied().collect();
    let names = Names::of(app, players).await?;
    let games = games.iter();
    let mut games: Vec<Sight> = games
        .filter(|sight| channel.shows(app, &sight.game, &names))
        .cloned()
        .collect();
    // Of those alike the liveliest stay first.
    games.sort_by_key(|sight| Reverse(strength(&sight.game)));
    Ok(games)
}

fn strength(game: &Game) -> u32 {
    let ratings = game.start_ratings();
    let points = ratings.iter().flatten();
    points.map(|rating| u32::from(rating.points)).sum()
}

/// The side that a game is shown from: that of the stronger.
fn orientation(game: &Game) -> Color {
    let ratings = game.start_ratings();
    let points = |color| ratings.get(color).map_or(0, |rating| rating.points);
    match points(Color::Black) > points(Color::White) {
        true => Color::Black,
        false => Color::White,
    }
}

async fn channels(State(app): State<App>, _: Reader, base: Base) -> Result<Json<Value>, Error> {
    let games = app.guide.games(&app).await?;
    let mut told = Map::new();
    for channel in Channel::all() {
        let best = shown(&app, &games, channel).await?.into_iter().next();
        let Some(sight) = best else { continue };
        let page = Page::of(&app, vec![sight.clone()]).await?;
        let card = page.card(&base, &sight);
        let color = orientation(&sight.game);
        let side = card.players.get(color);
        let entry = json!({
            "user": side.user.as_ref().map(User::json),
            "rating": side.rating.map(|rating| rating.points),
            "gameId": card.id,
            "color": vocab::color(color),
        });
        told.insert(channel.key().to_owned(), entry);
    }
    Ok(Json(Value::Object(told)))
}

async fn best_feed(
    State(app): State<App>,
    who: Reader,
    base: Base,
    ClientAddress(from): ClientAddress,
) -> Result<Response, Error> {
    let place = app.rooms.place(who.number(), from)?;
    let feed = Feed::open(app, who.0, base, Channel::Best);
    Ok(ndjson::serve(feed, place))
}

async fn feed(
    State(app): State<App>,
    who: Reader,
    base: Base,
    ClientAddress(from): ClientAddress,
    Path(channel): Path<String>,
) -> Result<Response, Error> {
    let channel = Channel::named(&channel)?;
    let place = app.rooms.place(who.number(), from)?;
    Ok(ndjson::serve(Feed::open(app, who.0, base, channel), place))
}

async fn games(
    State(app): State<App>,
    _: Reader,
    base: Base,
    Path(channel): Path<String>,
    Asked(asked): Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let channel = Channel::named(&channel)?;
    let wanted = asked.number("nb")?.unwrap_or(GAMES).clamp(1, GAMES_MAX);
    let running = app.guide.games(&app).await?;
    let mut games = shown(&app, &running, channel).await?;
    games.truncate(wanted);
    let writer = Writer {
        app,
        base,
        form: Form::of(&headers),
        flags: Flags::of_many(&asked),
    };
    writer.few(games).await
}
