//! Material, squares, mobility, pawns and the king's safety, for one side.

use shakmaty::attacks::{
    bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::squares::{self, AHEAD, BESIDE};
use super::{Pair, Weights, pair};

/// For each square that a piece may go to, beyond what is usual for it.
const MOBILITY: [(Pair, i32); 4] = [
    (pair(4, 4), 4),
    (pair(5, 4), 6),
    (pair(2, 4), 7),
    (pair(1, 3), 13),
];
const BISHOP_PAIR: Pair = pair(30, 48);
const ROOK_OPEN: Pair = pair(26, 10);
const ROOK_HALF_OPEN: Pair = pair(12, 8);
const ROOK_BEHIND_PASSED: Pair = pair(6, 22);
const OUTPOST: Pair = pair(22, 10);
const DOUBLED: Pair = pair(-9, -20);
const ISOLATED: Pair = pair(-12, -13);
const BACKWARD: Pair = pair(-7, -8);
const SUPPORTED: Pair = pair(8, 5);
/// By how far it has come.
const PASSED: [Pair; 8] = [
    pair(0, 0),
    pair(2, 8),
    pair(4, 14),
    pair(10, 28),
    pair(26, 52),
    pair(52, 92),
    pair(86, 150),
    pair(0, 0),
];
const SHIELD: Pair = pair(11, 0);
const SHIELD_GONE: Pair = pair(-20, 0);
/// How dangerous an attacker of the king's surroundings is, per square it attacks there.
const ATTACKER: [i32; 4] = [9, 8, 11, 16];
/// One attacker alone does little, in percent.
const TOGETHER: [i32; 6] = [0, 25, 80, 115, 135, 150];
/// A piece that a pawn attacks, and a piece that nobody defends against an attack.
const HIT_BY_PAWN: Pair = pair(28, 22);

struct Side<'a> {
    board: &'a Board,
    color: Color,
    weights: &'a Weights,
    own_pawns: Bitboard,
    their_pawns: Bitboard,
    pawn_attacks: Bitboard,
    their_pawn_attacks: Bitboard,
    /// The other king and what is around it.
    zone: Bitboard,
}

/// What one side has.
pub(super) fn of(board: &Board, color: Color, weights: &Weights) -> Pair {
    let own_pawns = board.pawns() & board.by_color(color);
    let their_pawns = board.pawns() & board.by_color(!color);
    let side = Side {
        board,
        color,
        weights,
        own_pawns,
        their_pawns,
        pawn_attacks: attacked_by_pawns(own_pawns, color),
        their_pawn_attacks: attacked_by_pawns(their_pawns, !color),
        zone: board.king_of(!color).map_or(Bitboard(0), surroundings),
    };
    let mut score = side.material();
    score.add(side.officers());
    let mut structure = side.pawns();
    if let Some(king) = board.king_of(color) {
        structure.add(side.shelter(king));
    }
    add_percent(&mut score, structure, weights.structure);
    score
}

fn add_percent(score: &mut Pair, more: Pair, percent: i32) {
    score.mg += more.mg * percent / 100;
    score.eg += more.eg * percent / 100;
}

fn attacked_by_pawns(pawns: Bitboard, color: Color) -> Bitboard {
    let pawns = pawns.0;
    let (left, right) = (pawns & !squares::file(0), pawns & !squares::file(7));
    Bitboard(color.fold_wb(left << 7 | right << 9, left >> 9 | right >> 7))
}

fn surroundings(king: Square) -> Bitboard {
    king_attacks(king) | Bitboard::from_square(king)
}

impl Side<'_> {
    fn of_role(&self, role: Role) -> Bitboard {
        self.board.by_piece(role.of(self.color))
    }

    fn material(&self) -> Pair {
        let (mut material, mut places) = (Pair::default(), Pair::default());
        for role in Role::ALL {
            let pieces = self.of_role(role);
            material.add_times(
                self.weights.values[role as usize - 1],
                pieces.count() as i32,
            );
            for square in pieces {
                places.add(squares::on(self.color, role, square));
            }
        }
        if self.of_role(Role::Bishop).more_than_one() {
            material.add(BISHOP_PAIR);
        }
        add_percent(&mut material, places, self.weights.squares);
        material
    }

    /// Mobility, attack on the king, files and outposts.
    fn officers(&self) -> Pair {
        let occupied = self.board.occupied();
        let free = !self.board.by_color(self.color) & !self.their_pawn_attacks;
        let (mut mobility, mut places) = (Pair::default(), Pair::default());
        let (mut attackers, mut danger) = (0, 0);
        let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        for (n, role) in roles.into_iter().enumerate() {
            let (weight, usual) = MOBILITY[n];
            for square in self.of_role(role) {
                let reach = match role {
                    Role::Knight => knight_attacks(square),
                    Role::Bishop => bishop_attacks(square, occupied),
                    Role::Rook => rook_attacks(square, occupied),
                    _ => queen_attacks(square, occupied),
                };
                mobility.add_times(weight, (reach & free).count() as i32 - usual);
                let near = (reach & self.zone).count() as i32;
                attackers += usize::from(near > 0);
                danger += near * ATTACKER[n];
                places.add(self.place(role, square));
            }
        }
        let hit = self.pawn_attacks & self.board.by_color(!self.color) & !self.board.pawns();
        places.add_times(HIT_BY_PAWN, hit.count() as i32);
        let mut score = places;
        add_percent(&mut score, mobility, self.weights.mobility);
        let danger = danger * TOGETHER[attackers.min(5)] / 100;
        // Two attackers are more than twice one: it grows with the square.
        let attack = danger + danger * danger / 220;
        score.mg += attack.min(450) * self.weights.danger / 100;
        score.eg += attack.min(450) * self.weights.danger / 500;
        score
    }

    fn place(&self, role: Role, square: Square) -> Pair {
        let number = square as usize % 8;
        match role {
            Role::Rook => {
                let file = Bitboard(squares::file(number));
                if (file & self.own_pawns).is_empty() {
                    if (file & self.their_pawns).is_empty() {
                        return ROOK_OPEN;
                    }
                    return ROOK_HALF_OPEN;
                }
                let ahead = AHEAD[self.color.fold_wb(0, 1)][square as usize];
                let pawn = self.own_pawns & Bitboard(ahead);
                let passed = pawn.into_iter().any(|pawn| self.is_passed(pawn));
                if passed {
                    ROOK_BEHIND_PASSED
                } else {
                    Pair::default()
                }
            }
            Role::Knight | Role::Bishop if self.pawn_attacks.contains(square) => {
                let beside = Bitboard(squares::front(self.color, square) & BESIDE[number]);
                let advanced = self
                    .color
                    .fold_wb(square as usize / 8, 7 - square as usize / 8);
                if (beside & self.their_pawns).is_empty() && (3..=5).contains(&advanced) {
                    OUTPOST
                } else {
                    Pair::default()
                }
            }
            _ => Pair::default(),
        }
    }

    fn is_passed(&self, pawn: Square) -> bool {
        (Bitboard(squares::front(self.color, pawn)) & self.their_pawns).is_empty()
    }

    fn pawns(&self) -> Pair {
        let mut score = Pair::default();
        let side = self.color.fold_wb(0, 1);
        for pawn in self.own_pawns {
            let (rank, number) = (pawn as usize / 8, pawn as usize % 8);
            let ahead = Bitboard(AHEAD[side][pawn as usize]);
            let beside = self.own_pawns & Bitboard(BESIDE[number]);
            if (ahead & self.own_pawns).any() {
                score.add(DOUBLED);
            } else if self.is_passed(pawn) {
                score.add(self.passed(pawn, self.color.fold_wb(rank, 7 - rank)));
            }
            if self.pawn_attacks.contains(pawn) {
                score.add(SUPPORTED);
            } else if beside.is_empty() {
                score.add(ISOLATED);
            } else {
                let behind = !Bitboard(squares::front(self.color, pawn));
                let stop = Bitboard::from_square(pawn).shift(self.color.fold_wb(8, -8));
                if (beside & behind).is_empty() && (stop & self.their_pawn_attacks).any() {
                    score.add(BACKWARD);
                }
            }
        }
        score
    }

    fn passed(&self, pawn: Square, advanced: usize) -> Pair {
        let mut score = PASSED[advanced.min(7)];
        let side = self.color.fold_wb(0, 1);
        let before = Bitboard::from_square(pawn).shift(self.color.fold_wb(8, -8));
        if (before & self.board.occupied()).any() {
            score.mg -= score.mg / 4;
            score.eg -= score.eg / 3;
        }
        let kings = (
            self.board.king_of(self.color),
            self.board.king_of(!self.color),
        );
        if let ((Some(ours), Some(theirs)), Some(stop)) = (kings, before.first()) {
            let nearer = squares::distance(theirs, stop) * 5 - squares::distance(ours, stop) * 2;
            score.eg += nearer * advanced as i32 / 3;
            let goal = Bitboard(AHEAD[side][pawn as usize]).into_iter();
            let goal = self.color.fold_wb(goal.clone().last(), goal.clone().next());
            let alone =
                (self.board.by_color(!self.color) & !self.board.pawns() & !self.board.kings())
                    .is_empty();
            // Nobody but the king can stop it, and the king comes too late.
            if alone
                && goal.is_some_and(|goal| {
                    squares::distance(theirs, goal) > squares::distance(pawn, goal) + 1
                })
            {
                score.eg += 250;
            }
        }
        score
    }

    /// The pawns before a king that is not in the middle of the board.
    fn shelter(&self, king: Square) -> Pair {
        let mut score = Pair::default();
        let rank = self.color.fold_wb(king as i32 / 8, 7 - king as i32 / 8);
        if rank > 1 {
            return score;
        }
        let number = king as usize % 8;
        let from = number.clamp(1, 6) - 1;
        for file in from..from + 3 {
            let own = (self.own_pawns & Bitboard(squares::file(file))).into_iter();
            let nearest = self.color.fold_wb(own.clone().next(), own.clone().last());
            match nearest.map(|pawn| self.color.fold_wb(pawn as i32 / 8, 7 - pawn as i32 / 8)) {
                Some(1) => score.add(SHIELD),
                Some(2) => score.add_times(SHIELD, 0),
                Some(_) => score.add(pair(-10, 0)),
                None => score.add(SHIELD_GONE),
            }
        }
        score
    }
}
