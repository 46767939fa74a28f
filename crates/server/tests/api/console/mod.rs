//! The operators' console: the first run, figures, looking for things, deciding.

mod deciding;
mod first_run;
mod looking;

use serde_json::json;

use crate::client::{Client, Server};

const PASSWORD: &str = "correct horse battery";

/// The administrator, made with the code in the log.
async fn operator(server: &Server) -> Client {
    let code = server.running().setup_code().expect("there is none yet");
    let body = json!({ "code": code, "name": "Olga", "password": PASSWORD });
    let made = server.nobody().post("/v1/setup", body).await.expect(201);
    Client {
        id: "olga".into(),
        ..server.holder(made["token"].as_str().expect("a token"))
    }
}

/// What is in the audit trail, newest first: who did what to whom.
async fn trail(olga: &Client) -> Vec<[String; 3]> {
    let trail = olga.get("/v1/admin/audit").await.expect(200);
    let entries = trail["entries"].as_array().expect("a list").clone();
    let told = |entry: serde_json::Value| {
        ["actor", "action", "target"].map(|field| entry[field].as_str().unwrap().to_owned())
    };
    entries.into_iter().map(told).collect()
}
