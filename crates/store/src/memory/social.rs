//! What players decide about each other, in memory.

use std::collections::{BTreeMap, BTreeSet};

use chess::Timestamp;
use chess::table::PlayerId;

use crate::ChallengeRule;

/// Somebody decided something about somebody else, and when.
type Ties = BTreeMap<(PlayerId, PlayerId), Timestamp>;

#[derive(Clone, Default)]
pub(crate) struct Social {
    blocks: Ties,
    follows: Ties,
    rules: BTreeMap<PlayerId, ChallengeRule>,
}

impl Social {
    pub(crate) fn block(&mut self, who: PlayerId, blocked: PlayerId, at: Timestamp) -> bool {
        tie(&mut self.blocks, who, blocked, at)
    }

    pub(crate) fn unblock(&mut self, who: PlayerId, blocked: PlayerId) -> bool {
        self.blocks.remove(&(who, blocked)).is_some()
    }

    pub(crate) fn set_blocks(&mut self, who: PlayerId, blocked: &[PlayerId], at: Timestamp) {
        self.blocks
            .retain(|(account, other), _| *account != who || blocked.contains(other));
        for other in blocked {
            self.block(who, *other, at);
        }
    }

    pub(crate) fn blocks_of(&self, who: PlayerId) -> Vec<(PlayerId, Timestamp)> {
        of(&self.blocks, who)
    }

    pub(crate) fn blocked_by(&self, who: Option<PlayerId>) -> BTreeSet<PlayerId> {
        let blocked = who.map(|who| self.blocks_of(who)).unwrap_or_default();
        blocked.into_iter().map(|(blocked, _)| blocked).collect()
    }

    pub(crate) fn blocks_among(&self, players: &[PlayerId]) -> Vec<(PlayerId, PlayerId)> {
        let players: BTreeSet<_> = players.iter().collect();
        let both =
            |(one, other): &&(PlayerId, PlayerId)| players.contains(one) && players.contains(other);
        self.blocks.keys().filter(both).copied().collect()
    }

    pub(crate) fn is_blocked_between(&self, one: PlayerId, other: PlayerId) -> bool {
        self.blocks.contains_key(&(one, other)) || self.blocks.contains_key(&(other, one))
    }

    pub(crate) fn blockers_of(&self, blocked: PlayerId) -> Vec<PlayerId> {
        let blocks = self.blocks.keys();
        let theirs = blocks.filter(|(_, other)| *other == blocked);
        theirs.map(|(who, _)| *who).collect()
    }

    pub(crate) fn follow(&mut self, who: PlayerId, followed: PlayerId, at: Timestamp) -> bool {
        tie(&mut self.follows, who, followed, at)
    }

    pub(crate) fn unfollow(&mut self, who: PlayerId, followed: PlayerId) -> bool {
        self.follows.remove(&(who, followed)).is_some()
    }

    pub(crate) fn follows_of(&self, who: PlayerId) -> Vec<(PlayerId, Timestamp)> {
        of(&self.follows, who)
    }

    pub(crate) fn is_following(&self, who: PlayerId, followed: PlayerId) -> bool {
        self.follows.contains_key(&(who, followed))
    }

    pub(crate) fn challenge_rule(&self, who: PlayerId) -> ChallengeRule {
        self.rules.get(&who).copied().unwrap_or_default()
    }

    pub(crate) fn set_challenge_rule(&mut self, who: PlayerId, rule: ChallengeRule) {
        self.rules.insert(who, rule);
    }

    /// Whom a guest blocks and follows, and who does so with them, is an account's matter
    /// from here on.
    pub(crate) fn take_over(&mut self, guest: PlayerId, by: PlayerId) {
        for ties in [&mut self.blocks, &mut self.follows] {
            let renamed = |who: PlayerId| if who == guest { by } else { who };
            let theirs: Vec<_> = ties
                .iter()
                .filter(|((one, other), _)| *one == guest || *other == guest)
                .map(|((one, other), at)| (renamed(*one), renamed(*other), *at))
                .filter(|(one, other, _)| one != other)
                .collect();
            for (one, other, at) in theirs {
                tie(ties, one, other, at);
            }
        }
    }

    /// The account was deleted.
    pub(crate) fn forget(&mut self, who: PlayerId) {
        let is_others =
            |(one, other): &(PlayerId, PlayerId), _: &mut Timestamp| *one != who && *other != who;
        self.blocks.retain(is_others);
        self.follows.retain(is_others);
        self.rules.remove(&who);
    }
}

fn tie(ties: &mut Ties, who: PlayerId, other: PlayerId, at: Timestamp) -> bool {
    let is_new = !ties.contains_key(&(who, other));
    ties.entry((who, other)).or_insert(at);
    is_new
}

fn of(ties: &Ties, who: PlayerId) -> Vec<(PlayerId, Timestamp)> {
    let theirs = ties.iter().filter(|((account, _), _)| *account == who);
    theirs.map(|((_, other), at)| (*other, *at)).collect()
}
