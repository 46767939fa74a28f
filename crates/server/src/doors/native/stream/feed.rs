//! What concerns an account: challenges, its turn to move, games that begin
//! and end.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use chess::game::{Ending, Event, Game, MoveReport};
use chess::table::{PlayerId, State, Table};
use serde::Serialize;
use store::{ListQuery, Notice, Notification, RatedGame, TableId};
use utoipa::ToSchema;

use super::told::Told;
use super::words;
use crate::doors::native::games::GameView;
use crate::doors::native::games::answer::shown;
use crate::doors::native::games::view::{
    RatingChange, Sides, color_name, decline_reason, rating_changes,
};
use crate::doors::native::notifications::NotificationView;
use crate::doors::native::social::notices::NoticeView;
use crate::games::Listed;
use crate::play::names::Names;
use crate::play::{App, follows, ratings};
use crate::problem::Problem;
use crate::rooms::news::GameChange;

/// Games that are asked for at once.
const PAGE: u32 = 200;
/// Games that an account is told of at the least: those that services begin are not
/// counted against the limit.
const UNFINISHED: u32 = 1_000;

/// What an account's stream says besides.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Concern {
    /// Somebody wants to play with you.
    Challenge {
        /// Who.
        from: String,
        /// `GM`, `BOT`, ...
        from_title: Option<String>,
        /// The game.
        game: Box<GameView>,
    },
    /// A challenge was declined, withdrawn, or has expired.
    ChallengeGone {
        /// `declined`, `cancelled`, `expired`, or `aborted` by an operator.
        reason: Option<&'static str>,
        /// Why it was declined, if that was said.
        #[serde(skip_serializing_if = "Option::is_none")]
        decline_reason: Option<&'static str>,
    },
    /// An opponent was found for you.
    Paired {
        /// The game's version.
        version: u32,
        /// Which place in the queue led to it.
        queue_entry_id: String,
        /// Your color.
        color: Option<&'static str>,
        /// Your opponent's id.
        opponent: Option<String>,
        /// `GM`, `BOT`, ...
        opponent_title: Option<String>,
    },
    /// A game of yours begins.
    GameStarted {
        /// The game's version.
        version: u32,
        /// Your color.
        color: Option<&'static str>,
        /// Your opponent's id.
        opponent: Option<String>,
        /// `GM`, `BOT`, ...
        opponent_title: Option<String>,
    },
    /// It is your move.
    YourTurn {
        /// The game's version.
        version: u32,
        /// Half-moves played.
        ply: u32,
        /// The position.
        fen: String,
        /// Your color.
        color: &'static str,
        /// Your opponent's id.
        opponent: Option<String>,
        /// `GM`, `BOT`, ...
        opponent_title: Option<String>,
    },
    /// Somebody whom you follow has begun a game that anybody may see. It may be missed;
    /// what they play is also in `/v1/me/follows`.
    FollowedStarted {
        /// Whom you follow.
        player: String,
        /// `GM`, `BOT`, ...
        player_title: Option<String>,
        /// Their color.
        color: Option<&'static str>,
        /// Their opponent's id.
        opponent: Option<String>,
        /// `GM`, `BOT`, ...
        opponent_title: Option<String>,
        /// `standard`, `chess960`, ...
        variant: &'static str,
        /// `bullet`, `blitz`, ...
        speed: &'static str,
        /// Whether it is rated.
        rated: bool,
    },
    /// Something that an operator decided and you are to know. It comes again with your
    /// next stream until you put it away.
    Notice(NoticeView),
    /// Something you chose to be told of.
    Notification(NotificationView),
    /// A game of yours has ended.
    GameOver {
        /// The game's version.
        version: u32,
        /// `white_wins`, `black_wins`, `draw` or `aborted`.
        result: Option<&'static str>,
        /// Why.
        reason: Option<&'static str>,
        /// `white`, `black` or `null`.
        winner: Option<&'static str>,
        /// What the game did to the ratings of its players, if it counted.
        #[serde(skip_serializing_if = "Option::is_none")]
        ratings: Option<Sides<RatingChange>>,
    },
}

/// A game that somebody who is followed has begun; nothing if it is over, or not for
/// everybody.
pub(super) async fn followed_started(
    app: &App,
    id: TableId,
    player: PlayerId,
) -> Option<Utf8Bytes> {
    let game = app.games.newest(id).await.ok()?;
    if !follows::is_open(&game) {
        return None;
    }
    let names = Names::of(app, game.players().into_iter().flatten()).await;
    let names = names.ok()?;
    let color = game.seat_of(player);
    let opponent = color.and_then(|color| *game.seats().get(!color));
    let concern = Concern::FollowedStarted {
        player: names.id(player),
        player_title: names.title(player),
        color: color.map(color_name),
        opponent: opponent.map(|p| names.id(p)),
        opponent_title: opponent.and_then(|p| names.title(p)),
        variant: game.terms().variant.name(),
        speed: game.terms().control.speed().name(),
        rated: game.terms().rated,
    };
    Some(words::of(id, &concern))
}

/// `NOTICE`.
pub(super) fn notice(notice: &Notice) -> Utf8Bytes {
    words::text(&Concern::Notice(NoticeView::from(notice)))
}

/// `NOTIFICATION`.
pub(super) fn notification(told: &Notification) -> Utf8Bytes {
    words::text(&Concern::Notification(NotificationView::from(told)))
}

/// What a move after which the game goes on means for one of those whom it concerns: that
/// it is their turn, or nothing. `None` if it was another change.
pub(super) fn moved(changed: &GameChange, player: PlayerId) -> Option<Option<Utf8Bytes>> {
    let (before, game) = (changed.before.as_ref()?, &changed.after);
    let Some(Event::Moved { uci, .. }) = &changed.event else {
        return None;
    };
    if game.ending().is_some() {
        return None;
    }
    if !is_turn(game, player) {
        return Some(None);
    }
    // The position is in the report that the mover is answered with, too.
    let made = || MoveReport::of(before.board(), *uci, game);
    let fen = changed.report.get_or_init(made).fen.clone();
    let concern = your_turn(game, &changed.names, fen);
    Some(Some(words::of(changed.id, &concern)))
}

/// What a change means for one of those whom it concerns.
pub(super) async fn messages(app: &App, changed: &GameChange, player: PlayerId) -> Vec<Utf8Bytes> {
    let (id, game, names) = (changed.id, &changed.after, &*changed.names);
    let before = changed.before.as_ref();
    let had_begun = before.is_some_and(|game| game.started_at().is_some());
    let is_over = game.ending().is_some();
    let mut concerns = Vec::new();
    match &changed.event {
        None if game.started_at().is_some() => {
            concerns.extend(begun(app, id, game, player, names).await);
        }
        None if game.opponent() == Some(player) => concerns.extend(challenge(app, id, game).await),
        // What came along with a guest is theirs from here on.
        Some(Event::Reseated { from, to })
            if from != to && *to == player && is_turn(game, player) =>
        {
            concerns.push(your_turn(game, names, game.board().fen()));
        }
        Some(Event::Reseated { .. }) => {}
        Some(Event::Joined { .. }) => {
            concerns.extend(begun(app, id, game, player, names).await);
        }
        Some(_) if is_over && had_begun => concerns.push(over(game, changed.rated.as_ref())),
        Some(_) if is_over => concerns.push(gone(game)),
        _ => {}
    }
    let is_news =
        before.is_none_or(|before| (before.ply(), before.state()) != (game.ply(), game.state()));
    if is_news && is_turn(game, player) {
        concerns.push(your_turn(game, names, game.board().fen()));
    }
    concerns
        .iter()
        .map(|concern| words::of(id, concern))
        .collect()
}

/// What waits for an account when it comes: challenges, and games to move in. Each
/// of its games that are not over, how far it has come, and what there is to say of it.
pub(super) async fn pending(
    app: &App,
    player: PlayerId,
) -> Result<Vec<(TableId, u32, Option<Utf8Bytes>)>, Problem> {
    let mut texts = Vec::new();
    for (id, game) in unfinished(app, player).await? {
        let concern = waiting(app, id, &game, player).await?;
        let text = concern.map(|concern| words::of(id, &concern));
        texts.push((id, game.version(), text));
    }
    Ok(texts)
}

/// How each game of an account stands that has gone on since the account was told of it,
/// or that it does not know. What began and ended meanwhile is not among them.
pub(super) async fn missed(
    app: &App,
    player: PlayerId,
    told: &Told,
) -> Result<Vec<(TableId, Standing)>, Problem> {
    let (mut missed, mut seen) = (Vec::new(), HashSet::new());
    for (id, game) in unfinished(app, player).await? {
        seen.insert(id);
        if told.version(id) < Some(game.version()) {
            missed.push((id, stands(app, id, &game, player).await?));
        }
    }
    // What is no longer there is over; nothing but that is read by itself.
    for id in told.unfinished().filter(|id| !seen.contains(id)) {
        let standing = standing(app, id, player).await?;
        if told.version(id) < Some(standing.version) {
            missed.push((id, standing));
        }
    }
    Ok(missed)
}

/// Games of an account that are not over, as many as it may have: first those that
/// wait, and of each state the newest first.
async fn unfinished(app: &App, player: PlayerId) -> Result<Vec<(TableId, Arc<Game>)>, Problem> {
    let max = app.settings.games_per_account.max(UNFINISHED) as usize;
    let mut games = Vec::new();
    for state in [State::Waiting, State::Active, State::Paused] {
        let mut query = ListQuery {
            kind: Some(Game::KIND),
            state: Some(state),
            player: Some(player),
            viewer: Some(player),
            limit: PAGE,
            ..ListQuery::default()
        };
        loop {
            let page = app.games.list(query.clone()).await?;
            let is_last = page.len() < PAGE as usize;
            query.after = page.last().map(|last| last.place);
            let found = page.into_iter().filter_map(|Listed { place, game, .. }| {
                // What is over in memory is told as it ends.
                let game = game.filter(|game| game.ending().is_none())?;
                Some((place.table, game))
            });
            games.extend(found);
            if is_last || games.len() >= max {
                break;
            }
        }
    }
    Ok(games)
}

async fn waiting(
    app: &App,
    id: TableId,
    game: &Arc<Game>,
    player: PlayerId,
) -> Result<Option<Concern>, Problem> {
    Ok(if is_turn(game, player) {
        let names = Names::of(app, game.players().into_iter().flatten()).await?;
        Some(your_turn(game, &names, game.board().fen()))
    } else if game.state() == State::Waiting && game.opponent() == Some(player) {
        challenge(app, id, game).await
    } else {
        None
    })
}

/// How a game stands for an account that was not told of its last change. Some of
/// it may have been told before.
pub(super) struct Standing {
    pub(super) version: u32,
    pub(super) is_over: bool,
    pub(super) texts: Vec<Utf8Bytes>,
}

/// How a game stands by now.
pub(super) async fn standing(
    app: &App,
    id: TableId,
    player: PlayerId,
) -> Result<Standing, Problem> {
    let game = app.games.newest(id).await?;
    stands(app, id, &game, player).await
}

async fn stands(
    app: &App,
    id: TableId,
    game: &Arc<Game>,
    player: PlayerId,
) -> Result<Standing, Problem> {
    let mut concerns = Vec::new();
    match (game.ending(), game.started_at()) {
        (Some(_), Some(_)) => {
            let rated = ratings::of_game(app, id, game).await?;
            concerns.push(over(game, rated.as_ref()));
        }
        (Some(_), None) => concerns.push(gone(game)),
        (None, Some(_)) if game.ply() == 0 => {
            let names = Names::of(app, game.players().into_iter().flatten()).await?;
            concerns.extend(begun(app, id, game, player, &names).await);
        }
        (None, _) => {}
    }
    concerns.extend(waiting(app, id, game, player).await?);
    let texts = concerns.iter().map(|concern| words::of(id, concern));
    Ok(Standing {
        version: game.version(),
        is_over: game.ending().is_some(),
        texts: texts.collect(),
    })
}

fn is_turn(game: &Game, player: PlayerId) -> bool {
    game.state() == State::Active && game.seat_of(player) == Some(game.turn())
}

async fn challenge(app: &App, id: TableId, game: &Arc<Game>) -> Option<Concern> {
    let view = shown(app, id, game, game.opponent()).view().await.ok()?;
    Some(Concern::Challenge {
        from: view.creator.clone(),
        from_title: view.creator_title.clone(),
        game: Box::new(view),
    })
}

fn gone(game: &Game) -> Concern {
    let reason = |ending| match ending {
        Ending::Aborted { by } => by.name(),
        ending => ending.reason(),
    };
    Concern::ChallengeGone {
        reason: game.ending().map(reason),
        decline_reason: decline_reason(game),
    }
}

/// That a game begins, and before it that it is the one they waited for, if so. If the
/// store cannot say, whoever waits hears it by asking for their ticket.
async fn begun(
    app: &App,
    id: TableId,
    game: &Game,
    player: PlayerId,
    names: &Names,
) -> Vec<Concern> {
    let ticket = app.store.matched_ticket(player, id).await;
    let started = started(game, player, names);
    let paired = match (&started, ticket) {
        (
            Concern::GameStarted {
                version,
                color,
                opponent,
                opponent_title,
            },
            Ok(Some(ticket)),
        ) => Some(Concern::Paired {
            version: *version,
            queue_entry_id: ticket.id.to_string(),
            color: *color,
            opponent: opponent.clone(),
            opponent_title: opponent_title.clone(),
        }),
        _ => None,
    };
    paired.into_iter().chain([started]).collect()
}

fn started(game: &Game, player: PlayerId, names: &Names) -> Concern {
    let color = game.seat_of(player);
    let opponent = color.and_then(|color| *game.seats().get(!color));
    Concern::GameStarted {
        version: game.version(),
        color: color.map(color_name),
        opponent: opponent.map(|p| names.id(p)),
        opponent_title: opponent.and_then(|p| names.title(p)),
    }
}

fn your_turn(game: &Game, names: &Names, fen: String) -> Concern {
    let opponent = *game.seats().get(!game.turn());
    Concern::YourTurn {
        version: game.version(),
        ply: game.ply(),
        fen,
        color: color_name(game.turn()),
        opponent: opponent.map(|p| names.id(p)),
        opponent_title: opponent.and_then(|p| names.title(p)),
    }
}

fn over(game: &Game, rated: Option<&RatedGame>) -> Concern {
    let ending = game.ending();
    Concern::GameOver {
        version: game.version(),
        result: ending.map(|e| e.result()),
        reason: ending.map(|e| e.reason()),
        winner: ending.and_then(|e| e.winner()).map(color_name),
        ratings: rated.map(rating_changes),
    }
}
