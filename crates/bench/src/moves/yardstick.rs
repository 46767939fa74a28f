//! The bare handler, which takes turns with what is measured.

use std::time::Duration;

use super::CLOSED_CONNECTIONS;
use crate::client::Client;
use crate::play::{Pace, all, play};
use crate::process::{Process, myself};
use crate::world::World;

/// A handler with the same HTTP stack and no game behind it.
pub(super) struct Yardstick {
    process: Process,
    world: World,
    client: Client,
    order: Vec<u32>,
}

impl Yardstick {
    /// One that answers with so many bytes, and is asked to move in as many games.
    pub(super) fn start(like: &World, answer_bytes: usize) -> Result<Yardstick, String> {
        let token = like.players[0].token.clone();
        let bytes = answer_bytes.to_string();
        let process = myself(&["bare-handler", "--token", &token, "--answer-bytes", &bytes])?;
        let world = World::stand_in(process.address, like);
        Ok(Yardstick {
            client: world.client(CLOSED_CONNECTIONS)?,
            order: all(&world),
            process,
            world,
        })
    }

    /// Requests a second, for a while.
    pub(super) fn turn(&mut self, lasting: Duration) -> Result<f64, String> {
        let played = play(
            &mut self.client,
            std::slice::from_ref(&self.process),
            &mut self.world,
            &self.order,
            Pace::Closed,
            lasting,
            0,
        );
        self.world.rewind();
        let rate = played.rate();
        match played.wrong {
            Some(wrong) => Err(format!("the bare handler: {wrong}")),
            None => Ok(rate),
        }
    }
}
