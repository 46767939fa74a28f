//! A game as JSON.

use chess::game::Game;
use serde_json::{Value, json};

use super::card::Card;
use super::flags::Flags;
use super::pgn::{self, initial_fen};
use crate::doors::lichess::vocab::{self, Rules, Status};
use crate::play::analysis;

/// The game.
pub(super) fn write(game: &Game, card: &Card, flags: Flags) -> Value {
    let mut told = described(game, card);
    told["variant"] = json!(Rules::of(game).key());
    let status = Status::of(game);
    told["status"] = json!(status.name);
    let last = game.last_move_at().unwrap_or_else(|| game.created_at());
    told["lastMoveAt"] = json!(last.0);
    if let Some(winner) = game.ending().and_then(|ending| ending.winner()) {
        told["winner"] = json!(vocab::color(winner));
    }
    let control = &game.terms().control;
    if let Some((initial, increment)) = vocab::clock(control) {
        told["clock"] = clock(initial.as_secs(), increment.as_secs());
    }
    if let Some(days) = vocab::days(control) {
        told["daysPerTurn"] = json!(days);
    }
    if let Some(opening) = analysis::opening(game).filter(|_| flags.opening) {
        told["opening"] = json!({
            "eco": opening.eco, "name": opening.name, "ply": opening.plies,
        });
    }
    if flags.moves {
        told["moves"] = json!(moves(game));
    }
    if flags.clocks && control.is_real_time() {
        told["clocks"] = json!(clocks(game));
    }
    if flags.last_fen {
        told["lastFen"] = json!(game.board().fen());
    }
    if flags.pgn_in_json {
        told["pgn"] = json!(pgn::write(game, card, flags));
    }
    told
}

/// What a game is, and who plays it.
pub(in crate::doors::lichess) fn described(game: &Game, card: &Card) -> Value {
    let terms = game.terms();
    let mut told = json!({
        "id": card.id,
        "variant": Rules::of(game).json(),
        "speed": vocab::speed(terms.control.speed()),
        "perf": vocab::perf(vocab::category(game)),
        "rated": terms.rated,
        "source": card.source,
        "createdAt": game.created_at().0,
        "players": card.json(),
    });
    if let Some(fen) = initial_fen(game) {
        told["initialFen"] = json!(fen);
    }
    told
}

/// In seconds; `totalTime` is what forty moves would take.
pub(in crate::doors::lichess) fn clock(initial: u32, increment: u32) -> Value {
    json!({
        "initial": initial,
        "increment": increment,
        "totalTime": initial + 40 * increment,
    })
}

/// In standard algebraic notation, with spaces between them.
fn moves(game: &Game) -> String {
    let mut board = game.start_board();
    let line = game.line();
    let sans = line.iter().map(|played| {
        let before = board.clone();
        let m = played.in_position(&before);
        board.play(m);
        before.san(m, &board)
    });
    sans.collect::<Vec<_>>().join(" ")
}

/// What the one who moved had left after it, in centiseconds.
fn clocks(game: &Game) -> Vec<u32> {
    let mut mover = game.start_board().turn();
    let line = game.line();
    let left = line.iter().map(|played| {
        let left = played.clocks.get(mover).0 / 10;
        mover = !mover;
        left
    });
    left.collect()
}
