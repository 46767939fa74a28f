//! An answer that is told piece by piece, and taken as slowly as its client likes.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::Stream;

use super::pace::Pace;

/// What is told in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Something long that comes to an end.
    Pieces,
    /// News, for as long as there are any.
    News,
}

/// The body of such an answer. The connection knows of it for as long as it lives.
pub(super) struct Taken {
    body: BodyDataStream,
    pace: Arc<Pace>,
    share: Share,
    is_awaiting: bool,
}

impl Taken {
    pub(super) fn new(body: Body, pace: Arc<Pace>, share: Share) -> Taken {
        Taken {
            body: body.into_data_stream(),
            pace,
            share,
            is_awaiting: false,
        }
    }

    fn awaits(&mut self, is_awaiting: bool) {
        if std::mem::replace(&mut self.is_awaiting, is_awaiting) != is_awaiting {
            self.pace.awaits(is_awaiting, Instant::now());
        }
    }
}

impl Stream for Taken {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let taken = self.get_mut();
        let polled = Pin::new(&mut taken.body).poll_next(cx);
        taken.awaits(polled.is_pending());
        polled
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.awaits(false);
        self.pace.ended(self.share, Instant::now());
    }
}
