//! What the description promises, on a small API.

use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower::ServiceExt;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::*;

/// A game to be made.
#[derive(Deserialize, Serialize, ToSchema)]
struct NewGame {
    /// The clock; `null` for none.
    time_control: Option<Clock>,
    /// Up to <b>20</b> characters.
    #[schema(min_length = 2, max_length = 20, example = "anna")]
    opponent: String,
    side: Option<Side>,
    /// Who may see it.
    invited: Vec<String>,
}

/// A clock: one of two forms.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(untagged)]
enum Clock {
    /// With an increment.
    Fischer {
        /// What the clock starts with.
        #[schema(minimum = 1, maximum = 10800)]
        initial_seconds: u32,
    },
    /// Correspondence.
    Days {
        /// 1 to 14.
        days_per_move: u8,
    },
}

/// Which side the creator wants.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Side {
    White,
    Black,
}

/// A game that may come of another.
#[derive(Serialize, ToSchema)]
struct Game {
    #[schema(example = "Ab3fK9xQ")]
    id: String,
    /// The rematch.
    #[schema(no_recursion)]
    next: Option<Box<Game>>,
}

/// Make a game
///
/// Waits for an opponent. With `Idempotency-Key` it is safe to repeat.
#[utoipa::path(
    post,
    path = "/v1/games",
    tag = "games",
    request_body = NewGame,
    responses(
        (status = 201, description = "The game", body = Game),
        (status = 422, description = "`bad_time_control`, `bad_fen`"),
    ),
    security(("token" = ["play"])),
)]
async fn make() {}

/// Get a game
#[utoipa::path(
    get,
    path = "/v1/games/{id}",
    tag = "games",
    params(
        ("id" = String, Path, description = "The game"),
        ("size" = Option<u32>, Query, description = "Pixels", minimum = 160, maximum = 1080),
    ),
    responses((status = 200, description = "The game", body = Game), (status = 404, description = "`game_not_found`")),
    security((), ("token" = [])),
)]
async fn look() {}

/// Leave
#[utoipa::path(delete, path = "/v1/me", tag = "accounts", responses((status = 204, description = "Gone")))]
async fn leave() {}

fn sample() -> (Router, OpenApi) {
    publish(
        OpenApiRouter::new()
            .routes(routes!(make))
            .routes(routes!(look))
            .routes(routes!(leave)),
    )
}

async fn get_text(path: &str) -> (StatusCode, HeaderMap, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = sample().0.oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    (parts.status, parts.headers, text)
}

#[tokio::test]
async fn the_document_says_what_is_true_of_every_call() {
    let (status, headers, text) = get_text("/v1/openapi.json").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers[header::CONTENT_TYPE], "application/json");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["info"]["title"], "Arbiter");
    assert_eq!(
        document["info"]["license"]["identifier"],
        "AGPL-3.0-or-later"
    );
    assert_eq!(
        document["components"]["securitySchemes"]["token"]["scheme"],
        "bearer"
    );
    assert_eq!(document["security"], json!([{ "token": [] }]));
    let reference = json!({ "$ref": "#/components/schemas/Error" });
    let answers = &document["paths"]["/v1/games"]["post"]["responses"];
    assert_eq!(
        answers["422"]["content"]["application/json"]["schema"],
        reference
    );
    assert_eq!(
        answers["default"]["content"]["application/json"]["schema"],
        reference
    );
    let good = &answers["201"]["content"]["application/json"]["schema"];
    assert_eq!(good, &json!({ "$ref": "#/components/schemas/Game" }));
    assert_eq!(
        document["components"]["schemas"]["Error"]["required"],
        json!(["error", "detail"])
    );
    assert!(document["paths"]["/docs"]["get"].is_object());
}

#[tokio::test]
async fn the_page_shows_every_call_and_loads_only_its_style() {
    let (status, headers, page) = get_text("/docs").await;
    assert_eq!(status, StatusCode::OK);
    let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
    let (_, document) = sample();
    for path in document.paths.paths.keys() {
        assert!(page.contains(&format!("<code>{path}</code>")), "{path}");
    }
    for forbidden in [
        "http:", "https:", "<script", "style=", "onclick", "url(", "src=",
    ] {
        assert!(!page.contains(forbidden), "{forbidden}");
        assert!(!STYLE.contains(forbidden), "{forbidden}");
    }
    for reference in page.split("href=\"").skip(1) {
        let target = reference.split('"').next().unwrap();
        let is_anchor = target
            .strip_prefix('#')
            .is_some_and(|anchor| page.contains(&format!("id=\"{anchor}\"")));
        assert!(
            is_anchor || ["docs.css", "v1/openapi.json"].contains(&target),
            "{target}"
        );
    }
    let (_, headers, _) = get_text("/docs.css").await;
    assert_eq!(headers[header::CONTENT_TYPE], "text/css; charset=utf-8");
}

#[test]
fn a_call_says_what_it_needs_takes_and_answers() {
    let page = page::page(&serde_json::to_value(sample().1).unwrap());
    for expected in [
        "Needs a token of scope <code>play</code>.",
        "A token is optional.",
        "Needs a token.",
        "No token needed.",
        "With <code>Idempotency-Key</code> it is safe to repeat.",
        "<code>bad_time_control</code>, <code>bad_fen</code>",
        "Up to &lt;b&gt;20&lt;/b&gt; characters.",
        "2 to 20 characters, for example <code>&quot;anna&quot;</code>",
        "<code>&quot;white&quot;</code> or <code>&quot;black&quot;</code>",
        "list of string",
        "160 to 1080",
        "<p class=\"form\">Correspondence.</p>",
        "curl -X POST &quot;$ARBITER/v1/games&quot; \\\n  -H &quot;Authorization: Bearer $TOKEN&quot;",
        "curl &quot;$ARBITER/v1/games/$ID&quot;",
        "&quot;id&quot;: &quot;Ab3fK9xQ&quot;",
    ] {
        assert!(page.contains(expected), "{expected}");
    }
}

#[test]
fn what_a_description_contains_never_becomes_markup() {
    let nasty = "</code><script>alert(1)</script>";
    let document = json!({
        "info": { "title": nasty, "version": nasty, "description": nasty },
        "tags": [{ "name": nasty, "description": nasty }],
        "paths": { nasty: { "get": {
            "summary": nasty, "tags": [nasty],
            "parameters": [{ "name": nasty, "in": nasty, "schema": { "pattern": nasty, "example": nasty } }],
            "requestBody": { "content": { nasty: { "schema": { "type": nasty } } } },
            "responses": { nasty: { "description": nasty, "content": { nasty: {} } } },
        } } },
        "components": { "schemas": { nasty: { "properties": { nasty: { "enum": [nasty] } } } } },
    });
    assert!(!page::page(&document).contains("<script"));
}

#[tokio::test]
async fn an_unchanged_document_is_not_sent_again() {
    let (_, headers, _) = get_text("/docs").await;
    let request = Request::get("/docs")
        .header(header::IF_NONE_MATCH, &headers[header::ETAG])
        .body(Body::empty())
        .unwrap();
    let response = sample().0.oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
}
