//! What is true of the whole API, whatever its routes are.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, Paths, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{Modify, OpenApi as Describe, ToSchema};

use super::parameters;
use crate::http::described::operations;

const JSON: &str = "application/json";

/// Title and licence, who may call, the subjects in the order of the page, and
/// this very document. A call that says nothing about security needs a token.
#[derive(Describe)]
#[openapi(
    info(
        title = "Arbiter",
        description = include_str!("intro.md"),
        license(
            name = "GNU Affero General Public License v3.0 or later",
            identifier = "AGPL-3.0-or-later",
        ),
    ),
    paths(openapi),
    components(schemas(ErrorBody)),
    security(("token" = [])),
    modifiers(&Token),
    tags(
        (name = "accounts", description = "Registering, signing in, playing as a guest, and one's own account."),
        (name = "tokens", description = "Personal tokens for programs, with no more rights than they need."),
        (name = "notifications", description = "Being told by mail, in browsers and in one's own stream; confirming an address, and choosing a new password by mail."),
        (name = "players", description = "What everyone may see of a player."),
        (name = "games", description = "Making, finding and looking at games."),
        (name = "lobby", description = "Meeting others: games that wait for whoever comes, and challenges."),
        (name = "matchmaking", description = "Waiting for an opponent, and being found one."),
        (name = "play", description = "Moving, offering, claiming: everything a player does in a game."),
        (name = "chat", description = "Talking at the table, each role to whom it may."),
        (name = "streams", description = "Following games as they are played."),
        (name = "events", description = "Events for services: pulled, or sent to webhooks."),
        (name = "matches", description = "Skill chess for guests without accounts, in the words of its own clients."),
        (name = "live-game-api", description = "Standard chess with a clock in the words of live-game-api, with UUIDs."),
        (name = "models", description = "For language models: the Model Context Protocol."),
        (name = "admin", description = "For operators and arbiters; everything done here is audited."),
        (name = "operation", description = "Whether the server is well, and its own description."),
    ),
)]
struct General;

/// This API as an OpenAPI document
#[utoipa::path(
    get,
    path = "/v1/openapi.json",
    tag = "operation",
    responses((status = 200, description = "This document", content_type = "application/json")),
    security(()),
)]
#[expect(dead_code, reason = "it is served by whoever has the document")]
fn openapi() {}

/// The security scheme, under the name by which routes refer to it.
struct Token;

impl Modify for Token {
    fn modify(&self, document: &mut OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "A session, a personal token, or a JWT of a service the operator trusts.",
            ))
            .build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// Any error, of every call.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub(super) struct ErrorBody {
    /// A stable code for programs.
    #[schema(example = "wrong_turn")]
    pub error: String,
    /// A sentence for people.
    #[schema(example = "it is Black's move")]
    pub detail: String,
    /// The field that could not be read.
    pub field: Option<String>,
    /// When to try again, as in the header `Retry-After`.
    pub retry_after_seconds: Option<u32>,
    /// The state of the game that stands against the request.
    pub game_state: Option<String>,
    /// How the game ended, if the refused move ended it.
    pub result: Option<String>,
    /// Why it ended.
    pub reason: Option<String>,
    /// The half-moves that have been played.
    pub current_ply: Option<u32>,
    /// Whose move it is.
    pub to_move: Option<String>,
    /// The scope the token lacks.
    pub scope: Option<String>,
}

/// Adds to the description of some routes what is true of all of them. Tags
/// that no call has are left out.
pub(super) fn complete(routes: OpenApi) -> OpenApi {
    let mut document = General::openapi().merge_from(routes);
    tell_apart(&mut document.paths);
    let mut used = Vec::new();
    for (path, item) in &mut document.paths.paths {
        parameters::complete(path, item);
        for operation in operations(item) {
            describe_errors(path, &mut operation.responses.responses);
            used.extend(operation.tags.iter().flatten().cloned());
        }
    }
    if let Some(tags) = &mut document.tags {
        tags.retain(|tag| used.contains(&tag.name));
    }
    document
}

/// Handlers of several modules may have one name, operations may not: those
/// that share one are told apart by their paths.
fn tell_apart(paths: &mut Paths) {
    let mut seen = BTreeMap::<String, usize>::new();
    for operation in paths.paths.values_mut().flat_map(operations) {
        *seen
            .entry(operation.operation_id.clone().unwrap_or_default())
            .or_default() += 1;
    }
    for (path, item) in &mut paths.paths {
        let words = path.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        for id in operations(item).filter_map(|operation| operation.operation_id.as_mut()) {
            if seen[id] > 1 {
                *id = format!("{id}_{}", words.join("_"));
            }
        }
    }
}

/// Every error has the one shape, also those that a call does not name; only doors
/// that speak as others do have a shape of their own.
fn describe_errors(path: &str, responses: &mut BTreeMap<String, RefOr<Response>>) {
    let shape = match path {
        path if path.starts_with("/v1/matches") => "ErrorView",
        path if path.starts_with("/live/") => "LiveError",
        _ => "Error",
    };
    let error = || Content::new(Some(Ref::from_schema_name(shape)));
    for (status, response) in responses.iter_mut() {
        let is_error = status.starts_with(['4', '5']);
        if let (true, RefOr::T(response)) = (is_error, response)
            && response.content.is_empty()
        {
            response.content.insert(JSON.to_owned(), error().into());
        }
    }
    responses.entry("default".to_owned()).or_insert_with(|| {
        let any = ResponseBuilder::new()
            .description("Any error that is possible everywhere")
            .content(JSON, error());
        any.build().into()
    });
}
