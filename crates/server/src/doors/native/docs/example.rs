//! Examples made from schemas, where nobody has written one.

use serde_json::{Map, Value, json};

use super::schema::referred;

/// Makes examples from the named schemas of a document.
pub(super) struct Examples<'a> {
    schemas: &'a Value,
}

/// Which fields an example shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    /// What must be sent, and whatever somebody has given an example for.
    Needed,
    /// All of them, as in an answer.
    All,
}

impl<'a> Examples<'a> {
    pub(super) fn new(document: &'a Value) -> Examples<'a> {
        Examples {
            schemas: &document["components"]["schemas"],
        }
    }

    /// The schema a reference leads to, or the schema itself.
    pub(super) fn resolved<'s>(&self, schema: &'s Value) -> &'s Value
    where
        'a: 's,
    {
        match referred(schema) {
            Some(name) => &self.schemas[name],
            None => schema,
        }
    }

    /// An example of the content of a body: the one that is given, or one
    /// made from its schema.
    pub(super) fn of_content(&self, content: &Value, fields: Fields) -> Option<Value> {
        let given = content.get("example").cloned();
        let named = || {
            let first = content["examples"].as_object()?.values().next()?;
            first.get("value").cloned()
        };
        let made = || {
            let schema = content.get("schema")?;
            Some(self.of(schema, fields, &mut Vec::new()))
        };
        given.or_else(named).or_else(made)
    }

    /// `within` are the names being looked at, so that a schema that contains
    /// itself comes to an end.
    fn of(&self, schema: &Value, fields: Fields, within: &mut Vec<String>) -> Value {
        if let Some(given) = written(schema) {
            return given;
        }
        if let Some(name) = referred(schema) {
            if within.iter().any(|n| n == name) {
                return Value::Null;
            }
            within.push(name.to_owned());
            let made = self.of(&self.schemas[name], fields, within);
            within.pop();
            return made;
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return self.together(parts, fields, within);
        }
        for key in ["oneOf", "anyOf"] {
            let parts = schema[key].as_array().into_iter().flatten();
            if let Some(part) = parts.into_iter().find(|part| part["type"] != "null") {
                return self.of(part, fields, within);
            }
        }
        match type_of(schema) {
            "object" => self.object(schema, fields, within),
            "array" => json!([self.of(&schema["items"], fields, within)]),
            "string" => string(schema),
            "integer" => schema
                .get("minimum")
                .filter(|m| **m != json!(0))
                .cloned()
                .unwrap_or(json!(1)),
            "number" => json!(1.5),
            "boolean" => json!(false),
            _ => Value::Null,
        }
    }

    fn object(&self, schema: &Value, fields: Fields, within: &mut Vec<String>) -> Value {
        let required = schema["required"].as_array();
        let is_needed = |name: &str, field: &Value| {
            let is_required = required.is_some_and(|r| r.iter().any(|n| n == name));
            fields == Fields::All || is_required || written(field).is_some()
        };
        let mut made = Map::new();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            if is_needed(name, field) {
                made.insert(name.clone(), self.of(field, fields, within));
            }
        }
        Value::Object(made)
    }

    fn together(&self, parts: &[Value], fields: Fields, within: &mut Vec<String>) -> Value {
        let mut made = Map::new();
        for part in parts {
            if let Value::Object(some) = self.of(part, fields, within) {
                made.extend(some);
            }
        }
        Value::Object(made)
    }
}

/// What the schema itself gives as an example, or as the only choices.
fn written(schema: &Value) -> Option<Value> {
    let examples = schema["examples"].get(0);
    let given = schema.get("example").or(examples).or(schema.get("const"));
    given.or(schema["enum"].get(0)).cloned()
}

/// The type that is not null.
fn type_of(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(names) => {
            let mut names = names.iter().filter_map(Value::as_str);
            names.find(|name| *name != "null").unwrap_or_default()
        }
        Value::String(name) => name,
        _ if schema["properties"].is_object() => "object",
        _ => "",
    }
}

fn string(schema: &Value) -> Value {
    json!(match schema["format"].as_str() {
        Some("date-time") => "2026-01-31T12:00:00.000Z",
        Some("uuid") => "00000000-0000-8000-8000-000000000000",
        Some("password") => "correct horse battery",
        _ => "text",
    })
}
