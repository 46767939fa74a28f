use super::*;
use chess::rules::{Spelled, Variant};

fn at(variant: Variant, fen: &str) -> Situation {
    let board = Board::from_fen(variant, fen).expect("a good test position");
    Situation::new(variant, board)
}

fn best(variant: Variant, fen: &str, limits: Limits) -> (String, Score) {
    let situation = at(variant, fen);
    let found = Engine::new(1 << 20).search(&situation, limits);
    let found = found.expect("there are moves");
    (situation.board().uci_text(found.best), found.score)
}

#[test]
fn mates_are_found_and_counted_in_moves() {
    let back_rank = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let (m, score) = best(Variant::Standard, back_rank, Limits::depth(2));
    assert_eq!((m.as_str(), score), ("d1d8", Score::Mate(1)));
    let two = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";
    let (_, score) = best(Variant::Standard, two, Limits::depth(5));
    assert_eq!(score, Score::Mate(2));
    let lost = "6k1/8/8/8/8/1r6/r7/7K w - - 0 1";
    let (_, score) = best(Variant::Standard, lost, Limits::depth(4));
    assert_eq!(score, Score::Mate(-1));
}

#[test]
fn tactics_are_seen() {
    for (fen, expected) in [
        // A fork of king and queen.
        ("q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7"),
        // Sacrifices that mate (the first is the first of "Win at Chess").
        (
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
            "g3g6",
        ),
        ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", "g2g1"),
    ] {
        let (m, _) = best(Variant::Standard, fen, Limits::nodes(60_000));
        assert_eq!(m, expected, "{fen}");
    }
}

#[test]
fn variants_are_won_in_their_own_way() {
    for (variant, fen, expected) in [
        (
            Variant::KingOfTheHill,
            "7k/8/8/8/8/3K4/8/r7 w - - 0 1",
            vec!["d3d4", "d3e4"],
        ),
        (
            Variant::RacingKings,
            "8/K7/8/7k/8/8/8/8 w - - 0 1",
            vec!["a7a8", "a7b8"],
        ),
        (
            Variant::Atomic,
            "3rkr2/3p1p2/8/8/8/8/8/3RK3 w - - 0 1",
            vec!["d1d7"],
        ),
        (
            Variant::ThreeCheck,
            "4k3/8/8/8/8/8/3Q4/4K3 w - - 1+3 0 1",
            vec![
                "d2e2", "d2e3", "d2d8", "d2d7", "d2h6", "d2a5", "d2b4", "d2g5",
            ],
        ),
        (
            Variant::Antichess,
            "8/8/8/8/8/2p5/8/1R6 w - - 0 1",
            vec!["b1b2"],
        ),
        (
            Variant::Crazyhouse,
            "6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1",
            vec!["N@f7"],
        ),
    ] {
        let (m, score) = best(variant, fen, Limits::nodes(30_000));
        assert!(expected.contains(&m.as_str()), "{}: {m}", variant.name());
        assert!(
            matches!(score, Score::Mate(1..=2)),
            "{}: {score:?}",
            variant.name()
        );
    }
}

#[test]
fn the_same_question_has_the_same_answer_whatever_was_asked_before() {
    let fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "4k3/1p3p2/8/2P5/8/5P2/8/4K2R w - - 0 1",
    ];
    let limits = Limits::nodes(20_000);
    let mut used = Engine::new(1 << 18);
    for fen in fens.into_iter().chain(fens) {
        let situation = at(Variant::Standard, fen);
        let [one, other] = [&mut used, &mut Engine::new(1 << 18)]
            .map(|engine| engine.search(&situation, limits).expect("a move"));
        assert_eq!(
            (one.best, one.score, one.nodes, one.line),
            (other.best, other.score, other.nodes, other.line)
        );
        assert!(one.nodes <= 20_001 && one.depth >= 4);
    }
}

#[test]
fn a_won_endgame_is_won_without_repeating() {
    let mut situation = at(Variant::Standard, "8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let mut engine = Engine::new(1 << 20);
    for _ in 0..60 {
        let Some(found) = engine.search(&situation, Limits::nodes(8_000)) else {
            break;
        };
        situation.play(found.best);
        assert!(!situation.is_drawn_by_rule());
    }
    assert_eq!(
        situation.board().end(),
        Some(chess::rules::BoardEnd::Checkmate)
    );
}

#[test]
fn there_is_a_move_however_little_may_be_spent() {
    let situation = Situation::usual(Variant::Standard);
    let mut engine = Engine::new(0);
    let found = engine.search_until(&situation, Limits::nodes(0), &mut || true);
    assert!(found.is_some_and(|found| found.depth >= 1));
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut situation = at(Variant::Standard, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let mate = Spelled::read("Rd8").expect("a move");
    situation.play(situation.board().resolve(mate).expect("legal"));
    let mut engine = Engine::new(0);
    assert!(engine.search(&situation, Limits::nodes(100)).is_none());
    assert!(
        engine
            .rank(&situation, Limits::depth(1), 100, &mut || false)
            .moves
            .is_empty()
    );
}

#[test]
fn ranking_covers_every_move_and_agrees_with_the_search() {
    let situation = at(Variant::Standard, "q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1");
    let mut engine = Engine::new(1 << 18);
    let ranked = engine
        .rank(&situation, Limits::depth(3), 300, &mut || false)
        .moves;
    assert_eq!(ranked.len(), situation.board().legal_moves().len());
    assert_eq!(situation.board().uci_text(ranked[0].m), "d5c7");
    assert!(ranked.windows(2).all(|pair| pair[0].score >= pair[1].score));
}

#[test]
fn no_position_is_too_odd() {
    let mut engine = Engine::new(1 << 18);
    for (variant, fen) in [
        // More moves than in any game: 218, and drops on an empty board.
        (
            Variant::Standard,
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ),
        (
            Variant::Crazyhouse,
            "k7/8/8/8/8/8/8/7K[QRBNPqrbnp] w - - 0 1",
        ),
        (
            Variant::Horde,
            "k7/8/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w - - 0 1",
        ),
        (Variant::Antichess, "8/8/8/3kK3/3Kk3/8/8/8 w - - 0 1"),
        (
            Variant::Antichess,
            "QQQQQQQQ/8/8/8/8/8/8/qqqqqqqq w - - 0 1",
        ),
        (Variant::Atomic, "8/8/8/3kK3/8/8/8/QR4qr w - - 0 1"),
        (Variant::ThreeCheck, "4k3/8/8/8/8/8/8/Q3K3 w - - 1+1 0 1"),
        (Variant::RacingKings, "8/8/8/8/8/8/8/K6k w - - 99 1"),
        (Variant::Standard, "8/8/4k3/8/8/4K3/4P3/8 w - - 99 9999"),
    ] {
        let situation = at(variant, fen);
        let found = engine.search(&situation, Limits::nodes(5_000));
        let best = found.expect("a move").best;
        assert!(situation.board().legal_moves().contains(&best), "{fen}");
        let ranked = engine
            .rank(&situation, Limits::depth(2), 100, &mut || false)
            .moves;
        assert_eq!(ranked.len(), situation.board().legal_moves().len());
    }
}

#[test]
fn a_long_search_fits_on_a_small_stack() {
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let searching = small.spawn(|| {
        for (variant, fen) in [
            (
                Variant::Crazyhouse,
                "r1bqk2r/ppp2ppp/2n2n2/2b5/8/2N2N2/PPP2PPP/R1BQKB1R[PPpp] w KQkq - 0 8",
            ),
            (
                Variant::Standard,
                "8/8/1p6/pPp2k2/P1P2p2/5P2/5K2/8 w - - 0 1",
            ),
        ] {
            let found = Engine::new(1 << 20).search(&at(variant, fen), Limits::nodes(150_000));
            assert!(found.is_some());
        }
    });
    searching.expect("a thread").join().expect("no overflow");
}
