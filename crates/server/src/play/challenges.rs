//! Challenges: games that wait for somebody in particular.

use chess::game::Game;
use chess::table::{State, Table};
use store::{Cursor, ListQuery};

use super::App;
use super::lists::Page;
use super::look::Sight;
use crate::auth::Caller;
use crate::games::Listed;
use crate::problem::Problem;

/// A page of the challenges that the caller made, and of those made to them, newest
/// first.
///
/// # Errors
/// `unavailable` if the store cannot say.
pub(crate) async fn page(
    app: &App,
    caller: &Caller,
    after: Option<Cursor>,
    limit: u32,
) -> Result<Page, Problem> {
    let who = Some(caller.number());
    let query = ListQuery {
        kind: Some(Game::KIND),
        state: Some(State::Waiting),
        player: who,
        viewer: who,
        is_addressed: Some(true),
        after,
        limit,
        ..ListQuery::default()
    };
    let found = app.games.list(query).await?;
    let is_all = (found.len() as u32) < limit;
    let next = found.last().map(|last| last.place).filter(|_| !is_all);
    let mut games = Vec::with_capacity(found.len());
    for Listed {
        place,
        game,
        join_code,
    } in found
    {
        // What was answered since the store was asked is left out.
        let game = game.filter(|game| game.state() == State::Waiting);
        games.extend(game.map(|game| Sight {
            join_code,
            ..Sight::whole(app, place.table, &game, who)
        }));
    }
    Ok(Page { games, next })
}
