//! What only some variants care about.

use shakmaty::attacks::king_attacks;
use shakmaty::variant::Variant as Rules;
use shakmaty::{Bitboard, Color, RemainingChecks, Role};

use super::super::node::Node;
use super::{Pair, pair, squares};

/// By how many steps the king is from the middle: king of the hill.
const HILL: [Pair; 4] = [pair(400, 600), pair(70, 160), pair(15, 60), pair(0, 0)];
/// By how many checks are still to be given: three-check.
const CHECKS: [i32; 4] = [2000, 420, 130, 0];
/// A piece in hand can go anywhere: crazyhouse.
const IN_HAND: [i32; 6] = [115, 345, 330, 450, 790, 0];
/// What pieces are worth in antichess: they must go, and those that reach far are the hardest to give away.
pub(super) const ANTICHESS: [i32; 6] = [-90, -150, -210, -260, -220, -60];
/// By the rank of the king: racing kings.
const RACE: [i32; 8] = [0, 70, 160, 280, 430, 610, 820, 3000];

/// What a variant adds for one side.
pub(super) fn extra<P: Node>(position: &P, rules: Rules, color: Color) -> Pair {
    let board = position.board();
    match rules {
        Rules::KingOfTheHill => board.king_of(color).map_or(Pair::default(), |king| {
            HILL[squares::from_middle(king) as usize]
        }),
        Rules::ThreeCheck => {
            let left = position
                .remaining_checks()
                .map_or(RemainingChecks::default(), |checks| *checks.get(color));
            let worth = CHECKS[usize::from(u8::from(left)).min(3)];
            pair(worth, worth)
        }
        Rules::Crazyhouse => in_hand(position, color),
        Rules::Atomic => fuses(position, color),
        _ => Pair::default(),
    }
}

fn in_hand<P: Node>(position: &P, color: Color) -> Pair {
    let Some(pockets) = position.pockets() else {
        return Pair::default();
    };
    let mut worth = 0;
    for (role, count) in pockets.get(color).zip_role() {
        worth += IN_HAND[role as usize - 1] * i32::from(count);
    }
    pair(worth, worth)
}

/// Atomic: what stands beside the other king and can be taken blows it up. An attack on such a piece is a threat
/// that must be answered; kings side by side are safe.
fn fuses<P: Node>(position: &P, color: Color) -> Pair {
    let board = position.board();
    let (Some(ours), Some(theirs)) = (board.king_of(color), board.king_of(!color)) else {
        return Pair::default();
    };
    if king_attacks(ours).contains(theirs) {
        return Pair::default();
    }
    let beside = king_attacks(theirs) & board.by_color(!color);
    let own_king = king_attacks(ours);
    let mut threats = 0;
    for fuse in beside & !own_king {
        let attackers = board.attacks_to(fuse, color, board.occupied()) & !board.kings();
        threats += i32::from(attackers.any());
    }
    let mine = position.turn() == color;
    let worth = if mine {
        500 * threats.min(1)
    } else {
        90 * threats
    };
    pair(worth, worth)
}

/// Antichess for the side to move: who has less is better, and who must give nothing away has a choice.
pub(super) fn antichess<P: Node>(position: &P) -> i32 {
    let board = position.board();
    let mut score = 0;
    for color in Color::ALL {
        let sign = if position.turn() == color { 1 } else { -1 };
        let own = board.by_color(color);
        for role in Role::ALL {
            score +=
                sign * ANTICHESS[role as usize - 1] * (board.by_role(role) & own).count() as i32;
        }
        // A side with few pieces left is nearly done.
        let left = own.count() as i32;
        score += sign * (if left <= 4 { (5 - left) * 60 } else { 0 });
        let advanced: i32 = (board.pawns() & own)
            .into_iter()
            .map(|pawn| color.fold_wb(pawn as i32 / 8, 7 - pawn as i32 / 8))
            .sum();
        score += sign * advanced * 3;
        // What the other side must take next is as good as gone.
        let mut offered = Bitboard(0);
        for square in own {
            if board.attacks_to(square, !color, board.occupied()).any() {
                offered.add(square);
            }
        }
        score += sign * 25 * offered.count().min(2) as i32;
    }
    score.clamp(-super::super::EVAL_MAX, super::super::EVAL_MAX)
}

/// Racing kings as White sees it: the race first, and pieces because they stand in the way of the other king.
pub(super) fn racing<P: Node>(position: &P) -> i32 {
    const WORTH: [i32; 6] = [0, 170, 230, 330, 520, 0];
    let board = position.board();
    let mut score = 0;
    for color in Color::ALL {
        let sign = color.fold_wb(1, -1);
        let own = board.by_color(color);
        for role in Role::ALL {
            score += sign * WORTH[role as usize - 1] * (board.by_role(role) & own).count() as i32;
        }
        let mut covered = Bitboard(0);
        for square in own & !board.kings() {
            covered |= board.attacks_from(square);
        }
        if let Some(king) = board.king_of(!color) {
            // The ranks before the other king that it may not enter.
            let rank = king as u32 / 8;
            let next = if rank < 7 {
                Bitboard(0xff << (8 * (rank + 1)))
            } else {
                Bitboard(0)
            };
            score += sign * 16 * (covered & next & king_attacks(king)).count() as i32;
            score += sign * 3 * (covered & next).count() as i32;
        }
        if let Some(king) = board.king_of(color) {
            score += sign * RACE[king as usize / 8];
        }
    }
    score
}
