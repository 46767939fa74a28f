//! A place for a new game: an id, and a code while it waits.

use std::sync::{Arc, Mutex};

use chess::Timestamp;
use chess::game::{Game, Phase};
use chess::table::PlayerId;
use live::Failure;
use rand::RngExt;
use sha2::{Digest, Sha256};
use store::{IdMap, TableId};

use super::App;
use super::keys::{self, Keyed};
use crate::lock::lock;
use crate::problem::Problem;

/// How often a new game is tried to be placed.
pub(super) const TRIES: usize = 5;

/// How long what was counted is good for whoever is far from the limit.
const COUNTED_FOR: u64 = 60_000;
/// Players of whom it is remembered.
const COUNTED_MAX: usize = 50_000;

/// How many unfinished games players have at the most. To count the hundreds that
/// somebody may have takes longer than to make one more.
#[derive(Default)]
pub struct Unfinished(Mutex<IdMap<PlayerId, AtMost>>);

/// What was counted, with all that may have been made since.
#[derive(Clone, Copy)]
struct AtMost {
    games: u32,
    counted: Timestamp,
}

impl Unfinished {
    /// Whether somebody who is about to have one more is known to be far from so many.
    fn is_far_from(&self, max: u32, player: PlayerId, now: Timestamp) -> bool {
        let mut known = lock(&self.0);
        let Some(at_most) = known.get_mut(&player) else {
            return false;
        };
        let is_recent = now.0.saturating_sub(at_most.counted.0) < COUNTED_FOR;
        at_most.games = at_most.games.saturating_add(1);
        is_recent && at_most.games <= max / 2
    }

    /// They were counted, before one more.
    fn counted(&self, player: PlayerId, games: u32, now: Timestamp) {
        let mut known = lock(&self.0);
        if known.len() >= COUNTED_MAX {
            *known = IdMap::default();
        }
        let at_most = AtMost {
            games: games.saturating_add(1),
            counted: now,
        };
        known.insert(player, at_most);
    }

    /// They have games that they did not ask for: whoever wants to know counts again.
    pub(super) fn forget(&self, player: PlayerId) {
        lock(&self.0).remove(&player);
    }
}

/// Insists that somebody has fewer unfinished games than anybody may have.
pub(super) async fn has_room_for_more(app: &App, player: PlayerId) -> Result<(), Problem> {
    // A bot of the server's own has as many as people want to play with it.
    if app.rooms.residents().has(player) {
        return Ok(());
    }
    let (max, now) = (app.settings.games_per_account, app.now());
    // What other nodes made would not be known.
    if !app.store.is_shared() && app.unfinished.is_far_from(max, player, now) {
        return Ok(());
    }
    let unfinished = app.store.count_unfinished(player).await?;
    app.unfinished.counted(player, unfinished, now);
    if unfinished >= max {
        return Err(Problem::rate_limited(60).with("unfinished_games", unfinished));
    }
    Ok(())
}

/// Finds the game a free id (and a free code, while it waits) and makes it durable.
pub(super) async fn anywhere(
    app: &App,
    game: &Game,
    keyed: &Keyed,
) -> Result<(TableId, Arc<Game>), Problem> {
    for _ in 0..TRIES {
        let id = new_id();
        match at(app, id, game.clone(), keyed).await {
            // Not the id, but the key: nowhere is a place for it.
            Err(Failure::Taken) if keys::look_again(app, keyed).await?.is_some() => break,
            Err(Failure::Taken) => {}
            placed => return Ok((id, placed?)),
        }
    }
    Err(Problem::unavailable())
}

/// What comes right after the host in the addresses of this server.
pub(crate) const ADDRESSES: [&str; 26] = [
    "",
    "@",
    "account",
    "analysis",
    "api",
    "assets",
    "console",
    "docs",
    "embed",
    "favicon.ico",
    "favicon.svg",
    "game",
    "health",
    "join",
    "live",
    "manifest.webmanifest",
    "mcp",
    "metrics",
    "players",
    "ready",
    "robots.txt",
    "service-worker.js",
    "skill",
    "source",
    "tv",
    "v1",
];

/// An id for a new game. It opens the game's page right after the host, so none is given
/// out that reads like another address of the server's.
pub(crate) fn new_id() -> TableId {
    loop {
        let id = TableId::from_random(rand::rng().random());
        if !is_address(&id.to_string()) {
            return id;
        }
    }
}

fn is_address(text: &str) -> bool {
    let mut addresses = ADDRESSES.iter();
    addresses.any(|address| address.eq_ignore_ascii_case(text))
}

/// The same where the id is known.
pub(super) async fn at(
    app: &App,
    id: TableId,
    game: Game,
    keyed: &Keyed,
) -> Result<Arc<Game>, Failure> {
    let waits = game.phase() == Phase::Waiting;
    let seed = keyed.seed().unwrap_or_else(|| rand::rng().random());
    let code = waits.then(|| join_code(seed, id));
    let games = &app.games;
    games
        .create(id, game, code.as_deref(), keyed.remember().into())
        .await
}

/// Six characters that cannot be mistaken for one another. They follow from
/// chance, or from the request's key: the code is forgotten when somebody joins,
/// and a repeated request is told it all the same. Whoever could work it out
/// has to know the key and the game's id, which is chance.
pub(super) fn join_code(seed: [u8; 32], id: TableId) -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let digest = Sha256::new()
        .chain_update(seed)
        .chain_update(id.number().to_le_bytes())
        .finalize();
    let letters = digest.iter().take(6);
    letters
        .map(|byte| char::from(LETTERS[usize::from(byte % 32)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_far_from_the_limit_is_not_counted_again_at_once() {
        let unfinished = Unfinished::default();
        let [ann, bob] = [1, 2].map(|number| PlayerId::new(number).unwrap());
        let begun = Timestamp(1_000_000);
        assert!(!unfinished.is_far_from(10, ann, begun));
        unfinished.counted(ann, 2, begun);
        // The third was made then; this is the fourth, and the fifth.
        assert!(unfinished.is_far_from(10, ann, begun));
        assert!(unfinished.is_far_from(10, ann, begun));
        assert!(!unfinished.is_far_from(10, ann, begun), "the sixth");
        assert!(!unfinished.is_far_from(10, bob, begun));
        unfinished.counted(ann, 2, begun);
        assert!(!unfinished.is_far_from(10, ann, Timestamp(begun.0 + COUNTED_FOR)));
        unfinished.counted(ann, 2, begun);
        unfinished.forget(ann);
        assert!(!unfinished.is_far_from(10, ann, begun), "given games");
        unfinished.counted(bob, 0, begun);
        assert!(
            !unfinished.is_far_from(3, bob, begun),
            "half of three is one"
        );
    }

    #[test]
    fn what_follows_from_something_else_cannot_be_an_address_either() {
        // Ids of rematches and of imported games are no chance: none of the addresses
        // may be one that they could come to, but for one: should a game ever be called
        // that, one in two hundred million million, its page is `/game/analysis` alone.
        for address in ADDRESSES {
            assert!(is_address(address) && is_address(&address.to_uppercase()));
            let could_be_one = address.parse::<TableId>().is_ok();
            assert_eq!(could_be_one, address == "analysis", "{address}");
        }
        assert!(!is_address(&new_id().to_string()));
    }
}
