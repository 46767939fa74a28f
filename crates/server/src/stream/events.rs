//! The same messages as server-sent events, for those without WebSocket.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::heartbeat::{every, heartbeat};
use super::welcome::Welcome;
use super::{Out, Source};
use crate::limits::places::Place;

/// Events that wait for a slow reader before the room is asked to hold them.
const QUEUE: usize = 8;

const STILL_HERE: &[u8] = b": still here\n\n";

/// Answers with the session's messages, until one side ends it.
pub(crate) fn serve<S: Source>(session: S, place: Place) -> Response {
    let (sender, receiver) = mpsc::channel::<Bytes>(QUEUE);
    let (rooms, thread) = (session.app().rooms.clone(), session.thread());
    rooms.spawn(thread, run(session, place, sender));
    let chunks = stream::unfold(receiver, |mut receiver| async {
        let chunk = receiver.recv().await?;
        Some((Ok::<Bytes, Infallible>(chunk), receiver))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // A proxy must not wait until it has enough.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(chunks)).into_response()
}

async fn run<S: Source>(mut session: S, place: Place, sender: mpsc::Sender<Bytes>) {
    let patience = Duration::from_secs(session.app().settings.stuck_seconds.into());
    let mut welcome = Welcome::new(&session, place);
    let mut heartbeat = heartbeat(every(&session));
    loop {
        let chunk = tokio::select! {
            out = session.next() => match out {
                // The position goes with each message, so that a browser that
                // comes back says where it was.
                Out::Text(text, position) => {
                    Bytes::from(format!("id: {position}\ndata: {text}\n\n"))
                }
                Out::Ping => Bytes::from_static(STILL_HERE),
                Out::Close(end) => {
                    if end.is_restart() {
                        tokio::time::sleep(session.app().rooms.farewell_pause()).await;
                    }
                    return;
                }
                Out::Flush => continue,
            },
            _ = heartbeat.tick() => Bytes::from_static(STILL_HERE),
            () = welcome.over() => return,
            () = sender.closed() => return,
        };
        match timeout(patience, sender.send(chunk)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return,
            Err(_) => return session.app().rooms.note_stuck(),
        }
    }
}
