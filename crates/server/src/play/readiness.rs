//! Whether the store works.

use std::sync::Arc;
use std::time::{Duration, Instant};

use store::Store;
use tokio::sync::Mutex;

/// The longest the store may take to show that it works.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long an answer is good for others who ask.
const SHARED: Duration = Duration::from_secs(1);

/// Whether the store works. Finding out is a write, so it is done once a second
/// at most, however many ask: all of them get the same answer.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Mutex<Option<(Instant, Works)>>>);

/// Whether it does, or why not.
pub(crate) type Works = Result<(), String>;

impl Readiness {
    /// Asks, unless somebody has just asked.
    pub(crate) async fn ask(&self, store: &Store) -> Works {
        let mut last = Arc::clone(&self.0).lock_owned().await;
        if let Some((at, works)) = &*last
            && at.elapsed() < SHARED
        {
            return works.clone();
        }
        let store = store.clone();
        // Whoever hangs up meanwhile does not make the next one ask again.
        let asked = tokio::spawn(async move {
            let works = works(&store).await;
            *last = Some((Instant::now(), works.clone()));
            works
        });
        let panicked = || Err("the store does not answer".into());
        asked.await.unwrap_or_else(|_| panicked())
    }
}

async fn works(store: &Store) -> Works {
    match tokio::time::timeout(PATIENCE, store.ping()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(loss(store).unwrap_or_else(|| {
            tracing::error!(%error, "not ready");
            "the store does not work".into()
        })),
        Err(_) => Err("the store does not answer".into()),
    }
}

/// What became of the store's files. It has said so in the log, with what to
/// do about it.
pub(crate) fn loss(store: &Store) -> Option<String> {
    let loss = store.stats().loss?;
    Some(format!("{loss}; the log says what to do"))
}
