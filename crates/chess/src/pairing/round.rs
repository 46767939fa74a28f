//! One round of pairing.

use shakmaty::{ByColor, Color};

use super::nearest::Nearest;
use super::seeker::Accepts;
use super::{Blocks, Origin, Paired, Policy, Seeker};
use crate::Timestamp;
use crate::table::PlayerId;

/// What a round comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Who plays whom; the pair of whoever waited longest first.
    pub pairs: Vec<Pair>,
    /// The tickets that have waited long enough; the oldest first.
    pub timed_out: Vec<u64>,
}

/// Two who play each other, and which side each has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The two, as they waited. At most one of them has an open game.
    pub seekers: ByColor<Seeker>,
}

impl Pair {
    /// The open game that one of them joins; `None`: a game is to be made.
    pub fn open_game(&self) -> Option<u64> {
        self.seekers.iter().find_map(|seeker| match seeker.origin {
            Origin::OpenGame { id, .. } => Some(id),
            Origin::Ticket(_) => None,
        })
    }

    /// How far apart they are, in points.
    pub fn gap(&self) -> u32 {
        let points = self.seekers.as_ref().map(|seeker| seeker.rating.points());
        points.white.abs_diff(points.black)
    }

    /// What is remembered of it for estimates: one line for each ticket.
    pub fn paired(&self, now: Timestamp) -> impl Iterator<Item = Paired> {
        let tickets = self.seekers.iter().filter(|seeker| seeker.is_ticket());
        tickets.map(move |seeker| Paired {
            at: now,
            points: seeker.rating.points(),
            waited: now.since(seeker.since),
        })
    }
}

/// Pairs those who wait, by the rule that [the module](super) states. The pool may
/// come in any order. `chance` is a random number; it only decides who has White
/// where nothing else does.
pub fn pair(
    pool: &[Seeker],
    blocks: &Blocks,
    policy: &Policy,
    now: Timestamp,
    chance: u64,
) -> Round {
    let (out, mut waiting): (Vec<&Seeker>, Vec<&Seeker>) = pool
        .iter()
        .partition(|seeker| seeker.is_out_of_time(policy, now));
    waiting.sort_unstable_by_key(|seeker| seeker.rank());
    let mut room = Room::new(waiting, blocks, policy, now);
    let mut pairs = Vec::new();
    for first in 0..room.waiting.len() {
        if room.is_gone[first] {
            continue;
        }
        // Whoever is younger and suits is found now; so nobody has to find this
        // one later.
        room.remove(first);
        if let Some(second) = room.opponent_of(first) {
            let [first, second] = [first, second].map(|index| room.waiting[index]);
            room.remove_all_of(first.player);
            room.remove_all_of(second.player);
            pairs.push(seated(first, second, chance));
        }
    }
    Round {
        pairs,
        timed_out: in_order(out),
    }
}

fn in_order(mut out: Vec<&Seeker>) -> Vec<u64> {
    out.sort_unstable_by_key(|seeker| seeker.rank());
    let tickets = out.into_iter().filter_map(|seeker| match seeker.origin {
        Origin::Ticket(id) => Some(id),
        Origin::OpenGame { .. } => None,
    });
    tickets.collect()
}

/// Gives each a side.
fn seated(first: &Seeker, second: &Seeker, chance: u64) -> Pair {
    let toss = toss(chance, first.player, second.player);
    let side = first
        .chosen()
        .or(second.chosen().map(|color| !color))
        .unwrap_or_else(|| first.colors.first_among(second.colors, toss));
    let (white, black) = side.fold_wb((first, second), (second, first));
    Pair {
        seekers: ByColor { white, black }.map(Seeker::clone),
    }
}

/// The first one's side by chance: one number serves a whole round, so it is
/// mixed with who the two are (the finish of splitmix64).
fn toss(chance: u64, first: PlayerId, second: PlayerId) -> Color {
    let both = u64::from(first.number()) << 32 | u64::from(second.number());
    let mut mixed = chance ^ both.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    Color::from_white((mixed ^ mixed >> 31) & 1 == 0)
}

/// Those who wait, and how to find the nearest among them.
struct Room<'a> {
    /// Whoever has waited longest first; everybody is known by this index.
    waiting: Vec<&'a Seeker>,
    is_gone: Vec<bool>,
    /// Whose index is whose, in the order of players.
    by_player: Vec<(PlayerId, usize)>,
    /// Tickets and open games apart, since no two open games are paired; and of
    /// each those apart who have to get a side.
    shelves: Vec<Shelf>,
    /// Where everybody is: the shelf, and the place in it.
    places: Vec<(usize, usize)>,
    blocks: &'a Blocks,
    policy: &'a Policy,
    now: Timestamp,
}

/// Some of those who wait, in the order of their points.
struct Shelf {
    of_tickets: bool,
    due: Option<Color>,
    members: Vec<usize>,
    /// Whom each would play.
    near: Nearest,
    /// Whom each would play of those who have lost their patience.
    wide: Nearest,
}

/// What matters to two, besides that each is near enough for the other and that
/// neither blocked the other. The longer one waits, the less.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matters {
    OnlyBlocks,
    Sides,
    SidesAndLastOpponents,
}

impl<'a> Room<'a> {
    fn new(
        waiting: Vec<&'a Seeker>,
        blocks: &'a Blocks,
        policy: &'a Policy,
        now: Timestamp,
    ) -> Room<'a> {
        let mut by_points: Vec<usize> = (0..waiting.len()).collect();
        by_points.sort_unstable_by_key(|index| (waiting[*index].rating.points(), *index));
        let mut by_player: Vec<_> = (0..).zip(&waiting).map(|(i, s)| (s.player, i)).collect();
        by_player.sort_unstable();
        let mut shelves = Vec::new();
        let mut places = vec![(0, 0); waiting.len()];
        for of_tickets in [true, false] {
            for due in [None, Some(Color::White), Some(Color::Black)] {
                let belongs = |seeker: &Seeker| (seeker.is_ticket(), seeker.due());
                let belongs = |i: &usize| belongs(waiting[*i]) == (of_tickets, due);
                let members: Vec<usize> = by_points.iter().copied().filter(belongs).collect();
                for (place, index) in members.iter().enumerate() {
                    places[*index] = (shelves.len(), place);
                }
                let tree = |window: &dyn Fn(&Seeker) -> u32| {
                    Nearest::new(members.iter().map(|index| {
                        let seeker = waiting[*index];
                        (seeker.rating.points(), seeker.accepts(window(seeker)))
                    }))
                };
                shelves.push(Shelf {
                    of_tickets,
                    due,
                    near: tree(&|seeker| policy.window(seeker.rating, seeker.since, now)),
                    wide: tree(&|_| policy.max_gap),
                    members,
                });
            }
        }
        Room {
            is_gone: vec![false; waiting.len()],
            waiting,
            by_player,
            shelves,
            places,
            blocks,
            policy,
            now,
        }
    }

    fn remove(&mut self, index: usize) {
        self.is_gone[index] = true;
        let (shelf, place) = self.places[index];
        self.shelves[shelf].near.remove(place);
        self.shelves[shelf].wide.remove(place);
    }

    /// Nobody is in two games.
    fn remove_all_of(&mut self, player: PlayerId) {
        let from = self.by_player.partition_point(|(p, _)| *p < player);
        for place in from..self.by_player.len() {
            let (whose, index) = self.by_player[place];
            if whose != player {
                break;
            }
            if !self.is_gone[index] {
                self.remove(index);
            }
        }
    }

    fn opponent_of(&self, index: usize) -> Option<usize> {
        let waited = self.now.since(self.waiting[index].since);
        let patience = self.policy.patience;
        let is_urgent = waited >= patience;
        let is_very_urgent = waited >= patience + patience;
        let nearest = |matters| self.nearest_to(index, is_urgent, matters);
        nearest(Matters::SidesAndLastOpponents)
            .or_else(|| is_urgent.then(|| nearest(Matters::Sides))?)
            .or_else(|| is_very_urgent.then(|| nearest(Matters::OnlyBlocks))?)
    }

    /// The nearest who suits, on whatever shelf.
    fn nearest_to(&self, index: usize, is_urgent: bool, matters: Matters) -> Option<usize> {
        let seeker = self.waiting[index];
        let due = seeker.due();
        let window = self.policy.window(seeker.rating, seeker.since, self.now);
        let search = Search {
            room: self,
            points: seeker.rating.points(),
            accepts: seeker.accepts(window),
            seeker,
            matters,
        };
        let shelves = self.shelves.iter().filter(|shelf| {
            (shelf.of_tickets || seeker.is_ticket())
                && (matters == Matters::OnlyBlocks || due.is_none() || shelf.due != due)
        });
        let found = shelves.flat_map(|shelf| {
            let tree = if is_urgent { &shelf.wide } else { &shelf.near };
            [search.upwards(shelf, tree), search.downwards(shelf, tree)]
        });
        let nearest = found.flatten().min();
        nearest.map(|(_, index)| index)
    }
}

/// What somebody looks for. What is found is a gap and an index, so that the least
/// is the nearest, and of several the one who has waited longest.
struct Search<'a> {
    room: &'a Room<'a>,
    seeker: &'a Seeker,
    points: u32,
    accepts: Accepts,
    matters: Matters,
}

impl Search<'_> {
    /// The nearest with as many points or more.
    fn upwards(&self, shelf: &Shelf, tree: &Nearest) -> Option<(u32, usize)> {
        let from = tree.place_of(self.points.max(self.accepts.least));
        let place = self.first_from(from, shelf, tree)?;
        let points = tree.points(place);
        (points <= self.accepts.most).then(|| (points - self.points, shelf.members[place]))
    }

    /// The nearest with fewer points.
    fn downwards(&self, shelf: &Shelf, tree: &Nearest) -> Option<(u32, usize)> {
        let mut until = tree.place_of(self.points.min(self.accepts.most.saturating_add(1)));
        let points = loop {
            let place = tree.last_before(until, self.points)?;
            let points = tree.points(place);
            if points < self.accepts.least {
                return None;
            }
            if self.may_meet(shelf.members[place]) {
                break points;
            }
            until = place;
        };
        // Of those with as many points this is the youngest who suits.
        let place = self.first_from(tree.place_of(points), shelf, tree)?;
        Some((self.points - points, shelf.members[place]))
    }

    /// The first from that place on who suits; perhaps too far away.
    fn first_from(&self, mut from: usize, shelf: &Shelf, tree: &Nearest) -> Option<usize> {
        loop {
            let place = tree.first_from(from, self.points)?;
            let is_too_far = tree.points(place) > self.accepts.most;
            if is_too_far || self.may_meet(shelf.members[place]) {
                return Some(place);
            }
            from = place + 1;
        }
    }

    fn may_meet(&self, other: usize) -> bool {
        let (one, other) = (self.seeker, self.room.waiting[other]);
        let have_met =
            one.last_opponent == Some(other.player) || other.last_opponent == Some(one.player);
        let avoided = self.matters == Matters::SidesAndLastOpponents
            && self.room.policy.avoids_last_opponent
            && have_met;
        let want_the_same = one.chosen().is_some() && one.chosen() == other.chosen();
        one.player != other.player
            && !avoided
            && !want_the_same
            && !self.room.blocks.between(one.player, other.player)
    }
}

#[cfg(test)]
mod tests;
