//! Skill chess: commands of every kind, by anyone, at any time, and stored
//! bytes with something wrong in them.

use chess::skill::{
    Act, Action, Command, Creation, Deed, Event, Match, MoveOrder, Phase, Position, SKILLS, Uuid,
};
use chess::table::{Actor, PlayerId, Table, Verdict};
use chess::{Millis, Timestamp};

use super::source::Source;

pub(crate) fn run(bytes: &[u8]) {
    let mut source = Source::new(bytes);
    let played = play(&mut source, |_, _| {});
    let mut damaged = played.encode();
    for _ in 0..source.byte() % 4 {
        let place = source.number() as usize % damaged.len();
        match source.byte() % 3 {
            0 => damaged[place] ^= source.byte(),
            1 => damaged.truncate(place + 1),
            _ => damaged.insert(place, source.byte()),
        }
    }
    read(&damaged);
    read(bytes);
}

/// What can be read can be written, looked at and played on.
fn read(stored: &[u8]) {
    let Ok(mut played) = Match::decode(stored) else {
        return;
    };
    assert_eq!(played.encode(), stored, "one history, one spelling");
    assert_eq!(played.entries().count(), played.version() as usize);
    assert_eq!(played.moves().len(), played.ply() as usize);
    assert_eq!(played.score_sheet().len(), played.ply() as usize);
    assert_eq!(played.as_of(played.version()).as_ref(), Some(&played));
    let late = Timestamp(u64::MAX);
    submit(&mut played, late, Actor::Operator, &Command::Abort);
    assert_eq!(Match::decode(&played.encode()), Ok(played));
}

/// Plays a match as the bytes have it, showing each change and what it led to.
pub(crate) fn play(source: &mut Source<'_>, mut see: impl FnMut(&Event, &Match)) -> Match {
    let mut now = Timestamp(1_700_000_000_000);
    let creation = Creation {
        host: player(1),
        seed: Uuid([source.byte(); 16]),
    };
    let mut played = Match::create(now, creation);
    while !source.is_empty() && played.version() < 400 {
        now = now + Millis(source.number());
        let who = actor(&played, source);
        let command = command(&played, source);
        if let Some(event) = submit(&mut played, now, who, &command) {
            see(&event, &played);
        }
    }
    played
}

/// Asks for a change and makes it; what must hold then does.
fn submit(played: &mut Match, now: Timestamp, who: Actor, command: &Command) -> Option<Event> {
    let before = played.clone();
    let event = match before.decide(now, who, command) {
        Verdict::Change(event) => event,
        Verdict::RefusedBut { consequence, .. } => consequence,
        Verdict::Already(version) => {
            assert!(version <= before.version());
            return None;
        }
        Verdict::Refused(_) => return None,
    };
    assert!(before.ending().is_none(), "nothing follows an end");
    played.evolve(now, &event);
    assert_eq!(played.version(), before.version() + 1);
    assert!(played.encode().starts_with(&before.encode()));
    assert!(played.last_at() >= before.last_at());
    assert_eq!(Match::decode(&played.encode()).as_ref(), Ok(&*played));
    if let (Command::Act(_), Event::Acted { by, act, .. }) = (command, &event) {
        let again = played.decide(now, who, command);
        assert_eq!(again, Verdict::Already(played.version()));
        if matches!(act, Act::Moved { .. }) {
            assert!(!played.board().is_check(before.board().turn()));
            assert_ne!(played.draw_offer(), Some(!*by));
        }
    }
    if played.ending().is_none() {
        assert!(played.board().has_legal_move());
    } else {
        assert_eq!(played.draw_offer(), None);
    }
    Some(event)
}

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).expect("not nobody")
}

fn actor(played: &Match, source: &mut Source<'_>) -> Actor {
    let seats = played.seats();
    match source.byte() {
        0..8 => Actor::Operator,
        8..12 => Actor::Server,
        12..24 => Actor::Player(player(3)),
        24..100 => Actor::Player(player(1)),
        100..140 => Actor::Player(player(2)),
        _ => Actor::Player(seats.get(played.board().turn()).unwrap_or(player(2))),
    }
}

fn command(played: &Match, source: &mut Source<'_>) -> Command {
    let deed = match source.byte() {
        0 => return Command::Abort,
        1..4 => {
            return Command::Tick {
                host_seen: Timestamp(played.created_at().0 + u64::from(source.number())),
            };
        }
        4 => return Command::Credit(Vec::new()),
        5..10 => return Command::Join,
        10 => Deed::JoinMatch,
        11 => Deed::LeaveMatch,
        _ if played.phase() == Phase::Waiting => return Command::Join,
        12 => Deed::Resign,
        13..30 if played.phase() == Phase::Active => match source.byte() % 3 {
            0 => Deed::OfferDraw,
            1 => Deed::AcceptDraw,
            _ => Deed::DeclineDraw,
        },
        13..30 => Deed::LockDraft,
        30..60 => selection(source),
        60..140 if played.phase() == Phase::Drafting => selection(source),
        60..80 => Deed::MakeMove(MoveOrder {
            from: position(source),
            to: position(source),
            promotion: None,
            equipped_skill: None,
        }),
        _ => legal(played, source),
    };
    let stale = source.one_in(16);
    Command::Act(Action {
        id: Uuid([
            source.byte(),
            source.byte(),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
        ]),
        base_revision: u64::from(played.version()).saturating_sub(stale.into()),
        deed,
    })
}

fn selection(source: &mut Source<'_>) -> Deed {
    let skill = match source.one_in(20) {
        true => "fireball",
        false => source.pick(&SKILLS).id(),
    };
    Deed::UpdateDraftSelection {
        skill: skill.to_owned(),
        position: (!source.one_in(4)).then(|| position(source)),
    }
}

fn position(source: &mut Source<'_>) -> Position {
    let mut number = || i64::from(source.byte() % 36).div_euclid(4);
    Position {
        row: number(),
        column: number(),
    }
}

/// A legal move; one with a skill rather than another.
fn legal(played: &Match, source: &mut Source<'_>) -> Deed {
    let board = played.board();
    let moves = board.legal_moves();
    let Some(first) = moves.first() else {
        return Deed::Resign;
    };
    let skilled = moves.iter().find(|m| m.skill.is_some());
    let m = match skilled.filter(|_| source.one_in(3)) {
        Some(m) => m,
        None => moves
            .get(source.number() as usize % moves.len())
            .unwrap_or(first),
    };
    let used = m.skill.and_then(|_| {
        let piece = board.at(m.from)?;
        board.skills_of(piece.id).find(|equipped| !equipped.used)
    });
    Deed::MakeMove(MoveOrder {
        from: m.from.into(),
        to: m.to.into(),
        promotion: m.promotion.map(|becomes| becomes.name().to_owned()),
        equipped_skill: used.map(|equipped| equipped.id),
    })
}
