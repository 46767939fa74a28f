//! The same messages as lines of text, each a chunk of its own, for clients that read
//! JSON line by line.

use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::heartbeat::heartbeat;
use super::welcome::Welcome;
use super::{Out, Source};
use crate::http::handover::{Begins, Own, Way};
use crate::http::pace::IsNews;
use crate::limits::places::Place;

/// Lines that wait for a slow reader before the room is asked to hold them.
const QUEUE: usize = 8;
/// Readers give up after 15 s of silence, and their timers turn by every line, also an
/// empty one: seven seconds is what they know, and some of it gets lost on the way.
const EVERY: Duration = Duration::from_secs(6);
/// How long the end may take to be written.
const FAREWELL: Duration = Duration::from_secs(2);

/// Answers with the session's messages, until one side ends it. Headers leave at once.
pub(crate) fn serve<S: Source>(session: S, place: Place, kind: &'static str) -> Response {
    let (sender, receiver) = mpsc::channel::<Bytes>(QUEUE);
    let begins = Begins::with(move |way| {
        let (rooms, thread) = (session.app().rooms.clone(), session.thread());
        let outlet = match way {
            Way::Body => Outlet::Body(sender),
            Way::Own(own) => Outlet::Own(own),
        };
        rooms.spawn(thread, run(session, place, outlet));
    });
    let chunks = stream::unfold(receiver, |mut receiver| async {
        let chunk = receiver.recv().await?;
        Some((Ok::<Bytes, Infallible>(chunk), receiver))
    });
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        // A proxy must not wait until it has enough.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    let marks = (Extension(IsNews), Extension(begins));
    (headers, marks, Body::from_stream(chunks)).into_response()
}

/// Where lines go.
enum Outlet {
    /// Into the body of an answer.
    Body(mpsc::Sender<Bytes>),
    /// By a connection of their own.
    Own(Own),
}

impl Outlet {
    /// Waits until nobody reads any more. May be interrupted at any time.
    async fn closed(&self) {
        match self {
            Outlet::Body(sender) => sender.closed().await,
            Outlet::Own(own) => own.wire.gone().await,
        }
    }

    /// Whether a line could be said.
    async fn say(&self, line: &str) -> bool {
        match self {
            Outlet::Body(sender) => sender.send(format!("{line}\n").into()).await.is_ok(),
            Outlet::Own(own) => {
                let chunk = format!("{:x}\r\n{line}\n\r\n", line.len() + 1);
                own.wire.write(chunk.into()).await.is_ok()
            }
        }
    }

    /// Nothing follows.
    async fn end(self) {
        if let Outlet::Own(own) = self {
            let last = own.wire.write(Bytes::from_static(b"0\r\n\r\n"));
            // Who does not take it has gone.
            drop(timeout(FAREWELL, last).await);
        }
    }
}

async fn run<S: Source>(mut session: S, place: Place, outlet: Outlet) {
    let patience = Duration::from_secs(session.app().settings.stuck_seconds.into());
    let mut welcome = Welcome::new(&session, place);
    let mut heartbeat = heartbeat(EVERY);
    // The head waits with the first line, and must not.
    if let Outlet::Own(own) = &outlet
        && !matches!(
            timeout(patience, own.wire.write(Bytes::new())).await,
            Ok(Ok(()))
        )
    {
        return;
    }
    loop {
        let said = tokio::select! {
            // What there is to say comes before an empty line: the first line of some
            // streams must be the first.
            biased;
            out = session.next() => match out {
                Out::Text(text, _) => timeout(patience, outlet.say(&text)).await,
                Out::Ping | Out::Flush => continue,
                Out::Close(end) => {
                    if end.is_restart() {
                        tokio::time::sleep(session.app().rooms.farewell_pause()).await;
                    }
                    break;
                }
            },
            () = welcome.over() => break,
            () = outlet.closed() => return,
            _ = heartbeat.tick() => timeout(patience, outlet.say("")).await,
        };
        match said {
            Ok(true) => {}
            Ok(false) => return,
            Err(_) => return session.app().rooms.note_stuck(),
        }
    }
    // Nothing is held for one who is being told of the end.
    drop((session, welcome));
    outlet.end().await;
}
