//! Players who claim the game of an opponent who left: as a server does it, all nodes
//! are asked first.

use std::sync::{Arc, Mutex, PoisonError};

use chess::game::{Command, Game, Phase};
use chess::table::{Actor, PlayerId, Table as _};
use chess::{Millis, Timestamp};
use live::Live;
use store::{NodeId, TableId};

use super::Cluster;
use crate::rules::Checked;

/// The longest that is waited until an opponent has been silent for long enough.
const LULL_MAX: Millis = Millis::from_secs(35);

/// A table without an opponent expires if its host was not seen for so long.
const EXPIRY: Millis = Millis::from_secs(61);

/// A claim, and what all nodes said.
struct Claim {
    node: NodeId,
    table: TableId,
    who: Actor,
    received: Timestamp,
    received_us: u64,
    is_draw: bool,
    /// How long somebody in this game may be out of sight.
    grace: Millis,
    seen: Option<Timestamp>,
}

/// Claims that have been asked about.
#[derive(Clone, Default)]
pub(super) struct Claims(Arc<Mutex<Vec<Claim>>>);

impl Claims {
    fn put(&self, claim: Claim) {
        let claims = &mut self.0.lock().unwrap_or_else(PoisonError::into_inner);
        claims.push(claim);
    }

    fn take(&self) -> Vec<Claim> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Cluster {
    /// Somebody claims a game in which nothing has happened for a while.
    pub(super) fn claim(&mut self) -> Checked {
        let now = self.now();
        let silent = |game: &Game| now.since(game.last_at());
        let known = self.book.all_known().into_iter();
        let games: Vec<(TableId, Arc<Game>, Millis)> = known
            .filter(|(_, game)| game.phase() == Phase::Active)
            .filter_map(|(id, game)| {
                let grace = game.terms().control.speed().grace()?;
                Some((id, game, grace))
            })
            .collect();
        if games.is_empty() || self.rng.percent(20) {
            return self.wait_for_expiry();
        }
        let (id, game, grace) = games[self.rng.below(games.len() as u64) as usize].clone();
        if silent(&game) < grace {
            if grace > LULL_MAX || self.rng.percent(50) {
                return Ok(());
            }
            self.pass(grace - silent(&game) + Millis(200))?;
        }
        let player = game.players()[self.rng.below(2) as usize];
        let (Some(player), open) = (player, self.open()) else {
            return Ok(());
        };
        if !open.is_empty() {
            let index = self.rng.pick(&open);
            let command = match self.rng.percent(20) {
                true => Command::ClaimDraw {
                    opponent_seen: None,
                },
                false => Command::ClaimWin {
                    opponent_seen: None,
                },
            };
            self.say(|| format!("at {index}: {player:?} claims {id}"));
            self.submit(index, id, Actor::Player(player), command);
        }
        Ok(())
    }

    /// Nothing happens until a table expires, unless its host listens somewhere.
    fn wait_for_expiry(&mut self) -> Checked {
        let nodes = self.seats.iter().filter_map(|seat| seat.node.as_ref());
        let mut listening = nodes.flat_map(|node| node.audience.players());
        let is_host = listening.any(|(id, player)| {
            let game = self.book.known(id);
            game.is_some_and(|game| game.phase() == Phase::Waiting && game.creator() == player)
        });
        drop(listening);
        match is_host && self.rng.percent(50) {
            true => self.pass(EXPIRY),
            false => Ok(()),
        }
    }

    /// All nodes are asked when the opponent was last there. Whether there is one.
    pub(super) fn ask_about_claim(
        &mut self,
        index: usize,
        table: TableId,
        who: Actor,
        (received, received_us): (Timestamp, u64),
        is_draw: bool,
    ) -> bool {
        let Some((opponent, grace)) = self.opponent(table, who) else {
            return false;
        };
        let Some((node, live)) = self.node_at(index) else {
            return false;
        };
        if let Actor::Player(player) = who {
            self.read(index, table, Some(player));
        }
        let claims = self.claims.clone();
        live.seen_by_all(table, opponent, move |seen| {
            claims.put(Claim {
                node,
                table,
                who,
                received,
                received_us,
                is_draw,
                grace,
                seen,
            });
        });
        true
    }

    fn node_at(&self, index: usize) -> Option<(NodeId, Live<chess::tables::AnyTable>)> {
        let node = self.seats[index].node.as_ref()?;
        Some((node.id, node.live()?.clone()))
    }

    fn opponent(&self, table: TableId, who: Actor) -> Option<(PlayerId, Millis)> {
        let Actor::Player(player) = who else {
            return None;
        };
        let game = self.book.known(table)?;
        let seat = game.seat_of(player)?;
        let grace = game.terms().control.speed().grace().unwrap_or_default();
        Some(((*game.seats().get(!seat))?, grace))
    }

    /// What all nodes were asked about is decided.
    pub(super) fn hand_in_claims(&mut self) {
        for claim in self.claims.take() {
            let is_node = |index: &usize| {
                let node = self.seats[*index].node.as_ref();
                node.is_some_and(|node| node.id == claim.node)
            };
            let Some(index) = self.open().into_iter().find(is_node) else {
                continue;
            };
            let is_away = |seen: &Timestamp| claim.received.since(*seen) >= claim.grace;
            let command = match (claim.is_draw, claim.seen) {
                (true, seen) => Command::ClaimDraw {
                    opponent_seen: seen.filter(is_away),
                },
                (false, Some(seen)) => Command::ClaimWin {
                    opponent_seen: Some(seen),
                },
                // Not yet.
                (false, None) => {
                    self.book.counts.unsure += 1;
                    continue;
                }
            };
            let received = (claim.received, claim.received_us);
            self.hand_in(index, claim.table, claim.who, command, received);
        }
    }
}
