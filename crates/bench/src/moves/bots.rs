//! Bots that play many games each over one socket.

use super::streams::Aim;
use super::yardstick::Yardstick;
use super::{CLOSED_IN_FLIGHT, Run};
use crate::report::count;
use crate::sockets::{Shape, Sockets};
use crate::world::World;

/// As many as a world has players at the least.
const BOTS: usize = 64;
const GAMES_EACH: usize = 100;
/// Moves of one bot that wait for their answers: it is its turn in half of its games, and the
/// server takes four times as many.
const EACH_IN_FLIGHT: usize = 16;

impl Run<'_> {
    /// Every bot has a hundred games on its own stream, beside all other games of the run: at the
    /// given rate, and as fast as they go.
    pub(super) fn over_bots(&mut self) -> Result<(), String> {
        let addresses = self.nodes.iter().map(|node| node.address);
        let mut world = World::over(addresses.collect());
        world.grow(BOTS * GAMES_EACH / 2)?;
        if world.players.len() != BOTS {
            return Err(format!("{} bots came", world.players.len()));
        }
        let mut sockets = Sockets::open(&world, Shape::OwnStreams, CLOSED_IN_FLIGHT)?;
        let name = format!("{BOTS} bots with {GAMES_EACH} games each on a socket");
        let seconds = self.plan.seconds.div_ceil(6);
        let open = self.open_over(&mut sockets, &name, seconds, &mut world)?;
        let listening = self.by_post_to_listeners(&mut sockets, &name, seconds, &mut world)?;
        self.compare(&name, open.cpu_us(), listening);
        let mut yardstick = Yardstick::start(&world, open.answer_bytes)?;
        for (in_flight, aim) in [
            (CLOSED_IN_FLIGHT, Aim::None),
            (BOTS * EACH_IN_FLIGHT, Aim::Targets),
        ] {
            sockets.closed_loop = in_flight;
            let name = format!("{name}, {} under way", count(in_flight));
            self.closed_over(&mut sockets, &name, &mut yardstick, &mut world, aim)?;
        }
        self.count_closed(&sockets, &name);
        Ok(())
    }
}
