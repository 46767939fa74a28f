//! Writing HTML.

use std::fmt::Write;

pub(super) use crate::http::html::escape;

/// Letters and digits of a text, joined by dashes: fit for an anchor.
pub(super) fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words: Vec<&str> = words.filter(|w| !w.is_empty()).collect();
    words.join("-").to_ascii_lowercase()
}

/// A table of three columns with a head; no rows, no table.
pub(super) fn table(class: &str, head: [&str; 3], rows: &[[String; 3]]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!("<div class=\"scroll\"><table class=\"{class}\"><thead><tr>");
    for name in head {
        write!(out, "<th scope=\"col\">{}</th>", escape(name)).expect("a string can be written to");
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            write!(out, "<td>{cell}</td>").expect("a string can be written to");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    out
}
