//! Random games, each decided by its seed.

use chess::clock::{ClockStart, DelayKind, Stage, TimeControl};
use chess::game::{Command, Creation, Game, MoveCommand, Offer, StartRatings, Terms};
use chess::rules::{Board, Start, Variant};
use chess::table::{Actor, PlayerId, Verdict};
use chess::{Millis, Timestamp};

/// A small generator (splitmix64), so that a seed always means the same game.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

pub(crate) fn player(number: u32) -> PlayerId {
    PlayerId::new(number).expect("not zero")
}

/// A new game between players 1 (White) and 2, both seated.
pub(crate) fn begin(at: Timestamp, terms: Terms, start: Start) -> Game {
    let mut creation = Creation::open(player(1), terms);
    creation.start = start;
    let mut game = Game::create(at, creation).expect("good terms");
    let join = Command::Join {
        toss: chess::Color::Black,
        by_code: false,
        ratings: StartRatings::default(),
    };
    submit(&mut game, at, Actor::Player(player(2)), &join);
    game
}

/// Lets the game decide, and applies whatever is to be recorded.
pub(crate) fn submit(game: &mut Game, at: Timestamp, who: Actor, command: &Command) {
    match game.decide(at, who, command) {
        Verdict::Change(event) => game.evolve(at, &event),
        Verdict::RefusedBut { consequence, .. } => game.evolve(at, &consequence),
        Verdict::Already(_) | Verdict::Refused(_) => {}
    }
}

/// A game of random moves, times and end.
pub(crate) fn random_game(seed: u64, variant: Variant) -> Game {
    let mut chance = Chance(seed);
    let mut terms = Terms::casual(random_control(&mut chance));
    terms.variant = variant;
    if chance.below(2) == 0 {
        terms.clock_start = ClockStart::SecondPly;
    }
    let start = random_start(&mut chance, variant);
    let mut now = Timestamp(1_700_000_000_000 + chance.below(1 << 40) as u64);
    let mut game = begin(now, terms, start);
    for _ in 0..chance.below(160) {
        now = now + Millis(chance.below(4000) as u32);
        random_move(&mut game, now, &mut chance);
    }
    random_end(&mut game, now, &mut chance);
    game
}

fn random_control(chance: &mut Chance) -> TimeControl {
    let secs = Millis::from_secs;
    let initial = secs(60 + 30 * chance.below(20) as u32);
    let stage = |moves, initial, increment| Stage {
        moves,
        initial: secs(initial),
        increment: secs(increment),
    };
    match chance.below(7) {
        0 => TimeControl::Unlimited,
        1 => TimeControl::Correspondence {
            days: 1 + chance.below(14) as u8,
        },
        2 => TimeControl::Delay {
            initial,
            delay: secs(2),
            kind: DelayKind::Us,
        },
        3 => TimeControl::Delay {
            initial,
            delay: secs(2),
            kind: DelayKind::Bronstein,
        },
        4 => TimeControl::Stages(Box::new(vec![stage(10, 90, 1), stage(0, 60, 2)])),
        _ => TimeControl::Fischer {
            initial,
            increment: secs(chance.below(4) as u32),
        },
    }
}

/// The usual start, a numbered one, or the middle of some other game.
fn random_start(chance: &mut Chance, variant: Variant) -> Start {
    let usual = match variant {
        Variant::Chess960 => Start::Chess960(chance.below(960) as u16),
        _ => Start::Usual,
    };
    if chance.below(3) > 0 {
        return usual;
    }
    let mut board = Board::start(variant, &usual).expect("a good start");
    for _ in 0..chance.below(60) {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        board.play(moves[chance.below(moves.len())]);
    }
    match Board::from_fen(variant, &board.fen()) {
        Ok(_) => Start::Fen(board.fen().into()),
        Err(_) => usual,
    }
}

fn random_move(game: &mut Game, now: Timestamp, chance: &mut Chance) {
    let mover = *game.seats().get(game.turn());
    let mover = Actor::Player(mover.expect("both are seated"));
    let legal = game.board().legal_moves();
    if legal.is_empty() {
        return;
    }
    let m = legal[chance.below(legal.len())];
    let text = game.board().uci(m).to_string();
    submit(game, now, mover, &Command::Move(MoveCommand::new(&text)));
    if chance.below(20) == 0 {
        submit(game, now, mover, &Command::Offer(Offer::Takeback));
        let other = if mover == Actor::Player(player(1)) {
            2
        } else {
            1
        };
        let other = Actor::Player(player(other));
        submit(game, now, other, &Command::Accept(Offer::Takeback));
    }
}

fn random_end(game: &mut Game, now: Timestamp, chance: &mut Chance) {
    let [one, two] = [1, 2].map(|n| Actor::Player(player(n)));
    match chance.below(6) {
        0 => submit(game, now, one, &Command::Resign),
        1 => submit(game, now, two, &Command::Resign),
        2 => {
            submit(game, now, one, &Command::Offer(Offer::Draw));
            submit(game, now, two, &Command::Accept(Offer::Draw));
        }
        3 => {
            let much_later = now + Millis::from_days(20);
            let tick = Command::Tick {
                host_seen: much_later,
            };
            submit(game, much_later, Actor::Server, &tick);
        }
        4 => submit(game, now, one, &Command::Abort),
        _ => {}
    }
}
