//! Telling players what they should know while they are not looking.
//!
//! What happened is read from the outbox ([`reader`]); what is to be told of it, to
//! whom and how, is written down ([`plan`]) in the transaction that moves the reader
//! on; what is due is claimed and sent ([`sender`]). So a crash loses nothing, and what
//! was about to be sent goes out once more under the same Message-ID at worst.
//!
//! - What somebody wants to be told, and when: [`choices`]. When to try again:
//!   [`schedule`].
//! - Letters: [`mail`] sends them, [`letters`] writes them. Nothing but the question
//!   whether it is theirs goes to an address that is not confirmed ([`address`]).
//! - Browsers: [`push`].
//! - Links that need no sign-in: [`links`].

pub(crate) mod address;
pub(crate) mod choices;
mod letters;
pub(crate) mod links;
pub mod mail;
mod plan;
pub(crate) mod push;
pub mod reader;
mod schedule;
pub mod sender;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use store::{Channel, Store};
use tokio::sync::Notify;

use self::choices::Choices;
use self::links::Links;
use self::mail::Mailer;
use self::push::Vapid;
use crate::play::App;
use crate::problem::Problem;
use crate::settings::Settings;

/// What somebody is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is their move.
    YourTurn,
    /// Somebody wants to play with them.
    Challenge,
    /// A quarter of the time for their move is left.
    DeadlineNear,
    /// A game is over.
    GameOver,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] = [
        Kind::YourTurn,
        Kind::Challenge,
        Kind::DeadlineNear,
        Kind::GameOver,
    ];

    /// Its name, stored and on the wire.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::YourTurn => "your_turn",
            Kind::Challenge => "challenge",
            Kind::DeadlineNear => "deadline_near",
            Kind::GameOver => "game_over",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The kinds of letters that nobody chooses.
const CONFIRM: &str = "confirm";
const RESET: &str = "reset";
const MOVED: &str = "moved";

/// What telling takes.
pub struct Notifier {
    /// Sends letters, if the operator has said how.
    pub(crate) mailer: Option<Mailer>,
    pub(crate) links: Links,
    pub(crate) vapid: Vapid,
    /// Something may be due.
    wake: Notify,
    /// One for each that is being sent.
    in_hand: Arc<()>,
    /// How it went.
    pub counts: Counts,
}

/// How often something was sent, failed for now, and was given up: letters, then browsers.
#[derive(Default)]
pub struct Counts {
    /// Sent.
    pub sent: [AtomicU64; 2],
    /// To be tried again.
    pub failed: [AtomicU64; 2],
    /// Given up: nobody is there any more, or it was tried too often.
    pub dropped: [AtomicU64; 2],
    /// For how many milliseconds the oldest that is due has waited.
    pub oldest_ms: AtomicU64,
}

impl Counts {
    fn add(which: &[AtomicU64; 2], channel: Channel) {
        let place = usize::from(channel == Channel::Push);
        which[place].fetch_add(1, Ordering::Relaxed);
    }
}

impl Notifier {
    /// Ready to tell; makes keys if there are none.
    ///
    /// # Errors
    /// A sentence naming the setting that is wrong, or why the store cannot keep keys.
    pub async fn new(store: &Store, settings: &Settings) -> Result<Notifier, String> {
        let mailer = Mailer::of(settings)?;
        let failed = |error: store::Error| format!("store: {error}");
        let links = Links::of(store, settings).await.map_err(failed)?;
        let vapid = Vapid::of(store, settings).await.map_err(failed)?;
        if !store.is_shared() {
            // Whoever had something in hand was this server's last run.
            store.release_notifications().await.map_err(failed)?;
        }
        Ok(Notifier {
            mailer,
            links,
            vapid,
            wake: Notify::new(),
            in_hand: Arc::default(),
            counts: Counts::default(),
        })
    }

    /// Whether something is being sent.
    pub(crate) fn is_sending(&self) -> bool {
        Arc::strong_count(&self.in_hand) > 1
    }

    /// Something is being sent until that is dropped.
    fn hold(&self) -> Arc<()> {
        Arc::clone(&self.in_hand)
    }

    /// Something may be due: whoever sends looks at once.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }
}

/// Ends letters of one kind, as a link of ours says. Whoever has the letter has the
/// link, and nobody can make one for somebody else.
///
/// # Errors
/// `bad_code`.
pub(crate) async fn unsubscribe(app: &App, code: &str) -> Result<(), Problem> {
    let bad = || {
        let detail = "this link is none of this server's";
        Problem::new(crate::problem::Kind::Forbidden, "bad_code", detail)
    };
    let ends = app.notifier.links.read(code).ok_or_else(bad)?;
    let account = app.store.account_by_uuid(ends.uuid).await?;
    let account = account.filter(|account| account.deleted_at.is_none());
    let number = account.ok_or_else(bad)?.number;
    let stored = app.store.notification_settings(number).await?;
    let mut choices = Choices::read(stored.as_deref());
    choices.of_mut(ends.kind).email = false;
    let text = serde_json::to_string(&choices).map_err(|_| Problem::unavailable())?;
    app.store.set_notification_settings(number, text).await?;
    Ok(())
}
