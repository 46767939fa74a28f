//! The messages of the streams, described by their own types:
//! `GET /v1/asyncapi.json`.

use axum::Json;
use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asking::Answered;
use super::feed::Concern;
use super::said::Said;
use super::words::RoomMessage;
use crate::doors::native::games::messages::{Change, Stamp};
use crate::doors::native::lobby::words::LobbyMessage;
use crate::play::App;

/// Where the description is.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(describe))
}

/// The messages of the streams, as AsyncAPI
#[utoipa::path(
    get,
    path = "/v1/asyncapi.json",
    security(()),
    responses((status = 200, description = "An AsyncAPI 3.0 document", body = Value)),
)]
async fn describe() -> Json<Value> {
    Json(document())
}

fn document() -> Value {
    let stamp = json!(Stamp::schema());
    let game = [
        messages::<Change>("", &[stamp, about()]),
        messages::<RoomMessage>("", &[about()]),
        messages::<Answered>("", &[]),
    ];
    let account = [
        messages::<Concern>("account.", &[about()]),
        messages::<Answered>("account.", &[]),
    ];
    let lobby = [
        messages::<LobbyMessage>("lobby.", &[]),
        messages::<Answered>("lobby.", &[]),
    ];
    let client = [messages::<Said>("client.", &[])];
    let channel = |address: &str, what: &str, told: &[Messages]| {
        let all = told.iter().chain(&client).flatten();
        let messages = all.map(|(name, _)| {
            let reference = format!("#/components/messages/{name}");
            (name.clone(), json!({ "$ref": reference }))
        });
        let messages: Map<String, Value> = messages.collect();
        json!({ "address": address, "description": what, "messages": messages })
    };
    let channels = json!({
        "game": channel("/v1/games/{id}/stream", "A game, for players and those who watch", &game),
        "account": channel(
            "/v1/stream",
            "An account's own; with ?games= the boards of these games as well",
            &account,
        ),
        "lobby": channel(
            "/v1/lobby/stream",
            "The games that the reader may join; also as server-sent events at /v1/lobby/events",
            &lobby,
        ),
    });
    let all = game.into_iter().chain(account).chain(lobby);
    let all = all.chain(client).flatten();
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Arbiter's streams",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Every message is a JSON object with a type. The same messages come as \
                            server-sent events at /v1/games/{id}/events, where Last-Event-ID is \
                            <version>~<chat id>. Close codes: 1003 binary input, 1007 not UTF-8, 1008 \
                            malformed input or a token that is no longer good, 1009 too long, 1012 the \
                            server restarts, 1013 too slow.",
        },
        "channels": channels,
        "components": { "messages": Map::from_iter(all), "schemas": schemas() },
    })
}

/// Messages by their names.
type Messages = Vec<(String, Value)>;

/// Which game a message is about.
fn about() -> Value {
    let what = "The game it is about";
    json!({ "type": "object", "properties": { "game_id": { "type": "string", "description": what } } })
}

/// Each variant of a type is a message, and its comment says when it comes.
fn messages<M: PartialSchema>(prefix: &str, besides: &[Value]) -> Messages {
    let variants = json!(M::schema())["oneOf"].take();
    let variants = variants.as_array().cloned().unwrap_or_default().into_iter();
    let named = variants.map(|mut variant| {
        let summary = variant["description"].take();
        if let Some(variant) = variant.as_object_mut() {
            variant.remove("description");
        }
        let kind = kind_of(&variant);
        let mut parts = vec![variant];
        parts.extend_from_slice(besides);
        let message = json!({ "name": kind, "summary": summary, "payload": { "allOf": parts } });
        (format!("{prefix}{kind}"), message)
    });
    named.collect()
}

/// The `type` of a variant, wherever in its schema it stands.
fn kind_of(schema: &Value) -> String {
    let own = schema["properties"]["type"]["enum"][0].as_str();
    let parts = schema["allOf"].as_array().into_iter().flatten();
    let of_part = parts.map(kind_of).find(|kind| !kind.is_empty());
    own.map(str::to_owned).or(of_part).unwrap_or_default()
}

/// The types that messages are made of.
fn schemas() -> Map<String, Value> {
    let mut found: Vec<(String, RefOr<Schema>)> = Vec::new();
    Change::schemas(&mut found);
    RoomMessage::schemas(&mut found);
    Concern::schemas(&mut found);
    LobbyMessage::schemas(&mut found);
    Answered::schemas(&mut found);
    Said::schemas(&mut found);
    let found = found.into_iter();
    found.map(|(name, schema)| (name, json!(schema))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every reference, wherever it stands.
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(
                    fields
                        .get("$ref")
                        .and_then(Value::as_str)
                        .map(str::to_owned),
                );
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document();
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 30, "{found:?}");
        for reference in found {
            let pointer = reference.strip_prefix('#').expect("in this document");
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
    }

    #[test]
    fn every_message_has_a_name_and_says_when_it_comes() {
        let document = document();
        let messages = document["components"]["messages"].as_object().unwrap();
        for name in [
            "MOVE",
            "STATE",
            "CHAT",
            "account.YOUR_TURN",
            "lobby.OPENED",
            "client.PING",
        ] {
            assert!(messages.contains_key(name), "{name}");
        }
        for (name, message) in messages {
            assert!(
                message["name"]
                    .as_str()
                    .is_some_and(|kind| !kind.is_empty()),
                "{name}"
            );
            assert!(message["summary"].is_string(), "{name}");
        }
    }
}
