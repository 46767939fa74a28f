//! Games to take away: one, those of a player, those of a list of ids.
//!
//! As PGN, or as JSON for whoever asks for it. What somebody sees of a game is what they
//! may see of it anywhere: running games as they are, unless spectators are behind.

pub(super) mod card;
mod filter;
pub(super) mod flags;
pub(super) mod game;
pub(super) mod pgn;
mod walk;

use std::cmp::Reverse;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chess::game::Game;
use chess::table::State as TableState;
use futures_util::stream::iter;
use futures_util::{StreamExt, TryStreamExt};
use store::{RatedGame, TableId};

use self::card::Card;
use self::filter::Filter;
use self::flags::{Flags, Form};
use self::walk::Walk;
use super::Call;
use super::body::{Asked, Text};
use super::caller::{Base, game_id};
use super::error::Error;
use super::ndjson::{NDJSON, line};
use super::reader::{AT_ONCE, Reader, game_ids};
use crate::auth::Caller;
use crate::http::{ClientAddress, Path};
use crate::limits::rates::Rate;
use crate::play::lists::{self, Wanted};
use crate::play::look::look;
use crate::play::names::{Names, people};
use crate::play::pgn::written;
use crate::play::{App, Sight, analysis, ratings};
use crate::problem::{Kind, Problem};

const PGN: &str = "application/x-chess-pgn";
const JSON: &str = "application/json";

/// Ids that one request may name.
const IDS_MAX: usize = 300;

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    vec![
        Call::get("/game/export/{id}", one),
        Call::get("/api/games/user/{name}", of_player),
        Call::post("/api/games/export/_ids", by_ids),
        Call::get("/api/user/{name}/current-game", current),
    ]
}

/// How games are written, for whom.
pub(super) struct Writer {
    pub(super) app: App,
    pub(super) base: Base,
    pub(super) form: Form,
    pub(super) flags: Flags,
}

/// A game, and what is asked once for many.
pub(super) struct Page {
    app: App,
    pub(super) sights: Vec<Sight>,
    names: Arc<Names>,
    rated: std::collections::HashMap<TableId, RatedGame>,
}

impl Page {
    /// Who plays these, and what they did to ratings.
    pub(super) async fn of(app: &App, sights: Vec<Sight>) -> Result<Page, Problem> {
        let named = sights.iter().flat_map(|sight| people(&sight.game));
        let named: Vec<_> = named.collect();
        let names = Arc::new(Names::of(app, named).await?);
        let finished = sights.iter().map(|sight| (sight.id, &*sight.game));
        let rated = ratings::of_games(app, finished).await?;
        Ok(Page {
            app: app.clone(),
            sights,
            names,
            rated,
        })
    }

    /// What is written of a game besides its record.
    pub(super) fn card(&self, base: &Base, sight: &Sight) -> Card {
        let rated = self.rated.get(&sight.id);
        Card::new(&self.app, base, sight.id, &sight.game, &self.names, rated)
    }
}

impl Writer {
    /// One of the games, with the end that tells it from the next.
    pub(super) async fn write(&self, page: &Page, sight: &Sight) -> Result<String, Problem> {
        let mut card = page.card(&self.base, sight);
        if self.flags.evals {
            card.evals = analysis::evals(&self.app, sight).await?;
        }
        let (form, flags) = (self.form, self.flags);
        let write = move |game: &Game| match form {
            Form::Pgn => pgn::write(game, &card, flags),
            Form::Json => format!("{}\n", line(&game::write(game, &card, flags))),
        };
        written(&self.app, &sight.game, write).await
    }

    /// All of them at once.
    async fn text_of(&self, sights: Vec<Sight>) -> Result<String, Problem> {
        let page = Page::of(&self.app, sights).await?;
        let mut text = String::new();
        for sight in &page.sights {
            text += &self.write(&page, sight).await?;
        }
        Ok(text)
    }

    /// A few, in one answer.
    pub(super) async fn few(&self, sights: Vec<Sight>) -> Result<Response, Error> {
        let text = self.text_of(sights).await?;
        Ok((self.many(), text).into_response())
    }

    async fn one(&self, sight: Sight) -> Result<Response, Error> {
        let text = self.text_of(vec![sight]).await?;
        let kind = match self.form {
            Form::Pgn => PGN,
            Form::Json => JSON,
        };
        Ok((told(kind), text).into_response())
    }

    pub(super) fn many(&self) -> HeaderMap {
        told(match self.form {
            Form::Pgn => PGN,
            Form::Json => NDJSON,
        })
    }
}

fn told(kind: &'static str) -> HeaderMap {
    HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::VARY, HeaderValue::from_static("accept")),
    ])
}

/// Whether something is a game to this door's clients: nothing is that nobody joined.
pub(super) fn is_game(game: &Game) -> bool {
    game.started_at().is_some()
}

/// A game that the reader may see.
///
/// # Errors
/// `game_not_found`.
pub(super) async fn seen(app: &App, id: TableId, who: &Reader) -> Result<Sight, Problem> {
    let sight = look(app, id, who.0.as_ref()).await?;
    match is_game(&sight.game) {
        true => Ok(sight),
        false => Err(Problem::game_not_found()),
    }
}

async fn one(
    State(app): State<App>,
    who: Reader,
    base: Base,
    Path(id): Path<String>,
    Asked(asked): Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let sight = seen(&app, game_id(&id)?, &who).await?;
    let writer = Writer {
        app,
        base,
        form: Form::of(&headers),
        flags: Flags::of_one(&asked),
    };
    writer.one(sight).await
}

async fn of_player(
    State(app): State<App>,
    who: Reader,
    base: Base,
    ClientAddress(from): ClientAddress,
    Path(name): Path<String>,
    Asked(asked): Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    match who.number() {
        Some(number) => app.rates.check(Rate::Export, number)?,
        None => app.rates.check(Rate::Export, from)?,
    }
    let filter = Filter::read(&app, name, &asked).await?;
    let writer = Writer {
        app,
        base,
        form: Form::of(&headers),
        flags: Flags::of_many(&asked),
    };
    let headers = writer.many();
    let walk = Walk::open(writer, who.0, filter).await?;
    Ok((headers, walk.into_body()).into_response())
}

async fn by_ids(
    State(app): State<App>,
    who: Reader,
    base: Base,
    ClientAddress(from): ClientAddress,
    Asked(asked): Asked,
    headers: HeaderMap,
    Text(ids): Text,
) -> Result<Response, Error> {
    app.rates.check(Rate::Bulk, from)?;
    let found = iter(game_ids(&ids, IDS_MAX)?).map(|id| {
        let (app, who) = (&app, &who);
        async move {
            match seen(app, id, who).await {
                Err(problem) if problem.kind == Kind::Missing => Ok(None),
                seen => seen.map(Some),
            }
        }
    });
    let found: Vec<Option<Sight>> = found.buffered(AT_ONCE).try_collect().await?;
    let mut sights: Vec<Sight> = found.into_iter().flatten().collect();
    sights.sort_by_key(|sight| Reverse((sight.game.created_at(), sight.id)));
    let writer = Writer {
        app,
        base,
        form: Form::of(&headers),
        flags: Flags::of_many(&asked),
    };
    writer.few(sights).await
}

async fn current(
    State(app): State<App>,
    who: Reader,
    base: Base,
    Path(name): Path<String>,
    Asked(asked): Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let caller = who.0.as_ref();
    let states = [
        TableState::Active,
        TableState::Paused,
        TableState::Completed,
    ];
    for state in states {
        if let Some(sight) = newest(&app, caller, &name, state).await? {
            let writer = Writer {
                app,
                base,
                form: Form::of(&headers),
                flags: Flags::of_one(&asked),
            };
            return writer.one(sight).await;
        }
    }
    Err(Error::not_found("No such game"))
}

/// The newest game of a player in that state, if they have one that was begun.
async fn newest(
    app: &App,
    caller: Option<&Caller>,
    name: &str,
    state: TableState,
) -> Result<Option<Sight>, Problem> {
    let mut after = None;
    loop {
        let wanted = Wanted {
            state: Some(state),
            player: Some(name.to_owned()),
            variant: None,
            after,
            only: Default::default(),
            oldest_first: false,
            limit: 10,
        };
        let page = lists::page(app, caller, wanted).await?;
        let found = page.games.into_iter().find(|sight| is_game(&sight.game));
        if found.is_some() || page.next.is_none() {
            return Ok(found);
        }
        after = page.next;
    }
}
