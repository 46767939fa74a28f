//! The room of one game, as this door has it: who is in it, and how they are told.
//!
//! All who watch are told the same, and so are the players: a stanza is written once for
//! each of the two groups, and copied for everybody in it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use chess::game::Game;
use chess::table::PlayerId;
use chess::{ByColor, Millis, Timestamp};
use live::room::{ChatId, Role};
use store::TableId;
use tokio::sync::watch;

use super::cast::Cast;
use super::nick::{ARBITER, folded};
use super::occupants::{Occupant, Occupants, Waiting};
use super::words::Told;
use crate::auth::{Caller, Person};
use crate::doors::xmpp::Door;
use crate::doors::xmpp::element::{Copies, Element};
use crate::limits::places::Place;
use crate::lock::lock;
use crate::rooms::Visit;

/// So much may wait for somebody who is being told how things stand.
const WAITING_MAX: usize = 500;
/// Lines of this door that may be on their way.
const ECHOES_MAX: usize = 64;
/// Lines that were read from the store and may come by the lane as well.
const RECENT_MAX: usize = 500;

/// What keeps somebody in the room.
pub(super) struct Hold {
    pub(super) caller: Caller,
    pub(super) visit: Visit,
    pub(super) place: Place,
}

pub(super) type Guest = Occupant<Hold>;

/// The room of one game.
pub(super) struct Hall {
    pub(super) id: TableId,
    state: Mutex<State>,
    /// Whether everybody has gone.
    pub(super) is_closed: watch::Sender<bool>,
}

/// How things stand in it.
pub(super) struct State {
    pub(super) occupants: Occupants<Hold>,
    pub(super) cast: Arc<Cast>,
    pub(super) players: Group,
    pub(super) watchers: Group,
    /// Those who are on their way in.
    pub(super) joins: usize,
    pub(super) echoes: VecDeque<Echo>,
}

/// Those who are told the same.
#[derive(Default)]
pub(super) struct Group {
    /// The version that they were told of.
    pub(super) version: u32,
    /// The game as they see it; none before anybody looked.
    pub(super) game: Option<Arc<Game>>,
    /// The newest line that they were told.
    pub(super) chat: Option<ChatId>,
    /// Lines that were told out of turn.
    pub(super) recent: VecDeque<ChatId>,
    /// What players are called whom they see and who are at other doors.
    pub(super) afar: ByColor<Option<String>>,
    /// When they were last told the clocks.
    pub(super) clock_at: Timestamp,
}

/// A line that was said by this door and is on its way.
pub(super) struct Echo {
    pub(super) jid: String,
    pub(super) who: PlayerId,
    pub(super) text: String,
    /// The id of the speaker's stanza.
    pub(super) id: Option<String>,
    /// Which line it became.
    pub(super) line: Option<ChatId>,
}

/// Which of the two groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Players,
    Watchers,
}

impl Hall {
    /// The room of that name.
    pub(super) fn new(id: TableId, room: String) -> Hall {
        Hall {
            id,
            state: Mutex::new(State {
                occupants: Occupants::default(),
                cast: Arc::new(Cast::unknown(id, room)),
                players: Group::default(),
                watchers: Group::default(),
                joins: 0,
                echoes: VecDeque::new(),
            }),
            is_closed: watch::Sender::new(false),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Learns who plays, if it does not know.
    pub(super) async fn meet(&self, door: &Door, game: &Game) -> Arc<Cast> {
        let known = Arc::clone(&self.state().cast);
        if !known.knows(game) {
            // If nobody can say now who they are, they are asked for with the next change.
            if let Ok(cast) = Cast::of(door, self.id, game).await {
                let cast = Arc::new(cast);
                self.state().cast = Arc::clone(&cast);
                return cast;
            }
        }
        known
    }
}

impl Side {
    pub(super) fn of(one: &Guest) -> Side {
        match one.standing.is_player() {
            true => Side::Players,
            false => Side::Watchers,
        }
    }
}

impl Group {
    /// Whether they know that the game is over.
    pub(super) fn is_over(&self) -> bool {
        let game = self.game.as_ref();
        game.is_some_and(|game| game.ending().is_some())
    }

    /// Takes note of the game as the first of them finds it.
    pub(super) fn begin(&mut self, game: &Arc<Game>) {
        if self.game.is_none() {
            self.see(game);
            self.clock_at = game.last_at();
        }
    }

    /// Takes note of the game, if it is newer than what they know: they are told.
    pub(super) fn see(&mut self, game: &Arc<Game>) {
        if self.game.is_none() || game.version() > self.version {
            self.version = game.version();
            self.game = Some(Arc::clone(game));
        }
    }

    /// A line was told, in its turn or not.
    pub(super) fn has_told(&mut self, line: ChatId, in_turn: bool) {
        self.chat = self.chat.max(Some(line));
        if !in_turn {
            self.recent.push_back(line);
            if self.recent.len() > RECENT_MAX {
                self.recent.pop_front();
            }
        }
    }
}

impl State {
    pub(super) fn group(&mut self, side: Side) -> &mut Group {
        match side {
            Side::Players => &mut self.players,
            Side::Watchers => &mut self.watchers,
        }
    }

    /// Whether those who watch may not know who of the players comes and goes: with a
    /// spectator delay that would tell them what has just happened.
    pub(super) fn hides_players(&self) -> bool {
        let game = self.watchers.game.as_ref();
        let is_delayed = game.is_some_and(|game| game.spectator_delay() > Millis::ZERO);
        is_delayed && !self.watchers.is_over()
    }

    /// Whether that one sees the other come and go.
    pub(super) fn sees(&self, viewer: &Guest, other: &Guest) -> bool {
        let is_hidden = other.standing.is_player() && !viewer.standing.is_player();
        !(is_hidden && self.hides_players())
    }

    /// Whether those of a group may not know what somebody calls themselves: a nickname
    /// could be advice to the players.
    pub(super) fn hides_nick(&self, one: &Guest, from: Side) -> bool {
        let is_observer = one.standing.role == Role::Observer;
        from == Side::Players && is_observer && !self.players.is_over()
    }

    /// What those of a group know somebody by.
    pub(super) fn name_of<'a>(&self, one: &'a Guest, to: Side) -> &'a str {
        match self.hides_nick(one, to) {
            true => &one.plain_name,
            false => &one.nick,
        }
    }

    /// Whom those of a group know by that name.
    pub(super) fn named(&self, name: &str, by: Side) -> Option<&Guest> {
        let folded_name = folded(name);
        let mut all = self.occupants.iter();
        let known = all.find(|one| folded(self.name_of(one, by)) == folded_name);
        known.or_else(|| self.occupants.named(name))
    }

    /// The game as that one sees it.
    pub(super) fn game_of(&self, viewer: &Guest) -> Option<&Arc<Game>> {
        match Side::of(viewer) {
            Side::Players => self.players.game.as_ref(),
            Side::Watchers => self.watchers.game.as_ref(),
        }
    }

    /// Tells a group of one change, in these words.
    pub(super) fn tell_change(&mut self, door: &Door, side: Side, version: u32, told: &[Told]) {
        let room = self.cast.room.clone();
        let copies: Vec<Copies> = told
            .iter()
            .flat_map(|told| messages(&room, told))
            .map(|message| Copies::of(&message))
            .collect();
        let group = self
            .occupants
            .iter_mut()
            .filter(|one| Side::of(one) == side);
        for one in group.filter(|one| one.version < version) {
            for copy in &copies {
                one.send(door, copy.to(&one.jid), None, Some(version));
            }
            // Who is being told how things stand knows only then.
            if one.waiting.is_none() {
                one.version = version;
            }
        }
    }

    /// Tells a group something that is no change.
    pub(super) fn tell(&mut self, door: &Door, side: Side, told: &Told) {
        let room = self.cast.room.clone();
        for message in messages(&room, told) {
            let copies = Copies::of(&message);
            let group = self
                .occupants
                .iter_mut()
                .filter(|one| Side::of(one) == side);
            for one in group {
                one.send(door, copies.to(&one.jid), None, None);
            }
        }
    }

    /// What somebody is called here.
    pub(super) fn nick_of(&self, door: &Door, person: &Person) -> String {
        if let Some(one) = self.occupants.of(person.number).next() {
            return one.nick.clone();
        }
        match self.occupants.named(&person.name) {
            // Somebody else is called so; but nobody is called by another's address.
            Some(_) => format!("{}@{}", person.id, door.config.arbiter),
            None => person.name.clone(),
        }
    }

    /// A line of this door is on its way.
    pub(super) fn expect(&mut self, echo: Echo) {
        self.echoes.push_back(echo);
        if self.echoes.len() > ECHOES_MAX {
            self.echoes.pop_front();
        }
    }

    /// What was sent by this door and became that line.
    pub(super) fn echo(&mut self, line: ChatId, who: PlayerId, text: &str) -> Option<&Echo> {
        let mut echoes = self.echoes.iter_mut();
        let is_it = |echo: &&mut Echo| match echo.line {
            Some(known) => known == line,
            None => echo.who == who && echo.text == text,
        };
        let echo = echoes.find(is_it)?;
        echo.line = Some(line);
        Some(echo)
    }
}

impl Guest {
    /// Sends them something, or keeps it until they have been told how things stand.
    pub(super) fn send(
        &mut self,
        door: &Door,
        text: String,
        line: Option<ChatId>,
        version: Option<u32>,
    ) {
        match &mut self.waiting {
            None => {
                door.games.send_text(text);
            }
            Some(waiting) if waiting.len() < WAITING_MAX => waiting.push(Waiting {
                line,
                version,
                text,
            }),
            Some(_) => {}
        }
    }
}

/// What the arbiter says to a room: for programs, and for people.
fn messages(room: &str, told: &Told) -> impl Iterator<Item = Element> {
    let message = || {
        Element::core("message")
            .with("from", format!("{room}/{ARBITER}"))
            .with("type", "groupchat")
    };
    let text = told.text.as_ref();
    let body = text.map(|text| message().child(Element::core("body").text(text.as_str())));
    [message().child(told.game.clone())].into_iter().chain(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_element_and_the_sentence_are_two_messages() {
        let told = Told {
            game: Element::new("game", "urn:g"),
            text: Some("1. e4".into()),
        };
        let texts: Vec<String> = messages("1@g", &told).map(|m| m.write()).collect();
        let expected = [
            "<message from='1@g/Arbiter' type='groupchat'><game xmlns='urn:g'/></message>",
            "<message from='1@g/Arbiter' type='groupchat'><body>1. e4</body></message>",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_line_finds_the_stanza_that_it_was() {
        let mut state = Hall::new(TableId::from_random(1), String::new()).state;
        let state = state.get_mut().expect("nobody panicked");
        let who = PlayerId::new(1).expect("not zero");
        for n in 0..2 {
            state.expect(Echo {
                jid: format!("ann@x/{n}"),
                who,
                text: "hi".into(),
                id: Some(format!("t{n}")),
                line: None,
            });
        }
        let [first, second] = [1, 2].map(|at| ChatId::first_at(Timestamp(at)));
        let mut id_of = |line| state.echo(line, who, "hi").and_then(|echo| echo.id.clone());
        assert_eq!(id_of(first).as_deref(), Some("t0"));
        assert_eq!(id_of(second).as_deref(), Some("t1"));
        assert_eq!(id_of(first).as_deref(), Some("t0"), "to the other group");
        assert_eq!(id_of(ChatId::first_at(Timestamp(3))), None);
    }
}
