//! What clients send: the same fields as a form, as JSON with dotted keys and nulls,
//! or in the query; or bare text without a type; or nothing.
//!
//! The content type decides. What is null or empty was not sent, and nobody is told
//! that a field is unknown.

use std::collections::HashMap;
use std::str::FromStr;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde_json::Value;
use url::form_urlencoded;

use super::error::Error;
use crate::http::extract::{receive, receive_up_to};
use crate::play::App;
use crate::problem::Problem;

/// Fields by name, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields(HashMap<String, String>);

/// The fields of a body.
pub(super) struct Sent(pub(super) Fields);

/// The fields of a query.
pub(super) struct Asked(pub(super) Fields);

/// A body as bare text, whatever it says it is.
pub(super) struct Text(pub(super) String);

/// The most that a list of tokens may have: a thousand of them, with room to spare.
const TOKENS_BYTES: usize = 64 * 1024;

/// The most that a body may have at a path, where `usual` is what others may.
pub(crate) fn bytes_max(path: &str, usual: usize) -> usize {
    match path.trim_end_matches('/') {
        "/api/token/test" => usual.max(TOKENS_BYTES),
        _ => usual,
    }
}

impl Fields {
    /// What was sent under that name, without the space around it.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Whether it was sent, and says yes.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.flag_or(name, false)
    }

    /// The same for one that says something if it is left out.
    pub(super) fn flag_or(&self, name: &str, default: bool) -> bool {
        self.text(name).map_or(default, is_yes)
    }

    /// A whole number; what is none is the client's mistake.
    pub(super) fn number<N: FromStr>(&self, name: &str) -> Result<Option<N>, Error> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        // Some write whole numbers with a point.
        let whole = text.split_once('.').filter(|(_, rest)| {
            let mut digits = rest.bytes();
            digits.all(|digit| digit == b'0')
        });
        let text = whole.map_or(text, |(whole, _)| whole);
        let number = text.parse().ok();
        let number = number.ok_or_else(|| Error::form(name, "Numeric value expected"))?;
        Ok(Some(number))
    }

    /// Names with commas between them.
    pub(super) fn list(&self, name: &str) -> Vec<&str> {
        let items = self.text(name).unwrap_or_default().split(',');
        items
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .collect()
    }

    /// The fields of a form or a query.
    pub(super) fn of_form(text: &[u8]) -> Fields {
        let mut fields = Fields::default();
        for (name, value) in form_urlencoded::parse(text) {
            fields.set(&name, &value);
        }
        fields
    }

    /// The fields of an object; of objects within it by dotted names.
    fn of_json(value: &Value) -> Fields {
        let mut fields = Fields::default();
        fields.take("", value);
        fields
    }

    fn take(&mut self, name: &str, value: &Value) {
        match value {
            Value::Null => {}
            Value::Bool(yes) => self.set(name, if *yes { "true" } else { "false" }),
            Value::Number(number) => self.set(name, &number.to_string()),
            Value::String(text) => self.set(name, text),
            Value::Array(items) => {
                let items = items.iter().filter_map(Value::as_str);
                self.set(name, &items.collect::<Vec<_>>().join(","));
            }
            Value::Object(fields) => {
                for (key, value) in fields {
                    match name {
                        "" => self.take(key, value),
                        _ => self.take(&format!("{name}.{key}"), value),
                    }
                }
            }
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if !value.is_empty() {
            self.0.insert(name.to_owned(), value.to_owned());
        }
    }
}

/// Whether a word means yes: `requests` writes Python's booleans as they are.
pub(super) fn is_yes(word: &str) -> bool {
    let yes = ["1", "true", "on", "yes"];
    yes.iter().any(|yes| yes.eq_ignore_ascii_case(word))
}

/// What a body says it is.
enum Kind {
    Form,
    Json,
    Text,
}

impl Kind {
    fn of(headers: &HeaderMap) -> Kind {
        let kind = headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().to_ascii_lowercase();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        match kind {
            "application/x-www-form-urlencoded" => Kind::Form,
            "application/json" => Kind::Json,
            _ => Kind::Text,
        }
    }
}

impl FromRequest<App> for Sent {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Sent, Error> {
        let kind = Kind::of(request.headers());
        let bytes = receive(request, app).await?;
        let bytes = bytes.trim_ascii();
        let fields = match kind {
            _ if bytes.is_empty() => Fields::default(),
            Kind::Form => Fields::of_form(bytes),
            Kind::Json => {
                let value = serde_json::from_slice(bytes);
                let value = value.map_err(|why| Problem::bad_request(why.to_string()))?;
                Fields::of_json(&value)
            }
            Kind::Text => Fields::default(),
        };
        Ok(Sent(fields))
    }
}

impl FromRequest<App> for Text {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Text, Error> {
        let bytes_max = bytes_max(request.uri().path(), app.settings.body_bytes);
        let bytes = receive_up_to(bytes_max, request, app).await?;
        let text = String::from_utf8(bytes.to_vec());
        let text = text.map_err(|_| Problem::bad_request("the body is not UTF-8"))?;
        Ok(Text(text.trim().to_owned()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asked, Error> {
        let query = parts.uri.query().unwrap_or_default();
        Ok(Asked(Fields::of_form(query.as_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn s1_dotted_keys_and_nested_objects_are_the_same() {
        let dotted = Fields::of_json(&json!({ "clock.limit": 180, "rated": true, "days": null }));
        let nested = Fields::of_json(&json!({ "clock": { "limit": 180 }, "rated": "true" }));
        let form = Fields::of_form(b"clock.limit=180&rated=true&color=");
        assert_eq!(dotted, nested);
        assert_eq!(dotted, form);
        assert_eq!(dotted.text("days"), None);
        assert_eq!(form.text("color"), None);
        assert_eq!(dotted.number::<u32>("clock.limit").unwrap(), Some(180));
    }

    #[test]
    fn s1_python_writes_booleans_with_a_capital() {
        for yes in ["1", "true", "True", "on", "yes"] {
            assert!(is_yes(yes), "{yes}");
        }
        for no in ["0", "false", "False", "off", "no", "", "2"] {
            assert!(!is_yes(no), "{no}");
        }
    }

    #[test]
    fn s1_what_is_no_number_is_said_by_its_field() {
        let fields = Fields::of_form(b"clock.limit=abc&clock.increment=2.0&days=1.5");
        assert!(fields.number::<u32>("clock.limit").is_err());
        assert_eq!(fields.number::<u32>("clock.increment").unwrap(), Some(2));
        assert!(fields.number::<u8>("days").is_err());
        assert_eq!(fields.number::<u8>("nothing").unwrap(), None);
    }
}
