//! Scripts that begin with a position:
//!
//! ```text
//! 4k3/8/8/8/8/2p5/8/1N2K3 w | b1 has shadowstep | b1c3 -> legal | b1c2 shadowstep -> invalidSkillMove
//! ```
//!
//! First a FEN, then who has which skill, then moves: the squares, and any of
//! the piece to become and the skill to use. After `->`: the reason why it is
//! refused, and nothing changes; or what it brings about: `checkmate`,
//! `stalemate`, `check`. A move with nothing after it must be legal. `would`
//! before a move tries it without making it.

use chess::skill::{
    BEHAVIOURS, Board, Equipped, Move, MoveOrder, Piece, Refusal, Square, Uuid, skill,
};

pub(crate) const SEED: Uuid = Uuid([3; 16]);

/// Plays a script and panics where it does not go as it says; returns where it led.
#[track_caller]
pub(crate) fn check(script: &str) -> Board {
    let mut steps = script.split('|').map(str::trim);
    let fen = steps.next().unwrap_or_default();
    let mut board = Board::from_fen(SEED, fen).unwrap_or_else(|why| panic!("{why}: {fen}"));
    for step in steps.filter(|step| !step.is_empty()) {
        if let Some((on, name)) = step.split_once(" has ") {
            let skill = skill(name).unwrap_or_else(|| panic!("no skill {name}"));
            board.equip(SEED, square(on), skill);
            continue;
        }
        let (text, expected) = step.split_once("->").unwrap_or((step, ""));
        let (only_tried, text) = match text.trim().strip_prefix("would ") {
            Some(text) => (true, text),
            None => (false, text.trim()),
        };
        let verdict = board.judge(&order(&board, text));
        let outcome = outcome(&board, &verdict);
        let fen = board.fen(0);
        assert_eq!(
            outcome,
            expected.trim(),
            "{step}\n  in {script}\n  at {fen}"
        );
        if let (Ok(m), false) = (verdict, only_tried) {
            assert!(board.legal_moves().contains(&m), "{step} is not listed");
            board.play(&m);
        }
    }
    board
}

fn outcome(board: &Board, verdict: &Result<Move, Refusal>) -> &'static str {
    let m = match verdict {
        Ok(m) => m,
        Err(why) => return why.name(),
    };
    if let Some(ending) = board.ending_after(m) {
        return ending.kind();
    }
    let mut after = *board;
    after.play(m);
    if after.is_check(after.turn()) {
        "check"
    } else {
        ""
    }
}

pub(crate) fn square(name: &str) -> Square {
    Square::all()
        .find(|square| square.to_string() == name)
        .unwrap_or_else(|| panic!("no square {name}"))
}

/// What a move's words ask for. A skill is the mover's, if that piece has it,
/// or else anyone's.
pub(crate) fn order(board: &Board, text: &str) -> MoveOrder {
    let mut words = text.split(' ');
    let (from, to) = words.next().unwrap_or_default().split_at(2);
    let (from, to) = (square(from), square(to));
    let mut order = MoveOrder {
        from: from.into(),
        to: to.into(),
        promotion: None,
        equipped_skill: None,
    };
    for word in words {
        if skill(word).is_some() {
            order.equipped_skill = Some(equipped(board, from, word).map_or(SEED, |e| e.id));
        } else {
            let known = BEHAVIOURS.iter().any(|known| known.name() == word);
            assert!(known || word == "dragon", "no piece is called {word}");
            order.promotion = Some(word.to_owned());
        }
    }
    order
}

fn equipped<'a>(board: &'a Board, from: Square, name: &str) -> Option<&'a Equipped> {
    let first = board.at(from).into_iter();
    let then = board.pieces().map(|(_, piece)| piece);
    let of = |piece: &'a Piece| board.skills_of(piece.id);
    first
        .chain(then)
        .flat_map(of)
        .find(|equipped| equipped.skill.id() == name)
}
