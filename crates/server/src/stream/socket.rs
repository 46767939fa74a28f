//! A WebSocket: what comes in, what goes out, and how it ends.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::Version;
use axum::http::request::Parts;
use axum::response::Response;
use futures_util::{FutureExt, SinkExt};
use tokio::time::{Interval, timeout};
use tungstenite::error::{CapacityError, Error as WsError};

use super::heartbeat::{Beat, Pulse, every, heartbeat};
use super::pace::Pace;
use super::seldom::Seldom;
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
/// Messages in or out in a row before anything else is looked at.
const IN_A_ROW: usize = 64;
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
    let mut seldom = Seldom::new();
    seldom.expect(unwelcome(Welcome::new(&source, place)));
    seldom.expect(beat(heartbeat(every)));
    let end = loop {
        let step = tokio::select! {
            // What is to be said comes first, and costs no look at the rest.
            biased;
            out = source.next() => peer.send(&mut socket, &mut source, out).await,
            text = peer.tasks.answer() => peer.answer(&mut socket, &mut source, text).await,
            incoming = heard(&mut socket, &mut peer.pace) => {
                match Box::pin(peer.receive_all(&mut socket, &mut source, incoming)).await {
                    Ok(true) => Ok(()),
                    Ok(false) => return,
                    Err(end) => Err(end),
                }
            },
            // Last: an answer that is already here must be heard before.
            came = seldom.next() => match came {
                Came::Unwelcome => Err(UNWELCOME),
                Came::Beat(heartbeat) => {
                    seldom.expect(beat(heartbeat));
                    peer.beat(&mut socket, &mut source).await
                }
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
    drop((source, seldom));
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

/// What comes seldom.
enum Came {
    /// The token is no longer good.
    Unwelcome,
    /// It is time to ask whether anybody is there.
    Beat(Interval),
}

type Coming = Pin<Box<dyn Future<Output = Came> + Send>>;

fn unwelcome(mut welcome: Welcome) -> Coming {
    Box::pin(async move {
        welcome.over().await;
        Came::Unwelcome
    })
}

fn beat(mut heartbeat: Interval) -> Coming {
    Box::pin(async move {
        heartbeat.tick().await;
        Came::Beat(heartbeat)
    })
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
    /// Sends this, and whatever else there is to say by now: what is ready at once is one
    /// packet.
    async fn send<S: Source>(
        &mut self,
        socket: &mut WebSocket,
        source: &mut S,
        out: Out,
    ) -> Result<(), End> {
        let patience = source.app().settings.stuck_seconds;
        let rooms = source.app().rooms.clone();
        let mut sending = pin!(async {
            let (mut next, mut left) = (out, IN_A_ROW);
            let end = loop {
                match next {
                    Out::Text(text, _) => socket.feed(Message::Text(text)).await?,
                    Out::Ping => socket.feed(self.asks()).await?,
                    Out::Flush => {}
                    Out::Close(end) => break Some(end),
                }
                left -= 1;
                let more = (left > 0).then(|| source.next().now_or_never());
                match more.flatten() {
                    Some(more) => next = more,
                    None => break None,
                }
            };
            // Whoever moves is told of the move, and that it was made.
            while let Some(text) = self.tasks.ready() {
                socket.feed(Message::Text(text)).await?;
            }
            socket.flush().await?;
            Ok::<_, axum::Error>(end)
        });
        // Nearly always the system takes it at once, and no timer is needed.
        let sent = match (&mut sending).now_or_never() {
            Some(sent) => Ok(sent),
            None => timeout(Duration::from_secs(patience.into()), sending).await,
        };
        match sent {
            Ok(Ok(None)) => Ok(()),
            Ok(Ok(Some(end))) => Err(end),
            Ok(Err(_)) => Err(End(1006, "gone")),
            Err(_) => {
                rooms.note_stuck();
                Err(End(1013, "too slow"))
            }
        }
    }

    /// A ping. Nobody can answer one that they have not received.
    fn asks(&mut self) -> Message {
        let (ping, now): ([u8; 8], _) = (rand::random(), Instant::now());
        self.ping = Some((ping, now));
        self.pulse.asked(now);
        Message::Ping(ping.to_vec().into())
    }

    /// Asks whether anybody is there, if that is not known.
    async fn beat<S: Source>(&mut self, socket: &mut WebSocket, source: &mut S) -> Result<(), End> {
        match self.pulse.beat(Instant::now()) {
            Beat::Wait => Ok(()),
            Beat::Ask => self.send(socket, source, Out::Ping).await,
            Beat::Gone => Err(End(1001, "nobody answers")),
        }
    }

    async fn answer<S: Source>(
        &mut self,
        socket: &mut WebSocket,
        source: &mut S,
        text: Utf8Bytes,
    ) -> Result<(), End> {
        let out = Out::Text(text, Position::default());
        self.send(socket, source, out).await
    }

    /// Takes in what came, and what has come behind it by now; whether there may be more.
    async fn receive_all<S: Source>(
        &mut self,
        socket: &mut WebSocket,
        source: &mut S,
        mut incoming: Option<Result<Message, axum::Error>>,
    ) -> Result<bool, End> {
        let mut left = IN_A_ROW;
        loop {
            match incoming {
                Some(Ok(message)) => self.receive(socket, source, message).await?,
                Some(Err(error)) => return Err(end_for(error)),
                None => return Ok(false),
            }
            left -= 1;
            let more = (left > 0).then(|| heard(socket, &mut self.pace).now_or_never());
            match more.flatten() {
                Some(more) => incoming = more,
                None => return Ok(true),
            }
        }
    }

    async fn receive<S: Source>(
        &mut self,
        socket: &mut WebSocket,
        source: &mut S,
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
        source: &mut S,
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
