//! The server's own description, and whether an answer keeps to it.
//!
//! The client of these tests hands every answer to [`Contract::check`], so each test is
//! also one of the description.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::client::Answer;

/// What `/v1/openapi.json` promises, or `/v1/asyncapi.json`.
pub(crate) struct Contract {
    pub(crate) document: Value,
    /// Schemas that were needed so far, by their own text.
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Contract {
    /// Of the server at this address: asked for once, as every server of one build says the same.
    pub(crate) async fn of(url: &str) -> &'static Contract {
        static CONTRACT: OnceCell<Contract> = OnceCell::const_new();
        CONTRACT
            .get_or_init(|| Contract::read(format!("{url}/v1/openapi.json")))
            .await
    }

    /// What the description at this address promises.
    pub(crate) async fn read(url: String) -> Contract {
        let answer = reqwest::get(url).await.expect("the server answers");
        Contract {
            document: answer.json().await.expect("a description is JSON"),
            compiled: Mutex::default(),
        }
    }

    /// Panics if the answer is none that the call may give.
    #[track_caller]
    pub(crate) fn check(&self, method: &str, path: &str, answer: &Answer) {
        let path = path.split('?').next().unwrap_or_default();
        let status = answer.status;
        let told = format!("{method} {path} answered {status} {}", answer.text);
        let Some(call) = self.call(method, path) else {
            // Nobody promised anything here, and so nothing may be found.
            assert!([404, 405].contains(&status), "undescribed: {told}");
            return self.check_body(&json!({ "$ref": ERROR }), answer, &told);
        };
        let described = &call["responses"];
        let named = &described[status.to_string()];
        let promised = match (named, status) {
            (Value::Null, 400..) => &described["default"],
            (named, _) => named,
        };
        assert!(!promised.is_null(), "no such status is described: {told}");
        let Some(content) = promised["content"].as_object() else {
            assert!(answer.text.is_empty(), "no body is described: {told}");
            return;
        };
        let media = answer.media.split(';').next().unwrap_or_default();
        let promised = content.get(media).unwrap_or_else(|| {
            let known: Vec<&String> = content.keys().collect();
            panic!("{media} is not among {known:?}: {told}")
        });
        if media == "application/json" && promised["schema"].is_object() {
            self.check_body(&promised["schema"], answer, &told);
        }
    }

    #[track_caller]
    fn check_body(&self, schema: &Value, answer: &Answer, told: &str) {
        let body: Value = serde_json::from_str(&answer.text).expect("a body that is JSON");
        self.check_value(schema, &body, told);
    }

    /// Panics if it is none that the schema describes.
    #[track_caller]
    pub(crate) fn check_value(&self, schema: &Value, value: &Value, told: &str) {
        let wrong: Vec<String> = self
            .validator(schema)
            .iter_errors(value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}\nin {told}");
    }

    /// The description of a call; a path in full comes before a pattern.
    fn call(&self, method: &str, path: &str) -> Option<&Value> {
        let paths = self.document["paths"].as_object()?;
        let matching = paths.iter().filter(|(pattern, _)| fits(pattern, path));
        let (_, item) = matching.min_by_key(|(pattern, _)| pattern.matches('{').count())?;
        item.get(method.to_ascii_lowercase())
    }

    fn validator(&self, schema: &Value) -> Arc<Validator> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let validator = compiled.entry(schema.to_string()).or_insert_with(|| {
            let mut whole = schema.clone();
            whole["components"] = self.document["components"].clone();
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            let validator = options.build(&whole);
            Arc::new(validator.unwrap_or_else(|e| panic!("a bad schema: {e}: {schema}")))
        });
        Arc::clone(validator)
    }
}

const ERROR: &str = "#/components/schemas/Error";

fn fits(pattern: &str, path: &str) -> bool {
    let (mut pattern, mut path) = (pattern.split('/'), path.split('/'));
    loop {
        match (pattern.next(), path.next()) {
            (None, None) => return true,
            (Some(part), Some(text)) if part.starts_with('{') => {
                if text.is_empty() {
                    return false;
                }
            }
            (Some(part), Some(text)) if part == text => {}
            _ => return false,
        }
    }
}
