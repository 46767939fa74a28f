//! Games with days per move: what happens in them while nobody is there.
//!
//! [`conditional`] moves are played for their owner, [`vacation`] is noted in all of a
//! player's games. Both follow from what is stored, so whatever a crash leaves undone is
//! done later: when the game is next read, and by a look at all of it now and then.

pub(crate) mod conditional;
mod days;
pub(crate) mod vacation;

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::App;
use crate::rooms::slow::Heard;

/// How often what is left to do is looked for.
const CHORES: Duration = Duration::from_secs(5);
/// How often it is looked whether everything is as it should be.
const ALL: Duration = Duration::from_secs(3600);

/// Looks after them, for as long as the server runs.
pub async fn run(app: App) {
    let slow = app.rooms.slow();
    let mut heard = slow.listen().await;
    let mut all_at = Instant::now();
    let mut held = conditional::HeldBack::default();
    loop {
        let chores_at = Instant::now() + CHORES;
        if all_at <= Instant::now() {
            vacation::look_at_all(&app).await;
            all_at = Instant::now() + ALL;
        }
        vacation::record_all(&app).await;
        conditional::catch_up(&app, &mut held).await;
        loop {
            tokio::select! {
                Some(heard) = heard.recv() => hear(&app, heard).await,
                () = sleep_until(chores_at) => break,
            }
        }
    }
}

async fn hear(app: &App, heard: Heard) {
    match heard {
        Heard::Began(id) => vacation::note_in(app, id).await,
        Heard::CameIn(id) => {
            conditional::follow(app, id).await;
        }
    }
}
