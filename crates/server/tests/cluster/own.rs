//! A player's own stream: whose turn it is, and what has ended.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::socket::Heard;
use crate::way::{Person, Way, text, version};

/// The longest a player waits for being told that it is their turn.
const PATIENCE: Duration = Duration::from_secs(60);

/// A stream that is open as often as it can be.
pub(crate) struct Own {
    /// The newest version of each game at which it was said to be their turn.
    turns: watch::Sender<BTreeMap<String, u32>>,
    /// The games that were said to be over.
    ended: watch::Sender<Vec<String>>,
    heard: Arc<Mutex<Vec<Heard>>>,
    task: JoinHandle<()>,
}

impl Own {
    pub(crate) fn open(way: Way, who: Person) -> Own {
        let (turns, ended) = (watch::Sender::default(), watch::Sender::default());
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listening = listen(way, who, turns.clone(), ended.clone(), Arc::clone(&heard));
        Own {
            turns,
            ended,
            heard,
            task: tokio::spawn(listening),
        }
    }

    /// Waits until it is told that it is their turn in that version or a later one.
    pub(crate) async fn turn(&self, game: &str, version: u32) {
        let mut turns = self.turns.subscribe();
        let is_told = |turns: &BTreeMap<String, u32>| turns.get(game) >= Some(&version);
        let told = timeout(PATIENCE, turns.wait_for(is_told)).await;
        told.unwrap_or_else(|_| panic!("{game}: nobody was told whose turn it is at {version}"))
            .expect("the stream is there");
    }

    /// Waits for the ends of those games, but no longer than that, and then listens
    /// no more: what was heard.
    pub(crate) async fn finish(self, games: &[String], patience: Duration) -> Vec<Heard> {
        let mut ended = self.ended.subscribe();
        let all = ended.wait_for(|ended| games.iter().all(|game| ended.contains(game)));
        // Whether it had to be told is for the checker to say.
        drop(timeout(patience, all).await);
        self.task.abort();
        std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn listen(
    way: Way,
    who: Person,
    turns: watch::Sender<BTreeMap<String, u32>>,
    ended: watch::Sender<Vec<String>>,
    heard: Arc<Mutex<Vec<Heard>>>,
) {
    let note = |event| {
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push(event);
    };
    loop {
        let mut socket = way.connect(Some(&who), "/v1/stream").await;
        let (at, since) = (servers::now(), None);
        note(Heard::Opened { at, since });
        let code = loop {
            let message = match socket.next().await {
                Ok(message) => message,
                Err(code) => break code,
            };
            let at = servers::now();
            match message["type"].as_str() {
                Some("YOUR_TURN") => {
                    let (game, version) = (text(&message["game_id"]), version(&message));
                    turns.send_modify(|turns| {
                        let newest = turns.entry(game).or_default();
                        *newest = version.max(*newest);
                    });
                }
                Some("GAME_OVER") => {
                    let game = text(&message["game_id"]);
                    ended.send_modify(|ended| ended.push(game));
                }
                _ => {}
            }
            note(Heard::Said { at, message });
        };
        let at = servers::now();
        note(Heard::Closed { at, code });
    }
}
