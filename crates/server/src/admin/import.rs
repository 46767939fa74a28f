//! Games that others recorded become finished games of ours.
//!
//! A game's id follows from what is recorded of it, so that taking in a file
//! twice changes nothing.

use std::collections::HashMap;

use chess::ByColor;
use chess::pgn::ImportedGame;
use chess::table::{PlayerId, Table};
use live::{Failure, With};
use sha2::{Digest, Sha256};
use store::{OutsideIdentity, TableId};

use crate::auth::names;
use crate::play::App;
use crate::problem::Problem;

/// Whose names players of imported games have: nobody signs in from there.
const ISSUER: &str = "pgn-import";
/// How many ids are tried for a game; more than one only if two games share one by chance.
const IDS_MAX: u64 = 8;
/// The longest name that is told apart from others.
const NAME_MAX: usize = 255;

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// It is here now.
    New(TableId),
    /// It was here before.
    Known(TableId),
}

/// Takes games in, one after the other.
pub struct Importer {
    app: App,
    players: HashMap<String, PlayerId>,
}

impl Importer {
    /// Ready to take games in.
    pub fn new(app: App) -> Importer {
        Importer {
            app,
            players: HashMap::new(),
        }
    }

    /// Takes one in.
    ///
    /// # Errors
    /// A sentence: why this game cannot be one of ours.
    pub async fn take(&mut self, imported: &ImportedGame) -> Result<Imported, String> {
        let players = ByColor {
            white: self.player(imported.tag("White").unwrap_or("?")).await?,
            black: self.player(imported.tag("Black").unwrap_or("?")).await?,
        };
        let game = imported.replayed(players)?;
        for attempt in 0..IDS_MAX {
            let id = id_of(imported, attempt);
            match self
                .app
                .games
                .create(id, game.clone(), None, With::default())
                .await
            {
                Ok(_) => return Ok(Imported::New(id)),
                Err(Failure::Taken) => {
                    let there = self
                        .app
                        .games
                        .read(id, None)
                        .await
                        .map_err(|e| e.to_string())?;
                    if there.encode() == game.encode() {
                        return Ok(Imported::Known(id));
                    }
                }
                Err(failure) => return Err(failure.to_string()),
            }
        }
        Err("no id is free for it".into())
    }

    /// The account that stands for a name in imported games: never that of a
    /// local player who happens to be called the same.
    async fn player(&mut self, name: &str) -> Result<PlayerId, String> {
        let name: String = name
            .trim()
            .chars()
            .filter(|c| *c != '\0')
            .take(NAME_MAX)
            .collect();
        if let Some(player) = self.players.get(&name) {
            return Ok(*player);
        }
        let identity = OutsideIdentity {
            issuer: ISSUER.into(),
            subject: name.clone(),
        };
        let wish = plain(&name);
        let account = self.app.auth.outside_account(identity, Some(&wish));
        let why = |problem: Problem| problem.cause.unwrap_or(problem.detail);
        let player = account.await.map_err(why)?.number;
        self.players.insert(name, player);
        Ok(player)
    }
}

/// A name with nothing but what our names may have: `Carlsen, M` becomes `Carlsen_M`.
fn plain(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let text = words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("_");
    text.chars().take(names::NAME_MAX).collect()
}

/// The id that follows from what is recorded of a game.
fn id_of(imported: &ImportedGame, attempt: u64) -> TableId {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    for tag in [
        "White", "Black", "Date", "UTCDate", "UTCTime", "Event", "Site", "Round",
    ] {
        part(imported.tag(tag).unwrap_or_default().trim().as_bytes());
    }
    part(imported.variant.name().as_bytes());
    part(format!("{:?}", imported.start).as_bytes());
    let moves: Vec<String> = imported
        .moves
        .iter()
        .map(|m| m.unpack().to_string())
        .collect();
    part(moves.join(" ").as_bytes());
    part(format!("{:?}", imported.result).as_bytes());
    part(&attempt.to_le_bytes());
    let digest: [u8; 32] = hash.finalize().into();
    let first: [u8; 8] = std::array::from_fn(|i| digest[i]);
    TableId::from_random(u64::from_le_bytes(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ImportedGame {
        chess::pgn::read(text.as_bytes()).next().unwrap().unwrap()
    }

    #[test]
    fn an_id_follows_from_the_game_alone() {
        let id = |text: &str| id_of(&read(text), 0);
        assert_eq!(id("1. e4 e5 1-0"), id("1. e4 {x} e5 1-0"));
        assert_ne!(id("1. e4 e5 1-0"), id("1. e4 e5 0-1"));
        assert_ne!(id("1. e4 e5 1-0"), id("[White \"A\"]\n\n1. e4 e5 1-0"));
    }

    #[test]
    fn names_become_names_of_ours() {
        assert_eq!(plain("Carlsen, Magnus"), "Carlsen_Magnus");
        assert_eq!(plain("?"), "");
        assert_eq!(
            plain("A very long name indeed, somebody's"),
            "A_very_long_name_ind"
        );
    }
}
