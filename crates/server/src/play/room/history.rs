//! Reading what was said.

use chess::game::Game;
use chess::{Millis, Timestamp};
use live::room::policy::{Policies, ViewerFacts};
use live::room::{ChatId, Role};
use store::{ChatFilter, TableId};

use super::LINES_MAX;
use crate::play::App;
use crate::problem::Problem;
use crate::rooms::Line;

/// Since when, or from when on, a viewer may read a line; `None`: not while the
/// game lives. The one answer to who sees what is said, for every door.
///
/// What a player must not hear they may read once the game is over. What a
/// player says reaches those who watch with the game's spectator delay, as the
/// moves do, until they know that it is over.
pub fn readable_from(game: &Game, line: &Line, viewer: &ViewerFacts) -> Option<Timestamp> {
    let hears = Policies::of(game.terms().room).hears;
    let ended_at = game.ended_at();
    if !hears(&line.facts, viewer, false) {
        let at = ended_at.filter(|_| hears(&line.facts, viewer, true));
        return at.map(|over| over.max(line.at));
    }
    let delay = game.spectator_delay();
    let is_delayed = viewer.role != Role::Player
        && line.facts.role == Role::Player
        && viewer.who != Some(line.facts.from);
    if !is_delayed {
        return Some(line.at);
    }
    let is_late = line.at + delay;
    let over = ended_at.map(|ended| line.at.max(ended + delay));
    Some(over.map_or(is_late, |over| is_late.min(over)))
}

/// What somebody may read, in the order in which they could first read it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct History {
    /// What they had read before, of the newest.
    pub known: Vec<Line>,
    /// What came after it.
    pub new: Vec<Line>,
}

/// A line that could be read for longer is no longer on its way to anybody.
const LANE_AGE_MAX: Millis = Millis::from_secs(60);

impl History {
    /// The lines that were read and may come by the lane as well. What they know from
    /// another node may still be on its way to this one.
    pub fn still_coming(&self, game: &Game, viewer: &ViewerFacts, now: Timestamp) -> Vec<ChatId> {
        let is_new = |line: &&Line| {
            readable_from(game, line, viewer).is_some_and(|since| since + LANE_AGE_MAX >= now)
        };
        let read = self.known.iter().chain(&self.new);
        read.filter(is_new).map(|line| line.id).collect()
    }
}

/// How far somebody has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastRead {
    /// The last line.
    pub line: ChatId,
    /// Whether they knew then that the game was over, if that can be said.
    pub has_seen_end: Option<bool>,
    /// Up to which line they read everything before they began to play.
    pub observed: Option<ChatId>,
}

impl LastRead {
    /// That line; nobody knows what they knew then.
    pub fn of(line: ChatId) -> LastRead {
        LastRead {
            line,
            has_seen_end: None,
            observed: None,
        }
    }
}

/// What a viewer may read by now and came after what they read last, the newest
/// lines if there are many.
///
/// Lines are in the order in which this viewer could first read them: what
/// becomes readable late comes after what was read before it, so that asking
/// for what came after a line misses nothing and repeats nothing. Of a player it is
/// best said whether they knew of the game's end: the clocks of several nodes know
/// only roughly what was said before it.
///
/// # Errors
/// `unavailable` if the store cannot say.
pub async fn history(
    app: &App,
    id: TableId,
    game: &Game,
    viewer: &ViewerFacts,
    after: Option<LastRead>,
    now: Timestamp,
) -> Result<History, Problem> {
    // Another node's clock may be a little ahead: what has happened is not to come.
    let now = now.max(game.last_at());
    let filter = filter(game, viewer, now);
    let lines = app.store.chat_of(id, filter, None, LINES_MAX).await?;
    let lines = lines.into_iter().filter_map(Line::read);
    Ok(in_reading_order(lines, game, viewer, after, now))
}

/// What [`readable_from`] lets a viewer read by now, as the store is asked for
/// it: lines that are not for them must not take the place of lines that are.
fn filter(game: &Game, viewer: &ViewerFacts, now: Timestamp) -> ChatFilter {
    let delay = game.spectator_delay();
    let is_player = viewer.role == Role::Player;
    let is_over = |late: Millis| game.ended_at().is_some_and(|over| over + late <= now);
    let is_delayed = !is_player && delay > Millis::ZERO && !is_over(delay);
    let then = Timestamp(now.0.saturating_sub(u64::from(delay.0)));
    ChatFilter {
        reader: viewer.who,
        is_room_only: is_player && !is_over(Millis::ZERO),
        players_until: is_delayed.then_some(then),
    }
}

/// When spectators may read the lines that they may not read yet.
///
/// # Errors
/// `unavailable` if the store cannot say.
pub async fn readable_later(
    app: &App,
    id: TableId,
    game: &Game,
    now: Timestamp,
) -> Result<Vec<Timestamp>, Problem> {
    let spectator = ViewerFacts {
        who: None,
        role: Role::Observer,
    };
    let all = ChatFilter::default();
    let lines = app.store.chat_of(id, all, None, LINES_MAX).await?;
    let lines = lines.into_iter().filter_map(Line::read);
    let times = lines.filter_map(|line| readable_from(game, &line, &spectator));
    Ok(times.filter(|from| *from > now).collect())
}

/// Whether the line is kept from the viewer until the game is over.
fn is_kept(game: &Game, line: &Line, viewer: &ViewerFacts) -> bool {
    !(Policies::of(game.terms().room).hears)(&line.facts, viewer, false)
}

/// Whether it was said while the game lived, and kept from the viewer.
fn opened_by_end(game: &Game, line: &Line, viewer: &ViewerFacts) -> bool {
    is_kept(game, line, viewer) && game.ended_at().is_some_and(|over| line.at <= over)
}

fn in_reading_order(
    lines: impl Iterator<Item = Line>,
    game: &Game,
    viewer: &ViewerFacts,
    after: Option<LastRead>,
    now: Timestamp,
) -> History {
    let mut readable: Vec<((Timestamp, bool, ChatId), Line)> = lines
        .filter_map(|line| {
            let from = readable_from(game, &line, viewer)?;
            // Of what was there to read in one millisecond, the end of the game or of
            // a delay came after what was said in it.
            let is_opened = from > line.at || opened_by_end(game, &line, viewer);
            // What was said has been said, whatever this node's clock shows, and the
            // order is that of the ids, whatever the clock of the speaker's node.
            let is_readable = from <= now.max(line.at);
            let from = match from <= line.at {
                true => line.id.said_at(),
                false => from,
            };
            is_readable.then_some(((from, is_opened, line.id), line))
        })
        .collect();
    readable.sort_by_key(|(place, _)| *place);
    let Some(LastRead {
        line,
        has_seen_end,
        observed,
    }) = after
    else {
        let new = readable.into_iter().map(|(_, line)| line).collect();
        let known = Vec::new();
        return History { known, new };
    };
    let last = readable.iter().find(|(_, found)| found.id == line);
    // A line that is no longer among the newest was read long ago.
    let place = last.map_or((line.said_at(), false, line), |(place, _)| *place);
    let is_opened = last.is_some_and(|(_, last)| opened_by_end(game, last, viewer));
    let is_new = |at: &(Timestamp, bool, ChatId), found: &Line| match has_seen_end {
        Some(false) => {
            found.id > line || (Some(found.id) > observed && is_kept(game, found, viewer))
        }
        Some(true) if !is_opened => found.id > line,
        _ => *at > place,
    };
    let is_new = |(at, found): &(_, Line)| match viewer.role {
        Role::Player => is_new(at, found),
        // They hear everything, but some of it late.
        Role::Observer | Role::Moderator => *at > place,
    };
    let (new, known): (Vec<_>, Vec<_>) = readable.into_iter().partition(is_new);
    let lines = |of: Vec<(_, Line)>| of.into_iter().map(|(_, line)| line).collect();
    History {
        known: lines(known),
        new: lines(new),
    }
}

#[cfg(test)]
mod tests {
    use chess::clock::TimeControl;
    use chess::game::{Creation, Ending, Event, Terms, WinReason};
    use chess::table::PlayerId;
    use chess::{ByColor, Color};
    use live::room::policy::LineFacts;
    use live::room::{Audience, ChatOrder, Strand};

    use super::*;

    const DELAY: u64 = 60_000;

    fn who(number: u32) -> PlayerId {
        PlayerId::new(number).unwrap()
    }

    /// 1 against 2, begun at 0, with a delay of a minute; over at that time.
    fn game(ended_at: Option<u64>) -> Game {
        let mut terms = Terms::casual(TimeControl::Unlimited);
        terms.spectator_delay = 60;
        let creation = Creation::open(who(1), terms);
        let mut game = Game::create(Timestamp(0), creation).unwrap();
        let (player, color) = (who(2), Color::Black);
        game.evolve(
            Timestamp(0),
            &Event::Joined {
                player,
                color,
                ratings: ByColor::default(),
            },
        );
        if let Some(at) = ended_at {
            let ending = Ending::Won {
                winner: Color::White,
                by: WinReason::Resignation,
            };
            let by = Some(Color::Black);
            game.evolve(Timestamp(at), &Event::Ended { ending, by });
        }
        game
    }

    fn line(from: u32, audience: Audience, at: u64, order: &mut ChatOrder) -> Line {
        let role = if from <= 2 {
            Role::Player
        } else {
            Role::Observer
        };
        let strand = match (from, audience) {
            (1 | 2, Audience::Room) => Strand::Room,
            (1, _) => Strand::Creator,
            (2, _) => Strand::Opponent,
            _ => Strand::Observers,
        };
        Line {
            id: order.next(strand, Timestamp(at)),
            at: Timestamp(at),
            facts: LineFacts {
                from: who(from),
                role,
                audience,
                is_notice: false,
            },
            text: format!("{from} at {at}"),
        }
    }

    fn viewer(number: u32) -> ViewerFacts {
        ViewerFacts {
            who: Some(who(number)),
            role: if number <= 2 {
                Role::Player
            } else {
                Role::Observer
            },
        }
    }

    #[test]
    fn a_players_line_reaches_spectators_as_late_as_the_moves() {
        use Audience::{Observers, Room};
        // from, audience, said at; the game's end; the reader; readable from
        for (from, audience, at, ended_at, reader, expected) in [
            (1, Room, 5_000, None, 2, Some(5_000)),
            (1, Room, 5_000, None, 3, Some(5_000 + DELAY)),
            (1, Observers, 5_000, None, 3, Some(5_000 + DELAY)),
            (1, Observers, 5_000, None, 1, Some(5_000)),
            (1, Observers, 5_000, None, 2, None),
            (1, Observers, 5_000, Some(9_000), 2, Some(9_000)),
            (1, Room, 5_000, Some(9_000), 3, Some(5_000 + DELAY)),
            // Said after the end, and before spectators know of it.
            (1, Room, 20_000, Some(9_000), 2, Some(20_000)),
            (1, Room, 20_000, Some(9_000), 3, Some(9_000 + DELAY)),
            (1, Room, 90_000, Some(9_000), 3, Some(90_000)),
            (3, Room, 5_000, None, 4, Some(5_000)),
            (3, Room, 5_000, None, 2, None),
            (3, Room, 5_000, Some(9_000), 2, Some(9_000)),
            (3, Room, 20_000, Some(9_000), 2, Some(20_000)),
        ] {
            let line = line(from, audience, at, &mut ChatOrder::default());
            let from = readable_from(&game(ended_at), &line, &viewer(reader));
            assert_eq!(from, expected.map(Timestamp), "{line:?} {reader}");
        }
    }

    #[test]
    fn the_store_is_asked_for_what_may_be_read_by_now() {
        let stored = |line: &Line| {
            let table = TableId::from_random(7);
            Line::to_say(table, line.at, &line.facts, line.text.clone()).numbered(line.id.number())
        };
        for n in 0..8 * 4 * 3 {
            let (from, audience) = (1 + n % 4, Audience::ALL[(n / 4 % 2) as usize]);
            let line = line(from, audience, 5_000, &mut ChatOrder::default());
            let ended_at = [None, Some(4_000), Some(9_000)][(n / 8 % 3) as usize];
            for now in [5_000, 9_000, 64_000, 64_999, 65_000, 69_000].map(Timestamp) {
                let game = game(ended_at.filter(|over| *over <= now.0));
                for reader in 1..=3 {
                    let viewer = viewer(reader);
                    let from = readable_from(&game, &line, &viewer);
                    let filter = filter(&game, &viewer, now);
                    assert_eq!(
                        filter.admits(&stored(&line)),
                        from.is_some_and(|from| from <= now),
                        "{reader} reads {line:?} at {now:?}, over at {ended_at:?}"
                    );
                }
            }
        }
    }

    /// Everything in one millisecond: an observer whispers, a player speaks, the
    /// opponent reads, and the game is over.
    #[test]
    fn the_end_of_a_game_comes_after_what_was_said_in_its_millisecond() {
        let mut order = ChatOrder::default();
        let whisper = line(3, Audience::Room, 5_000, &mut order);
        let spoken = line(1, Audience::Room, 5_000, &mut order);
        let lines = || [whisper.clone(), spoken.clone()].into_iter();
        let (reader, now) = (viewer(2), Timestamp(5_000));
        let read = in_reading_order(lines(), &game(None), &reader, None, now).new;
        assert_eq!(read, std::slice::from_ref(&spoken));
        let over = game(Some(5_000));
        let more =
            in_reading_order(lines(), &over, &reader, Some(LastRead::of(spoken.id)), now).new;
        assert_eq!(more, std::slice::from_ref(&whisper));
    }

    /// Whoever looks now and then, and reads on from the last line, reads all
    /// that they may, once.
    #[test]
    fn reading_on_is_complete_for_everyone() {
        let mut order = ChatOrder::default();
        let mut lines = Vec::new();
        for n in 0..60 {
            let from = 1 + n % 4;
            let audience = Audience::ALL[(n / 4 % 2) as usize];
            lines.push(line(from, audience, u64::from(n) * 2_000, &mut order));
        }
        for reader in 1..=3 {
            let mut read: Vec<Line> = Vec::new();
            for now in (0..300_000).step_by(7_000).map(Timestamp) {
                let game = game((now.0 >= 100_000).then_some(100_000));
                let said = lines.iter().filter(|line| line.at <= now).cloned();
                let after = read.last().map(|line| LastRead::of(line.id));
                read.extend(in_reading_order(said, &game, &viewer(reader), after, now).new);
            }
            read.sort_by_key(|line| line.id);
            let mut all = lines.clone();
            all.sort_by_key(|line| line.id);
            assert_eq!(read, all, "reader {reader}");
        }
    }

    /// The clocks of nodes differ: something said after the end may look as if it was
    /// said before it, and the other way round.
    #[test]
    fn what_was_kept_from_a_player_comes_once_with_the_end() {
        let reader = viewer(2);
        let now = Timestamp(20_000);
        for ended_at in [4_000, 5_500, 6_500, 9_000] {
            let mut order = ChatOrder::default();
            let whisper = line(3, Audience::Room, 5_000, &mut order);
            let spoken = line(1, Audience::Room, 6_000, &mut order);
            let farewell = line(1, Audience::Room, 7_000, &mut order);
            let over = game(Some(ended_at));
            let after = |line: &Line, has_seen_end: bool| {
                Some(LastRead {
                    line: line.id,
                    has_seen_end: Some(has_seen_end),
                    observed: None,
                })
            };
            let read = |lines: &[&Line], after| {
                let lines: Vec<Line> = lines.iter().copied().cloned().collect();
                in_reading_order(lines.into_iter(), &over, &reader, after, now).new
            };
            let both = read(&[&whisper, &spoken], after(&spoken, false));
            assert_eq!(both, std::slice::from_ref(&whisper), "over at {ended_at}");
            let all = [&whisper, &spoken, &farewell];
            let rest = read(&all, after(&spoken, true));
            assert_eq!(rest, std::slice::from_ref(&farewell), "over at {ended_at}");
        }
    }

    #[test]
    fn what_somebody_heard_before_they_played_is_not_told_again() {
        let mut order = ChatOrder::default();
        let whisper = line(3, Audience::Room, 5_000, &mut order);
        let second = line(3, Audience::Room, 6_000, &mut order);
        let after = Some(LastRead {
            line: whisper.id,
            has_seen_end: Some(false),
            observed: Some(whisper.id),
        });
        let lines = [whisper, second.clone()].into_iter();
        let over = game(Some(9_000));
        let read = in_reading_order(lines, &over, &viewer(2), after, Timestamp(10_000));
        assert_eq!(read.new, [second]);
    }
}
