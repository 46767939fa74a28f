//! Numbers become names.

use std::sync::Arc;

use chess::game::Game;
use chess::table::PlayerId;

pub(crate) use crate::auth::Names;
use crate::auth::Person;
use crate::play::App;
use crate::problem::Problem;

/// Everyone a game's messages name.
pub(crate) fn people(game: &Game) -> Vec<PlayerId> {
    let seated = [
        Some(game.creator()),
        game.opponent(),
        game.seats().white,
        game.seats().black,
    ];
    let invited = game.invited().iter().copied();
    let former = game.former().iter().copied();
    let seated = seated.into_iter().flatten();
    seated.chain(invited).chain(former).collect()
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

/// The account with that UUID.
///
/// # Errors
/// `not_found` naming the field if nobody has it.
pub(crate) async fn by_uuid(
    app: &App,
    field: &str,
    uuid: [u8; 16],
) -> Result<Arc<Person>, Problem> {
    let person = app.auth.person_by_uuid(uuid).await?;
    person.filter(|person| !person.deleted).ok_or_else(|| {
        let detail = format!("{field}: there is no such account");
        Problem::not_found(detail).with("field", field)
    })
}
