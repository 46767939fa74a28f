//! What an account was not told of, looked at beside whatever it is told meanwhile.
//!
//! A socket that is busy is interrupted all the time, and a look that takes several
//! questions to the store would begin again each time: it is a task of its own.

use axum::extract::ws::Utf8Bytes;
use chess::table::PlayerId;
use store::TableId;

use super::feed::{self, Standing};
use super::told::Told;
use crate::play::App;
use crate::problem::Problem;

/// Notifications that are told at once: who is told so many has looked at none.
const TOLD_AT_ONCE: u32 = 100;

/// What is looked for.
pub(super) struct Look {
    pub(super) app: App,
    pub(super) player: PlayerId,
    /// The last notice that was told.
    pub(super) notice: u64,
    /// The last notification that was told, or that there was before.
    pub(super) notification: u64,
    /// What was told of games, if news of them were lost.
    pub(super) told: Option<Told>,
}

/// What was found: each with its number.
pub(super) struct Looked {
    pub(super) notices: Vec<(u64, Utf8Bytes)>,
    pub(super) notifications: Vec<(u64, Utf8Bytes)>,
    pub(super) games: Vec<(TableId, Standing)>,
}

impl Look {
    /// Looks.
    ///
    /// # Errors
    /// The store cannot say how games stand of which news were lost.
    pub(super) async fn run(self) -> Result<Looked, Problem> {
        Ok(Looked {
            notices: self.notices().await,
            notifications: self.notifications().await,
            games: match &self.told {
                Some(told) => feed::missed(&self.app, self.player, told).await?,
                None => Vec::new(),
            },
        })
    }

    /// Whom the account follows now; and what it is to know and was not told. If the store
    /// cannot say, at the next change.
    async fn notices(&self) -> Vec<(u64, Utf8Bytes)> {
        let (store, player) = (&self.app.store, self.player);
        if let Ok(follows) = store.follows_of(player).await {
            let follows = follows.into_iter().map(|(followed, _)| followed);
            self.app.rooms.follows(player, follows);
        }
        let notices = store.notices_of(player, true).await.unwrap_or_default();
        let new = notices.iter().filter(|notice| notice.id > self.notice);
        new.map(|notice| (notice.id, feed::notice(notice)))
            .collect()
    }

    /// What the account chose to be told of, since the last.
    async fn notifications(&self) -> Vec<(u64, Utf8Bytes)> {
        let store = &self.app.store;
        let told = store.streamed_notifications(self.player, self.notification, TOLD_AT_ONCE);
        let told = told.await.unwrap_or_default();
        told.iter()
            .map(|told| (told.id, feed::notification(told)))
            .collect()
    }
}
