//! A game in this door's words: as a stream of it tells it, and as events do.

use axum::extract::ws::Utf8Bytes;
use chess::clock::ClockStart;
use chess::game::{ColorChoice, Game, Offer};
use chess::rules::{Start, Variant};
use chess::table::PlayerId;
use chess::{Color, Timestamp};
use serde_json::{Map, Value, json};
use store::{RatedGame, TableId};

use super::ndjson::line;
use super::vocab::{self, NO_CLOCK_MS, Rules, Status};
use crate::auth::{Names, Person};
use crate::play::App;

/// `{id, name, title?}`: somebody, briefly.
pub(super) fn light(person: &Person) -> Value {
    let mut user = json!({ "id": person.id, "name": person.name });
    if let Some(title) = &person.title {
        user["title"] = json!(title);
    }
    user
}

/// All moves that stand, in UCI.
pub(super) fn moves(app: &App, id: TableId, game: &Game) -> String {
    if Rules::of(game).king_takes_rook() {
        let line = game.line();
        let moves = line.iter().map(|played| played.uci.unpack().to_string());
        return moves.collect::<Vec<_>>().join(" ");
    }
    app.scores.of(id, game).0.join(" ")
}

/// Where the game began: `startpos`, or a position.
pub(super) fn initial_fen(game: &Game) -> String {
    match (game.creation().start, game.terms().variant) {
        (Start::Usual, variant) if variant != Variant::Chess960 => "startpos".into(),
        _ => game.start_board().fen(),
    }
}

/// The first line of a game's stream: all of it.
pub(super) fn full(app: &App, id: TableId, game: &Game, names: &Names, now: Timestamp) -> Value {
    let category = vocab::category(game);
    let mut full = json!({
        "type": "gameFull",
        "id": id.to_string(),
        "variant": Rules::of(game).json(),
        "speed": vocab::speed(game.terms().control.speed()),
        "perf": { "name": vocab::perf_name(category) },
        "rated": game.terms().rated,
        "createdAt": game.created_at().0,
        "white": player(game, Color::White, names),
        "black": player(game, Color::Black, names),
        "initialFen": initial_fen(game),
        "state": state(app, id, game, now),
    });
    if let Some((initial, increment)) = vocab::clock(&game.terms().control) {
        full["clock"] = json!({ "initial": initial.0, "increment": increment.0 });
    }
    if let Some(days) = vocab::days(&game.terms().control) {
        full["daysPerTurn"] = json!(days);
    }
    full
}

/// One of the players; a title is said also if there is none.
fn player(game: &Game, color: Color, names: &Names) -> Value {
    let seat = *game.seats().get(color);
    let Some(person) = seat.and_then(|player| names.get(player)) else {
        return json!({ "id": null, "name": "?", "title": null });
    };
    let mut player = json!({
        "id": person.id,
        "name": person.name,
        "title": person.title,
    });
    if let Some(rating) = game.start_ratings().get(color) {
        player["rating"] = json!(rating.points);
        if rating.provisional {
            player["provisional"] = json!(true);
        }
    }
    player
}

/// How a game stands: every line of its stream after the first that is about moves,
/// offers, clocks or the end.
pub(super) fn state(app: &App, id: TableId, game: &Game, now: Timestamp) -> Value {
    let status = Status::of(game);
    let clocks = game.clocks(game.ended_at().unwrap_or(now));
    let left = |color: Color| {
        let left = clocks.as_ref().map(|clocks| u64::from(clocks.get(color).0));
        left.unwrap_or(NO_CLOCK_MS)
    };
    let increment = vocab::clock(&game.terms().control).map_or(0, |(_, increment)| increment.0);
    let mut state = json!({
        "type": "gameState",
        "moves": moves(app, id, game),
        "wtime": left(Color::White),
        "btime": left(Color::Black),
        "winc": increment,
        "binc": increment,
        "status": status.name,
    });
    if let Some(winner) = game.ending().and_then(|ending| ending.winner()) {
        state["winner"] = json!(vocab::color(winner));
    }
    if game.ending().is_none() {
        for (offer, names) in [
            (Offer::Draw, ["wdraw", "bdraw"]),
            (Offer::Takeback, ["wtakeback", "btakeback"]),
        ] {
            if let Some(by) = game.offer(offer) {
                state[by.fold_wb(names[0], names[1])] = json!(true);
            }
        }
        if let Some(expiration) = expiration(game, now) {
            state["expiration"] = expiration;
        }
    }
    state
}

/// How long the first moves may still take, before the clocks run.
fn expiration(game: &Game, now: Timestamp) -> Option<Value> {
    let terms = game.terms();
    if game.ply() >= 2 || terms.clock_start != ClockStart::SecondPly {
        return None;
    }
    let limit = terms.control.speed().first_move_limit()?;
    let left = game.deadline()?.since(now);
    let idle = u64::from(limit.0).saturating_sub(u64::from(left.0));
    Some(json!({ "idleMillis": idle, "millisToMove": limit.0 }))
}

/// The same as a line.
pub(super) fn state_line(app: &App, id: TableId, game: &Game, now: Timestamp) -> Utf8Bytes {
    line(&state(app, id, game, now))
}

/// A game as one of its players is told of it in events and lists.
pub(super) struct Info<'a> {
    pub(super) app: &'a App,
    pub(super) id: TableId,
    pub(super) game: &'a Game,
    pub(super) player: PlayerId,
    pub(super) names: &'a Names,
    pub(super) rated: Option<&'a RatedGame>,
    pub(super) now: Timestamp,
}

impl Info<'_> {
    /// The whole of it, as events have it; `None` if they do not play there.
    pub(super) fn event(&self) -> Option<Value> {
        let mut info = self.entry()?;
        info["id"] = json!(self.id.to_string());
        info["compat"] = compat();
        Some(info)
    }

    /// The same without what only events have.
    pub(super) fn entry(&self) -> Option<Value> {
        let Info { game, .. } = self;
        let color = game.seat_of(self.player)?;
        let rules = Rules::of(game);
        let id = self.id.to_string();
        let ply = game.ply();
        let is_over = game.ending().is_some();
        let mut info = json!({
            "gameId": id,
            "fullId": full_id(&id, color),
            "fen": game.board().fen(),
            "color": vocab::color(color),
            "lastMove": last_move(self.app, self.id, game),
            "source": self.source(),
            "status": Status::of(game).json(),
            "variant": { "key": rules.key(), "name": rules.name() },
            "speed": vocab::speed(game.terms().control.speed()),
            "perf": vocab::perf(vocab::category(game)),
            "rated": game.terms().rated,
            "hasMoved": ply > color.fold_wb(0, 1),
            "isMyTurn": !is_over && game.turn() == color,
            "opponent": self.opponent(!color),
        });
        let more = info.as_object_mut()?;
        self.add_clock(more, color);
        self.add_rating(more, color);
        if let Some(winner) = game.ending().and_then(|ending| ending.winner()) {
            more.insert("winner".into(), json!(vocab::color(winner)));
        }
        Some(info)
    }

    fn add_clock(&self, info: &mut Map<String, Value>, color: Color) {
        let at = self.game.ended_at().unwrap_or(self.now);
        if let Some(clocks) = self.game.clocks(at) {
            info.insert("secondsLeft".into(), json!(clocks.get(color).as_secs()));
        }
    }

    fn add_rating(&self, info: &mut Map<String, Value>, color: Color) {
        if let Some(rating) = self.game.start_ratings().get(color) {
            info.insert("rating".into(), json!(rating.points));
        }
        if let Some(diff) = self.diff(color) {
            info.insert("ratingDiff".into(), json!(diff));
        }
    }

    fn diff(&self, color: Color) -> Option<i64> {
        let change = self.rated?.changes.get(color);
        Some(i64::from(change.after.points()) - i64::from(change.before.points()))
    }

    fn opponent(&self, color: Color) -> Value {
        let seat = *self.game.seats().get(color);
        let person = seat.and_then(|player| self.names.get(player));
        let mut opponent = json!({
            "id": person.map(|person| &person.id),
            "username": person.map_or("?", |person| &person.name),
        });
        if let Some(rating) = self.game.start_ratings().get(color) {
            opponent["rating"] = json!(rating.points);
        }
        if let Some(diff) = self.diff(color) {
            opponent["ratingDiff"] = json!(diff);
        }
        opponent
    }

    fn source(&self) -> &'static str {
        source(self.app, self.game)
    }
}

/// How a game came about: against a bot of the server's, paired from the queue, by a
/// challenge, or because somebody joined an open game.
pub(super) fn source(app: &App, game: &Game) -> &'static str {
    let creation = game.creation();
    let mut players = game.seats().iter().flatten();
    // The matchmaker makes its games for two who have not chosen, and they begin at once.
    let is_paired = creation.color == ColorChoice::Random
        && creation.rematch_of.is_none()
        && game.started_at() == Some(game.created_at());
    match game.opponent() {
        _ if players.any(|player| app.house.bot(*player).is_some()) => "ai",
        Some(_) if is_paired => "pool",
        Some(_) => "friend",
        None => "lobby",
    }
}

/// A player's own id of a game: the id, and four more that say which side.
pub(super) fn full_id(id: &str, color: Color) -> String {
    format!("{id}{}", color.fold_wb("whit", "blac"))
}

/// The last move that stands, in UCI; nothing before the first.
pub(super) fn last_move(app: &App, id: TableId, game: &Game) -> String {
    let moves = moves(app, id, game);
    moves.rsplit(' ').next().unwrap_or_default().to_owned()
}

/// By which of the two APIs a game can be played: by both, at whatever speed.
pub(super) fn compat() -> Value {
    json!({ "bot": true, "board": true })
}
