//! How long a subscriber is welcome: as long as the token they came with is
//! good. One rule, whatever carries the stream.

use std::pin::Pin;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

use super::Source;
use crate::auth::{Auth, Caller};
use crate::limits::places::Place;

/// How long a token goes without a look at most: timers reach no further than
/// two years, and an outside token may hold for longer.
const LOOK_EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// When to ask a store again that could not say.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// A subscriber's place, and what they hold it by.
pub(super) struct Welcome {
    place: Place,
    /// Nothing for someone without a token: they are always welcome.
    held: Option<Box<Held>>,
}

struct Held {
    auth: Auth,
    caller: Caller,
    /// Whether the token may have died: being interrupted must not lose this.
    must_look: bool,
    next_look: Pin<Box<Sleep>>,
}

impl Welcome {
    /// For the subscriber who has this place. To be made where the stream runs.
    pub(super) fn new<S: Source>(source: &S, place: Place) -> Welcome {
        let held = source.caller().map(|caller| {
            let auth = source.app().auth.clone();
            let next_look = Box::pin(sleep(patience(&auth, caller)));
            Box::new(Held {
                auth,
                caller: caller.clone(),
                // It may have been taken back while the stream was being opened.
                must_look: true,
                next_look,
            })
        });
        Welcome { place, held }
    }

    /// Waits until the token has expired, or was taken back. May be
    /// interrupted at any time.
    pub(super) async fn over(&mut self) {
        let Some(held) = &mut self.held else {
            return std::future::pending().await;
        };
        loop {
            if held.must_look {
                let wait = match held.auth.is_still_good(&held.caller).await {
                    Ok(false) => return,
                    Ok(true) => patience(&held.auth, &held.caller),
                    // A store that cannot say closes nobody's stream.
                    Err(_) => ASK_AGAIN,
                };
                held.must_look = false;
                held.next_look.as_mut().reset(Instant::now() + wait);
            }
            tokio::select! {
                () = self.place.changed() => {}
                () = &mut held.next_look => {}
            }
            held.must_look = true;
        }
    }
}

/// How long the token holds, if nobody takes it back.
fn patience(auth: &Auth, caller: &Caller) -> Duration {
    let left = caller.expires_at.map(|end| end.since(auth.now()));
    left.map_or(LOOK_EVERY, |left| {
        Duration::from_millis(left.0.into()).min(LOOK_EVERY)
    })
}
