//! One call: what it takes, what it answers.

use serde_json::Value;

use super::example::{Examples, Fields};
use super::html::{escape, slug, table};
use super::markdown::{blocks, inline};
use super::schema::{explained, fields, kind};

/// A call of the API.
pub(super) struct Operation<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) about: &'a Value,
    /// What a call needs that does not say so itself.
    pub(super) security: &'a Value,
}

impl Operation<'_> {
    /// Where on the page the call is.
    pub(super) fn anchor(&self) -> String {
        slug(&format!("{} {}", self.method, self.path))
    }

    /// What the call is for, in a few words.
    pub(super) fn title(&self) -> &str {
        self.about["summary"].as_str().unwrap_or(self.path)
    }

    /// The section of the page.
    pub(super) fn section(&self, examples: &Examples<'_>) -> String {
        let (anchor, path) = (self.anchor(), escape(self.path));
        let method = escape(self.method);
        let method_upper = method.to_uppercase();
        let description = self.about["description"].as_str().unwrap_or_default();
        let deprecated = match self.about["deprecated"].as_bool() {
            Some(true) => "<p class=\"warning\">Deprecated.</p>",
            _ => "",
        };
        [
            format!("<section class=\"call\" id=\"{anchor}\"><h3><a href=\"#{anchor}\">{}</a></h3>", inline(self.title())),
            format!("<p class=\"line\"><span class=\"method {method}\">{method_upper}</span> <code>{path}</code></p>"),
            deprecated.to_owned(),
            blocks(description),
            format!("<p class=\"facts\">{}</p>", self.needs()),
            self.parameters(),
            self.request(examples),
            self.curl(examples),
            self.responses(examples),
            "</section>".to_owned(),
        ]
        .concat()
    }

    /// Whether a token is needed, and of which scope.
    fn needs(&self) -> String {
        let security = self.about.get("security").unwrap_or(self.security);
        let Some(choices) = security.as_array().filter(|choices| !choices.is_empty()) else {
            return "No token needed.".to_owned();
        };
        let schemes = |choice: &Value| choice.as_object().is_some_and(|c| !c.is_empty());
        if !choices.iter().any(schemes) {
            return "No token needed.".to_owned();
        }
        if !choices.iter().all(schemes) {
            return "A token is optional.".to_owned();
        }
        let scopes = choices
            .iter()
            .flat_map(|c| c.as_object().into_iter().flatten());
        let scopes = scopes.flat_map(|(_, scopes)| scopes.as_array().into_iter().flatten());
        let scopes: Vec<String> = scopes
            .filter_map(Value::as_str)
            .map(|scope| format!("<code>{}</code>", escape(scope)))
            .collect();
        match scopes.is_empty() {
            true => "Needs a token.".to_owned(),
            false => format!("Needs a token of scope {}.", scopes.join(", ")),
        }
    }

    fn needs_token(&self) -> bool {
        self.needs().starts_with("Needs")
    }

    fn parameters(&self) -> String {
        let row = |parameter: &Value| {
            let schema = &parameter["schema"];
            let place = parameter["in"].as_str().unwrap_or_default();
            let is_required = parameter["required"].as_bool().unwrap_or(false);
            let needed = if is_required { "" } else { ", optional" };
            [
                format!(
                    "<code>{}</code> <span class=\"facts\">{}{needed}</span>",
                    escape(parameter["name"].as_str().unwrap_or_default()),
                    escape(place),
                ),
                kind(schema),
                explained(&parameter["description"], schema),
            ]
        };
        let parameters = self.about["parameters"].as_array().into_iter().flatten();
        let rows: Vec<[String; 3]> = parameters.map(row).collect();
        table("fields", ["Parameter", "Type", "Meaning"], &rows)
    }

    fn request(&self, examples: &Examples<'_>) -> String {
        let body = &self.about["requestBody"];
        let mut out = String::new();
        for (media, content) in body["content"].as_object().into_iter().flatten() {
            let schema = &content["schema"];
            let about = inline(body["description"].as_str().unwrap_or_default());
            out += &format!(
                "<h4>Request <span class=\"facts\">{}</span></h4>",
                escape(media)
            );
            out += &format!(
                "<p>{} {about}</p>{}",
                kind(schema),
                fields(examples.resolved(schema))
            );
        }
        out
    }

    /// The call as it may be typed.
    fn curl(&self, examples: &Examples<'_>) -> String {
        let mut lines = Vec::new();
        if self.needs_token() {
            lines.push("-H \"Authorization: Bearer $TOKEN\"".to_owned());
        }
        let content = &self.about["requestBody"]["content"]["application/json"];
        if let Some(body) = examples.of_content(content, Fields::Needed) {
            let body = serde_json::to_string(&body).unwrap_or_default();
            lines.push("-H \"Content-Type: application/json\"".to_owned());
            lines.push(format!("-d '{}'", body.replace('\'', "'\\''")));
        }
        let method = match self.method {
            "get" => String::new(),
            other => format!("-X {} ", other.to_uppercase()),
        };
        let command = format!("curl {method}\"$ARBITER{}\"", self.path_with_values());
        lines.insert(0, command);
        format!("<pre>{}</pre>", escape(&lines.join(" \\\n  ")))
    }

    /// The path with examples, or with shell variables, for its parameters.
    fn path_with_values(&self) -> String {
        let mut path = self.path.to_owned();
        for parameter in self.about["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or_default();
            let given = parameter["example"]
                .as_str()
                .or(parameter["schema"]["example"].as_str());
            let value = match given {
                Some(value) => value.to_owned(),
                None => format!("${}", name.to_uppercase()),
            };
            path = path.replace(&format!("{{{name}}}"), &value);
        }
        path
    }

    fn responses(&self, examples: &Examples<'_>) -> String {
        let row = |(status, response): (&String, &Value)| {
            let contents = response["content"].as_object().into_iter().flatten();
            let bodies = contents.map(|(media, content)| body(media, content));
            let class = status.chars().next().unwrap_or('x');
            [
                format!("<span class=\"status s{class}\">{}</span>", escape(status)),
                inline(response["description"].as_str().unwrap_or_default()),
                bodies.collect::<Vec<String>>().join("<br>"),
            ]
        };
        let responses = self.about["responses"].as_object().into_iter().flatten();
        // The errors that are possible everywhere are told once, above all calls.
        let responses = responses.filter(|(status, _)| *status != "default");
        let rows: Vec<[String; 3]> = responses.map(row).collect();
        format!(
            "<h4>Answers</h4>{}{}",
            table("answers", ["Status", "Meaning", "Body"], &rows),
            self.answer(examples)
        )
    }

    /// What a good answer looks like.
    fn answer(&self, examples: &Examples<'_>) -> String {
        let responses = self.about["responses"].as_object().into_iter().flatten();
        let mut good = responses.filter(|(status, _)| status.starts_with('2'));
        let content = good.find_map(|(_, response)| response["content"].get("application/json"));
        let Some(example) = content.and_then(|c| examples.of_content(c, Fields::All)) else {
            return String::new();
        };
        let text = serde_json::to_string_pretty(&example).unwrap_or_default();
        format!(
            "<details><summary>Example of an answer</summary><pre>{}</pre></details>",
            escape(&text)
        )
    }
}

fn body(media: &str, content: &Value) -> String {
    match media {
        "application/json" => kind(&content["schema"]),
        other => format!("<span class=\"facts\">{}</span>", escape(other)),
    }
}
