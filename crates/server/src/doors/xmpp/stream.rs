//! What an XMPP server says on a component's stream, one stanza after the other.
//!
//! Whatever a user sends arrives here, so nothing of it may end the stream that everybody
//! shares: of a stanza that is too large or too deep the head is kept, so that it can be
//! answered, and the rest is passed over as it comes.

use rxml::error::EndOrError;
use rxml::parser::{Options, WithOptions};
use rxml::{Event, Parse, Parser};

use super::element::{CORE, Element};

/// The longest stanza that is taken, in bytes.
pub const BYTES_MAX: usize = 64 << 10;
/// How deep elements may be in one another, the stanza counted.
pub const DEPTH_MAX: usize = 32;
/// The longest attribute that is read at all: more than servers let through.
const TOKEN_MAX: usize = 1 << 20;
const STREAMS: &str = "http://etherx.jabber.org/streams";

/// What is wrong with a stanza.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It is longer than [`BYTES_MAX`].
    TooLarge,
    /// It is deeper than [`DEPTH_MAX`].
    TooDeep,
}

/// Something the server said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The stream begins, and is called that.
    Opened(String),
    /// A stanza; if there is a flaw, only its head.
    Stanza(Element, Option<Flaw>),
    /// The stream ends.
    Closed,
}

/// Reads a stream.
pub struct Reader {
    parser: Parser,
    /// What is being read, from the stanza inwards.
    open: Vec<Element>,
    /// How deep that is, also where nothing is kept.
    depth: usize,
    bytes: usize,
    flaw: Option<Flaw>,
}

impl Default for Reader {
    fn default() -> Reader {
        let options = Options {
            max_token_length: TOKEN_MAX,
            ..Options::default()
        };
        Reader {
            parser: Parser::with_options(options),
            open: Vec::new(),
            depth: 0,
            bytes: 0,
            flaw: None,
        }
    }
}

impl Reader {
    /// Reads on. `None`: more bytes are needed.
    ///
    /// # Errors
    /// Why this is no stream: it cannot go on.
    pub fn read(&mut self, bytes: &mut &[u8]) -> Result<Option<Heard>, String> {
        loop {
            let event = match self.parser.parse(bytes, false) {
                Ok(Some(event)) => event,
                Ok(None) => return Ok(Some(Heard::Closed)),
                Err(EndOrError::NeedMoreData) => return Ok(None),
                Err(EndOrError::Error(error)) => return Err(error.to_string()),
            };
            if let Some(heard) = self.take(event)? {
                return Ok(Some(heard));
            }
        }
    }

    fn take(&mut self, event: Event) -> Result<Option<Heard>, String> {
        if self.depth >= 1 {
            self.bytes = self.bytes.saturating_add(event.metrics().len());
        }
        match event {
            Event::XmlDeclaration(..) => Ok(None),
            Event::StartElement(_, (ns, name), attributes) => {
                let pairs = attributes
                    .iter()
                    .map(|((ns, name), value)| ((ns.as_str(), name.as_str()), value.as_str()));
                self.starts(ns.as_str(), name.as_str(), pairs)
            }
            Event::Text(_, text) => {
                self.judge();
                if self.flaw.is_none()
                    && let Some(open) = self.open.last_mut()
                {
                    open.push_text(text.to_string());
                }
                Ok(None)
            }
            Event::EndElement(_) => Ok(self.ends()),
        }
    }

    fn starts<'a>(
        &mut self,
        ns: &str,
        name: &str,
        attributes: impl Iterator<Item = ((&'a str, &'a str), &'a str)>,
    ) -> Result<Option<Heard>, String> {
        self.depth += 1;
        self.judge();
        if self.depth > 2 && self.flaw.is_some() {
            return Ok(None);
        }
        let mut element = Element::new(name, core(ns));
        for ((ns, name), value) in attributes {
            match ns {
                "" => element.set(name, value),
                rxml::XMLNS_XML if name == "lang" => element.set("xml:lang", value),
                _ => {}
            }
        }
        if self.depth == 1 {
            return match (ns, name) {
                (STREAMS, "stream") => {
                    let id = element.attr("id").unwrap_or_default().to_owned();
                    Ok(Some(Heard::Opened(id)))
                }
                _ => Err("this is no stream of XMPP".into()),
            };
        }
        self.open.push(element);
        Ok(None)
    }

    fn ends(&mut self) -> Option<Heard> {
        self.depth = self.depth.saturating_sub(1);
        match self.depth {
            0 => Some(Heard::Closed),
            1 => {
                let flaw = self.flaw.take();
                self.bytes = 0;
                let stanza = self.open.drain(..).next()?;
                Some(Heard::Stanza(stanza, flaw))
            }
            _ => {
                // With a flaw only the stanza's own head is open.
                if self.flaw.is_none()
                    && let Some(done) = self.open.pop()
                    && let Some(around) = self.open.last_mut()
                {
                    around.push(done);
                }
                None
            }
        }
    }

    /// Whether this is still a stanza to be kept; of one that is not, the head is.
    fn judge(&mut self) {
        if self.flaw.is_some() {
            return;
        }
        self.flaw = match () {
            () if self.bytes > BYTES_MAX => Some(Flaw::TooLarge),
            () if self.depth > DEPTH_MAX + 1 => Some(Flaw::TooDeep),
            () => None,
        };
        if self.flaw.is_some() {
            self.open.truncate(1);
            self.open.iter_mut().for_each(Element::clear);
        }
    }
}

/// Clients, servers and components have a namespace each for the same stanzas.
fn core(ns: &str) -> &str {
    match ns {
        "jabber:client" | "jabber:server" => CORE,
        ns => ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept' \
        xmlns:stream='http://etherx.jabber.org/streams' id='7f' from='games.example.org'>";

    fn heard(text: &str) -> Vec<Heard> {
        let mut reader = Reader::default();
        let all = format!("{HEAD}{text}");
        let mut heard = Vec::new();
        // However the bytes are cut.
        for chunk in all.as_bytes().chunks(7) {
            let mut chunk = chunk;
            while let Some(next) = reader.read(&mut chunk).unwrap() {
                heard.push(next);
            }
        }
        assert_eq!(heard.remove(0), Heard::Opened("7f".into()));
        heard
    }

    #[test]
    fn stanzas_come_one_after_the_other() {
        let text = "<iq id='1' xml:lang='en'><game xmlns='urn:g' id='4'>a<b/>&amp;c</game></iq> \
                    <message xmlns='jabber:client'><body>x</body></message></stream:stream>";
        let iq = Element::core("iq")
            .with("id", "1")
            .with("xml:lang", "en")
            .child(
                Element::new("game", "urn:g")
                    .with("id", "4")
                    .text("a")
                    .child(Element::new("b", "urn:g"))
                    .text("&c"),
            );
        let message = Element::core("message").child(Element::core("body").text("x"));
        let expected = [
            Heard::Stanza(iq, None),
            Heard::Stanza(message, None),
            Heard::Closed,
        ];
        assert_eq!(heard(text), expected);
    }

    #[test]
    fn of_a_stanza_that_is_too_large_the_head_is_left() {
        let large = "x".repeat(BYTES_MAX + 1);
        let text = format!("<message id='1'><body>a{large}</body><y/></message><iq id='2'/>");
        let head = Element::core("message").with("id", "1");
        let expected = [
            Heard::Stanza(head, Some(Flaw::TooLarge)),
            Heard::Stanza(Element::core("iq").with("id", "2"), None),
        ];
        assert_eq!(heard(&text), expected);
    }

    #[test]
    fn an_attribute_that_is_too_large_is_no_end_either() {
        let large = "x".repeat(BYTES_MAX * 2);
        let text = format!("<message id='1'><body y='{large}'/></message><iq id='2'/>");
        let heard = heard(&text);
        let head = Element::core("message").with("id", "1");
        assert_eq!(heard[0], Heard::Stanza(head, Some(Flaw::TooLarge)));
        assert_eq!(heard.len(), 2);
    }

    #[test]
    fn of_a_stanza_that_is_too_deep_the_head_is_left() {
        let nested = |depth: usize| {
            let (ins, outs) = ("<a>".repeat(depth - 1), "</a>".repeat(depth - 1));
            heard(&format!("<iq id='1'>{ins}{outs}</iq><iq id='2'/>"))
        };
        let head = Element::core("iq").with("id", "1");
        for depth in [DEPTH_MAX + 1, 20_000] {
            let deep = nested(depth);
            assert_eq!(deep[0], Heard::Stanza(head.clone(), Some(Flaw::TooDeep)));
            assert_eq!(deep.len(), 2);
        }
        let Heard::Stanza(_, flaw) = &nested(DEPTH_MAX)[0] else {
            panic!("no stanza");
        };
        assert_eq!(*flaw, None);
    }

    #[test]
    fn what_is_no_stream_is_an_error() {
        for bad in [
            "HTTP/1.1 400 Bad Request\r\n\r\n<html>",
            "<a/>",
            "<!DOCTYPE a>",
        ] {
            assert!(
                Reader::default().read(&mut bad.as_bytes()).is_err(),
                "{bad}"
            );
        }
    }
}
