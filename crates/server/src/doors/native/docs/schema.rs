//! Schemas as people read them: what a value is, and which fields it has.

use serde_json::Value;

use super::html::{escape, slug, table};
use super::markdown::inline;

/// How deep fields of fields are shown where they have no name of their own.
const DEPTH_MAX: usize = 3;

/// The anchor of a named schema.
pub(super) fn anchor(name: &str) -> String {
    format!("schema-{}", slug(name))
}

/// The name a reference leads to.
pub(super) fn referred(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

/// What a value is, in a few words with links.
pub(super) fn kind(schema: &Value) -> String {
    if let Some(name) = referred(schema) {
        return format!("<a href=\"#{}\">{}</a>", anchor(name), escape(name));
    }
    if let Some(constant) = schema.get("const") {
        return literal(constant);
    }
    if let Some(values) = schema["enum"].as_array() {
        let all: Vec<String> = values.iter().map(literal).collect();
        return all.join(" or ");
    }
    for (key, word) in [("oneOf", " or "), ("anyOf", " or "), ("allOf", " with ")] {
        if let Some(parts) = schema[key].as_array() {
            let all: Vec<String> = parts.iter().map(kind).collect();
            return all.join(word);
        }
    }
    match &schema["type"] {
        Value::String(name) => typed(name, schema),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            let all: Vec<String> = names.map(|name| typed(name, schema)).collect();
            all.join(" or ")
        }
        _ => "any value".to_owned(),
    }
}

fn typed(name: &str, schema: &Value) -> String {
    match name {
        "array" => format!("list of {}", kind(&schema["items"])),
        "object" if schema["additionalProperties"].is_object() => {
            format!("map of {}", kind(&schema["additionalProperties"]))
        }
        "string" => match schema["format"].as_str() {
            Some("date-time") => "time".to_owned(),
            Some(format) => format!("string ({})", escape(format)),
            None => "string".to_owned(),
        },
        other => escape(other),
    }
}

fn literal(value: &Value) -> String {
    format!("<code>{}</code>", escape(&value.to_string()))
}

/// What else must hold for a value: its bounds, its default, an example.
pub(super) fn limits(schema: &Value) -> String {
    let number = |key: &str| schema.get(key).filter(|v| v.is_number());
    let range = |low: &str, high: &str, unit: &str| match (number(low), number(high)) {
        (Some(low), Some(high)) => Some(format!("{low} to {high}{unit}")),
        (Some(low), None) => Some(format!("at least {low}{unit}")),
        (None, Some(high)) => Some(format!("at most {high}{unit}")),
        (None, None) => None,
    };
    let example = schema.get("example").or(schema["examples"].get(0));
    let facts = [
        // That a count is not negative is said by its type already.
        range("minimum", "maximum", "").filter(|fact| fact != "at least 0"),
        range("minLength", "maxLength", " characters"),
        range("minItems", "maxItems", " items"),
        schema["pattern"]
            .as_str()
            .map(|p| format!("matches <code>{}</code>", escape(p))),
        schema
            .get("default")
            .map(|v| format!("default {}", literal(v))),
        example.map(|v| format!("for example {}", literal(v))),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    if facts.is_empty() {
        return String::new();
    }
    format!("<span class=\"facts\">{}</span>", facts.join(", "))
}

/// A description and the limits that go with it.
pub(super) fn explained(description: &Value, schema: &Value) -> String {
    let text = inline(description.as_str().unwrap_or_default());
    let limits = limits(schema);
    match (text.is_empty(), limits.is_empty()) {
        (false, false) => format!("{text} {limits}"),
        _ => text + &limits,
    }
}

/// The fields of a schema as tables; nothing if it has none.
pub(super) fn fields(schema: &Value) -> String {
    fields_within(schema, DEPTH_MAX)
}

fn fields_within(schema: &Value, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else {
        return String::new();
    };
    let mut out = object(schema, depth);
    for key in ["oneOf", "anyOf", "allOf"] {
        for part in schema[key].as_array().into_iter().flatten() {
            out += &variant(key, part, depth);
        }
    }
    if out.is_empty() && schema["items"].is_object() {
        out = fields_within(&schema["items"], depth);
    }
    out
}

/// One of several forms, or one of several parts.
fn variant(key: &str, part: &Value, depth: usize) -> String {
    let fields = fields_within(part, depth);
    let is_within_field = depth + 1 < DEPTH_MAX;
    let is_told_by_type =
        part["description"].is_null() || (is_within_field && referred(part).is_some());
    if key == "allOf" || (fields.is_empty() && is_told_by_type) {
        return fields;
    }
    let about = explained(&part["description"], part);
    let about = if about.is_empty() { kind(part) } else { about };
    format!("<p class=\"form\">{about}</p>{fields}")
}

/// What is said about a field: with it, or with what it refers to if it may be null.
fn meaning(field: &Value) -> &Value {
    let parts = field["oneOf"].as_array().into_iter().flatten();
    let mut said = parts
        .filter(|part| referred(part).is_some())
        .map(|part| &part["description"]);
    match &field["description"] {
        Value::Null => said.next().unwrap_or(&Value::Null),
        description => description,
    }
}

fn object(schema: &Value, depth: usize) -> String {
    let Some(properties) = schema["properties"].as_object() else {
        return String::new();
    };
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let row = |(name, field): (&String, &Value)| {
        let is_required = required.contains(&name.as_str());
        let needed = if is_required {
            ""
        } else {
            "<span class=\"facts\">optional</span>"
        };
        [
            format!("<code>{}</code> {needed}", escape(name)),
            kind(field),
            explained(meaning(field), field) + &fields_within(field, depth),
        ]
    };
    let rows: Vec<[String; 3]> = properties.iter().map(row).collect();
    table("fields", ["Field", "Type", "Meaning"], &rows)
}
