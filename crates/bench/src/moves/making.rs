//! Games made by one and joined by another, as fast as they go.

use std::time::Duration;

use super::yardstick::Yardstick;
use super::{Run, TURNS};
use crate::process::cpu_of;
use crate::stats::median;
use crate::world::World;

/// Games of a turn: a part of those that are to be made, and not more than that.
const PART: usize = 20;
const EACH_MAX: usize = 20_000;

impl Run<'_> {
    /// Makes games until there are so many, the last of them in turns with the bare handler.
    pub(super) fn make(
        &mut self,
        games: usize,
        shown: &str,
        world: &mut World,
    ) -> Result<(), String> {
        let each = (games.saturating_sub(world.games.len()) / PART).min(EACH_MAX);
        let before = games - TURNS * each;
        // Guests are not what is measured.
        world.invite_for(games)?;
        let grown = world.grow(before)?;
        if each == 0 {
            return Ok(());
        }
        let mut yardstick = Yardstick::start(world, grown.answer_bytes)?;
        let (mut ours, mut bare, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
        for turn in 1..=TURNS {
            let used = cpu_of(self.nodes);
            let took = world.grow(before + turn * each)?.took;
            let used = cpu_of(self.nodes).saturating_sub(used);
            ours.push(each as f64 / took.as_secs_f64());
            cpu.push(used.as_secs_f64() * 1e6 / each as f64);
            let lasting = took.clamp(Duration::from_millis(500), Duration::from_secs(5));
            bare.push(yardstick.turn(lasting)?);
        }
        let (ours, bare) = (median(&ours), median(&bare));
        let of = |what: &str| format!("{shown} games, made and joined, closed loop: {what}");
        let section = &mut self.section;
        section.row(of("games"), ours, "/s");
        section.row(of("bare handler"), bare, "requests/s");
        section.row(of("server CPU per game"), median(&cpu), "µs");
        let ratio = ours / (bare / 2.0);
        section
            .row(of("games over half of the bare requests"), ratio, "")
            .at_least(0.3);
        Ok(())
    }
}
