//! Letters: several games in one, and what is asked without being chosen.

use chess::game::Game;
use chess::table::{PlayerId, State, Table};
use serde_json::json;
use store::{Account, Address, Channel, MailPurpose, Notification, TableId};

use super::{Fate, conclude, lease, reader_of};
use crate::play::App;
use crate::play::names::Names;
use crate::play::notify::choices::Choices;
use crate::play::notify::letters::{self, About};
use crate::play::notify::mail::{Letter, Unsent};
use crate::play::notify::{CONFIRM, Kind, MOVED, RESET, address, plan, schedule};
use crate::problem::Problem;

/// As many games as a letter names.
const GAMES_MAX: usize = 50;

/// Sends letters of one kind to one reader, with all that may come in the same.
pub(super) async fn handle(app: &App, those: Vec<Notification>) {
    let Some(one) = those.first() else {
        return;
    };
    let fate = match reader_of(app, one).await {
        Ok(Some((account, choices))) => match Kind::named(&one.what.kind) {
            Some(kind) if kind == Kind::YourTurn && choices.digest.0 => {
                return chosen(app, those, kind, &account, &choices).await;
            }
            Some(kind) => {
                for one in those {
                    chosen(app, vec![one], kind, &account, &choices).await;
                }
                return;
            }
            None => unasked(app, one, &account).await,
        },
        Ok(None) => Ok(Fate::Moot),
        Err(problem) => Err(problem),
    };
    conclude(app, &those, fate).await;
}

/// A letter that its reader chose to get.
async fn chosen(
    app: &App,
    mut those: Vec<Notification>,
    kind: Kind,
    account: &Account,
    choices: &Choices,
) {
    let gathers = kind == Kind::YourTurn && choices.digest.0;
    match is_time(app, kind, account, choices, gathers).await {
        Ok(None) => {}
        Ok(Some(fate)) => return conclude(app, &those, Ok(fate)).await,
        Err(problem) => return conclude(app, &those, Err(problem)).await,
    }
    if gathers {
        let now = app.now();
        let number = account.number;
        let alike = app
            .store
            .claim_alike(number, kind.name(), Channel::Email, now, lease(now));
        match alike.await {
            Ok(alike) => those.extend(alike),
            Err(error) => return conclude(app, &those, Err(error.into())).await,
        }
    }
    those.sort_unstable_by_key(|one| one.id);
    let (mut told, mut games, mut moot) = (Vec::new(), Vec::new(), Vec::new());
    for one in those {
        match about(app, &one, kind, account).await {
            Ok(Some(game)) => {
                games.push(game);
                told.push(one);
            }
            Ok(None) => moot.push(one),
            Err(problem) => conclude(app, &[one], Err(problem)).await,
        }
    }
    conclude(app, &moot, Ok(Fate::Moot)).await;
    let Some(first) = told.first() else {
        return;
    };
    games.truncate(GAMES_MAX);
    let link = app.notifier.links.unsubscribe(account, kind);
    let letter = letters::about(kind, &account.name, &games, link);
    let to = account.email.as_deref();
    let fate = send(app, account, to, &letter, first).await;
    conclude(app, &told, fate).await;
}

/// What becomes of it without being sent, if anything.
async fn is_time(
    app: &App,
    kind: Kind,
    account: &Account,
    choices: &Choices,
    gathers: bool,
) -> Result<Option<Fate>, Problem> {
    let known = address::known(app, account).await?;
    if !choices.of(kind).email || !known.is_confirmed || known.is_bouncing {
        return Ok(Some(Fate::Moot));
    }
    let now = app.now();
    let mut then = choices.awake(now);
    if gathers {
        let number = account.number;
        let last = app.store.last_sent(number, kind.name(), Channel::Email);
        then = choices.awake(schedule::next_digest(last.await?, then));
    }
    Ok((then > now).then_some(Fate::Put(then)))
}

/// A letter that nobody chooses: whether an address is theirs, or a new password.
async fn unasked(app: &App, one: &Notification, account: &Account) -> Result<Fate, Problem> {
    let known = address::known(app, account).await?;
    let links = &app.notifier.links;
    if one.what.kind == MOVED {
        let letter = letters::moved(&account.name, links.home());
        let before = address::moved_from(&one.what.key);
        return send(app, account, before, &letter, one).await;
    }
    let letter = match &*one.what.kind {
        CONFIRM if (!known.is_confirmed || known.is_bouncing) && account.email.is_some() => {
            let code = address::new_code(app, account, MailPurpose::Confirm).await?;
            letters::confirm(&account.name, &links.confirm(&code))
        }
        RESET if known.is_confirmed && address::has_password(account) => {
            let code = address::new_code(app, account, MailPurpose::Reset).await?;
            letters::reset(&account.name, &links.reset(&code))
        }
        _ => return Ok(Fate::Moot),
    };
    send(app, account, account.email.as_deref(), &letter, one).await
}

/// Sends a letter; an address that refuses it for good is written to no more.
async fn send(
    app: &App,
    account: &Account,
    to: Option<&str>,
    letter: &Letter,
    named_after: &Notification,
) -> Result<Fate, Problem> {
    let (Some(mailer), Some(to)) = (&app.notifier.mailer, to) else {
        return Ok(Fate::Moot);
    };
    let links = &app.notifier.links;
    let name = links.message_id(named_after.id, &named_after.what.key, mailer.host());
    match mailer.send(to, letter, &name).await {
        Ok(()) => Ok(Fate::Sent),
        Err(Unsent::NotNow(why)) => Ok(Fate::Failed(why)),
        Err(Unsent::NoSuchAddress(why)) => {
            if account.email.as_deref() == Some(to) {
                bounces(app, account, to).await?;
            }
            Ok(Fate::Gone(why))
        }
    }
}

/// Nobody gets mail at an account's address.
async fn bounces(app: &App, account: &Account, to: &str) -> Result<(), Problem> {
    let known = app.store.address(account.number).await?;
    let known = known.filter(|known| known.email == to);
    let bouncing = Address {
        email: to.to_owned(),
        confirmed_at: known.and_then(|known| known.confirmed_at),
        bounced_at: Some(app.wall()),
    };
    app.store.set_address(account.number, bouncing).await?;
    Ok(())
}

/// What there is to tell of a game; `None`: what was to be told has passed.
pub(super) async fn about(
    app: &App,
    one: &Notification,
    kind: Kind,
    account: &Account,
) -> Result<Option<About>, Problem> {
    let Some(table) = one.what.table else {
        return Ok(None);
    };
    let Some(game) = plan::read(app, table, one.what.version).await? else {
        return Ok(None);
    };
    let is_so = match kind {
        Kind::YourTurn | Kind::DeadlineNear => {
            plan::waits_for(&game, one.what.version) == Some(account.number)
        }
        Kind::Challenge => game.state() == State::Waiting,
        Kind::GameOver => game.ending().is_some(),
    };
    match is_so {
        true => Ok(Some(shown(app, table, &game, account.number).await?)),
        false => Ok(None),
    }
}

async fn shown(app: &App, id: TableId, game: &Game, me: PlayerId) -> Result<About, Problem> {
    let seats = game.seats();
    let both = [Some(game.creator()), seats.white, seats.black];
    let other = both.into_iter().flatten().find(|player| *player != me);
    let names = Names::of(app, other).await?;
    let opponent = other.map(|other| match names.get(other) {
        Some(person) => person.name.clone(),
        None => names.id(other),
    });
    let ending = game.ending().map(|ending| {
        let reason = ending.reason().replace('_', " ");
        match ending.winner() {
            Some(winner) if game.seat_of(me) == Some(winner) => format!("you won by {reason}"),
            Some(_) => format!("you lost by {reason}"),
            None => format!("it ended without a winner by {reason}"),
        }
    });
    Ok(About {
        opponent: opponent.unwrap_or_else(|| "somebody".to_owned()),
        link: app.notifier.links.game(id),
        deadline: game.move_deadline(),
        ending,
    })
}

/// What a browser is told: small, and enough to show it.
pub(super) fn payload(kind: Kind, one: &Notification, about: &About) -> String {
    let title = match kind {
        Kind::YourTurn => format!("Your move against {}", about.opponent),
        Kind::Challenge => format!("{} challenges you", about.opponent),
        Kind::DeadlineNear => format!("Your time against {} is running out", about.opponent),
        Kind::GameOver => format!("Your game against {} is over", about.opponent),
    };
    json!({
        "kind": kind.name(),
        "game_id": one.what.table.map(|id| id.to_string()),
        "version": one.what.version,
        "title": title,
        "body": about.ending,
        "url": about.link,
    })
    .to_string()
}
