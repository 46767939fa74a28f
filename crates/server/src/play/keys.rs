//! Keys of requests: the same key by the same account answers as the first time.
//!
//! Of two such requests at one node the second waits for the first. If they come to
//! two nodes of a shared store, both are carried out, and the store takes the key
//! from one of them only; the other is refused, for whatever reason, looks again, and
//! answers as the first was answered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use chess::table::PlayerId;
use sha2::{Digest, Sha256};
use store::{Remembered, TableId};
use tokio::sync::OwnedMutexGuard;

use super::App;
use crate::problem::{Kind, Problem};

/// A key that belongs to one account.
type OwnKey = (PlayerId, String);

/// A key that was sent along with a request.
pub(crate) struct Key {
    text: String,
    request: [u8; 32],
}

impl Key {
    /// `what` is all that makes two requests the same: what is asked for, of
    /// what, and how.
    pub(crate) fn new(text: &str, what: &[&str]) -> Key {
        Key {
            text: text.to_owned(),
            request: digest(what),
        }
    }
}

/// Keys whose first request is still being answered, so that a second one
/// with the same key waits for it.
#[derive(Default)]
pub struct Keys {
    busy: Mutex<HashMap<OwnKey, Arc<tokio::sync::Mutex<()>>>>,
}

/// A request under its key.
pub(crate) enum Keyed {
    /// No key was sent.
    None,
    /// The first with this key: remember its answer.
    First(Box<FirstUse>),
    /// The answer was given before.
    Again(FirstAnswer),
}

/// Where an answer was given that is asked for again.
pub(crate) struct FirstAnswer {
    /// At this table.
    pub(crate) table: TableId,
    /// At this version of it.
    pub(crate) version: u32,
    seed: [u8; 32],
}

/// The right to use a key for the first time.
pub(crate) struct FirstUse {
    remember: Remembered,
    _turn: OwnedMutexGuard<()>,
}

impl Keyed {
    /// Something that is the same for the first use of a key and every other,
    /// and for no other request.
    pub(crate) fn seed(&self) -> Option<[u8; 32]> {
        match self {
            Keyed::None => None,
            Keyed::First(first) => Some(seed(&first.remember)),
            Keyed::Again(again) => Some(again.seed),
        }
    }

    /// What to store with the change.
    pub(crate) fn remember(&self) -> Option<Remembered> {
        match self {
            Keyed::First(first) => Some(first.remember.clone()),
            Keyed::None | Keyed::Again(..) => None,
        }
    }
}

/// Looks at a request's key, if it has one.
///
/// # Errors
/// The key was used for another request, or the store cannot say.
pub(crate) async fn look_up(
    app: &App,
    account: PlayerId,
    key: Option<&Key>,
) -> Result<Keyed, Problem> {
    let Some(Key { text, request }) = key else {
        return Ok(Keyed::None);
    };
    let turn = app.keys.turn((account, text.clone())).await;
    let now = app.now();
    match app.store.remembered(account, text, now).await? {
        Some(first) => first_answer(&first, request).map(Keyed::Again),
        None => Ok(Keyed::First(Box::new(FirstUse {
            remember: Remembered {
                account,
                key: text.clone(),
                request: *request,
                table: TableId::from_random(0), // filled in with the change
                version: 0,
                at: now,
            },
            _turn: turn,
        }))),
    }
}

/// What another node answered to the same request, since it was looked for here.
///
/// # Errors
/// As [`look_up`].
pub(crate) async fn look_again(app: &App, keyed: &Keyed) -> Result<Option<FirstAnswer>, Problem> {
    let Keyed::First(own) = keyed else {
        return Ok(None);
    };
    if !app.store.is_shared() {
        return Ok(None);
    }
    let Remembered {
        account,
        key,
        request,
        ..
    } = &own.remember;
    let first = app.store.remembered(*account, key, app.now()).await?;
    first.map(|first| first_answer(&first, request)).transpose()
}

fn first_answer(first: &Remembered, request: &[u8; 32]) -> Result<FirstAnswer, Problem> {
    if first.request == *request {
        return Ok(FirstAnswer {
            table: first.table,
            version: first.version,
            seed: seed(first),
        });
    }
    Err(Problem::new(
        Kind::Conflict,
        "idempotency_mismatch",
        "this Idempotency-Key was used for another request",
    ))
}

impl Keys {
    async fn turn(&self, key: OwnKey) -> OwnedMutexGuard<()> {
        let gate = {
            let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever is alone with a gate has left it.
            busy.retain(|_, gate| Arc::strong_count(gate) > 1);
            Arc::clone(busy.entry(key).or_default())
        };
        gate.lock_owned().await
    }
}

fn seed(of: &Remembered) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(of.account.number().to_le_bytes());
    hash.update(of.request);
    hash.update(of.key.as_bytes());
    hash.finalize().into()
}

fn digest(what: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in what {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().into()
}
