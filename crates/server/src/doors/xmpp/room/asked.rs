//! What somebody sends to a room, as far as it is understood.

use chess::Timestamp;

use crate::doors::xmpp::GAME;
use crate::doors::xmpp::element::{CORE, Element};
use crate::text_time::read_rfc3339;

/// Multi-user chat.
pub(super) const MUC: &str = "http://jabber.org/protocol/muc";
/// What the room says of its occupants.
pub(super) const MUC_USER: &str = "http://jabber.org/protocol/muc#user";
/// What moderators ask for.
pub(super) const MUC_ADMIN: &str = "http://jabber.org/protocol/muc#admin";
/// What owners ask for.
pub(super) const MUC_OWNER: &str = "http://jabber.org/protocol/muc#owner";
/// What is there.
pub(super) const DISCO_INFO: &str = "http://jabber.org/protocol/disco#info";
/// What is in it.
pub(super) const DISCO_ITEMS: &str = "http://jabber.org/protocol/disco#items";
/// Is anybody there?
pub(super) const PING: &str = "urn:xmpp:ping";
/// When something was said.
pub(super) const DELAY: &str = "urn:xmpp:delay";

/// What an occupant, or somebody who would like to be one, wants of the room itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// To come in.
    Join(Wish),
    /// To be seen otherwise, or under another name: from who is inside.
    Presence,
    /// To leave.
    Leave,
    /// To say something to the room.
    Say {
        /// The words.
        text: String,
        /// Whether they are for those who watch.
        is_banter: bool,
    },
    /// To say something to one occupant.
    Whisper,
    /// To let somebody into a private room.
    Invite(String),
    /// To change what the room is about.
    Subject,
    /// Nothing that anybody would be told.
    Nothing,
    /// Something that was sent to them came back.
    Bounced,
}

/// How much of what was said somebody wants to read on joining.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wish {
    maxchars: Option<usize>,
    maxstanzas: Option<usize>,
    seconds: Option<u64>,
    since: Option<Timestamp>,
}

/// More is not told on joining, whatever is wished.
const STANZAS_MAX: usize = 50;

impl Wish {
    fn of(join: &Element) -> Wish {
        let Some(history) = join.get("history", MUC) else {
            return Wish::default();
        };
        Wish {
            maxchars: history.attr("maxchars").and_then(|n| n.parse().ok()),
            maxstanzas: history.attr("maxstanzas").and_then(|n| n.parse().ok()),
            seconds: history.attr("seconds").and_then(|n| n.parse().ok()),
            since: history.attr("since").and_then(read_rfc3339),
        }
    }

    /// Of what was said at these times, in stanzas of that length: how many of the
    /// newest are told.
    pub(super) fn grants(
        &self,
        newest_first: impl Iterator<Item = (Timestamp, usize)>,
        now: Timestamp,
    ) -> usize {
        let stanzas = self.maxstanzas.unwrap_or(STANZAS_MAX).min(STANZAS_MAX);
        let seconds = self.seconds.map(|seconds| seconds.saturating_mul(1_000));
        let recent = seconds.map(|ms| Timestamp(now.0.saturating_sub(ms)));
        let earliest = recent.max(self.since);
        let mut chars_left = self.maxchars.unwrap_or(usize::MAX);
        let is_granted = |(at, chars): &(Timestamp, usize)| {
            let left = chars_left.checked_sub(*chars);
            chars_left = left.unwrap_or(0);
            left.is_some() && earliest.is_none_or(|earliest| *at >= earliest)
        };
        newest_first.take(stanzas).take_while(is_granted).count()
    }
}

/// What a presence asks for; nothing that a room knows of what is no error or else.
pub(super) fn presence(stanza: &Element) -> Asked {
    match stanza.attr("type") {
        None => match stanza.get("x", MUC) {
            Some(join) => Asked::Join(Wish::of(join)),
            None => Asked::Presence,
        },
        Some("unavailable") => Asked::Leave,
        Some("error") => Asked::Bounced,
        Some(_) => Asked::Nothing,
    }
}

/// What a message asks for.
pub(super) fn message(stanza: &Element) -> Asked {
    let child = |name: &str| stanza.get(name, CORE);
    let body = child("body").map(Element::words);
    match stanza.attr("type") {
        Some("error") => Asked::Bounced,
        Some("groupchat") => match body {
            Some(text) => Asked::Say {
                text,
                is_banter: is_banter(stanza),
            },
            None if child("subject").is_some() => Asked::Subject,
            // That somebody types, and the like, is nobody's business here.
            None => Asked::Nothing,
        },
        _ => match invited(stanza) {
            Some(whom) => Asked::Invite(whom),
            None if body.is_some() => Asked::Whisper,
            None => Asked::Nothing,
        },
    }
}

fn invited(stanza: &Element) -> Option<String> {
    let invite = stanza.get("x", MUC_USER)?.get("invite", MUC_USER)?;
    invite.attr("to").map(str::to_owned)
}

/// For those who watch: said by an element of its own, or within `<game/>`.
fn is_banter(stanza: &Element) -> bool {
    let game = stanza.get("game", GAME).unwrap_or(stanza);
    let mut around = [stanza, game].into_iter();
    around.any(|around| around.get("banter", GAME).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doors::xmpp::stream::{Heard, Reader};

    const HEAD: &str = "<stream:stream xmlns='jabber:component:accept' \
        xmlns:stream='http://etherx.jabber.org/streams' id='7f'>";

    fn read(xml: &str) -> Element {
        let all = format!("{HEAD}{xml}");
        let (mut reader, mut bytes) = (Reader::default(), all.as_bytes());
        reader.read(&mut bytes).expect("the head");
        match reader.read(&mut bytes) {
            Ok(Some(Heard::Stanza(stanza, None))) => stanza,
            other => panic!("{xml}: {other:?}"),
        }
    }

    #[test]
    fn what_a_presence_asks_for() {
        let join = format!("<presence from='a@x/1'><x xmlns='{MUC}'/></presence>");
        for (xml, expected) in [
            (&*join, Asked::Join(Wish::default())),
            ("<presence from='a@x/1'/>", Asked::Presence),
            ("<presence type='unavailable'/>", Asked::Leave),
            ("<presence type='error'/>", Asked::Bounced),
            ("<presence type='subscribe'/>", Asked::Nothing),
            (
                "<presence from='a'><x xmlns='other'/></presence>",
                Asked::Presence,
            ),
        ] {
            assert_eq!(presence(&read(xml)), expected, "{xml}");
        }
    }

    #[test]
    fn what_a_message_asks_for() {
        let say = |text: &str, is_banter| Asked::Say {
            text: text.to_owned(),
            is_banter,
        };
        let banter = format!(
            "<message type='groupchat'><body>psst</body><game xmlns='{GAME}'><banter/></game></message>"
        );
        let plain_banter = format!(
            "<message type='groupchat'><body>psst</body><banter xmlns='{GAME}'/></message>"
        );
        let invite = format!("<message><x xmlns='{MUC_USER}'><invite to='b@x'/></x></message>");
        for (xml, expected) in [
            (
                "<message type='groupchat'><body>hi</body></message>",
                say("hi", false),
            ),
            (&*banter, say("psst", true)),
            (&*plain_banter, say("psst", true)),
            (&*invite, Asked::Invite("b@x".into())),
            (
                "<message type='groupchat'><body>hi</body><subject>x</subject></message>",
                say("hi", false),
            ),
            (
                "<message type='groupchat'><subject>x</subject></message>",
                Asked::Subject,
            ),
            ("<message type='groupchat'/>", Asked::Nothing),
            (
                "<message type='groupchat'><body xmlns='other'>hi</body></message>",
                Asked::Nothing,
            ),
            (
                "<message type='chat'><body>hi</body></message>",
                Asked::Whisper,
            ),
            ("<message id='1'><body>hi</body></message>", Asked::Whisper),
            ("<message id='1'/>", Asked::Nothing),
            ("<message type='error'/>", Asked::Bounced),
        ] {
            assert_eq!(message(&read(xml)), expected, "{xml}");
        }
    }

    #[test]
    fn as_much_of_the_past_as_was_wished_for() {
        let now = Timestamp(100_000);
        // At 90 s, 80 s, ...: a hundred characters each.
        let past = || (1..=8).map(|n| (Timestamp(100_000 - n * 10_000), 100));
        for (history, expected) in [
            ("", 8),
            ("maxstanzas='3'", 3),
            ("maxstanzas='0'", 0),
            ("maxchars='0'", 0),
            ("maxchars='250'", 2),
            ("seconds='25'", 2),
            ("since='1970-01-01T00:01:00Z'", 4),
            ("since='1970-01-01T00:01:00Z' maxstanzas='1'", 1),
            ("maxstanzas='many'", 8),
            ("maxstanzas='-1'", 8),
        ] {
            let xml =
                format!("<presence from='a'><x xmlns='{MUC}'><history {history}/></x></presence>");
            let Asked::Join(wish) = presence(&read(&xml)) else {
                panic!("{xml}");
            };
            assert_eq!(wish.grants(past(), now), expected, "{history}");
        }
        let long = (0..1_000).map(|_| (now, 1));
        assert_eq!(Wish::default().grants(long, now), STANZAS_MAX);
    }
}
