//! Streams of which there is one, over all nodes: who has opened one, who has closed
//! one, and whose own streams must end.

use std::time::Duration;

use chess::table::PlayerId;
use live::bus::{Message, Subscription};
use serde::{Deserialize, Serialize};
use store::{NodeId, TableId};

use super::Rooms;
use crate::rooms::Thread;
use crate::rooms::solo::{Opened, REOPENED_WITHIN, Solo};

/// How long the others may take to say whether they have one.
const WITHIN: Duration = Duration::from_millis(500);

const SAID: &str = "solo";
const ASKED: &str = "solo.has";

/// What is said.
#[derive(Debug, Serialize, Deserialize)]
enum Word {
    OpenedOwn(Opened, u32, u64),
    OpenedGame(Opened, u32, u64, u64),
    ClosedGame(u32, u32, u64),
    End(u32),
}

/// Whether somebody has a stream of that game open.
#[derive(Debug, Serialize, Deserialize)]
struct Question(u32, u64);

impl Rooms {
    /// Listens to what is said and asked about such streams.
    pub(super) fn hear_of_solos(&self) -> Option<[Subscription; 2]> {
        let others = self.others()?;
        let rooms = self.clone();
        let said = others.bus.subscribe(SAID, move |message: Message| {
            if let Ok(word) = serde_json::from_slice(&message.bytes) {
                rooms.hear_solo(&word);
            }
        });
        let rooms = self.clone();
        let asked = others.bus.subscribe(ASKED, move |message: Message| {
            let question = serde_json::from_slice(&message.bytes);
            let has = question.is_ok_and(|Question(player, table)| {
                let solos = &rooms.0.solos;
                game(player, table).is_some_and(|(player, table)| solos.has_game(player, table))
            });
            message.reply(vec![u8::from(has)]);
        });
        Some([said, asked])
    }

    fn hear_solo(&self, word: &Word) {
        let solos = &self.0.solos;
        match *word {
            Word::OpenedOwn(opened, player, client) => {
                if let Some(player) = PlayerId::new(player) {
                    solos.opened_elsewhere(Solo::Own(player, client), opened);
                    // That node minds their games' streams from now on: so it is told of
                    // those that were here before.
                    for (game, opened) in solos.games_of(player) {
                        self.tell_others_of_opened(game, opened);
                    }
                }
            }
            Word::OpenedGame(opened, player, table, client) => {
                if let Some((player, table)) = game(player, table) {
                    let solo = Solo::Game(player, table, client);
                    solos.opened_elsewhere(solo, opened);
                }
            }
            Word::ClosedGame(node, player, table) => {
                if let Some((player, table)) = game(player, table) {
                    solos.closed_elsewhere(player, table, NodeId(node));
                }
            }
            Word::End(player) => {
                if let Some(player) = PlayerId::new(player) {
                    solos.end_own(player);
                }
            }
        }
    }

    fn say_solo(&self, word: impl FnOnce(u32) -> Word) {
        if let Some(others) = self.others() {
            let word = serde_json::to_vec(&word(others.node.0));
            others.send(SAID, word.unwrap_or_default());
        }
    }

    /// This node's number among all; nothing among none.
    pub(in crate::rooms) fn node(&self) -> u32 {
        self.others().map_or(0, |others| others.node.0)
    }

    pub(in crate::rooms) fn tell_others_of_opened(&self, solo: Solo, opened: Opened) {
        self.say_solo(|_| match solo {
            Solo::Own(player, client) => Word::OpenedOwn(opened, player.number(), client),
            Solo::Game(player, table, client) => {
                Word::OpenedGame(opened, player.number(), table.number(), client)
            }
        });
    }

    pub(in crate::rooms) fn tell_others_of_closed(&self, player: PlayerId, table: TableId) {
        self.say_solo(|node| Word::ClosedGame(node, player.number(), table.number()));
    }

    pub(in crate::rooms) fn tell_others_to_end(&self, player: PlayerId) {
        self.say_solo(|_| Word::End(player.number()));
    }

    /// Whether another node has a stream of that game open. Who does not answer in time
    /// has none.
    pub(in crate::rooms) async fn others_have_game(
        &self,
        player: PlayerId,
        table: TableId,
    ) -> bool {
        let Some(others) = self.others() else {
            return false;
        };
        let nodes = others.live.nodes().into_iter();
        let expected = nodes.filter(|node| *node != others.node).count();
        let question = serde_json::to_vec(&Question(player.number(), table.number()));
        let (true, Ok(question)) = (expected > 0, question) else {
            return false;
        };
        let answers = others.bus.ask(ASKED, question, expected, WITHIN).await;
        answers.iter().any(|answer| answer.as_ref() == [1])
    }

    /// Nodes may be gone, and streams of games with them.
    pub(super) fn look_for_lost_games(&self, is_live: impl Fn(NodeId) -> bool) {
        for (player, table) in self.0.solos.gone(is_live) {
            let rooms = self.clone();
            self.spawn(Thread::Telling, async move {
                tokio::time::sleep(REOPENED_WITHIN).await;
                rooms.end_unless_reopened(player, table).await;
            });
        }
    }
}

fn game(player: u32, table: u64) -> Option<(PlayerId, TableId)> {
    Some((PlayerId::new(player)?, TableId::from_number(table)?))
}
