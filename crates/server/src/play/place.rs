//! A place for a new game: an id, and a code while it waits.

use std::sync::Arc;

use chess::game::{Game, Phase};
use chess::table::PlayerId;
use live::Failure;
use rand::RngExt;
use sha2::{Digest, Sha256};
use store::TableId;

use super::App;
use super::keys::{self, Keyed};
use crate::problem::Problem;

/// How often a new game is tried to be placed.
pub(super) const TRIES: usize = 5;

/// Insists that somebody has fewer unfinished games than anybody may have.
pub(super) async fn has_room_for_more(app: &App, player: PlayerId) -> Result<(), Problem> {
    // A bot of the server's own has as many as people want to play with it.
    if app.rooms.residents().has(player) {
        return Ok(());
    }
    let unfinished = app.store.count_unfinished(player).await?;
    if unfinished >= app.settings.games_per_account {
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
