//! What the description of the API says once of many calls.

use utoipa::IntoResponses;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::SecurityRequirement;
use utoipa_axum::router::OpenApiRouter;

use crate::play::App;

/// The tokens with which a call may be made, each by the scopes it needs; `None`: without one.
type Needs = &'static [Option<&'static [&'static str]>];

/// A token is never asked for.
pub(crate) const ANYBODY: Needs = &[None];
/// A token is asked for only where the settings say so.
pub(crate) const READERS: Needs = &[None, Some(&[])];
/// A token that may play.
pub(crate) const PLAYERS: Needs = &[Some(&["play"])];

/// `game_not_found`
#[derive(IntoResponses)]
#[response(status = 404)]
pub(crate) struct NoGame;

/// Calls about one subject.
pub(crate) fn about(subject: &str, mut calls: OpenApiRouter<App>) -> OpenApiRouter<App> {
    for operation in each(&mut calls) {
        let tags = &mut operation.tags;
        tags.get_or_insert_with(|| vec![subject.to_owned()]);
    }
    calls
}

/// Calls for those who have one of these tokens, unless a call itself says otherwise.
pub(crate) fn open_to(needs: Needs, mut calls: OpenApiRouter<App>) -> OpenApiRouter<App> {
    let security = needs.iter().map(|scopes| match scopes {
        Some(scopes) => SecurityRequirement::new("token", scopes.iter().copied()),
        None => SecurityRequirement::default(),
    });
    let security: Vec<_> = security.collect();
    for operation in each(&mut calls) {
        operation.security.get_or_insert_with(|| security.clone());
    }
    calls
}

fn each(calls: &mut OpenApiRouter<App>) -> impl Iterator<Item = &mut Operation> {
    let paths = &mut calls.get_openapi_mut().paths.paths;
    paths.values_mut().flat_map(operations)
}

/// What can be done at one path.
pub(crate) fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let methods = [
        &mut item.get,
        &mut item.post,
        &mut item.put,
        &mut item.patch,
        &mut item.delete,
    ];
    methods.into_iter().flatten()
}
