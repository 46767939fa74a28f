//! The match: many games at once, each of which follows from the seed and its number.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::Color;
use chess::rules::{BoardEnd, Variant};
use tokio::task::JoinSet;

use super::record::Record;
use super::{Choice, Player, Seat, Turn};
use crate::chance::Chance;
use crate::pace::Clock;
use crate::situation::Situation;

/// A match.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many games.
    pub games: u64,
    /// How many at once.
    pub concurrency: usize,
    /// Chance.
    pub seed: u64,
    /// Where games begin: each is played twice, with both colours, then comes the next.
    pub openings: Vec<Situation>,
    /// Time and increment, if it is played with a clock.
    pub clock: Option<Clock>,
    /// A longer game is drawn.
    pub plies_max: usize,
}

/// What the reason begins with where a player made no move, or did not come: the game says nothing about strength.
pub const NO_MOVE: &str = "no move: ";

/// Plays what `done` does not have, and tells of every game when it is over. Returns all of them in order.
///
/// Records of another seed or of other players are not of this match and do not count.
pub async fn run(
    plan: &Plan,
    players: [Arc<dyn Player>; 2],
    done: Vec<Record>,
    mut tell: impl FnMut(&Record) -> bool,
) -> Vec<Record> {
    let names = [players[0].name(), players[1].name()];
    let mut records: Vec<Record> = done
        .into_iter()
        .filter(|record| is_of(record, plan, &names))
        .collect();
    records.sort_by_key(|record| record.game);
    records.dedup_by_key(|record| record.game);
    let known: Vec<u64> = records.iter().map(|record| record.game).collect();
    let mut left = (0..plan.games).filter(|game| known.binary_search(game).is_err());
    let mut running = JoinSet::new();
    let mut goes_on = true;
    loop {
        while goes_on && running.len() < plan.concurrency.max(1) {
            let Some(game) = left.next() else { break };
            running.spawn(play(plan.clone(), players.clone(), game));
        }
        match running.join_next().await {
            None => break,
            Some(Ok(record)) => {
                // Whoever is told may have seen enough, such as a test that is decided.
                goes_on &= tell(&record);
                records.push(record);
            }
            Some(Err(error)) => tracing::error!(%error, "a game of the match failed"),
        }
    }
    records.sort_by_key(|record| record.game);
    records
}

fn is_of(record: &Record, plan: &Plan, names: &[String; 2]) -> bool {
    let first = usize::from(!record.first_is_white);
    record.seed == plan.seed
        && record.game < plan.games
        && record.white == names[first]
        && record.black == names[1 - first]
}

async fn play(plan: Plan, players: [Arc<dyn Player>; 2], game: u64) -> Record {
    let opening = match plan.openings.len() {
        0 => Situation::usual(Variant::Standard),
        count => plan.openings[(game / 2) as usize % count].clone(),
    };
    let mut table = Table {
        first_is_white: game.is_multiple_of(2),
        opening: opening.moves().len(),
        situation: opening,
        clocks: [plan.clock; 2],
        seed: Chance::of(plan.seed, game).next(),
        game,
    };
    let (winner, reason) = match table.seat(&players).await {
        Some(lost) => lost,
        None => loop {
            if let Some(ended) = table.ended(plan.plies_max) {
                break ended;
            }
            if let Some(lost) = table.turn(&players).await {
                break lost;
            }
        },
    };
    for player in &players {
        if let Err(why) = player.leave(game, &table.situation).await {
            tracing::debug!(why, "a player did not hear of the end of a game");
        }
    }
    table.record(&plan, &players, winner, reason)
}

type Ended = (Option<Color>, String);

struct Table {
    game: u64,
    seed: u64,
    first_is_white: bool,
    opening: usize,
    situation: Situation,
    clocks: [Option<Clock>; 2],
}

impl Table {
    fn ended(&self, plies_max: usize) -> Option<Ended> {
        let board = self.situation.board();
        let ended = match board.end() {
            Some(BoardEnd::Checkmate) => (Some(!board.turn()), "checkmate"),
            Some(BoardEnd::Stalemate) => (None, "stalemate"),
            Some(BoardEnd::InsufficientMaterial) => (None, "insufficient material"),
            Some(BoardEnd::VariantEnd(winner)) => (winner, "variant end"),
            None if self.situation.repetitions() >= 3 => (None, "threefold repetition"),
            None if board.quiet_plies() >= 100 => (None, "fifty moves"),
            None if self.situation.moves().len() >= plies_max => (None, "too long"),
            None => return None,
        };
        Some((ended.0, ended.1.to_owned()))
    }

    fn player_of(&self, color: Color) -> usize {
        usize::from((color == Color::White) != self.first_is_white)
    }

    /// Both sit down; who does not has lost.
    async fn seat(&self, players: &[Arc<dyn Player>; 2]) -> Option<Ended> {
        for color in [Color::White, Color::Black] {
            let seat = Seat {
                game: self.game,
                color,
                opening: &self.situation,
                clock: self.clocks[0],
            };
            if let Err(why) = players[self.player_of(color)].sit(seat).await {
                return Some((Some(!color), format!("{NO_MOVE}{why}")));
            }
        }
        None
    }

    /// One move; who cannot make it has lost.
    async fn turn(&mut self, players: &[Arc<dyn Player>; 2]) -> Option<Ended> {
        let color = self.situation.board().turn();
        let side = color.fold_wb(0, 1);
        let player = self.player_of(color);
        let [own, other] = [self.clocks[side], self.clocks[1 - side]];
        let begun = Instant::now();
        let turn = Turn {
            game: self.game,
            situation: &self.situation,
            clocks: own.zip(other).map(|(own, other)| [own, other]),
            seed: self.seed,
        };
        let played = match players[player].play(turn).await {
            Ok(Choice::Move(m)) => m,
            Ok(Choice::Over { winner, reason }) => return Some((winner, reason)),
            Err(why) => return Some((Some(!color), format!("{NO_MOVE}{why}"))),
        };
        if let Some(clock) = &mut self.clocks[side] {
            match clock
                .left
                .checked_sub(begun.elapsed())
                .filter(|left| *left > Duration::ZERO)
            {
                Some(left) => clock.left = left + clock.increment,
                None => return Some((Some(!color), "time".into())),
            }
        }
        let board = self.situation.board();
        if !board.legal_moves().contains(&played) {
            let text = board.uci_text(played);
            return Some((Some(!color), format!("illegal move {text}")));
        }
        self.situation.play(played);
        None
    }

    fn record(
        &self,
        plan: &Plan,
        players: &[Arc<dyn Player>; 2],
        winner: Option<Color>,
        reason: String,
    ) -> Record {
        let mut board = self.situation.start().clone();
        let start = board.fen();
        let mut moves = Vec::with_capacity(self.situation.moves().len());
        for m in self.situation.moves() {
            moves.push(board.uci_text(*m));
            board.play(*m);
        }
        let first = usize::from(!self.first_is_white);
        let result = match winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        };
        Record {
            game: self.game,
            seed: plan.seed,
            white: players[first].name(),
            black: players[1 - first].name(),
            first_is_white: self.first_is_white,
            variant: self.situation.variant().name().into(),
            start,
            moves,
            opening: self.opening,
            result: result.into(),
            reason,
        }
    }
}
