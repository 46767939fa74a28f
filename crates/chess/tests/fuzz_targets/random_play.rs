//! A game that bytes choose: its terms, then who asks for what, and when.

use chess::clock::{ClockStart, DelayKind, Stage, TimeControl};
use chess::game::{
    ChatRule, ColorChoice, Command, Creation, DeclineReason, DrawRule, Ending, Event, Game,
    MoveCommand, Offer, RoomTerms, StartRatings, Terms,
};
use chess::rules::{Spelled, Start, UciMove, Variant};
use chess::table::{Actor, Outage, PlayerId, Verdict};
use chess::{ByColor, Color, Millis, Timestamp};

use super::source::Source;

/// One change that was decided and applied.
pub(crate) struct Step<'a> {
    pub(crate) before: &'a Game,
    pub(crate) who: Actor,
    pub(crate) command: &'a Command,
    pub(crate) at: Timestamp,
    pub(crate) event: &'a Event,
    pub(crate) after: &'a Game,
}

/// A game this long has seen everything; a longer one only takes time.
const COMMANDS_MAX: usize = 150;

/// Near a mate, a dead position, the fifty moves, and castling or promotion.
const STARTS: [&str; 6] = [
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "6k1/8/6K1/8/8/8/8/R6q w - - 0 1",
    "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1",
    "4k2r/8/8/8/8/8/8/R3K2R w KQk - 96 80",
    "r3k2r/1P4P1/8/2pP4/8/8/1p4p1/R3K2R w KQkq c6 0 30",
    "4k3/P6P/8/8/8/8/p6p/4K3 b - - 3 50",
];

/// Plays a game, showing each change; `None` if its terms were refused.
pub(crate) fn game(source: &mut Source<'_>, mut see: impl FnMut(Step<'_>)) -> Option<Game> {
    let mut now = Timestamp(1_790_000_000_000);
    let mut game = Game::create(now, creation(source)).ok()?;
    if !source.one_in(8) {
        apply(&mut game, now, player(2), &join(Color::White));
    }
    for _ in 0..COMMANDS_MAX {
        if source.is_empty() {
            break;
        }
        now = later(source, &game, now);
        let command = command(source, &game, now);
        let who = actor(source, &game, &command);
        let before = game.clone();
        if let Some(event) = apply(&mut game, now, who, &command) {
            see(Step {
                before: &before,
                who,
                command: &command,
                at: now.max(before.last_at()),
                event: &event,
                after: &game,
            });
        }
    }
    Some(game)
}

/// Decides and applies a command; the change, if there was one.
pub(crate) fn apply(
    game: &mut Game,
    now: Timestamp,
    who: Actor,
    command: &Command,
) -> Option<Event> {
    let event = match game.decide(now, who, command) {
        Verdict::Change(event) => event,
        Verdict::RefusedBut { consequence, why } => {
            assert!(!why.detail().is_empty());
            consequence
        }
        Verdict::Already(version) => {
            assert!((1..=game.version()).contains(&version));
            return None;
        }
        Verdict::Refused(why) => {
            assert!(!why.detail().is_empty());
            return None;
        }
    };
    game.evolve(now, &event);
    Some(event)
}

fn player(number: u32) -> Actor {
    Actor::Player(id(number))
}

fn id(number: u32) -> PlayerId {
    PlayerId::new(number).expect("not zero")
}

fn join(toss: Color) -> Command {
    Command::Join {
        toss,
        by_code: true,
        ratings: StartRatings::default(),
    }
}

fn color(source: &mut Source<'_>) -> Color {
    Color::from_white(source.flag())
}

fn creation(source: &mut Source<'_>) -> Creation {
    let variant = if source.flag() {
        Variant::Standard
    } else {
        source.variant()
    };
    let start = match source.byte() % 8 {
        0 if variant == Variant::Chess960 => Start::Chess960((source.number() % 960) as u16),
        0..=2 if variant == Variant::Standard => Start::Fen(source.pick(&STARTS).into()),
        _ => Start::Usual,
    };
    let terms = Terms {
        variant,
        draw_rule: source.pick(&[DrawRule::Automatic, DrawRule::Claim]),
        clock_start: source.pick(&[ClockStart::Join, ClockStart::SecondPly]),
        rated: source.one_in(8),
        takebacks: !source.one_in(4),
        private: source.one_in(4),
        forfeit_after: source.pick(&[0, 0, 1, 3, 100]),
        spectator_delay: source.pick(&[0, 0, 0, 900]),
        control: control(source),
        room: RoomTerms {
            chat: source.pick(&ChatRule::ALL),
            members_only: source.one_in(4),
        },
    };
    Creation {
        creator: id(1),
        color: source.pick(&[ColorChoice::White, ColorChoice::Black, ColorChoice::Random]),
        opponent: source.pick(&[None, None, Some(id(2))]),
        start,
        terms,
        invited: source.pick(&[&[][..], &[id(4)]]).to_vec(),
        rematch_of: source.pick(&[None, Some(0), Some(u64::MAX)]),
    }
}

fn control(source: &mut Source<'_>) -> TimeControl {
    let initial = Millis::from_secs(source.pick(&[300, 1, 60, 3_600, 43_200, 0]));
    let increment = Millis::from_secs(source.pick(&[3, 0, 1, 600]));
    match source.byte() % 8 {
        0 => TimeControl::Unlimited,
        1 => TimeControl::Correspondence {
            days: source.byte() % 14 + 1,
        },
        2 | 3 => TimeControl::Delay {
            initial,
            delay: increment,
            kind: source.pick(&[DelayKind::Us, DelayKind::Bronstein]),
        },
        4 => {
            let stage = |moves| Stage {
                moves,
                initial,
                increment,
            };
            let first = source.pick(&[1, 3, 40]);
            TimeControl::Stages(Box::new(vec![stage(first), stage(2), stage(0)]))
        }
        _ => TimeControl::Fischer { initial, increment },
    }
}

/// Mostly a little later; sometimes much, or earlier, or when something is due.
fn later(source: &mut Source<'_>, game: &Game, now: Timestamp) -> Timestamp {
    let amount = u64::from(source.byte());
    let due = || game.next_deadline(now).unwrap_or(now);
    Timestamp(match source.byte() {
        0 => due().0,
        1 | 2 => due().0 - 1,
        3 => now.0 + amount * 3_600_000,
        4 | 5 => now.0 + amount * 60_000,
        6..=20 => now.0 + amount * 1_000,
        21..=40 => now.0.saturating_sub(amount * 1_000),
        _ => now.0 + amount * 10,
    })
}

/// Mostly the one to move, or for an offer the one whom it is made to.
fn actor(source: &mut Source<'_>, game: &Game, command: &Command) -> Actor {
    let color = match command {
        Command::Accept(offer) | Command::DeclineOffer(offer) => game.offer(*offer).map(|by| !by),
        Command::Offer(Offer::Takeback) => Some(!game.turn()),
        _ => None,
    };
    let likely = *game.seats().get(color.unwrap_or(game.turn()));
    match source.byte() % 32 {
        0 => player(1),
        1 | 2 => player(2),
        3 => player(3),
        4 => Actor::Operator,
        5 => Actor::Server,
        _ => match command {
            Command::Adjudicate(_) | Command::SetClock(_) | Command::Pause => Actor::Operator,
            Command::Credit(_) | Command::Tick { .. } | Command::Vacation { .. } => Actor::Server,
            Command::Resume => source.pick(&[player(1), player(2), Actor::Operator]),
            _ => likely.map_or(player(1), Actor::Player),
        },
    }
}

fn command(source: &mut Source<'_>, game: &Game, now: Timestamp) -> Command {
    let amount = Millis(source.number() >> (source.byte() % 16));
    let earlier = Timestamp(now.0.saturating_sub(u64::from(amount.0)));
    let opponent_seen = |source: &mut Source<'_>| source.flag().then_some(earlier);
    match source.byte() {
        0 => {
            let why = source.pick(&DeclineReason::ALL);
            Command::Decline(source.flag().then_some(why))
        }
        1 => Command::Cancel,
        2 => Command::Resign,
        3 => Command::Abort,
        4 => Command::ClaimWin {
            opponent_seen: opponent_seen(source),
        },
        5 => {
            let endings: Vec<Ending> = Ending::all().collect();
            Command::Adjudicate(source.pick(&endings))
        }
        6..=8 => Command::ClaimDraw {
            opponent_seen: opponent_seen(source),
        },
        9..=14 => join(color(source)),
        15..=17 => Command::Invite(vec![id(amount.0 % 8 + 1); 2]),
        18..=25 => Command::Offer(source.pick(&Offer::ALL)),
        26..=35 => Command::Accept(standing(source, game)),
        36..=38 => Command::DeclineOffer(standing(source, game)),
        39..=46 => Command::Resume,
        47..=49 => Command::AddTime(Millis(amount.0 % 70_000)),
        50..=52 => Command::Tick { host_seen: earlier },
        53..=57 => Command::Credit(vec![Outage {
            down_since: earlier,
            up_at: earlier + amount,
        }]),
        58 => Command::SetClock(ByColor {
            white: amount,
            black: Millis(source.number()),
        }),
        59 => Command::Pause,
        60..=71 => Command::Vacation {
            of: id(u32::from(source.byte()) % 2 + 1),
            until: source.flag().then(|| now + amount),
        },
        _ => Command::Move(move_command(source, game)),
    }
}

fn standing(source: &mut Source<'_>, game: &Game) -> Offer {
    let mut offers = Offer::ALL.into_iter().filter(|o| game.offer(*o).is_some());
    offers.next().unwrap_or(source.pick(&Offer::ALL))
}

fn move_command(source: &mut Source<'_>, game: &Game) -> MoveCommand {
    const TEXTS: [&str; 6] = ["e2e4", "Nf3", "O-O", "e7e8q", "P@e4", "nonsense"];
    let moves = game.board().legal_moves();
    let kind = source.byte() % 64;
    let text = if kind < 2 || moves.is_empty() {
        source.pick(&TEXTS).to_owned()
    } else {
        let back = (kind < 16).then(|| way_back(game)).flatten();
        back.unwrap_or_else(|| game.board().uci_text(source.pick(&moves)))
    };
    let details = source.byte();
    MoveCommand {
        text,
        ply: (details % 8 == 1).then(|| u32::from(source.byte())),
        version: (details % 8 == 2).then(|| u32::from(source.byte())),
        offer_draw: details % 16 == 3,
        lag: Millis(if details % 16 == 4 {
            u32::from(source.byte())
        } else {
            0
        }),
    }
}

/// The mover's last move undone, which leads to repetitions.
fn way_back(game: &Game) -> Option<String> {
    let line = game.line();
    let UciMove::Normal { from, to, .. } = line.get(line.len().checked_sub(2)?)?.uci.unpack()
    else {
        return None;
    };
    let back = format!("{to}{from}");
    let legal = Spelled::read(&back).map(|b| game.board().resolve(b));
    matches!(legal, Ok(Ok(_))).then_some(back)
}
