//! Forgets what nobody needs any more: guests who never played, tokens that
//! have ended, idempotency keys that do not count any more, events that nobody
//! asks for any more. A few at a time, so that no move waits for it.

use std::sync::atomic::Ordering;
use std::time::Duration;

use chess::Timestamp;

use crate::play::App;

/// How often to look, and when first: a start has better things to do.
const EVERY: Duration = Duration::from_secs(3_600);
const FIRST: Duration = Duration::from_secs(60);
/// How many are deleted at a time, and the pause between two times.
const BATCH: u32 = 500;
const PAUSE: Duration = Duration::from_millis(200);

const DAY_MS: u64 = 86_400_000;

/// What is forgotten.
#[derive(Clone, Copy, Debug)]
enum What {
    Guests,
    Tokens,
    Keys,
    Events,
    Notifications,
    Deliveries,
}

/// Forgets again and again.
pub async fn run(app: App) {
    tokio::time::sleep(FIRST).await;
    loop {
        purge(&app).await;
        tokio::time::sleep(EVERY).await;
    }
}

/// Forgets all that is old enough now.
pub async fn purge(app: &App) {
    let all = [
        What::Guests,
        What::Tokens,
        What::Keys,
        What::Events,
        What::Notifications,
        What::Deliveries,
    ];
    for what in all {
        let mut forgotten = 0;
        loop {
            match batch(app, what).await {
                Ok(0) => break,
                Ok(count) => forgotten += count,
                Err(error) => {
                    tracing::warn!(?what, %error, "what is old could not be forgotten");
                    break;
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
        if forgotten > 0 {
            tracing::info!(?what, forgotten, "what nobody needs any more was forgotten");
        }
    }
}

/// Forgets a few; zero if there are no more, or none are to be forgotten.
async fn batch(app: &App, what: What) -> Result<u64, store::Error> {
    let (settings, store, purged) = (&app.settings, &app.store, &app.purged);
    let days = match what {
        What::Guests => settings.purge_guest_days,
        What::Tokens => settings.purge_token_days,
        What::Keys => settings.purge_key_days,
        What::Events | What::Deliveries | What::Notifications => settings.purge_event_days,
    };
    if days == 0 {
        return Ok(0);
    }
    let before = |now: Timestamp| Timestamp(now.0.saturating_sub(u64::from(days) * DAY_MS));
    let wall = app.wall();
    let (count, counter) = match what {
        What::Guests => {
            let guests = store.purge_guests(before(wall), wall, BATCH).await?;
            guests.iter().for_each(|who| app.auth.forget_person(*who));
            (guests.len() as u64, &purged.guests)
        }
        What::Tokens => (
            store.purge_tokens(before(wall), BATCH).await?,
            &purged.tokens,
        ),
        // They are part of the games, and go by their time.
        What::Keys => (
            store.purge_keys(before(app.now()), BATCH).await?,
            &purged.keys,
        ),
        What::Events => (
            store.purge_outbox(before(app.now()), BATCH).await?,
            &purged.events,
        ),
        What::Notifications => {
            let told = store.purge_notifications(before(app.now()), BATCH).await?;
            // What was sent to be brought back counts for a day at most.
            let sent = store.purge_mail_tokens(before(wall), BATCH).await?;
            (told + sent, &purged.notifications)
        }
        What::Deliveries => (
            store.purge_deliveries(before(app.now()), BATCH).await?,
            &purged.deliveries,
        ),
    };
    counter.fetch_add(count, Ordering::Relaxed);
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operate::open;
    use crate::settings::Settings;
    use store::{AccountKind, NewAccount};

    async fn guest(app: &App, name: &str, at: Timestamp) {
        let blank = app.auth.blank(name.into(), AccountKind::Guest);
        let made = app.auth.create(NewAccount { at, ..blank }).await;
        assert!(made.unwrap().is_some());
    }

    #[tokio::test]
    async fn a_guest_who_never_played_is_forgotten_unless_nobody_is() {
        let directory = tempfile::tempdir().unwrap();
        for (days, left) in [(0, 3), (30, 2)] {
            let app = open(Settings {
                store: format!("sqlite:{}", directory.path().join("a.db").display()),
                purge_guest_days: days,
                ..Settings::default()
            })
            .await
            .unwrap();
            if days == 0 {
                let long_ago = Timestamp(app.wall().0 - 31 * DAY_MS);
                guest(&app, "old", long_ago).await;
                guest(&app, "young", app.wall()).await;
                guest(&app, "newest", long_ago).await;
            }
            purge(&app).await;
            let mut found = 0;
            for name in ["old", "young", "newest"] {
                found += usize::from(app.auth.person_by_name(name).await.unwrap().is_some());
            }
            assert_eq!(found, left);
            let counted = app.purged.guests.load(Ordering::Relaxed);
            assert_eq!(counted, 3 - left as u64);
            app.store.close();
        }
    }
}
