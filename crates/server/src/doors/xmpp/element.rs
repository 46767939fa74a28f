//! XML as far as XMPP needs it: elements, and how they are written.
//!
//! What is written is always well-formed, whatever the texts in it: they are escaped, and
//! characters that XML does not know are left out. Names come from this program or from
//! the parser, never out of a text.

use std::fmt::Write;

/// The namespace of stanzas on a component's stream, which is its default one. What is
/// read as `jabber:client` or `jabber:server` is taken for it.
pub const CORE: &str = "jabber:component:accept";

/// An element, with all that is in it.
#[derive(Clone, Debug, Eq)]
pub struct Element {
    name: String,
    ns: String,
    attributes: Vec<(String, String)>,
    nodes: Vec<Node>,
}

/// What is in an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Another one.
    Element(Element),
    /// Words.
    Text(String),
}

/// In XML attributes have no order.
impl PartialEq for Element {
    fn eq(&self, other: &Element) -> bool {
        let has = |(name, value): (&str, &str)| self.attr(name) == Some(value);
        self.name == other.name
            && self.ns == other.ns
            && self.attributes.len() == other.attributes.len()
            && other.attributes().all(has)
            && self.nodes == other.nodes
    }
}

impl Element {
    /// An empty one.
    pub fn new(name: impl Into<String>, ns: impl Into<String>) -> Element {
        Element {
            name: name.into(),
            ns: ns.into(),
            attributes: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// An empty one of a stream's own namespace: `iq`, `message`, `presence`, `body`, ...
    pub fn core(name: impl Into<String>) -> Element {
        Element::new(name, CORE)
    }

    /// The same with an attribute, in place of one of that name.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Element {
        self.set(name, value);
        self
    }

    /// The same with an attribute, if there is a value.
    #[must_use]
    pub fn with_some(self, name: &str, value: Option<impl Into<String>>) -> Element {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The same with one more element at the end.
    #[must_use]
    pub fn child(mut self, child: Element) -> Element {
        self.nodes.push(Node::Element(child));
        self
    }

    /// The same with more elements at the end.
    #[must_use]
    pub fn children_of(mut self, children: impl IntoIterator<Item = Element>) -> Element {
        self.nodes.extend(children.into_iter().map(Node::Element));
        self
    }

    /// The same with words at the end.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Element {
        self.push_text(text.into());
        self
    }

    /// Sets an attribute.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.attributes.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.attributes.push((name.to_owned(), value)),
        }
    }

    /// Adds words at the end.
    pub fn push_text(&mut self, text: String) {
        match self.nodes.last_mut() {
            Some(Node::Text(before)) => before.push_str(&text),
            _ => self.nodes.push(Node::Text(text)),
        }
    }

    /// Adds an element at the end.
    pub fn push(&mut self, child: Element) {
        self.nodes.push(Node::Element(child));
    }

    /// Empties it; the attributes stay.
    pub fn clear(&mut self) {
        self.nodes = Vec::new();
    }

    /// What it is called, without a prefix.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its namespace.
    pub fn ns(&self) -> &str {
        &self.ns
    }

    /// Whether it is called that, in that namespace.
    pub fn is(&self, name: &str, ns: &str) -> bool {
        self.name == name && self.ns == ns
    }

    /// An attribute's value.
    pub fn attr(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// All attributes, as they stand.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.attributes.iter();
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The elements in it.
    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The first element of that name and namespace in it.
    pub fn get(&self, name: &str, ns: &str) -> Option<&Element> {
        self.elements().find(|element| element.is(name, ns))
    }

    /// The words in it, but not those in its elements.
    pub fn words(&self) -> String {
        let texts = self.nodes.iter().filter_map(|node| match node {
            Node::Text(text) => Some(text.as_str()),
            Node::Element(_) => None,
        });
        texts.collect()
    }

    /// As it goes over a component's stream.
    pub fn write(&self) -> String {
        let mut text = String::with_capacity(256);
        self.write_into(&mut text, CORE);
        text
    }

    fn write_into(&self, out: &mut String, around: &str) {
        out.push('<');
        out.push_str(&self.name);
        if self.ns != around {
            write_attribute(out, "xmlns", &self.ns);
        }
        for (name, value) in &self.attributes {
            write_attribute(out, name, value);
        }
        if self.nodes.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        for node in &self.nodes {
            match node {
                Node::Element(element) => element.write_into(out, &self.ns),
                Node::Text(text) => escape(out, text, false),
            }
        }
        write!(out, "</{}>", self.name).expect("a text takes whatever is written to it");
    }
}

fn write_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("='");
    escape(out, value, true);
    out.push('\'');
}

fn escape(out: &mut String, text: &str, is_attribute: bool) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\'' => out.push_str("&apos;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#xD;"),
            // A parser would make blanks of them.
            '\n' if is_attribute => out.push_str("&#xA;"),
            '\t' if is_attribute => out.push_str("&#x9;"),
            c if is_known(c) => out.push(c),
            _ => {}
        }
    }
}

/// Whether XML 1.0 has the character.
fn is_known(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// One stanza for many: written once, except whom it is for.
pub struct Copies {
    head: String,
    rest: String,
}

impl Copies {
    /// Of a stanza that is for nobody yet.
    pub fn of(stanza: &Element) -> Copies {
        let text = stanza.write();
        let place = 1 + stanza.name.len();
        let (head, rest) = text.split_at(place.min(text.len()));
        Copies {
            head: head.to_owned(),
            rest: rest.to_owned(),
        }
    }

    /// The one for somebody.
    pub fn to(&self, whom: &str) -> String {
        let mut text = String::with_capacity(self.head.len() + self.rest.len() + whom.len() + 8);
        text.push_str(&self.head);
        write_attribute(&mut text, "to", whom);
        text.push_str(&self.rest);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_well_formed_whatever_the_texts() {
        let odd = "<a href='x'>\"&\u{0}\u{1b}\u{fffe}\n";
        let element = Element::core("message")
            .with("id", odd)
            .child(Element::core("body").text(odd));
        let expected = "<message id='&lt;a href=&apos;x&apos;&gt;&quot;&amp;&#xA;'>\
                        <body>&lt;a href=&apos;x&apos;&gt;&quot;&amp;\n</body></message>";
        assert_eq!(element.write(), expected);
    }

    #[test]
    fn a_namespace_is_said_where_it_changes() {
        let element = Element::core("iq")
            .child(Element::new("game", "urn:g").child(Element::new("move", "urn:g")))
            .child(Element::core("error"));
        let expected = "<iq><game xmlns='urn:g'><move/></game><error/></iq>";
        assert_eq!(element.write(), expected);
    }

    #[test]
    fn copies_differ_in_whom_they_are_for() {
        let copies = Copies::of(&Element::core("message").with("from", "a@b"));
        assert_eq!(copies.to("c@d/'"), "<message to='c@d/&apos;' from='a@b'/>");
    }
}
