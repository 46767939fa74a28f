//! What an attacker knows and has.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::caller::Caller;
use super::outcome::Toll;
use crate::lines::{Lines, PLIES};

/// Goes on until then, and tells what came of it.
pub(super) type Strike = Box<dyn FnOnce(Instant) -> Result<Toll, String> + Send>;

/// Connections of a loop, unless an attack says otherwise.
pub(super) const CONNECTIONS: usize = 8;
/// Preparing takes at most so many times as long as the attack.
const PREPARATION: u32 = 6;
/// The length that attacks are made for; shorter ones prepare less.
const FULL: Duration = Duration::from_secs(10);

/// The pause after a refusal for now.
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// Several at the same time.
pub(super) fn together(parts: Vec<Strike>) -> Strike {
    Box::new(move |until| {
        let threads = parts
            .into_iter()
            .map(|part| std::thread::spawn(move || part(until)));
        let threads: Vec<_> = threads.collect();
        let mut toll = Toll::default();
        for thread in threads {
            let part = thread.join().map_err(|_| "a part of it panicked")?;
            toll = toll.and(part?);
        }
        Ok(toll)
    })
}

/// One thing after the other, so much time apart at least, until then.
pub(super) fn steadily(
    until: Instant,
    every: Duration,
    mut act: impl FnMut() -> Result<(), String>,
) -> Result<(), String> {
    let mut next = Instant::now();
    while next < until {
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        act()?;
        next = Instant::now().max(next + every);
    }
    Ok(())
}

/// The server, and how long it is attacked.
pub(super) struct Stage {
    pub(super) address: SocketAddr,
    pub(super) lasting: Duration,
    pub(super) lines: Arc<Lines>,
    /// The games of honest players.
    pub(super) honest: Vec<String>,
}

impl Stage {
    /// A connection of the attacker's.
    pub(super) fn caller(&self) -> Caller {
        Caller::new(None, self.address)
    }

    /// When whatever is being prepared has to do.
    pub(super) fn prepared_by(&self) -> Instant {
        Instant::now() + self.lasting * PREPARATION
    }

    /// So many for an attack of full length, and fewer for a shorter one.
    pub(super) fn scaled(&self, many: usize) -> usize {
        let share = self.lasting.as_secs_f64() / FULL.as_secs_f64();
        ((many as f64 * share.min(1.0)).ceil() as usize).max(1)
    }
}

/// Three hours each, so that no flag falls; threefold does not end the game.
/// With a spectator delay.
pub(super) fn long_game(delay: u32) -> String {
    format!(
        r#"{{"time_control":{{"initial_seconds":10800,"increment_seconds":0}},"draw_rule":"claim","spectator_delay_seconds":{delay}}}"#
    )
}

/// Two players and their game.
pub(super) struct Pair {
    pub(super) id: String,
    /// White's and Black's.
    pub(super) tokens: [String; 2],
    /// Half-moves that were played.
    pub(super) ply: u32,
    /// The line that they follow.
    pub(super) line: usize,
}

impl Pair {
    /// Two new guests begin a game.
    pub(super) fn begin(caller: &mut Caller, terms: &str, line: usize) -> Result<Pair, String> {
        let tokens = [caller.guest()?, caller.guest()?];
        let id = caller.game(&tokens, terms)?;
        Ok(Pair {
            id,
            tokens,
            ply: 0,
            line,
        })
    }

    /// Whose turn it is to make a half-move.
    pub(super) fn mover(&self, ply: u32) -> &str {
        &self.tokens[(ply as usize + 1) % 2]
    }

    /// Makes the next move of the line; says how it was answered.
    pub(super) fn play(&mut self, caller: &mut Caller, lines: &Lines) -> Result<u16, String> {
        let ply = self.ply + 1;
        let uci = lines.get(self.line, ply).ok_or("the line is over")?;
        let body = format!(r#"{{"move":"{uci}","ply":{ply}}}"#);
        let path = format!("/v1/games/{}/moves", self.id);
        let reply = caller.ask("POST", &path, self.mover(ply), &body)?;
        if reply.status == 200 {
            self.ply = ply;
        }
        Ok(reply.status)
    }

    /// Plays on to that half-move, as fast as it is allowed.
    pub(super) fn play_to(
        &mut self,
        caller: &mut Caller,
        stage: &Stage,
        ply: usize,
    ) -> Result<(), String> {
        let by = stage.prepared_by();
        while (self.ply as usize) < ply && Instant::now() < by {
            if self.play(caller, &stage.lines)? == 429 {
                std::thread::sleep(PAUSE);
            }
        }
        Ok(())
    }

    /// Plays on, so many moves a second.
    pub(super) fn playing(mut self, stage: &Stage, rate: f64) -> Strike {
        let (mut caller, lines) = (stage.caller(), Arc::clone(&stage.lines));
        Box::new(move |until| {
            let mut toll = Toll::default();
            steadily(until, Duration::from_secs_f64(1.0 / rate), || {
                if (self.ply as usize) < PLIES {
                    toll.count(self.play(&mut caller, &lines)?);
                }
                Ok(())
            })?;
            Ok(toll)
        })
    }

    /// Asks something of the game, as White (0) or Black (1).
    pub(super) fn command(
        &self,
        caller: &mut Caller,
        side: usize,
        command: &str,
        body: &str,
    ) -> Result<u16, String> {
        let path = format!("/v1/games/{}/{command}", self.id);
        Ok(caller.ask("POST", &path, &self.tokens[side], body)?.status)
    }
}
