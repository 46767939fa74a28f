//! What an event means for whom, and how they are told of it.

use std::sync::Arc;

use chess::Timestamp;
use chess::clock::TimeControl;
use chess::game::{Event, Game};
use chess::table::{PlayerId, State, Table};
use live::Failure;
use store::{Channel, EventKind, NewNotification, OutboxEvent, TableId};

use super::choices::Choices;
use super::{Kind, address, schedule};
use crate::play::App;
use crate::problem::Problem;

/// What is older tells nobody anything new.
const OLD_MS: u64 = 7 * 86_400_000;

/// What one event means.
pub(super) struct Meaning {
    pub(super) account: PlayerId,
    pub(super) kind: Kind,
}

/// What is to be written down of an event, as its game is by now.
///
/// # Errors
/// The store cannot say: the event must be looked at again.
pub(super) async fn records(
    app: &App,
    table: TableId,
    event: &OutboxEvent,
    game: &Game,
) -> Result<Vec<NewNotification>, Problem> {
    if event.at.0.saturating_add(OLD_MS) < app.now().0 {
        return Ok(Vec::new());
    }
    let mut records = Vec::new();
    for meaning in meanings(event.kind, event.version, game) {
        let about = About {
            table,
            version: event.version,
            at: event.at,
            is_slow: is_slow(game),
        };
        records.extend(told(app, &meaning, &about).await?);
    }
    records.extend(deadline_plan(table, event, game));
    Ok(records)
}

/// A game, if it is one of chess and can be read. What happened with a version is in
/// the store before everybody sees it: an earlier one would say that it was not so.
///
/// # Errors
/// It cannot be read now, or not as of that version.
pub(super) async fn read(
    app: &App,
    id: TableId,
    version: u32,
) -> Result<Option<Arc<Game>>, Problem> {
    match app.games.read(id, None).await {
        Ok(game) if game.version() < version => Err(Problem::unavailable()),
        Ok(game) => Ok(Some(game)),
        // What is damaged must not keep everybody else waiting.
        Err(Failure::NotFound | Failure::Corrupt(_)) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}

/// Whether it counts days.
pub(super) fn is_slow(game: &Game) -> bool {
    !game.terms().control.is_real_time()
}

/// Whom an event concerns, as the game is by now: of what has passed nobody is told.
fn meanings(event: EventKind, version: u32, game: &Game) -> Vec<Meaning> {
    let one = |account, kind| vec![Meaning { account, kind }];
    match event {
        EventKind::GameCreated if game.state() == State::Waiting => match game.opponent() {
            Some(opponent) => one(opponent, Kind::Challenge),
            None => Vec::new(),
        },
        EventKind::GameStarted | EventKind::MovePlayed if is_slow(game) => {
            match waits_for(game, version) {
                Some(player) => one(player, Kind::YourTurn),
                None => Vec::new(),
            }
        }
        EventKind::GameEnded if is_slow(game) && game.started_at().is_some() => {
            let players = game.seats().iter().flatten().copied();
            let over = |account| Meaning {
                account,
                kind: Kind::GameOver,
            };
            players.map(over).collect()
        }
        _ => Vec::new(),
    }
}

/// Whose move it is, if no move was made since that version.
pub(super) fn waits_for(game: &Game, version: u32) -> Option<PlayerId> {
    match game.state() == State::Active && !has_moved(game, version) {
        true => game.seats()[game.turn()],
        false => None,
    }
}

/// Whether a move was made since that version.
pub(super) fn has_moved(game: &Game, version: u32) -> bool {
    let mut later = game.entries().skip(version as usize);
    later.any(|entry| matches!(entry.event, Event::Moved { .. }))
}

/// When to look whether the time for a move is running out.
fn deadline_plan(table: TableId, event: &OutboxEvent, game: &Game) -> Option<NewNotification> {
    let begins = matches!(event.kind, EventKind::GameStarted | EventKind::MovePlayed);
    let account = waits_for(game, event.version).filter(|_| begins && is_slow(game))?;
    let due_at = near(event.at, game.move_deadline()?, game);
    Some(NewNotification {
        key: format!("plan {table} {}", event.version),
        account,
        kind: Kind::DeadlineNear.name().to_owned(),
        channel: Channel::Plan,
        table: Some(table),
        version: event.version,
        subscription: None,
        at: event.at,
        due_at,
    })
}

/// When a quarter of the time for a move is left.
pub(super) fn near(turn_began: Timestamp, deadline: Timestamp, game: &Game) -> Timestamp {
    let days = match game.terms().control {
        TimeControl::Correspondence { days } => u64::from(days),
        _ => 0,
    };
    schedule::near(turn_began, deadline, days)
}

/// What is told.
pub(super) struct About {
    pub(super) table: TableId,
    pub(super) version: u32,
    pub(super) at: Timestamp,
    /// Letters are written about games that count days only.
    pub(super) is_slow: bool,
}

/// How somebody is told: a record for each way they chose and can be reached by.
pub(super) async fn told(
    app: &App,
    meaning: &Meaning,
    about: &About,
) -> Result<Vec<NewNotification>, Problem> {
    let Some(account) = app.store.account_by_number(meaning.account).await? else {
        return Ok(Vec::new());
    };
    if account.deleted_at.is_some() || account.barred_at.is_some() {
        return Ok(Vec::new());
    }
    let stored = app.store.notification_settings(account.number).await?;
    let choices = Choices::read(stored.as_deref());
    let channels = choices.of(meaning.kind);
    let (now, awake) = (app.now(), choices.awake(app.now()));
    let record = |channel: Channel, subscription: Option<u64>, due_at| NewNotification {
        key: key(meaning, about, channel, subscription),
        account: account.number,
        kind: meaning.kind.name().to_owned(),
        channel,
        table: Some(about.table),
        version: about.version,
        subscription,
        at: about.at,
        due_at,
    };
    let mut records = Vec::new();
    if channels.stream {
        records.push(record(Channel::Stream, None, now));
    }
    if channels.push {
        for browser in app.store.subscriptions_of(account.number).await? {
            records.push(record(Channel::Push, Some(browser.id), awake));
        }
    }
    if channels.email && about.is_slow && app.notifier.mailer.is_some() {
        let known = address::known(app, &account).await?;
        if known.is_confirmed && !known.is_bouncing {
            records.push(record(Channel::Email, None, awake));
        }
    }
    Ok(records)
}

/// One per event, account and way of telling.
fn key(meaning: &Meaning, about: &About, channel: Channel, browser: Option<u64>) -> String {
    let browser = browser.map_or_else(String::new, |id| format!(" {id}"));
    format!(
        "{} {} {} {} {}{browser}",
        meaning.kind.name(),
        about.table,
        about.version,
        meaning.account.number(),
        channel.name(),
    )
}
