//! Stanzas that somebody might send, with anything in them.

use crate::doors::xmpp::GAME;

/// What is sent, with holes: `%t` for a text or a value, `%n` for a nickname, `%e` for
/// any element, `%i` for the stanza's id.
const STANZAS: [&str; 24] = [
    "<iq type='set' to='arbiter.chesspark.com' id='%i'>%g<move ply='%t'>%t</move></game></iq>",
    "<iq type='set' to='arbiter.chesspark.com' id='%i'>%g<move>%t</move></game></iq>",
    "<iq type='set' to='arbiter.chesspark.com' id='%i'>%g%e</game></iq>",
    "<iq type='set' to='arbiter.chesspark.com' id='%i'>%g<addtime seconds='%t'/></game></iq>",
    "<iq type='set' to='arbiter.chesspark.com' id='%i'>%g<draw decline='%t'/></game></iq>",
    "<iq type='set' to='arbiter.chesspark.com' id='%i'>%g<create time='%t' increment='%t' \
     variant='%t' side='%t' rated='%t' fen='%t'/></game></iq>",
    "<iq type='set' to='arbiter.chesspark.com' id='%i'>%g<challenge to='%t' time='60'/></game></iq>",
    "<iq type='set' to='arbiter.chesspark.com' id='%i'>%g<accept code='%t'/></game></iq>",
    "<iq type='set' to='arbiter.chesspark.com' id='%i'>%g<link code='%t'/></game></iq>",
    "<iq type='%t' to='arbiter.chesspark.com' id='%i'>%e%e</iq>",
    "<iq type='get' to='games.chesspark.com' id='%i'>%e</iq>",
    "<iq type='get' to='1234@games.chesspark.com/%n' id='%i'><ping xmlns='urn:xmpp:ping'/></iq>",
    "<iq type='get' to='%n@games.chesspark.com' id='%i'>\
     <query xmlns='http://jabber.org/protocol/disco#info' node='%t'/></iq>",
    "<iq type='set' to='1234@games.chesspark.com' id='%i'>\
     <query xmlns='http://jabber.org/protocol/muc#admin'>\
     <item nick='%t' role='%t' jid='%t'><reason>%t</reason></item></query></iq>",
    "<presence to='1234@games.chesspark.com/%n'><x xmlns='http://jabber.org/protocol/muc'>\
     <history maxstanzas='%t' since='%t'/></x></presence>",
    "<presence to='1234@games.chesspark.com/%n' id='%i'><show>%t</show><status>%t</status>%e</presence>",
    "<presence to='1234@games.chesspark.com/%n' type='%t'>%e</presence>",
    "<presence to='%n@games.chesspark.com/%n'><x xmlns='http://jabber.org/protocol/muc'/></presence>",
    "<message to='1234@games.chesspark.com' type='groupchat' id='%i'><body>%t</body>%e</message>",
    "<message to='1234@games.chesspark.com' type='groupchat' id='%i'><body>%t</body>\
     <game xmlns='http://onlinegamegroup.com/xml/chesspark-01'><banter/></game></message>",
    "<message to='1234@games.chesspark.com/%n' type='%t' id='%i'><body>%t</body></message>",
    "<message to='1234@games.chesspark.com' id='%i'><x xmlns='http://jabber.org/protocol/muc#user'>\
     <invite to='%t'><reason>%t</reason></invite></x></message>",
    "<message to='1234@games.chesspark.com' type='groupchat' id='%i'><subject>%t</subject></message>",
    "<message to='arbiter.chesspark.com' type='%t' id='%i'>%e<body>%t</body></message>",
];

/// Texts that are easily taken for something else.
const ODD: [&str; 28] = [
    "",
    " ",
    "0",
    "1",
    "-1",
    "1234",
    "99999999999999999999",
    "true",
    "none",
    "visitor",
    "participant",
    "unavailable",
    "error",
    "e2e4",
    "Nf3",
    "Arbiter",
    "jack",
    "a'b\"c",
    "<body>",
    "&amp;",
    "]]>",
    "<!--",
    "\r\n\t",
    "\u{85}\u{2028}",
    "\u{202e}\u{200b}",
    "\u{1f600}",
    "\u{d7ff}\u{e000}\u{fffd}",
    "\u{10ffff}",
];
const NAMES: [&str; 8] = [
    "game", "body", "query", "x", "move", "state", "role", "error",
];
const SPACES: [&str; 6] = [
    GAME,
    "jabber:component:accept",
    "http://jabber.org/protocol/muc#user",
    "http://jabber.org/protocol/disco#items",
    "urn:ietf:params:xml:ns:xmpp-stanzas",
    "urn:'other'",
];
const NUMBERS: [&str; 4] = ["", "1234", "1", "x"];

/// A command of somebody's about a game.
pub(super) fn command(from: &str, game: &str, what: &str) -> String {
    let id = match game {
        "" => String::new(),
        game => format!(" id='{game}'"),
    };
    format!(
        "<iq type='set' from='{from}' to='arbiter.chesspark.com' id='c'>\
         <game xmlns='{GAME}'{id}>{what}</game></iq>"
    )
}

/// Somebody joins the room.
pub(super) fn join(from: &str, nick: &str) -> String {
    format!(
        "<presence from='{from}' to='1234@games.chesspark.com/{nick}'>\
         <x xmlns='http://jabber.org/protocol/muc'/></presence>"
    )
}

/// A few stanzas, chosen by bytes.
pub(super) fn chosen_by(bytes: &[u8]) -> String {
    let mut choices = Choices(bytes);
    let mut text = String::new();
    for _ in 0..4 {
        let stanza = choices.one(&STANZAS);
        choices.fill(stanza, &mut text);
        if choices.0.is_empty() {
            break;
        }
    }
    text
}

/// Hands out bytes one by one; zeros when there are no more.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    fn one<'b>(&mut self, of: &[&'b str]) -> &'b str {
        of[usize::from(self.byte()) % of.len()]
    }

    fn fill(&mut self, stanza: &str, out: &mut String) {
        let mut rest = stanza;
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            let hole = after.as_bytes()[0];
            rest = &after[1..];
            match hole {
                b'e' => self.element(8, out),
                b'g' => {
                    let id = self.one(&NUMBERS);
                    out.push_str(&format!("<game xmlns='{GAME}' id='{id}'>").replace(" id=''", ""));
                }
                _ => escape(&self.text(), out),
            }
        }
        out.push_str(rest);
    }

    /// Odd, any, or long.
    fn text(&mut self) -> String {
        match self.byte() {
            0..200 => self.one(&ODD).to_owned(),
            200..250 => {
                let length = usize::from(self.byte() % 16);
                let mut letter = || u32::from_le_bytes([self.byte(), self.byte(), 0, 0]);
                let letters = (0..length).filter_map(|_| char::from_u32(letter()));
                letters.filter(|c| *c >= ' ' && *c < '\u{fffe}').collect()
            }
            250..255 => self.one(&ODD).repeat(300),
            255 => "y".repeat(70_000),
        }
    }

    fn element(&mut self, depth: u8, out: &mut String) {
        let (name, space) = (self.one(&NAMES), self.one(&SPACES));
        out.push_str(&format!("<{name} xmlns='"));
        escape(space, out);
        out.push_str("' id='");
        escape(&self.text(), out);
        out.push_str("'>");
        for _ in 0..self.byte() % 3 {
            match depth {
                0 => escape(&self.text(), out),
                depth => self.element(depth - 1, out),
            }
        }
        out.push_str(&format!("</{name}>"));
    }
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&apos;"),
            '\r' => out.push_str("&#13;"),
            '\n' => out.push_str("&#10;"),
            c => out.push(c),
        }
    }
}
