//! Numbers become names.

use std::sync::Arc;

use chess::table::PlayerId;
use store::IdMap;

use super::{Auth, Person};

/// The people of one or more games.
#[derive(Clone, Debug, Default)]
pub struct Names(IdMap<PlayerId, Arc<Person>>);

impl Names {
    /// Who these are.
    ///
    /// # Errors
    /// The store cannot say.
    pub async fn of(
        auth: &impl AsRef<Auth>,
        players: impl IntoIterator<Item = PlayerId>,
    ) -> Result<Names, store::Error> {
        let players: Vec<PlayerId> = players.into_iter().collect();
        Ok(Names(auth.as_ref().people(&players).await?))
    }

    /// One of them.
    pub fn get(&self, player: PlayerId) -> Option<&Person> {
        self.0.get(&player).map(|person| &**person)
    }

    /// The player's id on the wire.
    pub fn id(&self, player: PlayerId) -> String {
        self.get(player)
            .map_or_else(|| "unknown".to_owned(), |person| person.id.clone())
    }

    /// The player's title.
    pub fn title(&self, player: PlayerId) -> Option<String> {
        self.get(player).and_then(|person| person.title.clone())
    }

    /// A name with the title before it.
    pub fn titled(title: Option<&str>, name: &str) -> String {
        title.map_or_else(|| name.to_owned(), |title| format!("{title} {name}"))
    }
}
