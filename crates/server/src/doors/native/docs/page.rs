//! The whole page: contents on one side, calls by subject, then the schemas.

use serde_json::{Map, Value};

use super::example::Examples;
use super::html::{escape, slug};
use super::markdown::{blocks, inline};
use super::operation::Operation;
use super::schema::{anchor, fields, kind, limits};

/// The methods in the order in which calls of one path are listed.
const METHODS: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];

/// Calls that belong together.
struct Group<'a> {
    name: &'a str,
    description: &'a str,
    calls: Vec<Operation<'a>>,
}

/// Renders an OpenAPI document, as JSON, to a page that needs only its style sheet.
pub(super) fn page(document: &Value) -> String {
    let groups = groups(document);
    let schemas = document["components"]["schemas"].as_object();
    let contents = contents(&groups, schemas);
    let title = escape(document["info"]["title"].as_str().unwrap_or_default());
    [
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">".to_owned(),
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">".to_owned(),
        "<meta name=\"color-scheme\" content=\"light dark\">".to_owned(),
        format!("<title>{title}</title><link rel=\"stylesheet\" href=\"docs.css\"></head><body>"),
        "<a class=\"skip\" href=\"#content\">Skip to the content</a>".to_owned(),
        format!("<nav class=\"side\" aria-label=\"Contents\">{contents}</nav>"),
        "<main id=\"content\">".to_owned(),
        header(&document["info"], &title),
        format!("<details class=\"top\"><summary>Contents</summary>{contents}</details>"),
        blocks(document["info"]["description"].as_str().unwrap_or_default()),
        groups
            .iter()
            .map(|group| section(group, document))
            .collect(),
        named_schemas(schemas),
        "</main></body></html>\n".to_owned(),
    ]
    .concat()
}

/// The calls by their first tag: first the tags that the document describes, in its order.
fn groups(document: &Value) -> Vec<Group<'_>> {
    let tags = document["tags"].as_array().into_iter().flatten();
    let mut groups: Vec<Group<'_>> = tags
        .map(|tag| Group {
            name: tag["name"].as_str().unwrap_or_default(),
            description: tag["description"].as_str().unwrap_or_default(),
            calls: Vec::new(),
        })
        .collect();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS {
            let Some(about) = item.get(method) else {
                continue;
            };
            let name = about["tags"][0].as_str().unwrap_or("other");
            let call = Operation {
                method,
                path,
                about,
                security: &document["security"],
            };
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => group.calls.push(call),
                None => groups.push(Group {
                    name,
                    description: "",
                    calls: vec![call],
                }),
            }
        }
    }
    groups.retain(|group| !group.calls.is_empty());
    groups
}

fn header(info: &Value, title: &str) -> String {
    let version = escape(info["version"].as_str().unwrap_or_default());
    let license = &info["license"];
    let license = license["identifier"].as_str().or(license["name"].as_str());
    let license = escape(license.unwrap_or_default());
    format!(
        "<header><h1>{title}</h1><p class=\"facts\">Version {version}, licence {license}, \
         <a href=\"v1/openapi.json\">OpenAPI document</a></p></header>"
    )
}

fn contents(groups: &[Group<'_>], schemas: Option<&Map<String, Value>>) -> String {
    let mut out = String::new();
    for group in groups {
        let (anchor, name) = (group_anchor(group.name), heading(group.name));
        out += &format!("<h2><a href=\"#{anchor}\">{name}</a></h2><ul>");
        for call in &group.calls {
            let (anchor, title) = (call.anchor(), inline(call.title()));
            let method = escape(call.method);
            out += &format!(
                "<li><a href=\"#{anchor}\"><span class=\"method {method}\">{}</span> {title}</a></li>",
                method.to_uppercase()
            );
        }
        out += "</ul>";
    }
    if schemas.is_some_and(|schemas| !schemas.is_empty()) {
        out += "<h2><a href=\"#schemas\">Schemas</a></h2>";
    }
    out
}

fn section(group: &Group<'_>, document: &Value) -> String {
    let examples = Examples::new(document);
    let (anchor, name) = (group_anchor(group.name), heading(group.name));
    let calls: String = group
        .calls
        .iter()
        .map(|call| call.section(&examples))
        .collect();
    let about = blocks(group.description);
    format!("<section class=\"group\" id=\"{anchor}\"><h2>{name}</h2>{about}{calls}</section>")
}

fn group_anchor(name: &str) -> String {
    format!("group-{}", slug(name))
}

/// A tag's name with a capital.
fn heading(name: &str) -> String {
    let mut signs = name.chars();
    let first = signs.next().map(|c| c.to_ascii_uppercase());
    escape(&first.into_iter().chain(signs).collect::<String>())
}

fn named_schemas(schemas: Option<&Map<String, Value>>) -> String {
    let Some(schemas) = schemas.filter(|schemas| !schemas.is_empty()) else {
        return String::new();
    };
    let mut out = "<section class=\"group\" id=\"schemas\"><h2>Schemas</h2>".to_owned();
    for (name, schema) in schemas {
        let (anchor, name) = (anchor(name), escape(name));
        let about = blocks(schema["description"].as_str().unwrap_or_default());
        out += &format!(
            "<section class=\"schema\" id=\"{anchor}\"><h3><a href=\"#{anchor}\">{name}</a></h3>\
             {about}<p class=\"facts\">{} {}</p>{}</section>",
            kind(schema),
            limits(schema),
            fields(schema)
        );
    }
    out + "</section>"
}
