//! The lobby: the games that somebody may join.

use std::collections::HashSet;
use std::sync::Arc;

use chess::clock::Speed;
use chess::game::Game;
use chess::rules::Variant;
use chess::table::{PlayerId, State};
use store::{Cursor, ListQuery};

use super::App;
use super::create::is_guest;
use super::lists::Page;
use super::look::Sight;
use super::standing;
use crate::auth::Caller;
use crate::games::Listed;
use crate::problem::Problem;
use crate::rooms::lobby::{Open, Picture};

/// Games that a reader of the lobby is told of at most: the newest.
pub(crate) const SHOWN_MAX: usize = 200;

/// The store is asked so often for one page at most.
const LOOKS_MAX: u32 = 3;

/// Who looks at the lobby.
pub(crate) struct Viewer {
    who: Option<PlayerId>,
    /// Whether rated games are not for them: guests have no rating, and some are barred.
    is_unrated: bool,
    /// Players whom they do not meet.
    avoids: HashSet<PlayerId>,
}

impl Viewer {
    /// The caller, or nobody in particular.
    ///
    /// # Errors
    /// `unavailable` if the store cannot say whom they meet.
    pub(crate) async fn of(app: &App, caller: Option<&Caller>) -> Result<Viewer, Problem> {
        let avoids = match caller.map(Caller::number) {
            Some(who) => {
                let blocked = app.store.blocks_of(who).await?;
                let blocked = blocked.into_iter().map(|(blocked, _)| blocked);
                blocked.chain(app.store.blockers_of(who).await?).collect()
            }
            None => HashSet::new(),
        };
        let is_unrated = match caller {
            Some(caller) if is_guest(&caller.person) => true,
            Some(caller) => {
                let barred = standing::barred_among(app, &[caller.number()]).await?;
                !barred.is_empty()
            }
            None => false,
        };
        Ok(Viewer {
            who: caller.map(Caller::number),
            is_unrated,
            avoids,
        })
    }
}

/// Whether that viewer may join the game, and so is shown it in the lobby. Nobody in
/// particular is shown what a registered player may join.
pub(crate) fn may_join(viewer: &Viewer, game: &Game) -> bool {
    let creator = game.creator();
    game.is_open()
        && viewer.who != Some(creator)
        && !(viewer.is_unrated && game.terms().rated)
        && !viewer.avoids.contains(&creator)
}

/// Which games are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) variant: Option<Variant>,
    pub(crate) speed: Option<Speed>,
    pub(crate) rated: Option<bool>,
}

impl Filter {
    /// Whether a game is.
    pub(crate) fn takes(&self, game: &Game) -> bool {
        let terms = game.terms();
        self.variant.is_none_or(|variant| variant == terms.variant)
            && self.rated.is_none_or(|rated| rated == terms.rated)
            && self
                .speed
                .is_none_or(|speed| speed == terms.control.speed())
    }
}

/// The newest games of the picture that are wanted and that the viewer may join, and
/// whether there are more, or may be.
pub(crate) fn newest<'a>(
    picture: &'a Picture,
    viewer: &Viewer,
    filter: &Filter,
) -> (Vec<&'a Arc<Open>>, bool) {
    let games = picture.games.as_deref().unwrap_or_default().iter();
    let mut wanted = games.filter(|open| filter.takes(&open.game) && may_join(viewer, &open.game));
    let newest: Vec<&Arc<Open>> = wanted.by_ref().take(SHOWN_MAX).collect();
    let has_more = picture.is_cut || wanted.next().is_some();
    (newest, has_more)
}

/// A page of the games that are wanted and that the viewer may join.
///
/// # Errors
/// `unavailable` if the store cannot say.
pub(crate) async fn page(
    app: &App,
    viewer: &Viewer,
    filter: &Filter,
    after: Option<Cursor>,
    limit: u32,
) -> Result<Page, Problem> {
    let rated = match (viewer.is_unrated, filter.rated) {
        (true, Some(true)) => {
            let (games, next) = (Vec::new(), None);
            return Ok(Page { games, next });
        }
        (true, None) => Some(false),
        (_, rated) => rated,
    };
    let mut query = ListQuery {
        kind: Some(Game::KIND),
        state: Some(State::Waiting),
        variant: filter.variant.map(|variant| variant.name().to_owned()),
        speed: filter.speed,
        rated,
        is_addressed: Some(false),
        after,
        ..ListQuery::default()
    };
    let mut games = Vec::new();
    // The store does not know whose game it is, nor what has changed meanwhile: a
    // second look fills the page.
    for _ in 0..LOOKS_MAX {
        query.limit = limit - games.len() as u32;
        let found = app.games.list(query.clone()).await?;
        let is_all = (found.len() as u32) < query.limit;
        for Listed { place, game, .. } in found {
            query.after = Some(place);
            let game = game.filter(|game| filter.takes(game) && may_join(viewer, game));
            games.extend(game.map(|game| Sight::whole(app, place.table, &game, viewer.who)));
        }
        if is_all {
            query.after = None;
        }
        if is_all || games.len() as u32 == limit {
            break;
        }
    }
    let next = query.after;
    Ok(Page { games, next })
}
