//! Stored bytes: any at all, or those of a game that were damaged.

use chess::Timestamp;
use chess::game::{Command, Game};
use chess::table::{Actor, Table};

use super::source::Source;
use super::{invariants, random_play};

pub(crate) fn run(bytes: &[u8]) {
    let Some((damage, rest)) = bytes.split_at_checked(8) else {
        return;
    };
    let mut damage = Source::new(damage);
    if damage.one_in(4) {
        read(rest);
    } else if let Some(game) = random_play::game(&mut Source::new(rest), |_| {}) {
        read(&damaged(&game, &mut damage));
    }
}

/// The bytes of a game as it was at a version, or as it is.
fn up_to(game: &Game, version: u32) -> Vec<u8> {
    let then = game.as_of(version);
    then.as_ref().unwrap_or(game).encode()
}

/// The bytes of a game with something wrong somewhere.
fn damaged(game: &Game, source: &mut Source<'_>) -> Vec<u8> {
    let version = source.number() % game.version() + 1;
    let mut damaged = up_to(game, version);
    let after = &game.encode()[damaged.len()..];
    let last = damaged.len() - 1;
    match source.byte() % 8 {
        // Longer than it need be: the same number with a zero in front.
        0 => {
            damaged[last] |= 0x80;
            damaged.push(0);
        }
        1 => damaged[last] ^= source.byte(),
        2 => damaged[usize::from(source.byte()) * last / 255] ^= source.byte(),
        // An entry left out.
        3 => {
            let known = up_to(game, version + 1).len();
            return [&damaged, &game.encode()[known..]].concat();
        }
        // An entry too many: the tag of an event, two small numbers, the time.
        kind => {
            damaged.push(0x70 | (source.byte() % 16));
            damaged.extend((4..kind).map(|_| source.byte() % 4));
            damaged.push(source.byte());
        }
    }
    damaged.extend_from_slice(after);
    damaged
}

/// What can be read can be written, looked at and played on.
fn read(stored: &[u8]) {
    let Ok(mut game) = Game::decode(stored) else {
        return;
    };
    assert_eq!(game.encode(), stored, "one history, one spelling");
    assert_eq!(game.entries().count(), game.version() as usize);
    assert_eq!(game.line().len(), game.ply() as usize);
    assert!(
        game.report(game.version())
            .is_none_or(|r| r.ply == game.ply())
    );
    assert!(game.as_of(game.version()).is_some());
    assert!(game.as_of(game.version() + 1).is_none());

    let late = Timestamp(u64::MAX);
    let tick = Command::Tick { host_seen: late };
    random_play::apply(&mut game, late, Actor::Server, &tick);
    let again = Game::decode(&game.encode()).expect("what was played on is a game");
    invariants::assert_same(&game, &again);
}
