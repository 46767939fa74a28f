//! One letter about all the games that wait for somebody's move.

use chess::Timestamp;
use store::{Account, Channel, Notification};

use super::{Fate, conclude, letter};
use crate::play::App;
use crate::play::notify::choices::Choices;
use crate::play::notify::letters::{self, About};
use crate::play::notify::{Kind, schedule};
use crate::problem::Problem;

/// As many games as a letter names.
const GAMES_MAX: usize = 50;

const KIND: Kind = Kind::YourTurn;

/// Sends it, with all that may come in the same letter.
pub(super) async fn handle(app: &App, one: Notification, account: &Account, choices: &Choices) {
    let last = match last_sent(app, account, choices).await {
        Ok(Ok(last)) => last,
        Ok(Err(fate)) => return conclude(app, &[one], Ok(fate)).await,
        Err(problem) => return conclude(app, &[one], Err(problem)).await,
    };
    // As long as the first: who goes on after a crash has all of them, or none.
    let (number, now, until) = (account.number, app.now(), one.claimed_until);
    let alike = app
        .store
        .claim_alike(number, KIND.name(), Channel::Email, now, until);
    let alike = alike.await;
    let mut those = vec![one];
    match alike {
        Ok(alike) => those.extend(alike),
        Err(error) => return conclude(app, &those, Err(error.into())).await,
    }
    those.sort_unstable_by_key(|one| one.id);
    if let Some(then) = held_back(&those).filter(|then| *then > now) {
        return conclude(app, &those, Ok(Fate::Put(then))).await;
    }
    let sorted = sort(app, &those, account).await;
    if sorted.games.is_empty() {
        return sorted.conclude_others(app, now).await;
    }
    let link = app.notifier.links.unsubscribe(account, KIND);
    let written = letters::about(KIND, &account.name, &sorted.games, link);
    let name = name(&those[0], last);
    let to = account.email.as_deref();
    match letter::send(app, account, to, &written, &name).await {
        Ok(Fate::Sent) => {
            conclude(app, &sorted.told, Ok(Fate::Sent)).await;
            sorted.conclude_others(app, now).await;
        }
        // What has passed stays with the others: the next letter has the name of this one.
        fate => conclude(app, &those, fate).await,
    }
}

/// When the last went out, if it is time for the next; else what becomes of it.
async fn last_sent(
    app: &App,
    account: &Account,
    choices: &Choices,
) -> Result<Result<Option<Timestamp>, Fate>, Problem> {
    if !letter::is_wanted(app, KIND, account, choices).await? {
        return Ok(Err(Fate::Moot));
    }
    let (number, now) = (account.number, app.now());
    let last = app.store.last_sent(number, KIND.name(), Channel::Email);
    let last = last.await?;
    let then = choices.awake(schedule::next_digest(last, choices.awake(now)));
    match then > now {
        true => Ok(Err(Fate::Put(then))),
        false => Ok(Ok(last)),
    }
}

/// Until when those wait that failed before, if any did: a game more that waits makes none
/// of them come sooner.
fn held_back(those: &[Notification]) -> Option<Timestamp> {
    let failed = those
        .iter()
        .filter(|one| one.tries > u32::from(one.is_tried));
    failed.map(|one| one.what.due_at).min()
}

/// Under which it is sent: from the first that waits, whether or not it is in the letter,
/// and the letter before. So it is the same if the server dies before it knows that it was
/// sent, whatever was played meanwhile, and another after it was.
fn name(first: &Notification, last: Option<Timestamp>) -> (u64, String) {
    let last = last.map_or(0, |last| last.0);
    (first.id, format!("{} after {last}", first.what.key))
}

/// What a letter is about.
#[derive(Default)]
struct Sorted {
    games: Vec<About>,
    /// Those that the games are of.
    told: Vec<Notification>,
    /// What they were about has passed.
    moot: Vec<Notification>,
    /// Those that find no room in it.
    later: Vec<Notification>,
    /// Their games cannot be read now, which must not keep the others waiting.
    unread: Vec<(Notification, Problem)>,
}

async fn sort(app: &App, those: &[Notification], account: &Account) -> Sorted {
    let mut sorted = Sorted::default();
    for one in those.iter().cloned() {
        if sorted.games.len() == GAMES_MAX {
            sorted.later.push(one);
            continue;
        }
        match letter::about(app, &one, KIND, account).await {
            Ok(Some(game)) => {
                sorted.games.push(game);
                sorted.told.push(one);
            }
            Ok(None) => sorted.moot.push(one),
            Err(problem) => sorted.unread.push((one, problem)),
        }
    }
    sorted
}

impl Sorted {
    /// What becomes of those that are not in the letter.
    async fn conclude_others(self, app: &App, now: Timestamp) {
        conclude(app, &self.moot, Ok(Fate::Moot)).await;
        let next = schedule::next_digest(Some(now), now);
        conclude(app, &self.later, Ok(Fate::Put(next))).await;
        for (one, problem) in self.unread {
            conclude(app, &[one], Err(problem)).await;
        }
    }
}
