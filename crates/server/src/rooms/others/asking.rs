//! Asking all nodes when a player was last at a table: that somebody is gone only
//! all of them together know.

use std::time::Duration;

use chess::Timestamp;
use chess::table::PlayerId;
use live::bus::Message;
use store::TableId;

use super::Rooms;

/// How long the others may take to answer.
const WITHIN: Duration = Duration::from_millis(500);

const SUBJECT: &str = "seen";

impl Rooms {
    /// Answers the other nodes' questions for as long as the server runs.
    pub(super) fn answer_questions(&self) {
        let Some(others) = self.others() else {
            return;
        };
        let rooms = self.clone();
        let ear = others.bus.subscribe(SUBJECT, move |message| {
            let seen = rooms.seen_here(&message);
            message.reply(seen.0.to_le_bytes().to_vec());
        });
        drop(self.0.ear.set(ear));
    }

    /// When the player in question was last here; zero if that is not known.
    fn seen_here(&self, question: &Message) -> Timestamp {
        let number = |at: usize, len: usize| {
            let bytes = question.bytes.get(at..at + len)?;
            let mut number = [0; 8];
            number[..len].copy_from_slice(bytes);
            Some(u64::from_le_bytes(number))
        };
        let table = number(0, 8).and_then(TableId::from_number);
        let player = number(8, 4).and_then(|n| PlayerId::new(u32::try_from(n).ok()?));
        let (Some(table), Some(player), Some(others)) = (table, player, self.others()) else {
            return Timestamp::default();
        };
        let seen = others.live.seen(table, player);
        seen.map_or(Timestamp::default(), |seen| seen.last)
    }

    /// When any other node last saw a player at a table; `None` if not all that are
    /// there answered in time.
    pub async fn seen_by_others(&self, id: TableId, player: PlayerId) -> Option<Timestamp> {
        let Some(others) = self.others() else {
            return Some(Timestamp::default());
        };
        let live = &others.live;
        let expected = live.nodes().into_iter().filter(|node| *node != others.node);
        let expected = expected.count();
        // Those who were at a node that is gone may be on their way to another.
        let lost_at = live.node_lost_at();
        if expected == 0 {
            return Some(lost_at);
        }
        let mut question = id.number().to_le_bytes().to_vec();
        question.extend(player.number().to_le_bytes());
        let answers = others.bus.ask(SUBJECT, question, expected, WITHIN).await;
        if answers.len() < expected {
            return None;
        }
        let seen = answers.iter().filter_map(|bytes| {
            let bytes: [u8; 8] = bytes.as_ref().try_into().ok()?;
            Some(Timestamp(u64::from_le_bytes(bytes)))
        });
        seen.max().map(|seen| seen.max(lost_at))
    }
}
