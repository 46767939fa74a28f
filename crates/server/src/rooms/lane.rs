//! What one subscriber listens to.

use std::sync::Arc;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::crowd::{Got, Listener};
use super::news::News;

/// What one subscriber listens to.
pub enum Lane {
    /// A ring shared with others.
    Shared(Receiver<News>),
    /// A listener in the crowd, some of whose news never come by here.
    Crowd(Arc<Listener>),
}

impl Lane {
    /// The next news for whoever has been told up to that version. May be
    /// interrupted at any time.
    pub(crate) async fn recv(&mut self, version: u32) -> Result<Got, RecvError> {
        match self {
            Lane::Shared(lane) => lane.recv().await.map(Got::News),
            Lane::Crowd(listener) => listener.recv(version).await,
        }
    }

    /// Up to where its subscriber has been told meanwhile, if past it.
    pub(crate) fn version(&self) -> Option<u32> {
        match self {
            Lane::Shared(_) => None,
            Lane::Crowd(listener) => Some(listener.version()),
        }
    }
}
