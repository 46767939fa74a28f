//! The whole of a game, for who comes in the middle of it.

use chess::Timestamp;
use chess::game::{Game, Offer};
use chess::rules::Board;
use chess::table::Table;

use super::cast::{Cast, side_name, side_title};
use super::words::{Told, result, times};
use crate::doors::xmpp::GAME;
use crate::doors::xmpp::element::Element;

const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// `<game><state/></game>`: the position, the moves, both clocks at that moment.
pub(super) fn state(cast: &Cast, game: &Game, at: Timestamp) -> Told {
    let board = game.board();
    let initial = game.start_board().fen();
    let flag = |is: bool| if is { "1" } else { "0" };
    let (moves, score) = moves(cast, game);
    let offers = Offer::ALL.into_iter().filter_map(|offer| {
        let by = game.offer(offer)?;
        Some(cast.by(offer.name(), game, by))
    });
    let state = Element::new("state", GAME)
        .with("state", game.state().name())
        .with("variant", game.terms().variant.name())
        .with("rated", flag(game.terms().rated))
        .with("version", game.version().to_string())
        .with("ply", game.ply().to_string())
        .with("number", board.move_number().to_string())
        .with("side", side_name(game.turn()))
        .with("fen", board.fen())
        .with_some("initial", Some(initial).filter(|fen| fen != USUAL_START))
        .children_of(moves)
        .children_of(offers)
        .children_of(game.ending().map(result));
    let text = match game.ending() {
        Some(ending) => format!("{score}{} {}", ending.score(), ending.reason()),
        None if game.started_at().is_none() => "The game has not begun.".to_owned(),
        None => format!("{score}{} to move.", side_title(game.turn())),
    };
    Told {
        game: cast.game(game).child(state).children_of(times(game, at)),
        text: Some(text),
    }
}

/// The moves that stand, one by one and as on a score sheet.
fn moves(cast: &Cast, game: &Game) -> (Vec<Element>, String) {
    let mut board: Board = game.start_board();
    let mut score = String::new();
    let mut all = Vec::new();
    for (index, played) in game.line().iter().enumerate() {
        let (mover, number) = (board.turn(), board.move_number());
        let m = played.in_position(&board);
        let mut after = board.clone();
        after.play(m);
        all.push(
            cast.by("move", game, mover)
                .with("ply", (index + 1).to_string())
                .with("number", number.to_string())
                .text(board.uci_text(m)),
        );
        match mover.is_white() {
            true => score.push_str(&format!("{number}. ")),
            false if index == 0 => score.push_str(&format!("{number}... ")),
            false => {}
        }
        score.push_str(&board.san(m, &after));
        score.push(' ');
        board = after;
    }
    if !score.is_empty() {
        score.pop();
        score.push_str(". ");
    }
    (all, score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doors::xmpp::room::words::tests::{CAST, played, started};

    #[test]
    fn who_comes_late_is_told_everything() {
        let game = played(&["e2e4", "e7e5"], [0, 4_700]);
        let told = state(&CAST, &game, game.last_at());
        assert_eq!(
            told.game.write(),
            "<game xmlns='http://onlinegamegroup.com/xml/chesspark-01' \
             white='metajack@chesspark.com' black='trainer@chesspark.com' id='1234'>\
             <state state='ACTIVE' variant='standard' rated='0' version='4' ply='2' number='2' \
             side='white' fen='rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'>\
             <move player='metajack@chesspark.com' side='white' ply='1' number='1'>e2e4</move>\
             <move player='trainer@chesspark.com' side='black' ply='2' number='1'>e7e5</move>\
             </state><time control='0' side='black'>1795.3</time>\
             <time control='0' side='white'>1800.0</time></game>"
        );
        assert_eq!(told.text.as_deref(), Some("1. e4 e5. White to move."));
    }

    #[test]
    fn a_game_that_has_just_begun_has_no_moves() {
        let told = state(&CAST, &started(), Timestamp(0));
        assert_eq!(told.text.as_deref(), Some("White to move."));
    }
}
