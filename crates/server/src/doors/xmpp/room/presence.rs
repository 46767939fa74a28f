//! Who is there, as a room says it: in words that every client knows, and in the game's.

use chess::game::Game;

use super::asked::MUC_USER;
use super::cast::{Cast, Known, side_name};
use super::nick::ARBITER;
use super::occupants::Occupant;
use super::standing::Standing;
use crate::doors::xmpp::GAME;
use crate::doors::xmpp::element::Element;

/// It is the reader's own presence.
pub(super) const SELF: u16 = 110;
/// They were removed.
pub(super) const KICKED: u16 = 307;
/// They are called otherwise from now on.
pub(super) const RENAMED: u16 = 303;
/// The service stops.
pub(super) const SHUTDOWN: u16 = 332;

/// Somebody who is shown in a room.
pub(super) struct Shown<'a> {
    pub(super) nick: &'a str,
    pub(super) standing: Standing,
    /// Their title.
    pub(super) title: Option<&'a str>,
    /// Their side and their JID, if they play.
    pub(super) player: Option<(&'static str, &'a str)>,
}

impl<'a> Shown<'a> {
    /// One who is here.
    pub(super) fn of<H>(one: &'a Occupant<H>, cast: &'a Cast, game: &Game) -> Shown<'a> {
        let side = game.seat_of(one.who).map(side_name);
        let known = cast.get(one.who);
        Shown {
            nick: &one.nick,
            standing: one.standing,
            title: one.title.as_deref(),
            player: side.filter(|_| one.standing.is_player()).map(|side| {
                (
                    side,
                    known.map_or(one.bare.as_str(), |known| known.jid.as_str()),
                )
            }),
        }
    }

    /// A player who is at another door.
    pub(super) fn afar(known: &'a Known, side: &'static str, standing: Standing) -> Shown<'a> {
        Shown {
            nick: &known.name,
            standing,
            title: known.title.as_deref(),
            player: Some((side, &known.jid)),
        }
    }

    /// The same under that name.
    pub(super) fn called(self, nick: &'a str) -> Shown<'a> {
        Shown { nick, ..self }
    }

    /// They are there; `jid`: who they are, for whom may know.
    pub(super) fn here(&self, room: &str, jid: Option<&str>, codes: &[u16]) -> Element {
        let item = item(self.standing.affiliation(), self.standing.muc_role());
        let item = item.with_some("jid", jid);
        let role = Element::new("role", GAME)
            .with_some("side", self.player.map(|(side, _)| side))
            .with_some("jid", self.player.map(|(_, jid)| jid))
            .with_some("title", self.title)
            .text(self.standing.role.name());
        presence(room, self.nick)
            .child(user(item, codes))
            .child(role)
    }

    /// They are not there any more.
    pub(super) fn gone(&self, room: &str, codes: &[u16]) -> Element {
        self.gone_to(room, None, codes)
    }

    /// The same; perhaps they are there under another name.
    pub(super) fn gone_to(&self, room: &str, nick: Option<&str>, codes: &[u16]) -> Element {
        let role = match nick {
            Some(_) => self.standing.muc_role(),
            None => "none",
        };
        let item = item(self.standing.affiliation(), role).with_some("nick", nick);
        presence(room, self.nick)
            .with("type", "unavailable")
            .child(user(item, codes))
    }
}

/// The arbiter itself.
pub(super) fn arbiter(room: &str) -> Element {
    presence(room, ARBITER).child(user(item("owner", "moderator"), &[]))
}

fn presence(room: &str, nick: &str) -> Element {
    Element::core("presence").with("from", format!("{room}/{nick}"))
}

fn item(affiliation: &str, role: &str) -> Element {
    Element::new("item", MUC_USER)
        .with("affiliation", affiliation)
        .with("role", role)
}

fn user(item: Element, codes: &[u16]) -> Element {
    let status = |code: &u16| Element::new("status", MUC_USER).with("code", code.to_string());
    Element::new("x", MUC_USER)
        .child(item)
        .children_of(codes.iter().map(status))
}

#[cfg(test)]
mod tests {
    use live::room::Role;

    use super::*;

    #[test]
    fn a_player_is_one_to_every_client() {
        let shown = Shown {
            nick: "coach",
            standing: Standing {
                role: Role::Player,
                may_speak: true,
                is_creator: false,
            },
            title: Some("IM"),
            player: Some(("black", "trainer@chesspark.com")),
        };
        let room = "1234@games.chesspark.com";
        assert_eq!(
            shown.here(room, None, &[SELF]).write(),
            "<presence from='1234@games.chesspark.com/coach'>\
             <x xmlns='http://jabber.org/protocol/muc#user'>\
             <item affiliation='member' role='participant'/><status code='110'/></x>\
             <role xmlns='http://onlinegamegroup.com/xml/chesspark-01' side='black' \
             jid='trainer@chesspark.com' title='IM'>player</role></presence>"
        );
        assert_eq!(
            shown.gone(room, &[SELF, KICKED]).write(),
            "<presence from='1234@games.chesspark.com/coach' type='unavailable'>\
             <x xmlns='http://jabber.org/protocol/muc#user'>\
             <item affiliation='member' role='none'/><status code='110'/>\
             <status code='307'/></x></presence>"
        );
        assert_eq!(
            shown.gone_to(room, Some("IM"), &[RENAMED]).write(),
            "<presence from='1234@games.chesspark.com/coach' type='unavailable'>\
             <x xmlns='http://jabber.org/protocol/muc#user'>\
             <item affiliation='member' role='participant' nick='IM'/>\
             <status code='303'/></x></presence>"
        );
    }
}
