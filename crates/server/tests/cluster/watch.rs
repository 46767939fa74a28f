//! Those who watch a game, by a socket that they open again whenever it closes.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;
use tokio::time::sleep;

use crate::socket::{Heard, Socket};
use crate::way::{Person, Way, text, version};

/// The longest anybody waits for what is still to be told, once all has happened.
const PATIENCE: Duration = Duration::from_secs(60);

/// One game, as its watchers and players know of each other.
pub(crate) struct Room {
    pub(crate) game: String,
    /// How many have come.
    pub(crate) arrived: watch::Sender<usize>,
    /// How many were told of the end.
    pub(crate) ended: watch::Sender<usize>,
    /// The ids of all lines of chat, when there will be no more.
    pub(crate) lines: watch::Sender<Option<Vec<String>>>,
}

impl Room {
    pub(crate) fn new(game: &str) -> Arc<Room> {
        Arc::new(Room {
            game: game.to_owned(),
            arrived: watch::Sender::new(0),
            ended: watch::Sender::new(0),
            lines: watch::Sender::new(None),
        })
    }
}

/// Somebody who watches.
pub(crate) struct Watcher {
    pub(crate) room: Arc<Room>,
    pub(crate) way: Way,
    pub(crate) who: Option<Person>,
    /// Whether they play.
    pub(crate) is_player: bool,
}

/// What somebody who watched has heard.
#[derive(Debug)]
pub(crate) struct Watched {
    pub(crate) who: Option<Person>,
    pub(crate) is_player: bool,
    pub(crate) heard: Vec<Heard>,
}

/// Where somebody stands.
#[derive(Default)]
struct Known {
    version: Option<u32>,
    chat: Option<String>,
    is_over: bool,
    lines: Vec<String>,
    has_come: bool,
}

impl Watcher {
    /// Watches until the end and all lines are told, or patience ends.
    pub(crate) async fn watch(self) -> Watched {
        let mut heard = Vec::new();
        let mut lines = self.room.lines.subscribe();
        let late = async {
            // The room outlives its watchers.
            drop(lines.wait_for(Option::is_some).await);
            sleep(PATIENCE).await;
        };
        tokio::select! {
            () = self.follow(&mut heard) => {}
            () = late => {}
        }
        Watched {
            who: self.who,
            is_player: self.is_player,
            heard,
        }
    }

    async fn follow(&self, heard: &mut Vec<Heard>) {
        let mut known = Known::default();
        loop {
            let since = known.version;
            let path = known.path(&self.room.game);
            let mut socket = self.way.connect(self.who.as_ref(), &path).await;
            heard.push(Heard::Opened {
                at: servers::now(),
                since,
            });
            let code = self.listen(&mut socket, &mut known, heard).await;
            let Some(code) = code else {
                return socket.close().await;
            };
            heard.push(Heard::Closed {
                at: servers::now(),
                code,
            });
        }
    }

    /// Listens until the socket closes; `None` if there is nothing more to hear.
    async fn listen(
        &self,
        socket: &mut Socket,
        known: &mut Known,
        heard: &mut Vec<Heard>,
    ) -> Option<Option<u16>> {
        let mut lines = self.room.lines.subscribe();
        loop {
            let all = lines.borrow_and_update().clone();
            let is_told = |all: Vec<String>| all.iter().all(|id| known.lines.contains(id));
            if known.is_over && all.is_some_and(is_told) {
                return None;
            }
            let message = tokio::select! {
                message = socket.next() => message,
                Ok(()) = lines.changed() => continue,
            };
            match message {
                Err(code) => return Some(code),
                Ok(message) => {
                    let at = servers::now();
                    let was_over = known.is_over;
                    known.take(&message);
                    if !std::mem::replace(&mut known.has_come, true) {
                        self.room.arrived.send_modify(|n| *n += 1);
                    }
                    if known.is_over && !was_over {
                        self.room.ended.send_modify(|n| *n += 1);
                    }
                    heard.push(Heard::Said { at, message });
                }
            }
        }
    }
}

impl Known {
    fn path(&self, game: &str) -> String {
        let mut path = format!("/v1/games/{game}/stream");
        if let Some(version) = self.version {
            path += &format!("?since={version}");
            if let Some(chat) = &self.chat {
                path += &format!("&chat={chat}");
            }
        }
        path
    }

    fn take(&mut self, message: &Value) {
        match message["type"].as_str().expect("every message has a type") {
            "STATE" => {
                self.version = Some(version(message));
                self.is_over |= message["state"] == "COMPLETED";
                let lines = message["chat"].as_array().expect("lines").iter();
                self.lines = lines.map(|line| text(&line["id"])).collect();
                self.chat = self.lines.last().cloned();
            }
            "CHAT" => {
                let id = text(&message["id"]);
                self.chat = Some(id.clone());
                self.lines.push(id);
            }
            "GAME_OVER" => {
                self.version = Some(version(message));
                self.is_over = true;
            }
            // The end it brought about is told next: until then it is not told in full.
            "MOVE" if message["game_state"] == "COMPLETED" => {}
            kind if is_change(kind) => self.version = Some(version(message)),
            _ => {}
        }
    }
}

/// Whether messages of that type are changes of the game.
pub(crate) fn is_change(kind: &str) -> bool {
    !matches!(
        kind,
        "STATE" | "SYNC" | "CLOCK" | "PRESENCE" | "CHAT" | "REMATCH" | "PONG" | "ERROR"
    )
}
