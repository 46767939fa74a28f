//! Players at the other nodes: who has a stream open there, and who has begun to play.

use std::collections::HashSet;
use std::time::Duration;

use chess::table::PlayerId;
use live::bus::{Message, Subscription};
use store::TableId;

use super::Rooms;

/// How long the others may take to say who is there.
const WITHIN: Duration = Duration::from_millis(300);

const ONLINE: &str = "online";
const STARTED: &str = "started";
const EVERYBODY: &str = "everybody";
const ADDED: &str = "added";

/// As many are named by a node who has them connected.
const NAMED_MAX: usize = 20_000;

impl Rooms {
    /// Listens to what is asked and said about players.
    pub(super) fn hear_of_people(&self) -> Option<[Subscription; 4]> {
        let others = self.others()?;
        let rooms = self.clone();
        let asked = others.bus.subscribe(ONLINE, move |message| {
            let here = players(&message.bytes).into_iter();
            let here = here.filter(|player| rooms.places().has(*player));
            let numbers = here.flat_map(|player| player.number().to_le_bytes());
            message.reply(numbers.collect::<Vec<u8>>());
        });
        let rooms = self.clone();
        let begun = others.bus.subscribe(STARTED, move |message: Message| {
            let Some((id, rest)) = message.bytes.split_first_chunk() else {
                return;
            };
            let id = TableId::from_number(u64::from_le_bytes(*id));
            if let (Some(id), [white, black]) = (id, &players(rest)[..]) {
                rooms.tell_followers(id, [*white, *black]);
            }
        });
        let rooms = self.clone();
        let all = others.bus.subscribe(EVERYBODY, move |message| {
            let here = rooms.places().everybody(NAMED_MAX).into_iter();
            let numbers = here.flat_map(|player| player.number().to_le_bytes());
            message.reply(numbers.collect::<Vec<u8>>());
        });
        let rooms = self.clone();
        let added = others.bus.subscribe(ADDED, move |message: Message| {
            rooms.hear_of_addition(&message.bytes);
        });
        Some([asked, begun, all, added])
    }

    /// Everybody who has a stream open, at any node that answers in time.
    pub async fn everybody(&self) -> HashSet<PlayerId> {
        let mut online: HashSet<PlayerId> =
            self.places().everybody(NAMED_MAX).into_iter().collect();
        let Some(others) = self.others() else {
            return online;
        };
        let nodes = others.live.nodes().into_iter();
        let expected = nodes.filter(|node| *node != others.node).count();
        if expected > 0 {
            let answers = others.bus.ask(EVERYBODY, Vec::new(), expected, WITHIN);
            let answers = answers.await;
            online.extend(answers.iter().flat_map(|bytes| players(bytes.as_ref())));
        }
        online
    }

    /// Who of these has a stream open, at any node that answers in time.
    pub async fn online(&self, wanted: &[PlayerId]) -> HashSet<PlayerId> {
        let here = wanted.iter().copied();
        let mut online: HashSet<PlayerId> = here.filter(|p| self.places().has(*p)).collect();
        let Some(others) = self.others().filter(|_| !wanted.is_empty()) else {
            return online;
        };
        let nodes = others.live.nodes().into_iter();
        let expected = nodes.filter(|node| *node != others.node).count();
        if expected > 0 {
            let numbers = wanted.iter().flat_map(|p| p.number().to_le_bytes());
            let question: Vec<u8> = numbers.collect();
            let answers = others.bus.ask(ONLINE, question, expected, WITHIN).await;
            online.extend(answers.iter().flat_map(|bytes| players(bytes.as_ref())));
        }
        online
    }

    /// Tells the other nodes that a game has begun. Those who follow its players hear of
    /// it if the bus carries it: what is lost they find in the list of whom they follow.
    pub(in crate::rooms) fn tell_others_of_start(&self, id: TableId, players: [PlayerId; 2]) {
        if let Some(others) = self.others() {
            let mut bytes = id.number().to_le_bytes().to_vec();
            bytes.extend(players.iter().flat_map(|p| p.number().to_le_bytes()));
            others.send(STARTED, bytes);
        }
    }
}

impl Rooms {
    /// Adds games to a stream that another node may have.
    pub(in crate::rooms) fn add_elsewhere(&self, name: &str, games: &[TableId]) -> bool {
        let Some(others) = self.others() else {
            return false;
        };
        let mut bytes = vec![u8::try_from(name.len()).unwrap_or(u8::MAX)];
        bytes.extend(name.as_bytes());
        bytes.extend(games.iter().flat_map(|id| id.number().to_le_bytes()));
        others.send(ADDED, bytes);
        true
    }

    /// Another node was asked to add games to a stream.
    fn hear_of_addition(&self, bytes: &[u8]) {
        let Some((length, rest)) = bytes.split_first() else {
            return;
        };
        let Some((name, games)) = rest.split_at_checked(usize::from(*length)) else {
            return;
        };
        let numbers = games.as_chunks().0.iter().map(|id| u64::from_le_bytes(*id));
        let games: Vec<TableId> = numbers.filter_map(TableId::from_number).collect();
        if let Ok(name) = str::from_utf8(name) {
            self.add_here(name, &games);
        }
    }
}

/// The players that a message names.
fn players(bytes: &[u8]) -> Vec<PlayerId> {
    let numbers = bytes.as_chunks().0.iter();
    numbers
        .filter_map(|number| PlayerId::new(u32::from_le_bytes(*number)))
        .collect()
}
