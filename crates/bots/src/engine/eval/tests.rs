use super::*;
use chess::rules::{Board as Position, Variant};

fn of(variant: Variant, fen: &str) -> i32 {
    match Position::from_fen(variant, fen).expect("a good test position") {
        Position::Standard(p) => evaluate(&p),
        Position::Variant(p) => evaluate(&*p),
    }
}

fn standard(fen: &str) -> i32 {
    of(Variant::Standard, fen)
}

#[test]
fn a_position_and_its_mirror_image_are_worth_the_same() {
    for (white, black) in [
        (
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3",
        ),
        (
            "4k3/1p3p2/8/2P5/8/5P2/8/4K2R w - - 0 1",
            "4k2r/8/5p2/8/2p5/8/1P3P2/4K3 b - - 0 1",
        ),
    ] {
        assert_eq!(standard(white), standard(black));
    }
}

#[test]
fn more_pieces_are_better_except_in_antichess() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w - - 0 1";
    for variant in [
        Variant::Standard,
        Variant::Atomic,
        Variant::Crazyhouse,
        Variant::KingOfTheHill,
        Variant::ThreeCheck,
    ] {
        assert!(of(variant, fen) < -500, "{}", variant.name());
    }
    assert!(of(Variant::Antichess, fen) > 50);
}

#[test]
fn each_variant_sees_what_it_is_about() {
    let hill = |fen| of(Variant::KingOfTheHill, fen);
    assert!(hill("4k3/8/8/8/8/4K3/8/8 w - - 0 1") > hill("4k3/8/8/8/8/8/8/4K3 w - - 0 1") + 50);
    let checks = |fen| of(Variant::ThreeCheck, fen);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert!(checks(&format!("{start} 1+3 0 1")) > checks(&format!("{start} 3+3 0 1")) + 200);
    let race = |fen| of(Variant::RacingKings, fen);
    assert!(race("8/8/8/1K6/8/8/7k/8 w - - 0 1") > 200);
    let house = |pocket| {
        of(
            Variant::Crazyhouse,
            &format!("4k3/p7/8/8/8/8/P7/4K3[{pocket}] w - - 0 1"),
        )
    };
    assert!(house("N") > 250 && house("n") < -250);
}

#[test]
fn what_cannot_be_won_is_nearly_equal() {
    assert!(standard("4k3/8/8/8/8/8/4n3/4K2R w - - 0 1").abs() < 60);
    assert!(standard("4k3/8/8/8/8/8/8/4K2R w K - 0 1") > 400);
    let opposite = standard("4k1b1/pp6/8/8/8/8/PPPP4/4K1B1 w - - 0 1");
    assert!(opposite < 160, "{opposite}");
}

#[test]
fn a_pawn_that_nobody_can_catch_is_nearly_a_queen() {
    let far = standard("8/P7/8/8/8/8/6k1/4K3 w - - 0 1");
    let near = standard("8/P1k5/8/8/8/8/8/4K3 w - - 0 1");
    assert!(far > near + 200, "{far} {near}");
}
