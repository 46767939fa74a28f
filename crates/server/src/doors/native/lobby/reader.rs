//! One reader of the lobby.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use store::TableId;
use tokio::time::{Instant, sleep_until};

use super::words;
use crate::auth::Caller;
use crate::doors::native::stream::said;
use crate::play::App;
use crate::play::lobby::{Filter, Viewer, newest};
use crate::problem::Problem;
use crate::rooms::lobby::{Open, Reader};
use crate::stream::{End, Out, Pace, Position, Reply, Source};

/// Changes that are told one by one; more at once are told as `STATE`.
const ONE_BY_ONE_MAX: usize = 50;
/// How often `STATE` is told at most: it is long.
const STATE_EVERY: Duration = Duration::from_secs(1);

/// Somebody who reads the lobby, and what they were told.
pub(super) struct LobbyReader {
    app: App,
    caller: Option<Caller>,
    viewer: Viewer,
    filter: Filter,
    lobby: Reader,
    /// The games they were told of, and in which version.
    told: HashMap<TableId, u32>,
    epoch: u64,
    /// When they were last told `STATE`.
    stated: Option<Instant>,
    /// Nothing is told before.
    wait_until: Option<Instant>,
    pending: VecDeque<Out>,
}

impl LobbyReader {
    /// Begins to read.
    ///
    /// # Errors
    /// `unavailable` if the store cannot say whom the caller meets.
    pub(super) async fn open(
        app: App,
        caller: Option<Caller>,
        filter: Filter,
    ) -> Result<LobbyReader, Problem> {
        let viewer = Viewer::of(&app, caller.as_ref()).await?;
        let lobby = app.rooms.read_lobby();
        Ok(LobbyReader {
            app,
            caller,
            viewer,
            filter,
            lobby,
            told: HashMap::new(),
            epoch: 0,
            stated: None,
            // The picture may be there already.
            wait_until: Some(Instant::now()),
            pending: VecDeque::new(),
        })
    }

    /// Compares what there is with what was told. When to come back, if not all of it
    /// may be told yet.
    fn look(&mut self) -> Option<Instant> {
        let picture = self.lobby.picture();
        if picture.is_over {
            self.pending.push_back(Out::BYE);
            return None;
        }
        picture.games.as_ref()?;
        let (games, has_more) = newest(&picture, &self.viewer, &self.filter);
        let there: HashSet<TableId> = games.iter().map(|open| open.id).collect();
        let left = self.told.keys().filter(|id| !there.contains(id));
        let left: Vec<TableId> = left.copied().collect();
        let is_news = |open: &&&Arc<Open>| self.told.get(&open.id) != Some(&open.game.version());
        let came: Vec<&Arc<Open>> = games.iter().filter(is_news).copied().collect();
        let count = left.len() + came.len();
        let is_anew = self.epoch != picture.epoch && count > 0;
        let Some(stated) = self.stated else {
            self.epoch = picture.epoch;
            self.tell_state(&games, has_more, false);
            return None;
        };
        if is_anew || count > ONE_BY_ONE_MAX {
            let next = stated + STATE_EVERY;
            if Instant::now() < next {
                return Some(next);
            }
            self.app.rooms.note_resync();
            self.epoch = picture.epoch;
            self.tell_state(&games, has_more, true);
            return None;
        }
        self.epoch = picture.epoch;
        let shown: HashSet<TableId> = picture
            .games
            .iter()
            .flat_map(|games| games.iter())
            .map(|open| open.id)
            .collect();
        self.tell_left(&left, &shown);
        self.tell_came(&came);
        None
    }

    fn tell_state(&mut self, games: &[&Arc<Open>], has_more: bool, resync: bool) {
        self.stated = Some(Instant::now());
        self.told.clear();
        let mut all = Vec::with_capacity(games.len());
        for open in games {
            if let Some(text) = words::opened(&self.app, open) {
                self.told.insert(open.id, open.game.version());
                all.push(text);
            }
        }
        let state = words::state(&all, has_more, resync);
        self.pending.push_back(out(state));
    }

    fn tell_left(&mut self, left: &[TableId], shown: &HashSet<TableId>) {
        for id in left {
            self.told.remove(id);
            let reason = match self.app.rooms.left_lobby(*id) {
                Some(why) => why.name(),
                None if shown.contains(id) => "older",
                None => "other",
            };
            self.pending.push_back(out(words::gone(*id, reason)));
        }
    }

    /// The newest last.
    fn tell_came(&mut self, came: &[&Arc<Open>]) {
        for open in came.iter().rev() {
            self.told.insert(open.id, open.game.version());
            // What cannot be put into words is passed over, and not tried again.
            let text = words::opened(&self.app, open);
            self.pending.extend(text.map(out));
        }
    }
}

impl Source for LobbyReader {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    fn listens(&self) -> bool {
        true
    }

    async fn hear(&self, text: &str, pace: &mut Pace, in_hand: usize) -> Result<Reply, End> {
        said::answer(self, text, pace, in_hand).await
    }

    async fn next(&mut self) -> Out {
        loop {
            if let Some(out) = self.pending.pop_front() {
                return out;
            }
            match self.wait_until {
                Some(then) => sleep_until(then).await,
                None => self.lobby.changed().await,
            }
            self.wait_until = self.look();
        }
    }
}

fn out(text: Utf8Bytes) -> Out {
    Out::Text(text, Position::default())
}
