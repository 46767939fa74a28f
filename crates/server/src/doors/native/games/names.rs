//! Numbers become names at the door.

use std::collections::HashMap;
use std::sync::Arc;

use chess::table::PlayerId;

use crate::app::App;
use crate::auth::Person;
use crate::http::ApiError;

/// The people of one or more games.
pub(crate) struct Names(HashMap<PlayerId, Arc<Person>>);

impl Names {
    pub(crate) async fn of(
        app: &App,
        players: impl IntoIterator<Item = PlayerId>,
    ) -> Result<Names, ApiError> {
        let players: Vec<PlayerId> = players.into_iter().collect();
        Ok(Names(app.auth.people(&players).await?))
    }

    pub(crate) fn get(&self, player: PlayerId) -> Option<&Person> {
        self.0.get(&player).map(|person| &**person)
    }

    /// The player's id on the wire.
    pub(crate) fn id(&self, player: PlayerId) -> String {
        self.get(player)
            .map_or_else(|| "unknown".to_owned(), |person| person.id.clone())
    }
}

/// The accounts that bear these names.
///
/// # Errors
/// 404 naming the field and the first name that nobody bears.
pub(crate) async fn find(
    app: &App,
    field: &str,
    names: &[String],
) -> Result<Vec<Arc<Person>>, ApiError> {
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        match app.auth.person_by_name(name).await? {
            Some(person) if !person.deleted => found.push(person),
            _ => {
                let detail = format!("{field}: there is no player {name:?}");
                return Err(ApiError::not_found(detail).with("field", field));
            }
        }
    }
    Ok(found)
}
