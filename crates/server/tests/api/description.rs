//! The description of the API is one that programs can use.

use serde_json::Value;

use crate::client::Server;
use crate::contract::Contract;

/// Every call of the description: method, path, and what is said about it.
fn calls(document: &Value) -> Vec<(String, String, Value)> {
    let mut calls = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, about) in item.as_object().expect("methods") {
            calls.push((method.clone(), path.clone(), about.clone()));
        }
    }
    calls
}

fn parameters(about: &Value) -> Vec<(&str, &str, bool)> {
    let list = about["parameters"].as_array().into_iter().flatten();
    list.map(|p| {
        let text = |field: &str| p[field].as_str().unwrap_or_default();
        (text("name"), text("in"), p["required"] == true)
    })
    .collect()
}

#[tokio::test]
async fn parameters_are_where_the_path_has_a_place_for_them() {
    let server = Server::start().await;
    let document = &Contract::of(&server.nobody().url).await.document;
    for (method, path, about) in calls(document) {
        let mut named: Vec<String> = Vec::new();
        for (name, place, is_required) in parameters(&about) {
            let told = format!("{method} {path} {name}");
            match place {
                "path" => named.push(format!("{{{name}}}")),
                "query" | "header" => assert!(!is_required, "{told}"),
                other => panic!("{told} is in {other:?}"),
            }
            assert_eq!(is_required, place == "path", "{told}");
        }
        let mut asked: Vec<&str> = path.split('/').filter(|p| p.starts_with('{')).collect();
        asked.sort_unstable();
        named.sort_unstable();
        assert_eq!(named, asked, "{method} {path}");
    }
}

#[tokio::test]
async fn every_answer_and_every_subject_is_described() {
    let server = Server::start().await;
    let document = &Contract::of(&server.nobody().url).await.document;
    let tags = document["tags"].as_array().expect("tags");
    for (method, path, about) in calls(document) {
        for (status, answer) in about["responses"].as_object().expect("answers") {
            let description = answer["description"].as_str().unwrap_or_default();
            assert!(!description.is_empty(), "{method} {path} {status}");
        }
        for tag in about["tags"].as_array().into_iter().flatten() {
            assert!(tags.iter().any(|t| t["name"] == *tag), "{path} {tag}");
        }
    }
}

#[tokio::test]
async fn the_document_says_what_is_true_of_every_call() {
    let server = Server::start().await;
    let document = &Contract::of(&server.nobody().url).await.document;
    let token = &document["components"]["securitySchemes"]["token"];
    assert_eq!(token["scheme"], "bearer");
    assert_eq!(document["security"], serde_json::json!([{ "token": [] }]));
    assert_eq!(
        document["info"]["license"]["identifier"],
        env!("CARGO_PKG_LICENSE")
    );
    let error = serde_json::json!({ "$ref": "#/components/schemas/Error" });
    let answers = &document["paths"]["/v1/games"]["post"]["responses"];
    for status in ["422", "default"] {
        let shape = &answers[status]["content"]["application/json"]["schema"];
        assert_eq!(shape, &error, "{status}");
    }
}

#[tokio::test]
async fn an_unchanged_document_is_not_sent_again() {
    let server = Server::start().await;
    let ask = async |tag: &str| {
        let request = server
            .nobody()
            .http
            .get(format!("{}/v1/openapi.json", server.nobody().url));
        request
            .header("if-none-match", tag)
            .send()
            .await
            .expect("an answer")
    };
    let first = ask("\"none\"").await;
    let tag = first.headers()["etag"].to_str().expect("a tag");
    assert_eq!(
        (first.status(), ask(tag).await.status()),
        (200.try_into().unwrap(), 304.try_into().unwrap())
    );
}

#[tokio::test]
async fn the_headers_that_the_contract_names_are_described() {
    let server = Server::start().await;
    let document = &Contract::of(&server.nobody().url).await.document;
    let takes = |method: &str, path: &str, header: &str| {
        let about = &document["paths"][path][method];
        parameters(about).contains(&(header, "header", false))
    };
    for path in ["", "/{id}/resign", "/{id}/offer-draw", "/{id}/add-time"] {
        let path = format!("/v1/games{path}");
        assert!(takes("post", &path, "Idempotency-Key"), "{path}");
    }
    for path in ["", "/{id}", "/{id}/pgn", "/{id}/board.svg", "/{id}/log"] {
        let path = format!("/v1/games{path}");
        assert!(takes("get", &path, "Arbiter-Version"), "{path}");
    }
    let new_game = &document["components"]["schemas"]["NewGame"];
    for field in ["color", "color_preference"] {
        assert!(new_game["properties"][field].is_object(), "{field}");
    }
    assert_eq!(new_game["required"], serde_json::json!(["time_control"]));
}

#[tokio::test]
async fn each_form_of_a_time_control_is_answered_as_it_is_described() {
    let server = Server::start().await;
    let player = server.guest().await;
    for control in [
        serde_json::json!({ "initial_seconds": 300, "increment_seconds": 2 }),
        serde_json::json!({ "initial_seconds": 300, "delay_seconds": 5, "delay": "us" }),
        serde_json::json!({ "initial_seconds": 300, "delay_seconds": 5, "delay": "bronstein" }),
        serde_json::json!({ "days_per_move": 3 }),
        serde_json::json!({ "stages": [
            { "moves": 40, "initial_seconds": 5400, "increment_seconds": 30 },
            { "initial_seconds": 1800, "increment_seconds": 30 },
        ] }),
        Value::Null,
    ] {
        let body = serde_json::json!({ "time_control": control });
        // The client compares the answer with its description.
        let game = player.post("/v1/games", body).await.expect(201);
        assert_eq!(game["time_control"], control);
    }
}

/// A clock that starts at zero, and the half-moves between two offers, as they are said and as they are.
#[tokio::test]
async fn the_rules_that_nobody_could_guess_are_in_the_docs() {
    let server = Server::start().await;
    let document = server.nobody().get("/v1/openapi.json").await.expect(200);
    let words = document.to_string().replace("\\n", " ");
    let page = words.split_whitespace().collect::<Vec<_>>().join(" ");
    for rule in [
        "with 3 seconds if that is less",
        "20 half-moves after one's last offer",
        "a minute after its creator was last seen",
        "10 seconds in bullet, 30 in blitz, 60 in rapid and 120 in classical",
        "25 (blitz), 30 (rapid) or 35 seconds (classical) aborts the game",
        "aborted after 30 days",
    ] {
        assert!(page.contains(rule), "{rule}");
    }
    let body =
        serde_json::json!({ "time_control": { "initial_seconds": 0, "increment_seconds": 2 } });
    let (white, _, id) = server.game(body).await;
    let shown = white.game(&id).await["clock_ms"]["black"].clone();
    assert_eq!(shown, 3_000);
}
