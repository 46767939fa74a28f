//! Rooms in which nothing was heard: whatever the bus lost is found by asking the
//! store, in one question for many rooms. And what others must know of who is here.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use chess::table::{PlayerId, Table};
use live::room::Loss;
use store::{Standing, Store, TableId};
use tokio::time::MissedTickBehavior;

use super::word::{Here, PlayerSeen, Word};
use super::{Others, Rooms, room_subject};
use crate::rooms::Room;

/// How often the store is asked: twice in the time within which everybody is told.
const EVERY: Duration = Duration::from_secs(1);
/// Tables in one question.
pub(super) const TABLES_MAX: usize = 2_000;
/// How often it is said who is here though nothing has changed.
const REPEAT: Duration = Duration::from_secs(5);
/// Observers that are named to other nodes.
const NAMED_MAX: usize = 50;

/// Where the rematches of a game are, in the order in which they are offered.
pub(super) type Rematches = fn(TableId) -> Vec<TableId>;

/// Looks after the rooms for as long as the server runs.
pub async fn watch(rooms: Rooms, store: Store, rematches: Rematches) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(others) = rooms.others() else {
            return;
        };
        if !others.has_company.load(Ordering::Relaxed) {
            continue;
        }
        let open = rooms.all().open();
        for room in &open {
            rooms.say_who_is_here(others, room);
        }
        rooms.look_after_feeds(others, &store).await;
        rooms.look_after_lobby(others, &store).await;
        for some in open.chunks(TABLES_MAX) {
            let ids: Vec<TableId> = some.iter().map(|room| room.id()).collect();
            // If the store cannot say, it is asked again in a second.
            for standing in store.standings(ids).await.unwrap_or_default() {
                rooms.compare(others, standing);
            }
        }
        rooms.find_rematches(&open, &store, rematches).await;
    }
}

impl Rooms {
    /// Finds out whether those in a room know how far its table has come.
    fn compare(&self, others: &Others, standing: Standing) {
        let Some(room) = self.all().get(standing.table) else {
            return;
        };
        if room.is_behind(standing.version) {
            others.behind.fetch_add(1, Ordering::Relaxed);
            others.live.hear(standing.table, standing.version, &[]);
        }
        if room.notes(|notes| notes.afar.spoken.has(standing.chat)) {
            self.all().lost(standing.table, Loss::Failed);
        }
    }

    /// Finds rematches of which those who are still at the finished game do not know.
    async fn find_rematches(&self, open: &[Arc<Room>], store: &Store, rematches: Rematches) {
        let is_over = |room: &&Arc<Room>| {
            let game = room.notes(|notes| notes.game.clone());
            game.is_some_and(|game| game.ending().is_some())
        };
        let finished = open.iter().filter(is_over);
        let finished: Vec<(&Arc<Room>, Vec<TableId>)> =
            finished.map(|room| (room, rematches(room.id()))).collect();
        for some in finished.chunks(TABLES_MAX) {
            let ids = some.iter().flat_map(|(_, ids)| ids.iter().copied());
            let found = store.standings(ids.collect()).await.unwrap_or_default();
            let versions: HashMap<TableId, u32> =
                found.iter().map(|s| (s.table, s.version)).collect();
            for (room, ids) in some {
                let last = ids.iter().rev().find(|id| versions.contains_key(id));
                let is_news = last.is_some_and(|id| {
                    room.notes(|notes| notes.afar.hears_of_rematch(*id, versions[id]))
                });
                if is_news {
                    self.all().lost(room.id(), Loss::Failed);
                }
            }
        }
    }

    /// Tells the other nodes who is here, if that has changed or was long ago.
    fn say_who_is_here(&self, others: &Others, room: &Room) {
        let here = self.who_is_here(others, room);
        let is_news = room.notes(|notes| {
            let said = notes.afar.said.as_ref();
            let is_news =
                said.is_none_or(|(at, said)| at.elapsed() >= REPEAT || !is_alike(said, &here));
            if is_news {
                notes.afar.said = Some((Instant::now(), here.clone()));
            }
            is_news
        });
        if is_news {
            others.publish(&room_subject(room.id()), &Word::Here(here));
        }
    }

    fn who_is_here(&self, others: &Others, room: &Room) -> Here {
        let id = room.id();
        let (game, played) = room.notes(|notes| (notes.game.clone(), notes.played.clone()));
        let of_game = game.map(|game| game.players());
        let of_match = played.map(|(played, _)| played.players());
        let players = of_game.or(of_match).unwrap_or_default();
        let seen = |player: PlayerId| {
            let seen = others.live.seen(id, player)?;
            Some(PlayerSeen {
                player: player.number(),
                is_streaming: seen.is_streaming,
                request: seen.request.0,
                last: seen.last.0,
            })
        };
        let shown = self.all().shown(id, NAMED_MAX).into_iter();
        Here {
            node: others.node.0,
            players: players.into_iter().flatten().filter_map(seen).collect(),
            watchers: self.all().watchers(id),
            shown: shown.map(PlayerId::number).collect(),
        }
    }
}

/// Whether two say the same of who is here. That somebody who is here was seen a
/// little later is no news.
fn is_alike(one: &Here, other: &Here) -> bool {
    let still = |here: &Here| -> Vec<(u32, bool, u64)> {
        let players = here.players.iter();
        players
            .map(|seen| (seen.player, seen.is_streaming, seen.request))
            .collect()
    };
    (one.watchers, &one.shown, still(one)) == (other.watchers, &other.shown, still(other))
}
