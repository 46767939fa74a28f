//! Perft: how many lines of so many half-moves lead from a position.
//!
//! Every move goes the way a player's does: as text through [`Game::decide`],
//! then [`Game::evolve`]. The counts in `perft/*.perft` are published ones, and
//! bare `shakmaty` must agree with them, so that a misprint is noticed.
//! `make perft` counts deeper.

use std::collections::BTreeSet;

use chess::clock::TimeControl;
use chess::game::{Command, Creation, DrawRule, Event, Game, MoveCommand, StartRatings, Terms};
use chess::rules::{Board, Start, Variant};
use chess::table::{Actor, PlayerId, Verdict};
use chess::{Color, Timestamp};

const NOW: Timestamp = Timestamp(0);
const SUITES: [&str; 3] = [
    include_str!("perft/standard.perft"),
    include_str!("perft/chess960.perft"),
    include_str!("perft/variants.perft"),
];

/// A position and the nodes at each depth that was published.
struct Case {
    variant: Variant,
    name: &'static str,
    fen: &'static str,
    nodes: Vec<(u32, u64)>,
}

fn cases() -> Vec<Case> {
    let lines: Vec<&str> = SUITES
        .iter()
        .flat_map(|suite| suite.lines())
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    lines
        .chunks_exact(3)
        .map(|three| {
            let (variant, name) = three[0].split_once(' ').expect("variant and name");
            Case {
                variant: Variant::from_name(variant).expect("a variant"),
                name,
                fen: three[1],
                nodes: (1..)
                    .zip(three[2].split(' '))
                    .filter(|(_, nodes)| *nodes != "-")
                    .map(|(depth, nodes)| (depth, nodes.parse().expect("a number of nodes")))
                    .collect(),
            }
        })
        .collect()
}

impl Case {
    /// A game that has begun, with nothing in it that counts or runs out
    /// before move 75: perft knows neither clocks nor repetition.
    fn game(&self) -> Game {
        let terms = Terms {
            variant: self.variant,
            draw_rule: DrawRule::Claim,
            ..Terms::casual(TimeControl::Unlimited)
        };
        let creation = Creation {
            start: Start::Fen(self.fen.into()),
            ..Creation::open(player(Color::White), terms)
        };
        let mut game = Game::create(NOW, creation).expect("a position to play from");
        let join = Command::Join {
            toss: Color::Black,
            by_code: false,
            ratings: StartRatings::default(),
        };
        let joined = change(&game, Color::Black, &join).expect("a free seat");
        game.evolve(NOW, &joined);
        game
    }

    /// Counts at the greatest published depth of at most so many nodes.
    fn check(&self, nodes_max: u64) -> Option<(u32, u64)> {
        let (depth, published) = *self.nodes.iter().rfind(|(_, nodes)| *nodes <= nodes_max)?;
        let Case {
            variant, name, fen, ..
        } = self;
        let board = Board::from_fen(*variant, fen).expect("a position");
        let bare = match &board {
            Board::Standard(position) => shakmaty::perft(position, depth),
            Board::Variant(position) => shakmaty::perft(&**position, depth),
        };
        let of_what = format!("{} {name}, depth {depth}: {fen}", variant.name());
        assert_eq!(bare, published, "a misprint? {of_what}");
        assert_eq!(perft(&self.game(), depth), published, "{of_what}");
        Some((depth, published))
    }
}

fn player(color: Color) -> PlayerId {
    PlayerId::new(color.fold_wb(1, 2)).expect("not nobody")
}

/// The change that a command of a player leads to, if it is accepted.
fn change(game: &Game, by: Color, command: &Command) -> Option<Event> {
    match game.decide(NOW, Actor::Player(player(by)), command) {
        Verdict::Change(event) => Some(event),
        _ => None,
    }
}

fn moved(game: &Game, text: &str) -> Option<Event> {
    change(game, game.turn(), &Command::Move(MoveCommand::new(text)))
}

/// Counts the lines. A game that is over has no further moves; no line of the
/// depths used here ends for another reason than that there are none.
fn perft(game: &Game, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let legal = game.board().legal_moves();
    legal
        .iter()
        .filter_map(|m| moved(game, &game.board().uci(*m).to_string()))
        .map(|event| {
            let mut next = game.clone();
            next.evolve(NOW, &event);
            perft(&next, depth - 1)
        })
        .sum()
}

#[test]
fn every_published_position_has_its_published_number_of_nodes() {
    let checked: Vec<_> = cases().iter().map(|case| case.check(25_000)).collect();
    assert!(checked.iter().flatten().count() > 35);
}

#[test]
#[ignore = "minutes: make perft"]
#[expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the time is only printed"
)]
fn the_same_to_greater_depths() {
    let mut total = 0;
    let begin = std::time::Instant::now();
    for case in cases() {
        let start = std::time::Instant::now();
        let (depth, nodes) = case.check(20_000_000).expect("a depth within reach");
        total += nodes;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{seconds:7.2} s {nodes:>10} nodes at depth {depth:>2}: {} {}",
            case.variant.name(),
            case.name
        );
    }
    println!("{:7.2} s {total:>10} nodes", begin.elapsed().as_secs_f64());
}

/// Perft submits legal moves only. This submits everything else that has the
/// shape of a move, and sees that nothing more is accepted.
#[test]
fn no_other_text_of_squares_is_accepted_in_these_positions() {
    let squares: Vec<String> = chess::rules::Square::ALL
        .iter()
        .map(ToString::to_string)
        .collect();
    let to_square = |from: &str| -> Vec<String> {
        let plain = squares.iter().map(|to| format!("{from}{to}"));
        let promoting = squares
            .iter()
            .filter(|to| to.ends_with(['1', '8']))
            .flat_map(|to| ["q", "r", "b", "n", "k", "p"].map(|role| format!("{from}{to}{role}")));
        plain.chain(promoting).collect()
    };
    let drops = ["Q@", "R@", "B@", "N@", "P@", "K@"]
        .iter()
        .flat_map(|role| squares.iter().map(move |to| format!("{role}{to}")));
    let texts: Vec<String> = squares
        .iter()
        .flat_map(|from| to_square(from))
        .chain(drops)
        .collect();
    for case in cases() {
        let game = case.game();
        let accepted: BTreeSet<[u8; 2]> = texts
            .iter()
            .filter_map(|text| match moved(&game, text)? {
                Event::Moved { uci, .. } => Some(uci.to_bytes()),
                other => unreachable!("{text} led to {other:?}"),
            })
            .collect();
        assert_eq!(
            accepted.len(),
            game.board().legal_moves().len(),
            "{}",
            case.fen
        );
    }
}
