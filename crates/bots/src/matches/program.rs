//! A UCI program that plays in a match.
//!
//! Each game has a process of its own, which is told of the clocks and thinks as it likes. Nobody moves in its
//! place: a program that fails says so.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use chess::Color;

use super::player::{Choice, Player, Ready, Reply, Seat, Turn};
use crate::engine::Limits;
use crate::uci::{EngineConfig, Fault, Process, Time};

/// How much longer than its clock a program may take before it counts as hung.
const LATE: Duration = Duration::from_secs(10);

/// The program.
pub struct Program {
    name: String,
    config: EngineConfig,
    limits: Limits,
    megabytes: u32,
    /// How long it may calculate without a clock.
    time: Duration,
    processes: Mutex<Processes>,
}

#[derive(Default)]
struct Processes {
    /// By their games.
    playing: HashMap<u64, Process>,
    free: Vec<Process>,
}

impl Program {
    /// A program with so many megabytes for the table of each process. None is started yet.
    pub fn new(name: String, config: EngineConfig, limits: Limits, megabytes: u32) -> Program {
        Program {
            name,
            config,
            limits,
            megabytes,
            time: Duration::from_secs(3600),
            processes: Mutex::default(),
        }
    }

    fn processes(&self) -> MutexGuard<'_, Processes> {
        self.processes
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    async fn ready(&self, seat: Seat<'_>) -> Result<(), String> {
        let free = self.processes().free.pop();
        let wrong = |fault: Fault| fault.to_string();
        let mut process = match free {
            Some(process) => process,
            None => {
                let process = Process::start(&self.config, self.megabytes, Duration::MAX);
                process.await.map_err(wrong)?
            }
        };
        // Programs say nothing about an option that they do not take.
        for (name, value) in &self.config.options {
            process.ability.takes(name, value)?;
        }
        if !process.ability.plays(seat.opening.variant()) {
            return Err(wrong(Fault::NotAble));
        }
        process.new_game().await.map_err(wrong)?;
        self.processes().playing.insert(seat.game, process);
        Ok(())
    }

    async fn answer(&self, turn: Turn<'_>) -> Result<Choice, String> {
        let taken = self.processes().playing.remove(&turn.game);
        let Some(mut process) = taken else {
            return Err("it is not running".into());
        };
        let time = match turn.clocks {
            None => Time::Move(self.time),
            Some(clocks) => Time::Clocks {
                clocks,
                white: turn.situation.board().turn() == Color::White,
            },
        };
        match process.ask(turn.situation, self.limits, time, LATE).await {
            Ok(answer) => {
                self.processes().playing.insert(turn.game, process);
                Ok(Choice::Move(answer.m))
            }
            Err(fault) => {
                process.end().await;
                Err(fault.to_string())
            }
        }
    }
}

impl Player for Program {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn sit<'a>(&'a self, seat: Seat<'a>) -> Ready<'a> {
        Box::pin(self.ready(seat))
    }

    fn play<'a>(&'a self, turn: Turn<'a>) -> Reply<'a> {
        Box::pin(self.answer(turn))
    }

    fn leave<'a>(&'a self, game: u64, _: &'a crate::Situation) -> Ready<'a> {
        let mut processes = self.processes();
        let process = processes.playing.remove(&game);
        processes.free.extend(process);
        Box::pin(async { Ok(()) })
    }
}
