//! What is said in a room, and what was.

use std::collections::HashMap;
use std::sync::Arc;

use chess::game::Game;
use chess::table::PlayerId;
use live::room::policy::{Policies, ViewerFacts};
use live::room::{Audience, Role};
use tokio::time::sleep;

use super::Group;
use super::asked::DELAY;
use super::follow::AGAIN;
use super::hall::{Hall, State};
use crate::auth::Names;
use crate::doors::xmpp::element::{CORE, Copies, Element};
use crate::doors::xmpp::{Door, GAME};
use crate::play::room::{self, LastRead};
use crate::problem::Problem;
use crate::rooms::{Line, Speech};
use crate::text_time::rfc3339;

/// A line that was said before, and what its speaker is called.
pub(super) struct Said {
    pub(super) line: Line,
    nick: String,
}

impl Said {
    /// As it is told later: with the time at which it was said.
    pub(super) fn stanza(&self, room: &str) -> Element {
        let delay = Element::new("delay", DELAY)
            .with("from", room)
            .with("stamp", rfc3339(self.line.at));
        stanza(room, &self.nick, None, &self.line).child(delay)
    }
}

/// A line as everybody is told it.
fn stanza(room: &str, nick: &str, id: Option<&str>, line: &Line) -> Element {
    let is_banter = line.facts.role == Role::Player && line.facts.audience == Audience::Observers;
    Element::core("message")
        .with("from", format!("{room}/{nick}"))
        .with("type", "groupchat")
        .with_some("id", id)
        .child(Element::new("body", CORE).text(line.text.as_str()))
        .children_of(is_banter.then(|| Element::new("banter", GAME)))
}

/// What somebody may read, oldest first; nothing if the store cannot say.
pub(super) async fn readable(
    door: &Door,
    hall: &Hall,
    game: &Arc<Game>,
    viewer: &ViewerFacts,
) -> Vec<Said> {
    let read = read_on(door, hall, game, viewer, None).await;
    read.unwrap_or_default()
}

/// The same, after what they read last.
async fn read_on(
    door: &Door,
    hall: &Hall,
    game: &Arc<Game>,
    viewer: &ViewerFacts,
    last: Option<LastRead>,
) -> Result<Vec<Said>, Problem> {
    let app = &door.app;
    let history = room::history(app, hall.id, game, viewer, last, app.now()).await?;
    let lines = history.new;
    let speakers = lines.iter().map(|line| line.facts.from);
    let names = Names::of(app, speakers).await?;
    let state = hall.state();
    let said = |line: Line| {
        let person = names.get(line.facts.from)?;
        let nick = state.nick_of(door, person);
        Some(Said { line, nick })
    };
    Ok(lines.into_iter().filter_map(said).collect())
}

/// Somebody spoke: tells those of a group who hear it.
pub(super) fn tell(door: &Door, state: &mut State, side: Group, speech: &Speech) {
    let line = &speech.line;
    if state.group(side).recent.contains(&line.id) {
        return;
    }
    let room = state.cast.room.clone();
    let echo = state.echo(line.id, line.facts.from, &line.text);
    let (id, jid) = echo.map_or((None, None), |echo| {
        (echo.id.clone(), Some(echo.jid.clone()))
    });
    let speaker = jid.and_then(|jid| state.occupants.get(&jid));
    let nick = match speaker {
        Some(one) => one.nick.clone(),
        None => state.nick_of(door, &speech.speaker),
    };
    let copies = Copies::of(&stanza(&room, &nick, id.as_deref(), line));
    let Some(game) = state.group(side).game.clone() else {
        return;
    };
    let (hears, is_over) = (
        Policies::of(game.terms().room).hears,
        game.ending().is_some(),
    );
    for one in state.occupants.iter_mut() {
        let viewer = ViewerFacts {
            who: Some(one.who),
            role: one.standing.role,
        };
        if Group::of(one) == side
            && !one.read.contains(&line.id)
            && !speech.is_kept_from(viewer.who)
            && hears(&line.facts, &viewer, is_over)
        {
            one.send(door, copies.to(&one.jid), Some(line.id), None);
        }
    }
    state.group(side).has_told(line.id, true);
}

/// Tells a group the lines that it was not told in their turn: because they were lost, or
/// because players may know them only now. `was_over`: whether they knew before that the
/// game is over.
pub(super) async fn catch_up(door: &Door, hall: &Arc<Hall>, side: Group, was_over: bool) {
    // How far they all were: what one of them is told now the others were not.
    let (game, last) = {
        let state = &mut *hall.state();
        let group = state.group(side);
        let last = group.chat.map(|line| LastRead {
            line,
            has_seen_end: Some(was_over),
            observed: None,
        });
        (group.game.clone(), last)
    };
    let Some(game) = game else { return };
    for viewer in viewers(hall, side) {
        // Nothing is lost because the store cannot say just now.
        let (said, blockers) = loop {
            match read_with_blockers(door, hall, &game, &viewer, last).await {
                Ok(read) => break read,
                Err(_) => sleep(AGAIN).await,
            }
        };
        let state = &mut *hall.state();
        for said in &said {
            tell_late(door, state, side, &viewer, said, &blockers);
        }
    }
}

/// For whom the past is read: for each player, and once for all who watch.
fn viewers(hall: &Hall, side: Group) -> Vec<ViewerFacts> {
    if side == Group::Watchers {
        return vec![ViewerFacts {
            who: None,
            role: Role::Observer,
        }];
    }
    let state = hall.state();
    let players = state.occupants.iter().filter(|one| Group::of(one) == side);
    let mut players: Vec<PlayerId> = players.map(|one| one.who).collect();
    players.sort_unstable();
    players.dedup();
    let facts = |who| ViewerFacts {
        who: Some(who),
        role: Role::Player,
    };
    players.into_iter().map(facts).collect()
}

/// Who does not want to hear whom.
type Blockers = HashMap<PlayerId, Vec<PlayerId>>;

async fn read_with_blockers(
    door: &Door,
    hall: &Hall,
    game: &Arc<Game>,
    viewer: &ViewerFacts,
    last: Option<LastRead>,
) -> Result<(Vec<Said>, Blockers), Problem> {
    let said = read_on(door, hall, game, viewer, last).await?;
    let blockers = blockers(door, &said).await?;
    Ok((said, blockers))
}

async fn blockers(door: &Door, said: &[Said]) -> Result<Blockers, Problem> {
    let mut all = HashMap::new();
    for said in said {
        let speaker = said.line.facts.from;
        if !all.contains_key(&speaker) && !said.line.facts.is_notice {
            let blockers = door.app.store.blockers_of(speaker).await?;
            all.insert(speaker, blockers);
        }
    }
    Ok(all)
}

fn tell_late(
    door: &Door,
    state: &mut State,
    side: Group,
    viewer: &ViewerFacts,
    said: &Said,
    blockers: &Blockers,
) {
    let line = said.line.id;
    let copies = Copies::of(&said.stanza(&state.cast.room));
    let blockers = blockers.get(&said.line.facts.from);
    for one in state.occupants.iter_mut() {
        let is_meant = Group::of(one) == side && viewer.who.is_none_or(|who| who == one.who);
        let is_blocked = blockers.is_some_and(|all| all.contains(&one.who));
        // What they heard while they still watched was not kept from them.
        let is_known = one.read.contains(&line) || one.observed.is_some_and(|last| line <= last);
        if is_meant && !is_blocked && !is_known {
            one.send(door, copies.to(&one.jid), Some(line), None);
        }
    }
    state.group(side).has_told(line, false);
}

#[cfg(test)]
mod tests {
    use chess::Timestamp;
    use live::room::ChatId;
    use live::room::policy::LineFacts;
    use proptest::prelude::*;

    use super::*;
    use crate::doors::xmpp::stream::{Heard, Reader};

    const HEAD: &str = "<stream:stream xmlns='jabber:component:accept' \
        xmlns:stream='http://etherx.jabber.org/streams' id='7f'>";

    fn line(role: Role, audience: Audience, text: &str) -> Line {
        Line {
            id: ChatId::first_at(Timestamp(1)),
            at: Timestamp(0),
            facts: LineFacts {
                from: PlayerId::new(1).expect("not zero"),
                role,
                audience,
                is_notice: false,
            },
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_line_is_told_with_its_id_and_later_with_its_time() {
        let said = line(Role::Player, Audience::Room, "Good luck!");
        assert_eq!(
            stanza("1@g", "jack", Some("t1"), &said).write(),
            "<message from='1@g/jack' type='groupchat' id='t1'><body>Good luck!</body></message>"
        );
        let late = Said {
            line: line(Role::Player, Audience::Observers, "psst"),
            nick: "jack".into(),
        };
        assert_eq!(
            late.stanza("1@g").write(),
            "<message from='1@g/jack' type='groupchat'><body>psst</body>\
             <banter xmlns='http://onlinegamegroup.com/xml/chesspark-01'/>\
             <delay xmlns='urn:xmpp:delay' from='1@g' stamp='1970-01-01T00:00:00.000Z'/></message>"
        );
        let watcher = line(Role::Observer, Audience::Observers, "hm");
        assert!(
            stanza("1@g", "ann", None, &watcher)
                .get("banter", GAME)
                .is_none()
        );
    }

    /// What the XMPP server reads of what is written.
    fn read(written: &str) -> Element {
        let all = format!("{HEAD}{written}");
        let (mut reader, mut bytes) = (Reader::default(), all.as_bytes());
        reader.read(&mut bytes).expect("the head");
        match reader.read(&mut bytes) {
            Ok(Some(Heard::Stanza(stanza, None))) => stanza,
            other => panic!("{written}: {other:?}"),
        }
    }

    fn is_known(c: char) -> bool {
        !matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
    }

    proptest! {
        #[test]
        fn whoever_speaks_whatever_is_said_is_one_stanza(
            nick in any::<String>(),
            to in any::<String>(),
            id in any::<String>(),
            text in any::<String>(),
        ) {
            let said = line(Role::Player, Audience::Room, &text);
            let copies = Copies::of(&stanza("1@g", &nick, Some(&id), &said));
            let heard = read(&copies.to(&to));
            let known = |text: &str| text.chars().filter(|c| is_known(*c)).collect::<String>();
            prop_assert_eq!(heard.attr("from"), Some(&*known(&format!("1@g/{nick}"))));
            prop_assert_eq!(heard.attr("to"), Some(&*known(&to)));
            prop_assert_eq!(heard.attr("id"), Some(&*known(&id)));
            let children: Vec<&Element> = heard.elements().collect();
            prop_assert_eq!(children.len(), 1);
            prop_assert_eq!(children[0].words(), known(&text));
        }
    }
}
