//! Who is in a room by this door.

use std::collections::{BTreeMap, HashMap};

use chess::table::PlayerId;
use live::room::ChatId;

use super::nick::folded;
use super::standing::Standing;

/// With more occupants only the players' presence is told, and one's own.
const ANNOUNCED_MAX: usize = 100;

/// Somebody with one client in the room. `H` is what keeps them there.
pub(super) struct Occupant<H> {
    /// Their full JID.
    pub(super) jid: String,
    /// The same without the resource.
    pub(super) bare: String,
    pub(super) nick: String,
    /// What players know them by who may not know the nickname.
    pub(super) plain_name: String,
    pub(super) who: PlayerId,
    pub(super) title: Option<String>,
    pub(super) standing: Standing,
    /// Whether they were silenced.
    pub(super) is_muted: bool,
    /// Whether others were told that they are there.
    pub(super) is_announced: bool,
    /// The version up to which they were told of the game.
    pub(super) version: u32,
    /// The lines that they had read, or chosen not to, when they came.
    pub(super) read: Vec<ChatId>,
    /// Up to which line they heard everything as one who watched, if they did before they
    /// sat down.
    pub(super) observed: Option<ChatId>,
    /// What happens while they are being told how things stand: it comes after that.
    pub(super) waiting: Option<Vec<Waiting>>,
    pub(super) hold: H,
}

/// A stanza that has to wait.
pub(super) struct Waiting {
    /// The line of chat that it is.
    pub(super) line: Option<ChatId>,
    /// The version that it tells of.
    pub(super) version: Option<u32>,
    pub(super) text: String,
}

/// All of them, in the order in which they came.
pub(super) struct Occupants<H> {
    all: BTreeMap<u64, Occupant<H>>,
    by_jid: HashMap<String, u64>,
    /// Who is called what, and by how many clients.
    nicks: HashMap<String, Named>,
    next: u64,
}

struct Named {
    bare: String,
    clients: usize,
}

impl<H> Default for Occupants<H> {
    fn default() -> Occupants<H> {
        Occupants {
            all: BTreeMap::new(),
            by_jid: HashMap::new(),
            nicks: HashMap::new(),
            next: 0,
        }
    }
}

impl<H> Occupants<H> {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Occupant<H>> {
        self.all.values()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Occupant<H>> {
        self.all.values_mut()
    }

    pub(super) fn get(&self, jid: &str) -> Option<&Occupant<H>> {
        self.all.get(self.by_jid.get(jid)?)
    }

    /// Anybody who is called so.
    pub(super) fn named(&self, nick: &str) -> Option<&Occupant<H>> {
        self.nicks.get(&folded(nick))?;
        let folded_nick = folded(nick);
        self.iter().find(|one| folded(&one.nick) == folded_nick)
    }

    /// Whether somebody else than that bare JID is called so.
    pub(super) fn is_taken(&self, nick: &str, bare: &str) -> bool {
        let named = self.nicks.get(&folded(nick));
        named.is_some_and(|named| named.bare != bare)
    }

    pub(super) fn get_mut(&mut self, jid: &str) -> Option<&mut Occupant<H>> {
        self.all.get_mut(self.by_jid.get(jid)?)
    }

    /// The clients of that account.
    pub(super) fn of(&self, who: PlayerId) -> impl Iterator<Item = &Occupant<H>> {
        self.iter().filter(move |one| one.who == who)
    }

    /// Whether one more who comes now is told of to others, and told of others.
    pub(super) fn announces(&self, standing: &Standing) -> bool {
        standing.is_player() || self.len() < ANNOUNCED_MAX
    }

    /// Somebody comes in; whoever had the same full JID must have left.
    pub(super) fn insert(&mut self, occupant: Occupant<H>) {
        self.name(&occupant.nick, &occupant.bare);
        self.by_jid.insert(occupant.jid.clone(), self.next);
        self.all.insert(self.next, occupant);
        self.next += 1;
    }

    /// Somebody leaves, and whether nobody is called like them any more.
    pub(super) fn remove(&mut self, jid: &str) -> Option<(Occupant<H>, bool)> {
        let number = self.by_jid.remove(jid)?;
        let occupant = self.all.remove(&number)?;
        let is_last = self.unname(&occupant.nick);
        Some((occupant, is_last))
    }

    /// Calls a client by another name. Whether nobody is called by the old one any more.
    pub(super) fn rename(&mut self, jid: &str, nick: &str) -> bool {
        let number = self.by_jid.get(jid).copied();
        let Some(occupant) = number.and_then(|number| self.all.get_mut(&number)) else {
            return false;
        };
        let old = std::mem::replace(&mut occupant.nick, nick.to_owned());
        let bare = occupant.bare.clone();
        self.name(nick, &bare);
        self.unname(&old)
    }

    fn name(&mut self, nick: &str, bare: &str) {
        let named = self.nicks.entry(folded(nick)).or_insert_with(|| Named {
            bare: bare.to_owned(),
            clients: 0,
        });
        named.clients += 1;
    }

    fn unname(&mut self, nick: &str) -> bool {
        let folded = folded(nick);
        let Some(named) = self.nicks.get_mut(&folded) else {
            return true;
        };
        named.clients -= 1;
        let is_last = named.clients == 0;
        if is_last {
            self.nicks.remove(&folded);
        }
        is_last
    }
}

#[cfg(test)]
mod tests {
    use live::room::Role;

    use super::*;

    fn standing(role: Role) -> Standing {
        Standing {
            role,
            may_speak: true,
            is_creator: false,
        }
    }

    fn client(bare: &str, resource: usize, nick: &str) -> Occupant<()> {
        let jid = format!("{bare}/{resource}");
        Occupant {
            jid,
            bare: bare.to_owned(),
            nick: nick.to_owned(),
            plain_name: bare.to_owned(),
            who: PlayerId::new(1).expect("not zero"),
            title: None,
            standing: standing(Role::Observer),
            is_muted: false,
            is_announced: true,
            version: 0,
            read: Vec::new(),
            observed: None,
            waiting: None,
            hold: (),
        }
    }

    #[test]
    fn a_name_belongs_to_one_person_with_as_many_clients_as_they_like() {
        let mut all = Occupants::default();
        all.insert(client("ann@x", 1, "Ann"));
        all.insert(client("ann@x", 2, "Ann"));
        assert!(all.is_taken("ANN", "bob@x") && !all.is_taken("Ann", "ann@x"));
        assert!(!all.is_taken("Bob", "bob@x"));
        assert_eq!(all.remove("ann@x/1").map(|(_, last)| last), Some(false));
        assert!(all.remove("ann@x/1").is_none());
        assert_eq!(all.named("ann").expect("is here").jid, "ann@x/2");
        assert_eq!(all.remove("ann@x/2").map(|(_, last)| last), Some(true));
        assert!(!all.is_taken("Ann", "bob@x") && all.is_empty());
    }

    #[test]
    fn another_name_sets_the_old_one_free() {
        let mut all = Occupants::default();
        all.insert(client("ann@x", 1, "Ann"));
        assert!(all.rename("ann@x/1", "Anna"));
        assert!(all.is_taken("anna", "bob@x") && !all.is_taken("ann", "bob@x"));
        assert!(
            !all.rename("ann@x/1", "anna"),
            "it is the same name, spelt anew"
        );
        assert!(all.is_taken("Anna", "bob@x"));
        assert!(!all.rename("bob@x/1", "Bob"));
        assert!(!all.is_taken("Bob", "ann@x"), "nobody of that JID is here");
    }

    #[test]
    fn of_a_crowd_only_players_are_told() {
        let mut all = Occupants::default();
        for n in 0..ANNOUNCED_MAX {
            assert!(all.announces(&standing(Role::Observer)));
            all.insert(client("ann@x", n, "Ann"));
        }
        assert!(!all.announces(&standing(Role::Observer)));
        assert!(all.announces(&standing(Role::Player)));
    }
}
