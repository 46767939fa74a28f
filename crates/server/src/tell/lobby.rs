//! Tells those who read the lobby how it stands, a few times a second at most.
//!
//! The first change after a while is told at once. What comes meanwhile is told
//! together: a game that came and went is not told at all.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use chess::game::Game;
use chess::table::State;
use store::{ListQuery, TableId};
use tokio::time::sleep;

use crate::auth::Names;
use crate::games::Listed;
use crate::play::App;
use crate::play::names::people;
use crate::rooms::lobby::{Heard, KEPT_MAX, Open, Page, Turn};
use crate::rooms::news::OpenGame;
use crate::rooms::{News, What};

/// How often it is told.
const EVERY: Duration = Duration::from_millis(250);
/// When the store is asked again that could not say.
const AGAIN: Duration = Duration::from_secs(1);

/// Tells, for as long as the server runs. If it was stopped in the middle, what it
/// had in hand is lost: the store is read.
pub async fn run(app: App) {
    let lobby = app.rooms.lobby();
    lobby.lost();
    loop {
        lobby.stirred().await;
        let Some(turn) = lobby.turn() else {
            continue;
        };
        let pause = match look(&app, &turn).await {
            Ok((page, opened)) => {
                lobby.put_up(&turn, page, opened);
                EVERY
            }
            Err(error) => {
                tracing::warn!(%error, "the lobby could not be read");
                lobby.put_off(turn);
                AGAIN
            }
        };
        sleep(pause).await;
    }
}

/// What the store lists, if it is to be read, and the games that were heard of.
async fn look(app: &App, turn: &Turn) -> Result<(Option<Page>, Vec<Arc<Open>>), store::Error> {
    let heard = turn.heard.iter().filter_map(|(id, heard)| match heard {
        Heard::Open(game) => Some((*id, Arc::clone(game))),
        Heard::Gone(_) => None,
    });
    let heard: Vec<Waiting> = heard.collect();
    let opened = named(app, heard).await?;
    let page = match turn.must_read {
        true => Some(read(app).await?),
        false => None,
    };
    Ok((page, opened))
}

/// A game that waits for whoever comes.
type Waiting = (TableId, Arc<Game>);

async fn read(app: &App) -> Result<Page, store::Error> {
    let query = ListQuery {
        kind: Some(Game::KIND),
        state: Some(State::Waiting),
        is_addressed: Some(false),
        limit: KEPT_MAX as u32,
        ..ListQuery::default()
    };
    let listed = app.games.list(query).await?;
    let is_cut = listed.len() >= KEPT_MAX;
    let mut passed_over = HashSet::new();
    let mut waiting: Vec<Waiting> = Vec::with_capacity(listed.len());
    for Listed { place, game, .. } in listed {
        match game.filter(|game| game.is_open()) {
            Some(game) => waiting.push((place.table, game)),
            None => {
                passed_over.insert(place.table);
            }
        }
    }
    Ok(Page {
        open: named(app, waiting).await?,
        passed_over,
        is_cut,
    })
}

/// Who they all are is asked at once.
async fn named(app: &App, waiting: Vec<Waiting>) -> Result<Vec<Arc<Open>>, store::Error> {
    if waiting.is_empty() {
        return Ok(Vec::new());
    }
    let everybody = waiting.iter().flat_map(|(_, game)| people(game));
    let everybody: HashSet<_> = everybody.collect();
    let names = Arc::new(Names::of(app, everybody).await?);
    let open = |(id, game): Waiting| {
        let open = OpenGame {
            id,
            game: Arc::clone(&game),
            names: Arc::clone(&names),
        };
        let news = News::of(What::Open(open));
        Arc::new(Open { id, game, news })
    };
    Ok(waiting.into_iter().map(open).collect())
}
