//! The little of Markdown that descriptions use, as HTML: headings,
//! paragraphs, lists, fenced code, `code` and **strong**. Everything else is
//! text, and no text becomes markup.

use super::html::escape;

enum Block {
    Heading(usize, String),
    Paragraph(String),
    Item(String),
    Code(Vec<String>),
}

/// Renders a description.
pub(super) fn blocks(text: &str) -> String {
    let mut out = String::new();
    let mut in_list = false;
    for block in read(text) {
        let is_item = matches!(block, Block::Item(_));
        if is_item != in_list {
            out.push_str(if is_item { "<ul>" } else { "</ul>" });
            in_list = is_item;
        }
        out += &match block {
            Block::Heading(level, text) => format!("<h{level}>{}</h{level}>", inline(&text)),
            Block::Paragraph(text) => format!("<p>{}</p>", inline(&text)),
            Block::Item(text) => format!("<li>{}</li>", inline(&text)),
            Block::Code(lines) => format!("<pre>{}</pre>", escape(&lines.join("\n"))),
        };
    }
    if in_list {
        out.push_str("</ul>");
    }
    out
}

/// Renders text within a line.
pub(super) fn inline(text: &str) -> String {
    match between(text, "`") {
        Some((before, code, after)) => {
            let code = escape(code);
            format!("{}<code>{code}</code>{}", strong(before), inline(after))
        }
        None => strong(text),
    }
}

fn strong(text: &str) -> String {
    match between(text, "**") {
        Some((before, loud, after)) => {
            let (before, loud) = (escape(before), escape(loud));
            format!("{before}<strong>{loud}</strong>{}", strong(after))
        }
        None => escape(text),
    }
}

/// What is before, between and after the first two `sign`s.
fn between<'a>(text: &'a str, sign: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (before, rest) = text.split_once(sign)?;
    let (inner, after) = rest.split_once(sign)?;
    Some((before, inner, after))
}

fn read(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut goes_on = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line.starts_with("```") {
            let code = lines.by_ref().take_while(|l| !l.trim().starts_with("```"));
            blocks.push(Block::Code(code.map(str::to_owned).collect()));
        } else if line.starts_with('#') {
            let heading = line.trim_start_matches('#');
            let level = (line.len() - heading.len()).clamp(2, 4);
            blocks.push(Block::Heading(level, heading.trim().to_owned()));
        } else if let Some(item) = line.strip_prefix("- ") {
            blocks.push(Block::Item(item.to_owned()));
        } else if let (true, Some(Block::Paragraph(text) | Block::Item(text))) =
            (goes_on && !line.is_empty(), blocks.last_mut())
        {
            *text += &format!(" {line}");
        } else if !line.is_empty() {
            blocks.push(Block::Paragraph(line.to_owned()));
        }
        goes_on = !line.is_empty();
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_keep_their_structure() {
        let text = "A **first** line\nand `x < y`.\n\n## More\n- one\n  two\n- three\n\n```json\n{ <a> }\n```\nEnd";
        assert_eq!(
            blocks(text),
            "<p>A <strong>first</strong> line and <code>x &lt; y</code>.</p><h2>More</h2>\
             <ul><li>one two</li><li>three</li></ul><pre>{ &lt;a&gt; }</pre><p>End</p>"
        );
    }

    #[test]
    fn no_text_becomes_markup() {
        assert_eq!(
            inline("<b> & `</code>`"),
            "&lt;b&gt; &amp; <code>&lt;/code&gt;</code>"
        );
        assert_eq!(inline("a ` b ** c"), "a ` b ** c");
    }
}
