//! Real games as players send them: a move in UCI and the time it took.

use chess::clock::TimeControl;
use chess::game::{Command, Creation, Game, MoveCommand, StartRatings, Terms};
use chess::rules::{Board, Spelled, Start, Variant};
use chess::table::{Actor, PlayerId, Verdict};
use chess::{Color, Millis, Timestamp};

const GAMES: [&str; 6] = [
    // Morphy against the Duke of Brunswick and Count Isouard, Paris 1858
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 \
     O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
    // Anderssen against Kieseritzky, London 1851
    "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 \
     h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#",
    // Anderssen against Dufresne, Berlin 1852
    "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 \
     Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ \
     Ke8 Bd7+ Kf8 Bxe7#",
    // Capablanca against Tartakower, New York 1924
    "d4 e6 Nf3 f5 c4 Nf6 Bg5 Be7 Nc3 O-O e3 b6 Bd3 Bb7 O-O Qe8 Qe2 Ne4 Bxe7 Nxc3 bxc3 Qxe7 a4 \
     Bxf3 Qxf3 Nc6 Rfb1 Rae8 Qh3 Rf6 f4 Na5 Qf3 d6 Re1 Qd7 e4 fxe4 Qxe4 g6 g3 Kf8 Kg2 Rf7 h4 d5 \
     cxd5 exd5 Qxe8+ Qxe8 Rxe8+ Kxe8 h5 Rf6 hxg6 hxg6 Rh1 Kf8 Rh7 Rc6 g4 Nc4 g5 Ne3+ Kf3 Nf5 Bxf5 \
     gxf5 Kg3 Rxc3+ Kh4 Rf3 g6 Rxf4+ Kg5 Re4 Kf6 Kg8 Rg7+ Kh8 Rxc7 Re8 Kxf5 Re4 Kf6 Rf4+ Ke5 Rg4 \
     g7+ Kg8 Rxa7 Rg1 Kxd5 Rc1 Kd6 Rc2 d5 Rc1 Rc7 Ra1 Kc6 Rxa4 d6",
    // D. Byrne against Fischer, New York 1956
    "Nf3 Nf6 c4 g6 Nc3 Bg7 d4 O-O Bf4 d5 Qb3 dxc4 Qxc4 c6 e4 Nbd7 Rd1 Nb6 Qc5 Bg4 Bg5 Na4 Qa3 \
     Nxc3 bxc3 Nxe4 Bxe7 Qb6 Bc4 Nxc3 Bc5 Rfe8+ Kf1 Be6 Bxb6 Bxc4+ Kg1 Ne2+ Kf1 Nxd4+ Kg1 Ne2+ \
     Kf1 Nc3+ Kg1 axb6 Qb4 Ra4 Qxb6 Nxd1 h3 Rxa2 Kh2 Nxf2 Re1 Rxe1 Qd8+ Bf8 Nxe1 Bd5 Nf3 Ne4 Qb8 \
     b5 h4 h5 Ne5 Kg7 Kg1 Bc5+ Kf1 Ng3+ Ke1 Bb4+ Kd1 Bb3+ Kc1 Ne2+ Kb1 Nc3+ Kc1 Rc2#",
    // Kasparov against Topalov, Wijk aan Zee 1999
    "e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7 Qd2 c6 f3 b5 Nge2 Nbd7 Bh6 Bxh6 Qxh6 Bb7 a3 e5 O-O-O Qe7 Kb1 a6 \
     Nc1 O-O-O Nb3 exd4 Rxd4 c5 Rd1 Nb6 g3 Kb8 Na5 Ba8 Bh3 d5 Qf4+ Ka7 Rhe1 d4 Nd5 Nbxd5 exd5 Qd6 \
     Rxd4 cxd4 Re7+ Kb6 Qxd4+ Kxa5 b4+ Ka4 Qc3 Qxd5 Ra7 Bb7 Rxb7 Qc4 Qxf6 Kxa3 Qxa6+ Kxb4 c3+ \
     Kxc3 Qa1+ Kd2 Qb2+ Kd1 Bf1 Rd2 Rd7 Rxd7 Bxc4 bxc4 Qxh8 Rd3 Qa8 c3 Qa4+ Ke1 f4 f5 Kc1 Rd2 Qa7",
];

/// Blitz players' times: four seconds on average, never twice the same rhythm.
const THINKING_MS: [u64; 7] = [1_240, 3_870, 2_015, 9_630, 640, 6_905, 3_700];

const CREATED_AT: Timestamp = Timestamp(1_790_000_000_000);
const INITIAL: Millis = Millis::from_secs(300);
pub(crate) const INCREMENT: Millis = Millis::from_secs(3);

pub(crate) struct Sample {
    pub(crate) moves: Vec<Sent>,
}

/// A move as it arrives: the text for the bare side, a command with the same text for ours.
pub(crate) struct Sent {
    pub(crate) text: String,
    pub(crate) command: Command,
    pub(crate) by: Actor,
    pub(crate) at: Timestamp,
}

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).expect("not zero")
}

fn white() -> PlayerId {
    player(123_456)
}

fn black() -> PlayerId {
    player(1_654_321)
}

impl Sample {
    pub(crate) fn all() -> Vec<Sample> {
        GAMES.into_iter().map(Sample::from_sans).collect()
    }

    fn from_sans(sans: &str) -> Sample {
        let mut board = Board::start(Variant::Standard, &Start::Usual).expect("the usual start");
        let mut at = CREATED_AT;
        let thinking = THINKING_MS.into_iter().cycle();
        let moves = sans.split(' ').zip(thinking).map(|(san, took)| {
            at = Timestamp(at.0 + took);
            let by = Actor::Player(board.turn().fold_wb(white(), black()));
            let spelled = Spelled::read(san).expect("a readable move");
            let m = board.resolve(spelled).expect("a legal move");
            let text = board.uci(m).to_string();
            board.play(m);
            Sent {
                command: Command::Move(MoveCommand::new(&text)),
                text,
                by,
                at,
            }
        });
        Sample {
            moves: moves.collect(),
        }
    }

    /// The game with both players at the board.
    pub(crate) fn joined(&self) -> Game {
        let terms = Terms::casual(TimeControl::Fischer {
            initial: INITIAL,
            increment: INCREMENT,
        });
        let mut game =
            Game::create(CREATED_AT, Creation::open(white(), terms)).expect("fine terms");
        let join = Command::Join {
            toss: Color::White,
            by_code: false,
            ratings: StartRatings::default(),
        };
        step(&mut game, CREATED_AT, Actor::Player(black()), &join);
        game
    }

    /// The first 40 half-moves, if it has them.
    pub(crate) fn forty_plies(&self) -> Option<Game> {
        let mut game = self.joined();
        for sent in self.moves.get(..40)? {
            step(&mut game, sent.at, sent.by, &sent.command);
        }
        Some(game)
    }

    pub(crate) fn initial(&self) -> Millis {
        INITIAL
    }
}

fn step(game: &mut Game, at: Timestamp, by: Actor, command: &Command) {
    match game.decide(at, by, command) {
        Verdict::Change(event) => game.evolve(at, &event),
        other => panic!("{command:?}: {other:?}"),
    }
}
