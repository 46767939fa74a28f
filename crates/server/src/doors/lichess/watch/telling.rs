//! How far somebody has been told of a game, position by position.

use chess::clock::TimeControl;
use chess::game::{Game, Played};
use chess::rules::{Board, Move, UciMove};
use chess::{ByColor, Millis};
use serde_json::{Value, json};

use crate::doors::lichess::vocab::Rules;
use crate::play::Sight;

/// What was told of a game.
#[derive(Default)]
pub(in crate::doors::lichess) struct Told {
    /// The version that it was like.
    version: u32,
    /// The versions that the moves made which were told.
    moves: Vec<u32>,
    /// Whether the position before the first move was.
    is_begun: bool,
}

impl Told {
    /// Whether there is nothing new in a game.
    pub(super) fn knows(&self, sight: &Sight) -> bool {
        self.is_begun && sight.game.version() == self.version
    }

    /// What is new in a game, position by position: from the start, or since the last
    /// look. After a takeback the position that stands is told again.
    pub(in crate::doors::lichess) fn news(&mut self, sight: &Sight) -> Vec<Value> {
        let game = &sight.game;
        if self.knows(sight) {
            return Vec::new();
        }
        let line = game.line();
        let versions: Vec<u32> = line.iter().map(|played| played.version).collect();
        let common = self.moves.iter().zip(&versions);
        let common = common.take_while(|(told, stands)| told == stands).count();
        let is_back = common < self.moves.len();
        let mut news = positions(sight, &line);
        // The position before the first move has a place of its own.
        let skipped = match (self.is_begun, is_back) {
            (false, _) => 0,
            (true, true) => common,
            (true, false) => common + 1,
        };
        news.drain(..skipped);
        self.version = game.version();
        self.moves = versions;
        self.is_begun = true;
        news
    }
}

/// Every position of a game, with what the clocks showed.
fn positions(sight: &Sight, line: &[Played]) -> Vec<Value> {
    let game = &sight.game;
    let rules = Rules::of(game);
    let mut board = game.start_board();
    let initial = game.terms().control.initial().map(|initial| ByColor {
        white: initial,
        black: initial,
    });
    let mut told = vec![position(&board, None, initial)];
    for (index, played) in line.iter().enumerate() {
        let m = played.in_position(&board);
        let lm = uci(&board, m, rules);
        board.play(m);
        let left = match index + 1 == line.len() {
            true => clocks(sight),
            false => Some(played.clocks),
        };
        let left = left.filter(|_| game.terms().control != TimeControl::Unlimited);
        told.push(position(&board, Some(lm), left));
    }
    told
}

fn position(board: &Board, lm: Option<String>, left: Option<ByColor<Millis>>) -> Value {
    let mut told = json!({ "fen": board.fen() });
    if let Some(lm) = lm {
        told["lm"] = json!(lm);
    }
    if let Some(left) = left {
        told["wc"] = json!(left.white.as_secs());
        told["bc"] = json!(left.black.as_secs());
    }
    told
}

/// What the clocks show to whoever looks.
pub(in crate::doors::lichess) fn clocks(sight: &Sight) -> Option<ByColor<Millis>> {
    let game: &Game = &sight.game;
    game.clocks(sight.clock_at())
}

/// A move, castling as the variant has it here.
fn uci(board: &Board, m: Move, rules: Rules) -> String {
    match rules.king_takes_rook() {
        true => UciMove::from_chess960(m).to_string(),
        false => board.uci_text(m),
    }
}
