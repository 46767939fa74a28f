//! Whom somebody does not want to meet, nor to hear.

use std::sync::Arc;

use chess::table::PlayerId;

use super::App;
use super::names::{Names, find};
use crate::auth::{Caller, Person, Scope};
use crate::limits::rates::Rate;
use crate::problem::{Kind, Problem};

/// So many may somebody block.
pub(crate) const BLOCKS_MAX: usize = 500;

/// Whom the caller blocks, in the order of their ids.
///
/// # Errors
/// `unavailable` if the store cannot say.
pub(crate) async fn list(app: &App, caller: &Caller) -> Result<Vec<String>, Problem> {
    let blocks = app.store.blocks_of(caller.number()).await?;
    let blocked: Vec<PlayerId> = blocks.iter().map(|(blocked, _)| *blocked).collect();
    let names = Names::of(app, blocked.iter().copied()).await?;
    let mut ids: Vec<String> = blocked.into_iter().map(|who| names.id(who)).collect();
    ids.sort_unstable();
    Ok(ids)
}

/// Blocks these and nobody else.
///
/// # Errors
/// `missing_scope`, `rate_limited`; `bad_request` for too many, `not_found`;
/// `not_allowed`: nobody blocks themselves.
pub(crate) async fn set(app: &App, caller: &Caller, names: &[String]) -> Result<(), Problem> {
    may(app, caller)?;
    if names.len() > BLOCKS_MAX {
        return Err(too_many("names"));
    }
    let mut blocked: Vec<PlayerId> = Vec::with_capacity(names.len());
    for some in names.chunks(super::names::NAMES_MAX) {
        for person in find(app, "names", some).await? {
            blocked.push(other_than(caller, &person)?);
        }
    }
    blocked.sort_unstable();
    blocked.dedup();
    let now = app.wall();
    Ok(app.store.set_blocks(caller.number(), blocked, now).await?)
}

/// Blocks somebody; that they are blocked already is as good.
///
/// # Errors
/// As [`set`].
pub(crate) async fn add(app: &App, caller: &Caller, name: &str) -> Result<(), Problem> {
    may(app, caller)?;
    let blocked = other_than(caller, &*one(app, name).await?)?;
    if app.store.blocks_of(caller.number()).await?.len() >= BLOCKS_MAX {
        return Err(too_many("name"));
    }
    let now = app.wall();
    app.store.block(caller.number(), blocked, now).await?;
    Ok(())
}

/// Blocks them no longer.
///
/// # Errors
/// As [`set`].
pub(crate) async fn remove(app: &App, caller: &Caller, name: &str) -> Result<(), Problem> {
    may(app, caller)?;
    let blocked = one(app, name).await?.number;
    app.store.unblock(caller.number(), blocked).await?;
    Ok(())
}

fn may(app: &App, caller: &Caller) -> Result<(), Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())
}

/// Somebody by name.
pub(super) async fn one(app: &App, name: &str) -> Result<Arc<Person>, Problem> {
    let person = app.auth.person_by_name(name).await?;
    let person = person.filter(|person| !person.deleted);
    person.ok_or_else(|| Problem::not_found("there is no such player"))
}

pub(super) fn other_than(caller: &Caller, person: &Person) -> Result<PlayerId, Problem> {
    if person.number != caller.number() {
        return Ok(person.number);
    }
    let detail = "this is about others, not oneself";
    Err(Problem::new(Kind::Conflict, "not_allowed", detail))
}

fn too_many(field: &str) -> Problem {
    let detail = format!("{field}: at most {BLOCKS_MAX} players can be blocked");
    Problem::bad_request(detail).with("field", field)
}
