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
        let id = TableId::from_random(rand::rng().random());
        match at(app, id, game.clone(), keyed).await {
            // Not the id, but the key: nowhere is a place for it.
            Err(Failure::Taken) if keys::look_again(app, keyed).await?.is_some() => break,
            Err(Failure::Taken) => {}
            placed => return Ok((id, placed?)),
        }
    }
    Err(Problem::unavailable())
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
        .create(id, game, code.as_deref(), keyed.remember())
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
