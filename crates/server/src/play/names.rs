//! Numbers become names.

use std::collections::HashMap;
use std::sync::Arc;

use chess::game::Game;
use chess::table::PlayerId;

use crate::auth::Person;
use crate::play::App;
use crate::problem::Problem;

/// The people of one or more games.
pub(crate) struct Names(HashMap<PlayerId, Arc<Person>>);

impl Names {
    pub(crate) async fn of(
        app: &App,
        players: impl IntoIterator<Item = PlayerId>,
    ) -> Result<Names, Problem> {
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

    /// The player's title.
    pub(crate) fn title(&self, player: PlayerId) -> Option<String> {
        self.get(player).and_then(|person| person.title.clone())
    }

    /// A name with the title before it.
    pub(crate) fn titled(title: Option<&str>, name: &str) -> String {
        title.map_or_else(|| name.to_owned(), |title| format!("{title} {name}"))
    }
}

/// Everyone a game's messages name.
pub(crate) fn people(game: &Game) -> Vec<PlayerId> {
    let seated = [
        Some(game.creator()),
        game.opponent(),
        game.seats().white,
        game.seats().black,
    ];
    let invited = game.invited().iter().copied();
    seated.into_iter().flatten().chain(invited).collect()
}

/// As many names as one request may have in a list.
pub(crate) const NAMES_MAX: usize = 50;

/// The accounts that bear these names, asked for at once.
///
/// # Errors
/// `bad_request` naming the field if there are too many; `not_found` naming it and the first
/// name that nobody bears.
pub(crate) async fn find(
    app: &App,
    field: &str,
    names: &[String],
) -> Result<Vec<Arc<Person>>, Problem> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    if names.len() > NAMES_MAX {
        let detail = format!("{field}: at most {NAMES_MAX} names");
        return Err(Problem::bad_request(detail).with("field", field));
    }
    let people = app.auth.people_by_names(names).await?;
    names
        .iter()
        .map(|name| {
            let person = people.get(&name.to_ascii_lowercase());
            let person = person.filter(|person| !person.deleted);
            person.map(Arc::clone).ok_or_else(|| {
                let detail = format!("{field}: there is no player {name:?}");
                Problem::not_found(detail).with("field", field)
            })
        })
        .collect()
}
