//! Players, spectators and operators: what they ask for next.

use chess::game::{Command, DeclineReason, Ending, Game, MoveCommand, Offer, Phase, StartRatings};
use chess::rules::Spelled;
use chess::table::{Actor, Outage, PlayerId};
use chess::{ByColor, Color, Millis, Timestamp};
use store::TableId;

use crate::book::Book;
use crate::rng::Rng;
use crate::terms::{player, random_player};

/// A request, before it is made.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// A new table; or one whose number is taken.
    Create(TableId),
    /// A command.
    Submit(TableId, Actor, Command),
    /// A look.
    Read(TableId, Option<PlayerId>),
}

/// Those outside.
pub(crate) struct Clients {
    /// The most tables that are played at the same time.
    pub(crate) tables_max: usize,
    last_table: u64,
    /// The last commands, to be sent again.
    recent: Vec<(TableId, Actor, Command)>,
}

/// How many commands may be sent again.
const RECENT_MAX: usize = 8;

impl Clients {
    pub(crate) fn new(tables_max: usize) -> Clients {
        Clients {
            tables_max,
            last_table: 0,
            recent: Vec::new(),
        }
    }

    /// What somebody asks for next.
    pub(crate) fn request(&mut self, rng: &mut Rng, book: &Book, now: Timestamp) -> Request {
        let open = |id: &&TableId| match book.known(**id) {
            Some(game) => game.ending().is_none(),
            None => book.waiting_for(**id) > 0,
        };
        let open: Vec<TableId> = book.tables.keys().filter(open).copied().collect();
        if open.is_empty() || (open.len() < self.tables_max && rng.percent(5)) {
            return Request::Create(self.new_table(rng));
        }
        let all: Vec<TableId> = book.tables.keys().copied().collect();
        let some = if rng.percent(95) { open } else { all };
        let id = rng.pick(&some);
        if rng.percent(12) {
            let viewer = rng.percent(70).then(|| random_player(rng));
            return Request::Read(id, viewer);
        }
        if rng.percent(8) && !self.recent.is_empty() {
            let (id, who, command) = rng.pick(&self.recent);
            return Request::Submit(id, who, command);
        }
        let (who, command) = match book.known(id) {
            Some(game) => next_command(rng, game, now),
            None => (Actor::Player(random_player(rng)), join(rng)),
        };
        if self.recent.len() == RECENT_MAX {
            self.recent.remove(0);
        }
        self.recent.push((id, who, command.clone()));
        Request::Submit(id, who, command)
    }

    /// The next number, or one that is taken already, or one that nobody has.
    fn new_table(&mut self, rng: &mut Rng) -> TableId {
        let number = if self.last_table > 0 && rng.percent(3) {
            rng.within(1, self.last_table)
        } else {
            self.last_table += 1;
            self.last_table
        };
        TableId::from_number(number).expect("numbers are small")
    }
}

/// What somebody might want of a table in this state.
pub(crate) fn next_command(rng: &mut Rng, game: &Game, now: Timestamp) -> (Actor, Command) {
    match game.phase() {
        Phase::Waiting => waiting(rng, game),
        Phase::Paused { .. } if rng.percent(50) => {
            let operator = rng.percent(40);
            (
                if operator {
                    Actor::Operator
                } else {
                    seated(rng, game)
                },
                Command::Resume,
            )
        }
        _ if rng.percent(65) => moving(rng, game),
        _ => anything(rng, game, now),
    }
}

fn join(rng: &mut Rng) -> Command {
    Command::Join {
        toss: rng.pick(&Color::ALL),
        by_code: rng.percent(40),
        ratings: StartRatings::default(),
    }
}

fn waiting(rng: &mut Rng, game: &Game) -> (Actor, Command) {
    let creator = Actor::Player(game.creator());
    let meant = game.opponent().unwrap_or_else(|| random_player(rng));
    match rng.below(20) {
        0..13 => (Actor::Player(meant), join(rng)),
        13 => (creator, Command::Cancel),
        14 => {
            // One of them, or none; chance is left as it was.
            let place = game.created_at().0 as usize % (DeclineReason::ALL.len() + 1);
            let why = DeclineReason::ALL.get(place).copied();
            (Actor::Player(meant), Command::Decline(why))
        }
        15..17 => (
            creator,
            Command::Invite(vec![random_player(rng), player(1)]),
        ),
        17 => (creator, Command::Move(MoveCommand::new("e2e4"))),
        _ => anything(rng, game, Timestamp(0)),
    }
}

/// A move: mostly legal, sometimes of the past, sometimes nonsense.
fn moving(rng: &mut Rng, game: &Game) -> (Actor, Command) {
    let mover = game.seats().get(game.turn()).unwrap_or(game.creator());
    let who = if rng.percent(92) {
        Actor::Player(mover)
    } else {
        seated(rng, game)
    };
    if game.ply() > 0 && rng.percent(12) {
        return retry(rng, game);
    }
    let command = MoveCommand {
        text: random_move(rng, game),
        ply: rng
            .percent(60)
            .then(|| game.ply() + rng.pick(&[1, 1, 1, 1, 1, 1, 1, 1, 0, 2])),
        version: rng.percent(20).then(|| game.version()),
        offer_draw: rng.percent(5),
        ..MoveCommand::default()
    };
    (who, Command::Move(command))
}

/// A move that was made before, by the one who made it, in some spelling.
fn retry(rng: &mut Rng, game: &Game) -> (Actor, Command) {
    let ply = rng.within(1, u64::from(game.ply())) as usize;
    let line = game.line();
    let mut board = game.start_board();
    for played in &line[..ply - 1] {
        let m = played.in_position(&board);
        board.play(m);
    }
    let m = line[ply - 1].in_position(&board);
    let mover = game.seats().get(board.turn()).unwrap_or(game.creator());
    let text = spelled(rng, &board, m);
    let ply = Some(ply as u32);
    let command = MoveCommand {
        text,
        ply,
        ..MoveCommand::default()
    };
    (Actor::Player(mover), Command::Move(command))
}

fn random_move(rng: &mut Rng, game: &Game) -> String {
    if rng.percent(6) {
        return rng
            .pick(&["e2e5", "a1a1", "Nf3", "O-O", "castle", "", "e7e8q"])
            .into();
    }
    let legal = game.board().legal_moves();
    match legal.len() {
        0 => "e2e4".into(),
        many => {
            let m = legal[rng.below(many as u64) as usize];
            spelled(rng, game.board(), m)
        }
    }
}

fn spelled(rng: &mut Rng, board: &chess::rules::Board, m: chess::rules::Move) -> String {
    let san = board.san_with(m, false, false);
    let is_readable = Spelled::read(&san).is_ok_and(|s| board.resolve(s) == Ok(m));
    if is_readable && rng.percent(30) {
        san
    } else {
        board.uci(m).to_string()
    }
}

/// Any command at all, mostly by somebody who may give it.
fn anything(rng: &mut Rng, game: &Game, now: Timestamp) -> (Actor, Command) {
    let offer = rng.pick(&Offer::ALL);
    // Whoever can answer an offer mostly does.
    let standing = Offer::ALL
        .into_iter()
        .find_map(|o| Some((o, game.offer(o)?)));
    if let (Some((offer, by)), true) = (standing, rng.percent(50)) {
        let opponent = game.seats().get(!by).map_or(Actor::Server, Actor::Player);
        return match rng.percent(70) {
            true => (opponent, Command::Accept(offer)),
            false => (opponent, Command::DeclineOffer(offer)),
        };
    }
    let seen = rng
        .percent(60)
        .then(|| Timestamp(now.0.saturating_sub(rng.below(200_000))));
    let clocks = ByColor {
        white: Millis(rng.pick(&[0, 1, 500, 20_000, 3_600_000])),
        black: Millis(rng.pick(&[1, 500, 20_000, 3_600_000])),
    };
    let by_player = seated(rng, game);
    match rng.below(40) {
        0..10 => (by_player, Command::Offer(offer)),
        10..14 => (by_player, Command::Offer(Offer::Takeback)),
        14..16 => (by_player, Command::Accept(offer)),
        16 => (by_player, Command::DeclineOffer(offer)),
        17..22 => (
            by_player,
            Command::AddTime(Millis(rng.pick(&[1, 5_000, 15_000, 60_000]))),
        ),
        22 => (by_player, Command::Resign),
        23 => (by_player, Command::Abort),
        24 => (
            by_player,
            Command::ClaimDraw {
                opponent_seen: seen,
            },
        ),
        25 => (
            by_player,
            Command::ClaimWin {
                opponent_seen: seen,
            },
        ),
        26..28 => (by_player, Command::Resume),
        28 => (by_player, join(rng)),
        29 => (by_player, Command::Invite(vec![random_player(rng)])),
        30..32 => (Actor::Operator, Command::Pause),
        32..34 => (Actor::Operator, Command::Resume),
        34..36 => (Actor::Operator, Command::SetClock(clocks)),
        36 => {
            let endings: Vec<Ending> = Ending::all().collect();
            (Actor::Operator, Command::Adjudicate(rng.pick(&endings)))
        }
        37 => (by_player, Command::Cancel),
        38 => (by_player, Command::Decline(None)),
        _ => (by_player, Command::Credit(vec![forged(now)])),
    }
}

/// One of the players; rarely somebody else.
fn seated(rng: &mut Rng, game: &Game) -> Actor {
    let seat = *game.seats().get(rng.pick(&Color::ALL));
    match seat {
        Some(player) if rng.percent(95) => Actor::Player(player),
        _ => Actor::Player(random_player(rng)),
    }
}

/// An outage that only the server could have had.
fn forged(now: Timestamp) -> Outage {
    Outage {
        down_since: Timestamp(now.0.saturating_sub(60_000)),
        up_at: now,
    }
}
