//! Games over WebSockets: two sockets a game, one move in flight in each.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{GAMES, Outcome};
use crate::crowd::Crowd;
use crate::lines::Lines;
use crate::process::Process;
use crate::stats::Times;

/// What a message means.
pub(crate) enum Heard {
    /// Say this in return.
    Reply(Vec<u8>),
    /// The seat is taken; say this in return, if anything.
    Seated(Option<Vec<u8>>),
    /// The move in flight was accepted.
    Accepted,
    /// The move in flight was refused.
    Refused,
    Nothing,
}

/// How a server talks. Seats of a game stand in pairs, White's first.
pub(crate) trait Dialect {
    fn hear(&mut self, seat: usize, message: &[u8]) -> Heard;
    /// The frame that makes a move.
    fn make_move(&self, seat: usize, uci: &str) -> Vec<u8>;
}

struct Game {
    seated: usize,
    ply: u32,
    sent: Instant,
}

/// Plays on sockets at `paths` for a while, or until a game has no more moves.
pub(crate) fn load(
    server: &Process,
    paths: Vec<String>,
    mut dialect: impl Dialect,
    lasting: Duration,
) -> Result<Outcome, String> {
    let lines = Lines::new();
    let mut crowd = Crowd::connect(server.address, paths.into_iter())?;
    let mut games: Vec<Game> = Vec::new();
    games.resize_with(GAMES, || Game {
        seated: 0,
        ply: 0,
        sent: Instant::now(),
    });
    let mut times = Times::default();
    let mut wrong = None;
    let stop = Arc::new(AtomicBool::new(false));
    let timer = Arc::clone(&stop);
    let begun = Instant::now();
    let cpu = server.cpu();
    std::thread::spawn(move || {
        std::thread::sleep(lasting);
        timer.store(true, Ordering::Relaxed);
    });
    let listened = crowd.listen(&stop, |seat, message, at| {
        let game = &mut games[seat / 2];
        match dialect.hear(seat, message) {
            Heard::Reply(reply) => return vec![(seat, reply)],
            // A server may tell all there is once more.
            Heard::Seated(reply) if game.seated < 2 => {
                game.seated += 1;
                let mut say: Vec<_> = reply.map(|reply| (seat, reply)).into_iter().collect();
                if game.seated == 2 {
                    let first = seat / 2 * 2;
                    game.sent = at;
                    let uci = lines.get(seat / 2, 1).expect("a line has a first move");
                    say.push((first, dialect.make_move(first, uci)));
                }
                return say;
            }
            Heard::Accepted if game.seated == 2 => {
                game.ply += 1;
                times.push(at - game.sent);
                game.sent = at;
                let next = seat / 2 * 2 + (game.ply % 2) as usize;
                match lines.get(seat / 2, game.ply + 1) {
                    Some(uci) => return vec![(next, dialect.make_move(next, uci))],
                    // With fewer games in play the rate would be another.
                    None => stop.store(true, Ordering::Relaxed),
                }
            }
            Heard::Refused => {
                let text = String::from_utf8_lossy(message).into_owned();
                wrong.get_or_insert(format!("a move was refused: {text}"));
            }
            Heard::Seated(_) | Heard::Accepted | Heard::Nothing => {}
        }
        Vec::new()
    });
    listened.map_err(|error| error.to_string())?;
    let seconds = begun.elapsed().as_secs_f64();
    let cpu = server.cpu().saturating_sub(cpu).as_secs_f64() * 1e6;
    match wrong {
        Some(wrong) => Err(wrong),
        None if times.len() == 0 => Err("no move was answered".into()),
        None => Ok(Outcome {
            rate: times.len() as f64 / seconds,
            cpu_us: cpu / times.len() as f64,
            times,
        }),
    }
}
