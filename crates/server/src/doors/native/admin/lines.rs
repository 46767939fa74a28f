//! Answers that grow with the work.

use std::io::Error;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Pieces that may wait for a slow reader.
const WAITING_MAX: usize = 64;

/// Writes an answer piece by piece, from a thread that may wait.
pub(super) struct Lines(Sender<Result<String, Error>>);

impl Lines {
    /// Adds a text; `false` if nobody reads any more.
    pub(super) fn tell(&self, text: String) -> bool {
        self.0.blocking_send(Ok(text)).is_ok()
    }

    /// Breaks the answer off, so that its reader cannot take it for whole.
    pub(super) fn break_off(&self) {
        // If nobody reads any more there is nobody to mislead.
        drop(self.0.blocking_send(Err(Error::other("the work failed"))));
    }

    /// Adds a line of JSON. If nobody reads any more the work goes on all the same.
    pub(super) fn tell_json(&self, line: &Value) {
        self.tell(format!("{line}\n"));
    }
}

/// An answer of that type, and the hand that writes it.
pub(super) fn lines(media: &'static str) -> (Lines, Response) {
    let (tell, told) = channel(WAITING_MAX);
    let stream = futures_util::stream::unfold(told, |mut told: Receiver<_>| async {
        let piece: Result<String, Error> = told.recv().await?;
        Some((piece, told))
    });
    let body = Body::from_stream(stream);
    (
        Lines(tell),
        ([(header::CONTENT_TYPE, media)], body).into_response(),
    )
}
