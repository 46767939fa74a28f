//! Moves on a server that runs already: for a profiler.

use std::net::SocketAddr;
use std::time::Duration;

use crate::moves::CLOSED_CONNECTIONS;
use crate::play::{Pace, all, just_play};
use crate::sockets::{Shape, Sockets};
use crate::world::World;

/// How much of it, and by which way.
pub(crate) struct Plan {
    pub(crate) games: usize,
    pub(crate) pace: Pace,
    pub(crate) seconds: u64,
    pub(crate) over_sockets: bool,
    /// Of all sockets, in a closed loop.
    pub(crate) in_flight: usize,
}

/// Makes games and plays on them.
pub(crate) fn run(address: SocketAddr, plan: &Plan) -> Result<(), String> {
    let mut world = World::new(address);
    let took = world.grow(plan.games)?.took.as_secs_f64();
    println!("{} games after {took:.1} s", plan.games);
    let lasting = Duration::from_secs(plan.seconds);
    let order = all(&world);
    let mut played = if plan.over_sockets {
        let mut sockets = Sockets::open(&world, Shape::OwnStreams, plan.in_flight)?;
        println!("{} sockets are open", sockets.len());
        sockets.told = 0;
        let played = just_play(&mut sockets, &mut world, &order, plan.pace, lasting, 0);
        println!("{} times somebody was told their turn", sockets.told);
        if sockets.closed > 0 {
            println!("{} sockets were closed by the server", sockets.closed);
        }
        played
    } else {
        let mut client = world.client(CLOSED_CONNECTIONS)?;
        just_play(&mut client, &mut world, &order, plan.pace, lasting, 0)
    };
    let each_second = match plan.pace {
        Pace::Open(rate) => rate,
        Pace::Closed => played.rate(),
    };
    for (second, mut times) in played.times.parts(each_second as usize).enumerate() {
        let (p50, p99, most) = (times.ms(50.0), times.ms(99.0), times.ms(100.0));
        println!("second {second}: p50 {p50} ms, p99 {p99} ms, at most {most} ms");
    }
    let (p50, p99) = (played.times.ms(50.0), played.times.ms(99.0));
    println!(
        "{} moves, {:.0}/s, p50 {p50} ms, p99 {p99} ms",
        played.accepted,
        played.rate()
    );
    played.wrong.map_or(Ok(()), Err)
}
