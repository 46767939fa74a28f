//! Every route that the server has, from the description that is made of the
//! very router, and from the list of the door that is described elsewhere.

use std::path::Path;

use serde_json::Value;
use server::doors::lichess;
use server::operate::shell::api;

/// A route.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) method: String,
    pub(crate) path: String,
    /// What the description says of it.
    pub(crate) operation: Value,
}

impl Route {
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

/// The description.
pub(crate) fn document() -> Value {
    serde_json::to_value(api().1).expect("a description is JSON")
}

/// All of them.
pub(crate) fn all() -> Vec<Route> {
    let document = document();
    let paths = document["paths"].as_object().expect("paths");
    let mut routes: Vec<Route> = Vec::new();
    for (path, item) in paths {
        for (method, operation) in item.as_object().expect("operations") {
            let is_method = ["get", "post", "put", "patch", "delete"].contains(&method.as_str());
            if is_method {
                routes.push(Route {
                    method: method.to_uppercase(),
                    path: path.clone(),
                    operation: operation.clone(),
                });
            }
        }
    }
    let elsewhere = lichess::paths().into_iter();
    routes.extend(elsewhere.map(|(method, path)| Route {
        method: method.to_string(),
        path,
        operation: Value::Null,
    }));
    routes
}

impl Route {
    /// Whether it is of a door that has a public specification of its own.
    pub(crate) fn is_described_elsewhere(&self) -> bool {
        self.operation.is_null()
    }
}

/// A client's types are made from the description: what it refers to is there.
#[test]
fn every_reference_in_the_description_leads_somewhere() {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|field| references(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let path = reference.trim_start_matches('#');
        assert!(document.pointer(path).is_some(), "{reference}");
    }
}

/// Generators name functions after operations: no two have one name.
#[test]
fn every_operation_has_a_name_of_its_own() {
    let routes = all();
    let ids = routes
        .iter()
        .filter_map(|route| route.operation["operationId"].as_str());
    let mut ids: Vec<&str> = ids.collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "give one of them an operation_id");
}

/// Whatever is routed is described: nothing is added past the description but
/// by the description itself and by the browser client.
#[test]
fn no_route_goes_past_the_description() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let text = std::fs::read_to_string(&path).expect("source is text");
                let text = text
                    .split("#[cfg(test)]\nmod tests {")
                    .next()
                    .unwrap_or_default();
                let ways = [".route(", ".nest(", ".route_service(", ".nest_service("];
                if ways.iter().any(|way| text.contains(way)) {
                    let name = path.strip_prefix(&source).expect("inside").to_owned();
                    found.push(name.display().to_string());
                }
            }
        }
    }
    found.sort();
    // The description's own routes, the door that is described elsewhere, and the pages
    // for people.
    let known = ["doors/lichess/mod.rs", "doors/native/docs.rs", "web/mod.rs"];
    assert_eq!(found, known, "use routes!() instead");
}
