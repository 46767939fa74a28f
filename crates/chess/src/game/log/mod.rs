//! The packed history of a game: what is kept in memory, written to the
//! journal and stored in the game's row, byte for byte the same. Beside it are
//! the fingerprints of the positions left behind.
//!
//! A plain move takes two bytes and its time since the entry before, as a
//! variable-length number, mostly two more.

mod creation;
mod event;

use super::{Entry, Event};
use crate::Timestamp;
use crate::bytes::{length, put, take};
use crate::history::{Aside, History};
use event::{read_event, write_event};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct Log {
    history: History,
}

impl Log {
    pub(in crate::game) fn history(&self) -> &History {
        &self.history
    }

    /// Appends an entry; `previous` is the time of the entry before it.
    pub(in crate::game) fn append(
        &mut self,
        previous: Timestamp,
        at: Timestamp,
        event: &Event,
        fingerprints: Aside<'_>,
    ) {
        let waited = at.0.saturating_sub(previous.0);
        // Right for a plain move, so that it is written in one step; the rest may take two.
        let room = 2 + length(waited);
        self.history.append(fingerprints, room, |out| {
            write_event(out, event);
            put(out, waited);
        });
    }

    pub(in crate::game) fn entries(&self) -> Entries<'_> {
        Entries::new(self.history.parts())
    }

    /// The last event, whatever came before it.
    pub(in crate::game) fn last_event(&self) -> Option<Event> {
        let recent = Entries::new([self.history.recent_entries(), &[]]);
        recent.last().map(|entry| entry.event)
    }

    /// What comes after an earlier state of this log, whose last entry was
    /// made at `at`.
    pub(in crate::game) fn since(&self, earlier: &Log, at: Timestamp) -> Entries<'_> {
        Entries {
            parts: self.history.after(earlier.history.len()),
            at,
        }
    }
}

/// Reads entries one after the other; ends with the first that is broken.
pub(in crate::game) struct Entries<'a> {
    /// What is yet to be read, in two parts of whole entries.
    parts: [&'a [u8]; 2],
    at: Timestamp,
}

impl<'a> Entries<'a> {
    pub(in crate::game) fn new(parts: [&'a [u8]; 2]) -> Entries<'a> {
        Entries {
            parts,
            at: Timestamp(0),
        }
    }

    /// Those that follow an entry made at `at`.
    pub(in crate::game) fn following(added: &'a [u8], at: Timestamp) -> Entries<'a> {
        Entries {
            parts: [added, &[]],
            at,
        }
    }

    /// Whether everything was read.
    pub(in crate::game) fn is_done(&self) -> bool {
        self.parts.iter().all(|part| part.is_empty())
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        if self.parts[0].is_empty() {
            self.parts.swap(0, 1);
        }
        let mut rest = self.parts[0];
        let event = read_event(&mut rest)?;
        let delta = take(&mut rest)?;
        self.at = Timestamp(self.at.0.checked_add(delta)?);
        self.parts[0] = rest;
        Some(Entry { at: self.at, event })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;
    use crate::game::{Command, Creation, Game, MoveCommand, StartRatings, Terms};
    use crate::rating::Shown;
    use crate::table::{Actor, PlayerId, Verdict};
    use crate::{ByColor, Color, Millis};

    #[test]
    fn a_number_is_as_long_as_foretold() {
        for shift in 0..64 {
            for value in [(1 << shift) - 1, 1 << shift, u64::MAX >> shift] {
                let mut out = Vec::new();
                put(&mut out, value);
                assert_eq!(out.len(), length(value), "{value}");
                assert_eq!(take(&mut &out[..]), Some(value));
            }
        }
    }

    const WHITE: u32 = 123_456;
    const BLACK: u32 = 1_654_321;

    /// What a game of five minutes becomes that goes on with these bytes
    /// after it began; each entry ends with the time since the one before.
    fn continued(entries: &[&[u8]]) -> Result<Game, crate::table::Corrupt> {
        let [white, black] = [WHITE, BLACK].map(|n| PlayerId::new(n).expect("not zero"));
        let mut terms = Terms::casual(TimeControl::Fischer {
            initial: Millis::from_secs(300),
            increment: Millis::ZERO,
        });
        terms.forfeit_after = 3;
        let game = Game::create(Timestamp(0), Creation::open(white, terms)).expect("good terms");
        let mut history = crate::table::Table::encode(&game);
        let joined = Event::Joined {
            player: black,
            color: Color::Black,
            ratings: ByColor::default(),
        };
        write_event(&mut history, &joined);
        put(&mut history, 0);
        Game::decode(&[history, entries.concat()].concat())
    }

    /// e2e4 at once, as it has always been written.
    const E4: &[u8] = &[0x07, 0x0c, 0];
    /// White gives Black 15 seconds.
    const GIFT: &[u8] = &[0x7c, 1, 0x98, 0x75, 0];

    #[test]
    fn a_takeback_from_before_gifts_were_kept_is_replayed_as_it_was() {
        let left = |takeback: &[u8]| {
            let game = continued(&[E4, GIFT, takeback]).expect("a game");
            let clocks = game.clocks(Timestamp(0)).expect("clocks");
            (clocks.white.as_secs(), clocks.black.as_secs())
        };
        assert_eq!(left(&[0x78, 1, 1, 0]), (300, 300));
        assert_eq!(left(&[0xf1, 1, 1, 0, 0x98, 0x75, 0]), (300, 315));
        // One history has one spelling.
        assert!(continued(&[E4, &[0xf1, 1, 1, 0, 0, 0]]).is_err());
    }

    #[test]
    fn an_illegal_attempt_from_before_it_was_named_counts_as_it_did() {
        let unnamed: &[u8] = &[0x74, 0xff, 0];
        let named: &[u8] = &[0xf0, 0xff, 2, b'e', b'5', 0];
        let game = continued(&[unnamed, unnamed]).expect("a game");
        assert_eq!(game.illegal_attempts().white, 2);
        let game = continued(&[unnamed, named]).expect("a game");
        assert_eq!(game.illegal_attempts().white, 2);
        assert!(
            continued(&[&[0xf0, 0xff, 0, 0]]).is_err(),
            "no name is unnamed"
        );
        assert!(
            continued(&[&[0xf0, 0xff, 3, b'e', b'5']]).is_err(),
            "cut off"
        );
    }

    #[test]
    fn a_game_from_before_ratings_were_kept_has_none() {
        let game = continued(&[]).expect("a game");
        assert_eq!(game.start_ratings(), ByColor::default());
        let [white, black] = [(1_512, false), (2_903, true)].map(|(points, provisional)| {
            Some(Shown {
                points,
                provisional,
            })
        });
        for ratings in [
            ByColor { white, black },
            ByColor { white, black: None },
            ByColor::default(),
        ] {
            let (player, color) = (PlayerId::new(BLACK).expect("not zero"), Color::Black);
            let terms = Terms::casual(TimeControl::Unlimited);
            let creator = PlayerId::new(WHITE).expect("not zero");
            let creation = Creation::open(creator, terms);
            let mut game = Game::create(Timestamp(0), creation).expect("good terms");
            let joined = Event::Joined {
                player,
                color,
                ratings,
            };
            game.evolve(Timestamp(1), &joined);
            let bytes = crate::table::Table::encode(&game);
            let read = Game::decode(&bytes).expect("a game");
            assert_eq!(read.start_ratings(), ratings);
        }
    }

    #[test]
    fn a_result_is_changed_only_after_the_end() {
        let resigned: &[u8] = &[
            0x75,
            crate::game::Ending::Won {
                winner: Color::White,
                by: crate::game::WinReason::Resignation,
            }
            .code(),
            1,
            7,
        ];
        let drawn = crate::game::Ending::Drawn {
            by: crate::game::DrawReason::Adjudicated,
        };
        let changed: &[u8] = &[0xf3, drawn.code(), 50];
        assert!(continued(&[changed]).is_err());
        let game = continued(&[resigned, changed]).expect("a game");
        assert_eq!(game.ending(), Some(drawn));
        assert_eq!(game.ended_at(), Some(Timestamp(7)));
        assert_eq!(game.last_at(), Timestamp(57));
        assert!(continued(&[resigned, changed, E4]).is_err());
    }

    /// A game that waits for Black, and goes on with these bytes.
    fn answered(entry: &[u8]) -> Result<Game, crate::table::Corrupt> {
        let [white, black] = [WHITE, BLACK].map(|n| PlayerId::new(n).expect("not zero"));
        let terms = Terms::casual(TimeControl::Unlimited);
        let mut creation = Creation::open(white, terms);
        creation.opponent = Some(black);
        let game = Game::create(Timestamp(0), creation).expect("good terms");
        let history = crate::table::Table::encode(&game);
        Game::decode(&[&history, entry].concat())
    }

    #[test]
    fn a_challenge_declined_before_reasons_were_kept_is_read_as_it_was() {
        let reason = |entry: &[u8]| {
            let game = answered(entry).expect("a game");
            let ending = game.ending().expect("it is over");
            assert_eq!(ending.reason(), "aborted");
            ending
                .decline_reason()
                .map(crate::game::DeclineReason::name)
        };
        assert_eq!(reason(&[0x75, 0x32, 2, 0]), None);
        assert_eq!(reason(&[0x75, 0x42, 2, 0]), Some("tooFast"));
        assert!(answered(&[0x75, 0x4b, 2, 0]).is_err(), "no such reason");
    }

    /// Anderssen against Dufresne, Berlin 1852, up to the 20th move.
    const FORTY_PLIES: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 \
        Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 \
        Qxf3 Rxe7+ Nxe7";

    #[test]
    fn a_blitz_game_of_forty_plies_takes_at_most_500_bytes() {
        let [white, black] = [WHITE, BLACK].map(|n| PlayerId::new(n).expect("not zero"));
        let mut now = Timestamp(1_790_000_000_000);
        let terms = Terms::casual(TimeControl::Fischer {
            initial: Millis::from_secs(300),
            increment: Millis::from_secs(3),
        });
        let mut game = Game::create(now, Creation::open(white, terms)).expect("good terms");
        let mut commands = vec![Command::Join {
            toss: Color::White,
            by_code: false,
            ratings: StartRatings::default(),
        }];
        let moves = FORTY_PLIES.split_whitespace().map(MoveCommand::new);
        commands.extend(moves.map(Command::Move));
        for (command, who) in commands.iter().zip([black, white].into_iter().cycle()) {
            now = now + Millis(4_000);
            match game.decide(now, Actor::Player(who), command) {
                Verdict::Change(event) => game.evolve(now, &event),
                other => panic!("{command:?}: {other:?}"),
            }
        }
        assert_eq!(game.ply(), 40);
        assert!(game.footprint() <= 500, "{} bytes", game.footprint());
        // Eight bytes more, and half a million games would take sixteen more each.
        assert!(size_of::<Game>() <= 280, "{} bytes", size_of::<Game>());
    }
}
