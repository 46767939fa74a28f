//! What is true of the whole API, whatever its routes are.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, PathItem};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    Components, Content, Info, InfoBuilder, License, LicenseBuilder, OpenApi, OpenApiBuilder,
    Paths, PathsBuilder, Ref, RefOr, Response, ResponseBuilder, ResponsesBuilder,
};

use super::parameters;

/// The name of the security scheme, as routes refer to it.
const TOKEN: &str = "token";

const JSON: &str = "application/json";

/// The subjects in the order of the page, and what each is about.
const TAGS: [(&str, &str); 10] = [
    (
        "accounts",
        "Registering, signing in, playing as a guest, and one's own account.",
    ),
    (
        "tokens",
        "Personal tokens for programs, with no more rights than they need.",
    ),
    ("players", "What everyone may see of a player."),
    ("games", "Making, finding and looking at games."),
    (
        "play",
        "Moving, offering, claiming: everything a player does in a game.",
    ),
    ("chat", "Talking at the table, each role to whom it may."),
    ("streams", "Following games as they are played."),
    (
        "matches",
        "Skill chess for guests without accounts, in the words of its own clients.",
    ),
    (
        "admin",
        "For operators and arbiters; everything done here is audited.",
    ),
    (
        "operation",
        "Whether the server is well, and its own description.",
    ),
];

/// Any error, of every call.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody {
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

/// Adds to the description of some routes what is true of all of them: title
/// and licence, who may call, the shape of errors, and these very documents.
/// A call that says nothing about security needs a token.
pub fn complete(routes: OpenApi) -> OpenApi {
    let general = OpenApiBuilder::new()
        .info(info())
        .paths(own_paths())
        .components(Some(components()))
        .security(Some([SecurityRequirement::new(TOKEN, [] as [&str; 0])]))
        .tags(Some(TAGS.map(|(name, about)| {
            TagBuilder::new()
                .name(name)
                .description(Some(about))
                .build()
        })))
        .build();
    let mut document = general.merge_from(routes);
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

fn info() -> Info {
    InfoBuilder::new()
        .title("Arbiter")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(include_str!("intro.md")))
        .license(Some(license()))
        .build()
}

fn license() -> License {
    LicenseBuilder::new()
        .name("GNU Affero General Public License v3.0 or later")
        .identifier(Some(env!("CARGO_PKG_LICENSE")))
        .build()
}

fn components() -> Components {
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some(
            "A session, a personal token, or a JWT of a service the operator trusts.",
        ))
        .build();
    let mut components = utoipa::openapi::ComponentsBuilder::new()
        .schema_from::<ErrorBody>()
        .build();
    components.add_security_scheme(TOKEN, SecurityScheme::Http(scheme));
    components
}

/// The description describes itself.
fn own_paths() -> Paths {
    let page = |summary: &str, media: &str| {
        let content = Content::builder().build();
        let good = ResponseBuilder::new()
            .description(summary)
            .content(media, content);
        let open = SecurityRequirement::default();
        let operation = OperationBuilder::new()
            .tag("operation")
            .summary(Some(summary))
            .security(open)
            .responses(ResponsesBuilder::new().response("200", good).build());
        PathItem::new(HttpMethod::Get, operation)
    };
    PathsBuilder::new()
        .path(
            "/v1/openapi.json",
            page("This API as an OpenAPI document", JSON),
        )
        .path("/docs", page("This page", "text/html"))
        .path("/docs.css", page("The style of this page", "text/css"))
        .build()
}

pub(super) fn operations(
    item: &mut PathItem,
) -> impl Iterator<Item = &mut utoipa::openapi::path::Operation> {
    let methods = [
        &mut item.get,
        &mut item.post,
        &mut item.put,
        &mut item.patch,
        &mut item.delete,
    ];
    methods.into_iter().flatten()
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

/// Every error has the one shape, also those that a call does not name; only
/// the door of skill chess has a shape of its own.
fn describe_errors(path: &str, responses: &mut BTreeMap<String, RefOr<Response>>) {
    let is_skill_chess = path.starts_with("/v1/matches");
    let shape = if is_skill_chess { "ErrorView" } else { "Error" };
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
