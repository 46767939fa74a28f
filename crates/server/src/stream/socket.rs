//! A WebSocket: what comes in, what goes out, and how it ends.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::Version;
use axum::http::request::Parts;
use axum::response::Response;
use futures_util::{FutureExt, SinkExt};
use tokio::time::timeout;
use tungstenite::error::{CapacityError, Error as WsError};

use super::heartbeat::{Beat, Pulse, every, heartbeat};
use super::pace::Pace;
use super::tasks::Tasks;
use super::welcome::Welcome;
use super::{End, Out, Position, Reply, Source, UNWELCOME};
use crate::http::connection::Connection;
use crate::limits::places::Place;
use crate::play::App;
use crate::problem::{Kind, Problem};
use crate::rooms::Thread;
use crate::rooms::wire::Wire;

/// The largest message a client may send: a line of chat in escapes.
const MESSAGE_MAX: usize = 8 * 1024;
/// What is ready at once leaves together, up to so much. Nothing is set aside for it.
const TOGETHER_MAX: usize = 4 * 1024;
/// How long a farewell may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// A request to become a WebSocket.
pub(crate) struct Upgrade {
    upgrade: WebSocketUpgrade,
    wire: Option<Arc<Wire>>,
}

impl FromRequestParts<App> for Upgrade {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Upgrade, Problem> {
        let upgrade = WebSocketUpgrade::from_request_parts(parts, app).await;
        let refused = |error: axum::extract::ws::rejection::WebSocketUpgradeRejection| {
            let detail = format!("this is a WebSocket: {error}");
            Problem::new(Kind::WrongProtocol, "upgrade_required", detail)
        };
        // Small buffers: ten thousand sockets wait here for one move.
        let upgrade = upgrade
            .map_err(refused)?
            .read_buffer_size(1024)
            .write_buffer_size(TOGETHER_MAX)
            .max_message_size(MESSAGE_MAX)
            .max_frame_size(MESSAGE_MAX);
        let connection = parts.extensions.get::<Connection>();
        // Of HTTP/2 a socket would be only a part of the connection.
        let connection = connection.filter(|_| parts.version == Version::HTTP_11);
        Ok(Upgrade {
            upgrade,
            wire: connection.and_then(|connection| connection.wire.clone()),
        })
    }
}

impl Upgrade {
    /// The way out, once it is a WebSocket; it can be written to.
    pub(crate) fn wire(&self) -> Option<Arc<Wire>> {
        self.wire.clone()
    }

    /// Answers, and serves the socket where streams of its kind are served.
    pub(crate) fn serve<S: Source>(self, source: S, place: Place) -> Response {
        self.upgrade.on_upgrade(move |socket| async move {
            let rooms = source.app().rooms.clone();
            let thread = match (source.thread(), &self.wire) {
                (Thread::Watchers(_), Some(wire)) => Thread::Watchers(wire.part()),
                (thread, _) => thread,
            };
            rooms.spawn(thread, run(socket, self.wire, source, place));
        })
    }
}

async fn run<S: Source>(
    mut socket: WebSocket,
    wire: Option<Arc<Wire>>,
    mut source: S,
    place: Place,
) {
    if let Some(wire) = wire {
        wire.settle_here();
    }
    let every = every(&source);
    let mut peer = Peer {
        pace: Pace::new(),
        tasks: Tasks::default(),
        pulse: Pulse::new(every, Instant::now()),
        ping: None,
    };
    let mut welcome = Welcome::new(&source, place);
    let mut heartbeat = heartbeat(every);
    let end = loop {
        let step = tokio::select! {
            // What is to be said comes first, and costs no look at the rest.
            biased;
            out = source.next() => peer.send(&mut socket, &source, out).await,
            text = peer.tasks.answer() => peer.answer(&mut socket, &source, text).await,
            incoming = heard(&mut socket, &mut peer.pace) => match incoming {
                Some(Ok(message)) => Box::pin(peer.receive(&mut socket, &source, message)).await,
                Some(Err(error)) => Err(end_for(error)),
                None => return,
            },
            () = welcome.over() => Err(UNWELCOME),
            // Last: an answer that is already here must be heard before.
            _ = heartbeat.tick() => match peer.pulse.beat(Instant::now()) {
                Beat::Wait => Ok(()),
                Beat::Ask => peer.send(&mut socket, &source, Out::Ping).await,
                Beat::Gone => Err(End(1001, "nobody answers")),
            },
        };
        if let Err(end) = step {
            break end;
        }
    };
    if end.is_restart() {
        tokio::time::sleep(source.app().rooms.farewell_pause()).await;
    }
    let frame = CloseFrame {
        code: end.0,
        reason: end.1.into(),
    };
    // Nothing follows the last frame, nothing is held for one that is being
    // told, and a peer that does not listen is not waited for.
    drop((source, welcome));
    // What was done is said to be done, also by a socket that is being closed.
    let answers = async {
        while let Some(text) = peer.tasks.last_answer().await {
            socket.feed(Message::Text(text)).await?;
        }
        Ok::<_, axum::Error>(())
    };
    drop(timeout(FAREWELL, answers).await);
    if let Ok(Ok(())) = timeout(FAREWELL, socket.send(Message::Close(Some(frame)))).await {
        let echo = async { while let Some(Ok(_)) = socket.recv().await {} };
        drop(timeout(FAREWELL, echo).await);
    }
}

/// What a client says next, once it may. May be interrupted at any time.
async fn heard(socket: &mut WebSocket, pace: &mut Pace) -> Option<Result<Message, axum::Error>> {
    pace.turn().await;
    socket.recv().await
}

/// What is known of the one at the other end.
struct Peer {
    pace: Pace,
    /// What they asked for and were not answered yet.
    tasks: Tasks,
    pulse: Pulse,
    /// The last ping, until it is answered.
    ping: Option<([u8; 8], Instant)>,
}

impl Peer {
    async fn send<S: Source>(
        &mut self,
        socket: &mut WebSocket,
        source: &S,
        out: Out,
    ) -> Result<(), End> {
        let message = match out {
            Out::Text(text, _) => Some(Message::Text(text)),
            Out::Flush => None,
            Out::Ping => {
                // Nobody can answer a ping that they have not received.
                let (ping, now): ([u8; 8], _) = (rand::random(), Instant::now());
                self.ping = Some((ping, now));
                self.pulse.asked(now);
                Some(Message::Ping(ping.to_vec().into()))
            }
            Out::Close(end) => return Err(end),
        };
        let tasks = &mut self.tasks;
        let mut sending = pin!(async {
            if let Some(message) = message {
                socket.feed(message).await?;
            }
            // Whoever moves is told of the move, and that it was made: one packet.
            while let Some(text) = tasks.ready() {
                socket.feed(Message::Text(text)).await?;
            }
            socket.flush().await
        });
        // Nearly always the system takes it at once, and no timer is needed.
        let sent = match (&mut sending).now_or_never() {
            Some(sent) => Ok(sent),
            None => {
                let patience = source.app().settings.stuck_seconds;
                timeout(Duration::from_secs(patience.into()), sending).await
            }
        };
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End(1006, "gone")),
            Err(_) => {
                source.app().rooms.note_stuck();
                Err(End(1013, "too slow"))
            }
        }
    }

    async fn answer<S: Source>(
        &mut self,
        socket: &mut WebSocket,
        source: &S,
        text: Utf8Bytes,
    ) -> Result<(), End> {
        let out = Out::Text(text, Position::default());
        self.send(socket, source, out).await
    }

    async fn receive<S: Source>(
        &mut self,
        socket: &mut WebSocket,
        source: &S,
        message: Message,
    ) -> Result<(), End> {
        self.pulse.heard(Instant::now());
        if let (true, Message::Text(text)) = (source.listens(), &message) {
            return self.hear(socket, source, text).await;
        }
        self.pace.count()?;
        match message {
            Message::Binary(_) if source.listens() => Err(End(1003, "messages are text")),
            Message::Text(_) | Message::Binary(_) => Ok(()),
            Message::Pong(pong) => {
                self.measure(source, &pong);
                Ok(())
            }
            // Pings are answered by the library.
            Message::Ping(_) => Ok(()),
            Message::Close(_) => {
                // The library has its answer ready.
                drop(timeout(FAREWELL, socket.flush()).await);
                Err(End(1000, ""))
            }
        }
    }

    async fn hear<S: Source>(
        &mut self,
        socket: &mut WebSocket,
        source: &S,
        text: &str,
    ) -> Result<(), End> {
        let in_hand = self.tasks.len();
        match source.hear(text, &mut self.pace, in_hand).await? {
            Reply::Nothing => Ok(()),
            Reply::Answer(text) => self.answer(socket, source, text).await,
            Reply::Task(table, task) => {
                self.tasks.push(table, task);
                Ok(())
            }
        }
    }

    /// Notes the round trip of a player's own ping.
    fn measure<S: Source>(&mut self, source: &S, pong: &[u8]) {
        if let Some((ping, sent)) = self.ping
            && ping == *pong
        {
            self.ping = None;
            if let (true, Some(id), Some(caller)) =
                (source.is_player(), source.table(), source.caller())
            {
                let lags = source.app().rooms.lags();
                lags.note(id, caller.number(), sent.elapsed());
            }
        }
    }
}

/// The close code for what a client did wrong.
fn end_for(error: axum::Error) -> End {
    let inner = error.into_inner();
    match inner.downcast_ref::<WsError>() {
        Some(WsError::Capacity(CapacityError::MessageTooLong { .. })) => End(1009, "too long"),
        Some(WsError::Utf8(_)) => End(1007, "not UTF-8"),
        Some(WsError::Protocol(_)) => End(1002, "not a WebSocket frame"),
        _ => End(1006, "gone"),
    }
}
