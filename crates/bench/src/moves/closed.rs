//! As fast as they go, in turns with the bare handler.

use std::time::Duration;

use super::TURNS;
use super::yardstick::Yardstick;
use crate::play::{Pace, Way, all, play};
use crate::process::Process;
use crate::stats::median;
use crate::venue::{Setup, Venue};
use crate::world::World;

/// So few games have too few moves for long turns.
const FEW: usize = 10_000;

/// Medians of some turns.
pub(super) struct Closed {
    /// Moves a second.
    pub(super) rate: f64,
    /// What a move took of the servers' processors, in microseconds.
    pub(super) cpu_us: f64,
    /// Answers of the bare handler a second.
    pub(super) bare: f64,
    /// Moves a second of the other server, if there was one.
    pub(super) rival: Option<f64>,
}

/// How long a turn is, if there are so many games and the longest load lasts so long. A few games
/// would be played to their end before the last turn.
pub(super) fn turn(games: usize, seconds: u64) -> Duration {
    let longest = if games < FEW { 1 } else { 10 };
    Duration::from_secs(seconds.div_ceil(4).clamp(1, longest))
}

/// Moves a second on some servers.
pub(super) fn one_turn(
    way: &mut impl Way,
    nodes: &[Process],
    world: &mut World,
    order: &[u32],
    lasting: Duration,
) -> Result<(f64, f64), String> {
    let played = play(way, nodes, world, order, Pace::Closed, lasting, 0);
    let (rate, cpu) = (played.rate(), played.cpu_us());
    match played.wrong {
        Some(wrong) => Err(format!("closed loop: {wrong}")),
        None => Ok((rate, cpu)),
    }
}

/// By `POST`, in turns with the bare handler and with another server.
pub(super) fn by_post(
    nodes: &[Process],
    world: &mut World,
    yardstick: &mut Yardstick,
    mut rival: Option<&mut Rival>,
    lasting: Duration,
) -> Result<Closed, String> {
    let mut client = world.client(super::CLOSED_CONNECTIONS)?;
    let order = all(world);
    let mut turns = Turns::default();
    for _ in 0..TURNS {
        turns.add(one_turn(&mut client, nodes, world, &order, lasting)?);
        turns.bare.push(yardstick.turn(lasting)?);
        if let Some(rival) = &mut rival {
            turns.rival.push(rival.turn(lasting)?);
        }
    }
    Ok(turns.medians())
}

/// What was measured in each turn.
#[derive(Default)]
pub(super) struct Turns {
    rate: Vec<f64>,
    cpu_us: Vec<f64>,
    pub(super) bare: Vec<f64>,
    rival: Vec<f64>,
}

impl Turns {
    pub(super) fn add(&mut self, (rate, cpu_us): (f64, f64)) {
        self.rate.push(rate);
        self.cpu_us.push(cpu_us);
    }

    pub(super) fn medians(&self) -> Closed {
        Closed {
            rate: median(&self.rate),
            cpu_us: median(&self.cpu_us),
            bare: median(&self.bare),
            rival: (!self.rival.is_empty()).then(|| median(&self.rival)),
        }
    }
}

/// A server on SQLite with as many games, beside one on a database: what it does in its turns is
/// what the other is measured by.
pub(super) struct Rival {
    // Dropped before the place where it keeps its games.
    nodes: Vec<Process>,
    _venue: Venue,
    world: World,
    order: Vec<u32>,
}

impl Rival {
    pub(super) fn start(of: &Venue, games: usize) -> Result<Rival, String> {
        let venue = Venue::open(Setup::EMBEDDED, &of.place.arbiter)?;
        let nodes = venue.start()?;
        let mut world = World::over(nodes.iter().map(|node| node.address).collect());
        world.grow(games)?;
        Ok(Rival {
            nodes,
            _venue: venue,
            order: all(&world),
            world,
        })
    }

    fn turn(&mut self, lasting: Duration) -> Result<f64, String> {
        let mut client = self.world.client(super::CLOSED_CONNECTIONS)?;
        let (rate, _) = one_turn(
            &mut client,
            &self.nodes,
            &mut self.world,
            &self.order,
            lasting,
        )?;
        Ok(rate)
    }
}
