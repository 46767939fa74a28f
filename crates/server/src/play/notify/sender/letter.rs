//! Letters: about one game, and what is asked without being chosen.

use chess::game::Game;
use chess::table::{PlayerId, State, Table};
use serde_json::json;
use store::{Account, Address, MailPurpose, Notification, TableId};

use super::{Fate, conclude, digest, reader_of};
use crate::play::App;
use crate::play::names::Names;
use crate::play::notify::choices::Choices;
use crate::play::notify::letters::{self, About};
use crate::play::notify::mail::{Letter, Unsent};
use crate::play::notify::{CONFIRM, Kind, MOVED, RESET, address, plan};
use crate::problem::Problem;

/// Sends a letter.
pub(super) async fn handle(app: &App, one: Notification) {
    let fate = match reader_of(app, &one).await {
        Ok(Some((account, choices))) => match Kind::named(&one.what.kind) {
            Some(Kind::YourTurn) if choices.digest.0 => {
                return digest::handle(app, one, &account, &choices).await;
            }
            Some(kind) => chosen(app, &one, kind, &account, &choices).await,
            None => unasked(app, &one, &account).await,
        },
        Ok(None) => Ok(Fate::Moot),
        Err(problem) => Err(problem),
    };
    conclude(app, &[one], fate).await;
}

/// A letter that its reader chose to get, about one game.
async fn chosen(
    app: &App,
    one: &Notification,
    kind: Kind,
    account: &Account,
    choices: &Choices,
) -> Result<Fate, Problem> {
    if !is_wanted(app, kind, account, choices).await? {
        return Ok(Fate::Moot);
    }
    let now = app.now();
    let awake = choices.awake(now);
    if awake > now {
        return Ok(Fate::Put(awake));
    }
    let Some(game) = about(app, one, kind, account).await? else {
        return Ok(Fate::Moot);
    };
    let link = app.notifier.links.unsubscribe(account, kind);
    let letter = letters::about(kind, &account.name, &[game], link);
    send(app, account, account.email.as_deref(), &letter, &name(one)).await
}

/// Whether its reader wants such letters, and can be written to.
pub(super) async fn is_wanted(
    app: &App,
    kind: Kind,
    account: &Account,
    choices: &Choices,
) -> Result<bool, Problem> {
    let known = address::known(app, account).await?;
    Ok(choices.of(kind).email && known.is_confirmed && !known.is_bouncing)
}

/// Under which a letter about one thing is sent, however often.
fn name(one: &Notification) -> (u64, String) {
    (one.id, one.what.key.clone())
}

/// A letter that nobody chooses: whether an address is theirs, or a new password.
async fn unasked(app: &App, one: &Notification, account: &Account) -> Result<Fate, Problem> {
    let known = address::known(app, account).await?;
    let links = &app.notifier.links;
    if one.what.kind == MOVED {
        let letter = letters::moved(&account.name, links.home());
        let before = address::moved_from(&one.what.key);
        return send(app, account, before, &letter, &name(one)).await;
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
    send(app, account, account.email.as_deref(), &letter, &name(one)).await
}

/// Sends a letter; an address that refuses it for good is written to no more.
pub(super) async fn send(
    app: &App,
    account: &Account,
    to: Option<&str>,
    letter: &Letter,
    (id, key): &(u64, String),
) -> Result<Fate, Problem> {
    let (Some(mailer), Some(to)) = (&app.notifier.mailer, to) else {
        return Ok(Fate::Moot);
    };
    let links = &app.notifier.links;
    let name = links.message_id(*id, key, mailer.host());
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
