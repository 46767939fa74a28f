//! The same moves over the players' WebSockets instead of by `POST`.

use std::time::Duration;

use super::closed::{self, Closed, Turns, one_turn};
use super::yardstick::Yardstick;
use super::{CLOSED_CONNECTIONS, CLOSED_IN_FLIGHT, OPEN_CONNECTIONS, Run, TURNS, WARM_UP};
use crate::play::{Pace, Played, all, play};
use crate::process::memory_of;
use crate::report::{count, figure};
use crate::sockets::{Shape, Sockets};
use crate::world::World;

/// Games whose players have a socket each for every one of them.
const BOARDS: usize = 2_000;

/// Whether there are targets for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    Targets,
    /// Thousands of sockets have nothing to put into one packet: two messages are two calls of
    /// the kernel there, where a bare request is one.
    None,
}

/// What a move by `POST` takes of the server's processors, in microseconds, with nobody listening.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByPost {
    pub(super) open_us: f64,
    pub(super) closed_us: f64,
}

impl Run<'_> {
    /// Every player on their own stream: at the given rate, and as fast as they go.
    pub(super) fn over_sockets(
        &mut self,
        shown: &str,
        by_post: ByPost,
        yardstick: &mut Yardstick,
        world: &mut World,
    ) -> Result<(), String> {
        let before = memory_of(self.nodes);
        let mut sockets = Sockets::open(world, Shape::OwnStreams, CLOSED_IN_FLIGHT)?;
        let each = memory_of(self.nodes).saturating_sub(before) as f64 / sockets.len() as f64;
        let name = format!("{shown} games over {} sockets", count(sockets.len()));
        let what = format!("{name}: memory per socket");
        self.section.row(what, each / 1000.0, "KB");

        let seconds = self.plan.seconds;
        let played = self.open_over(&mut sockets, &name, seconds, world)?;
        let each_third = seconds.div_ceil(3);
        let listening_us = self.by_post_to_listeners(&mut sockets, &name, each_third, world)?;
        let closed = self.closed_over(&mut sockets, &name, yardstick, world, Aim::None)?;
        self.count_closed(&sockets, &name);
        let open_us = played.cpu_us();
        self.compare(&name, open_us, listening_us);
        let of = |what: &str| format!("{name}: server CPU per move over that {what}");
        let section = &mut self.section;
        let ratio = open_us / by_post.open_us;
        section.row(of("by POST with nobody listening, same rate"), ratio, "");
        let ratio = closed.cpu_us / by_post.closed_us;
        section.row(of("by POST with nobody listening, closed loop"), ratio, "");
        Ok(())
    }

    /// One that is opened again is told again whose turn it is, which would hide what was not told.
    pub(super) fn count_closed(&mut self, sockets: &Sockets, name: &str) {
        let what = format!("{name}: closed by the server");
        let row = self.section.row(what, sockets.closed as f64, "");
        row.at_most(0.0);
    }

    /// What a move over sockets takes of the server's processors, by what one takes that is made
    /// by `POST` and told to the same sockets.
    pub(super) fn compare(&mut self, name: &str, open_us: f64, listening_us: f64) {
        let what = "server CPU per move over that by POST to the same sockets, same rate";
        let what = format!("{name}: {what}");
        self.section.row(what, open_us / listening_us, "");
    }

    /// Moves at the given rate.
    pub(super) fn open_over(
        &mut self,
        sockets: &mut Sockets,
        name: &str,
        seconds: u64,
        world: &mut World,
    ) -> Result<Played, String> {
        let (rate, nodes) = (self.plan.rate, self.nodes);
        let order = all(world);
        let pace = Pace::Open(rate);
        play(sockets, nodes, world, &order, pace, WARM_UP, 0);
        sockets.told = 0;
        let lasting = Duration::from_secs(seconds);
        let mut played = play(sockets, nodes, world, &order, pace, lasting, 0);
        let of = |what: &str| {
            let rate = figure(rate);
            format!("{name}, open loop at {rate}/s for {seconds} s: {what}")
        };
        let section = &mut self.section;
        section.row(of("accepted"), played.accepted as f64, "moves");
        let wrong = (played.refused + played.errors) as f64;
        section
            .row(of("refused or failed"), wrong, "moves")
            .at_most(0.0);
        let unheard = played.accepted.saturating_sub(sockets.told) as f64;
        section
            .row(of("moves the opponent was not told of"), unheard, "")
            .at_most(0.0);
        section
            .row(of("p50"), played.times.ms(50.0), "ms")
            .at_most(2.0);
        section
            .row(of("p99"), played.times.ms(99.0), "ms")
            .at_most(10.0);
        section.row(of("p99.9"), played.times.ms(99.9), "ms");
        section.row(of("server CPU per move"), played.cpu_us(), "µs");
        self.curves.push(crate::report::Series {
            name: name.to_owned(),
            values: played.times.curve(),
        });
        self.fine(name, &played)?;
        Ok(played)
    }

    /// The same by `POST`, while the same sockets are told of it; what one takes of the server's
    /// processors.
    pub(super) fn by_post_to_listeners(
        &mut self,
        sockets: &mut Sockets,
        name: &str,
        seconds: u64,
        world: &mut World,
    ) -> Result<f64, String> {
        let (rate, nodes) = (self.plan.rate, self.nodes);
        let mut client = world.client(OPEN_CONNECTIONS)?;
        let order = all(world);
        let lasting = Duration::from_secs(seconds);
        let played = sockets.listen_while(|| {
            let pace = Pace::Open(rate);
            play(&mut client, nodes, world, &order, pace, lasting, 0)
        })?;
        let rate = figure(rate);
        let what = format!("{name}, by POST, open loop at {rate}/s for {seconds} s");
        let us = played.cpu_us();
        self.section
            .row(format!("{what}: server CPU per move"), us, "µs");
        self.fine(&what, &played)?;
        Ok(us)
    }

    /// As fast as they go, in turns with the bare handler; where there are targets, also with
    /// moves by `POST` of which the same sockets are told.
    pub(super) fn closed_over(
        &mut self,
        sockets: &mut Sockets,
        name: &str,
        yardstick: &mut Yardstick,
        world: &mut World,
        aim: Aim,
    ) -> Result<Closed, String> {
        let lasting = closed::turn(world.games.len(), self.plan.seconds);
        let (order, nodes) = (all(world), self.nodes);
        let (mut turns, mut posted) = (Turns::default(), Turns::default());
        for _ in 0..TURNS {
            turns.add(one_turn(sockets, nodes, world, &order, lasting)?);
            // Whoever does not listen is taken for gone.
            let bare = sockets.listen_while(|| yardstick.turn(lasting))??;
            turns.bare.push(bare);
            if aim == Aim::Targets {
                let mut client = world.client(CLOSED_CONNECTIONS)?;
                let turn = || one_turn(&mut client, nodes, world, &order, lasting);
                posted.add(sockets.listen_while(turn)??);
            }
        }
        let closed = turns.medians();
        let of = |what: &str| format!("{name}, closed loop: {what}");
        let section = &mut self.section;
        section.row(of("durable moves"), closed.rate, "/s");
        section.row(of("bare handler"), closed.bare, "requests/s");
        section.row(of("server CPU per move"), closed.cpu_us, "µs");
        let ratio = closed.rate / closed.bare;
        let row = section.row(of("moves over bare requests"), ratio, "");
        if aim == Aim::Targets {
            row.at_least(1.0);
            let by_post = posted.medians().cpu_us;
            let whose = "server CPU per move by POST to the same sockets";
            section.row(of(whose), by_post, "µs");
            let what = of("server CPU per move over that by POST to the same sockets");
            section.row(what, closed.cpu_us / by_post, "").at_most(0.6);
        }
        Ok(closed)
    }

    /// Two sockets a game, on its own stream: what a move takes there.
    pub(super) fn over_boards(&mut self, world: &mut World) -> Result<(), String> {
        let games = BOARDS.min(world.games.len());
        let mut sockets = Sockets::open(world, Shape::GameStreams(games), CLOSED_IN_FLIGHT)?;
        let order: Vec<u32> = (0..games as u32).collect();
        let (rate, nodes) = (self.plan.rate, self.nodes);
        let seconds = self.plan.seconds.div_ceil(6);
        let lasting = Duration::from_secs(seconds);
        let pace = Pace::Open(rate);
        let mut played = play(&mut sockets, nodes, world, &order, pace, lasting, 0);
        let name = format!(
            "{} games with two sockets each, open loop at {}/s for {seconds} s",
            count(games),
            figure(rate)
        );
        let of = |what: &str| format!("{name}: {what}");
        let section = &mut self.section;
        section.row(of("p50"), played.times.ms(50.0), "ms");
        section.row(of("p99"), played.times.ms(99.0), "ms");
        section.row(of("server CPU per move"), played.cpu_us(), "µs");
        self.fine(&name, &played)
    }

    /// Notes what went wrong.
    fn fine(&mut self, name: &str, played: &Played) -> Result<(), String> {
        match &played.wrong {
            Some(wrong) if played.accepted == 0 => Err(format!("{name}: {wrong}")),
            Some(wrong) => {
                self.section.note(format!("{name}: {wrong}"));
                Ok(())
            }
            None => Ok(()),
        }
    }
}
