//! The policies of a room: who may enter, what presence shows of someone, who
//! may speak, and who hears a line.
//!
//! Every door asks these functions and decides nothing of it by itself. The
//! terms of a game choose among them: [`Policies::of`].

use chess::game::{ChatRule, RoomTerms};
use chess::table::PlayerId;

/// What somebody is in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Sits at the table.
    Player,
    /// Watches.
    Observer,
    /// Watches, and may silence or remove others.
    Moderator,
}

impl Role {
    /// All there are.
    pub const ALL: [Role; 3] = [Role::Player, Role::Observer, Role::Moderator];

    /// Its name on the wire and in the store.
    pub fn name(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Observer => "observer",
            Role::Moderator => "moderator",
        }
    }

    /// The role with that name.
    pub fn named(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// Whom a line is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Everyone.
    Room,
    /// Those who watch; while the game lives, no player but the speaker.
    Observers,
}

impl Audience {
    /// Both.
    pub const ALL: [Audience; 2] = [Audience::Room, Audience::Observers];

    /// Its name on the wire and in the store.
    pub fn name(self) -> &'static str {
        match self {
            Audience::Room => "room",
            Audience::Observers => "observers",
        }
    }

    /// The audience with that name.
    pub fn named(name: &str) -> Option<Audience> {
        Audience::ALL.into_iter().find(|a| a.name() == name)
    }

    /// Whom a line of that role reaches, whatever audience was asked for.
    pub fn allowed(self, speaker: Role) -> Audience {
        match speaker {
            Role::Player => self,
            Role::Observer | Role::Moderator => Audience::Observers,
        }
    }
}

/// Somebody at the door of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// What they would be inside.
    pub role: Role,
    /// Whether their name was invited.
    pub is_invited: bool,
    /// Whether they are one of the server's members.
    pub is_member: bool,
    /// Whether they were removed from this room before.
    pub is_removed: bool,
}

/// What presence shows of someone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Name, title and whether they are online.
    ByName,
    /// One more among those who watch.
    Counted,
}

/// A line, as far as it matters who hears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineFacts {
    /// Who said it.
    pub from: PlayerId,
    /// What they were when they said it.
    pub role: Role,
    /// Whom it is meant for.
    pub audience: Audience,
    /// A moderator's word to everyone; the audit trail has it.
    pub is_notice: bool,
}

/// Somebody who would hear a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewerFacts {
    /// Who; `None` without an account.
    pub who: Option<PlayerId>,
    /// What they are in the room.
    pub role: Role,
}

/// The policies of a room.
#[derive(Clone, Copy, Debug)]
pub struct Policies {
    /// Whether somebody may enter a room, given whether it is private.
    pub admits: fn(is_private: bool, visitor: &Visitor) -> bool,
    /// What presence shows of somebody with that role, who may agree to be seen.
    pub shows: fn(role: Role, agrees: bool) -> Shown,
    /// Whether somebody with that role may speak.
    pub speaks: fn(role: Role) -> bool,
    /// Whether a viewer hears a line, given whether the game is over.
    pub hears: fn(line: &LineFacts, viewer: &ViewerFacts, is_over: bool) -> bool,
}

impl Default for Policies {
    fn default() -> Policies {
        Policies {
            admits,
            shows,
            speaks: |_| true,
            hears,
        }
    }
}

impl Policies {
    /// Those that a game's terms choose.
    pub fn of(room: RoomTerms) -> Policies {
        let mut policies = Policies::default();
        if room.members_only {
            policies.admits = admits_members;
            policies.shows = shows_members;
        }
        match room.chat {
            ChatRule::All => {}
            ChatRule::Players => policies.speaks = |role| role == Role::Player,
            ChatRule::Off => policies.speaks = |_| false,
        }
        policies
    }
}

/// A room for members: nobody else comes in by its being public.
pub fn admits_members(_: bool, visitor: &Visitor) -> bool {
    let belongs = Visitor {
        is_invited: visitor.is_invited || visitor.is_member,
        ..*visitor
    };
    admits(true, &belongs)
}

/// Among members nobody is a stranger: whoever is there is seen.
pub fn shows_members(_: Role, _: bool) -> Shown {
    Shown::ByName
}

/// A public room admits everyone, a private one its players, whom they invited,
/// and moderators. Neither admits someone who was removed.
pub fn admits(is_private: bool, visitor: &Visitor) -> bool {
    let belongs = visitor.is_invited || visitor.role != Role::Observer;
    !visitor.is_removed && (!is_private || belongs)
}

/// Players are shown by name. Who watches is nobody's business, a moderator
/// among them, unless they agree.
pub fn shows(role: Role, agrees: bool) -> Shown {
    match role {
        Role::Player => Shown::ByName,
        Role::Observer | Role::Moderator if agrees => Shown::ByName,
        Role::Observer | Role::Moderator => Shown::Counted,
    }
}

/// Who watches hears everything. A player hears what players say to the room,
/// their own words and notices; the rest when the game is over. So nobody can
/// help a player, and no player can be disturbed.
///
/// What an observer says is for observers even if the line claims otherwise.
fn hears(line: &LineFacts, viewer: &ViewerFacts, is_over: bool) -> bool {
    let is_notice = line.is_notice && line.role == Role::Moderator;
    let is_own = viewer.who == Some(line.from);
    let is_to_room = line.audience.allowed(line.role) == Audience::Room;
    viewer.role != Role::Player || is_over || is_notice || is_own || is_to_room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for role in Role::ALL {
            assert_eq!(Role::named(role.name()), Some(role));
        }
        for audience in Audience::ALL {
            assert_eq!(Audience::named(audience.name()), Some(audience));
        }
        assert_eq!(Role::named("Player"), None);
        assert_eq!(Audience::named(""), None);
    }

    #[test]
    fn who_may_enter() {
        // role, invited, removed; may enter a public room, a private one
        for (role, is_invited, is_removed, public, private) in [
            (Role::Player, false, false, true, true),
            (Role::Player, true, false, true, true),
            (Role::Observer, false, false, true, false),
            (Role::Observer, true, false, true, true),
            (Role::Moderator, false, false, true, true),
            (Role::Moderator, true, false, true, true),
            (Role::Player, false, true, false, false),
            (Role::Player, true, true, false, false),
            (Role::Observer, false, true, false, false),
            (Role::Observer, true, true, false, false),
            (Role::Moderator, false, true, false, false),
            (Role::Moderator, true, true, false, false),
        ] {
            let mut visitor = Visitor {
                role,
                is_invited,
                is_member: false,
                is_removed,
            };
            assert_eq!(admits(false, &visitor), public, "public: {visitor:?}");
            assert_eq!(admits(true, &visitor), private, "private: {visitor:?}");
            assert_eq!(admits_members(false, &visitor), private, "{visitor:?}");
            visitor.is_member = true;
            assert_eq!(admits(true, &visitor), private, "private: {visitor:?}");
            assert_eq!(admits_members(false, &visitor), public, "{visitor:?}");
        }
    }

    #[test]
    fn presence_names_players_only() {
        assert_eq!(shows(Role::Player, false), Shown::ByName);
        for role in [Role::Observer, Role::Moderator] {
            assert_eq!(shows(role, false), Shown::Counted);
            assert_eq!(shows(role, true), Shown::ByName);
            assert_eq!(shows_members(role, false), Shown::ByName);
        }
    }

    #[test]
    fn who_may_speak() {
        for (chat, speakers) in [
            (ChatRule::All, [true, true, true]),
            (ChatRule::Players, [true, false, false]),
            (ChatRule::Off, [false, false, false]),
        ] {
            let members_only = false;
            let policies = Policies::of(RoomTerms { chat, members_only });
            assert_eq!(Role::ALL.map(policies.speaks), speakers, "{chat:?}");
        }
    }

    /// Who hears a line while the game lives; afterwards everybody does.
    #[test]
    fn who_hears_a_line() {
        use Audience::{Observers, Room};
        use Role::{Moderator, Observer, Player};
        // role, audience, notice; heard by the speaker, the other players, those who watch
        for (role, audience, is_notice, [speaker, players, watchers]) in [
            (Player, Room, false, [true, true, true]),
            (Player, Observers, false, [true, false, true]),
            (Observer, Room, false, [true, false, true]),
            (Observer, Observers, false, [true, false, true]),
            (Moderator, Room, false, [true, false, true]),
            (Moderator, Observers, false, [true, false, true]),
            (Moderator, Room, true, [true, true, true]),
            (Moderator, Observers, true, [true, true, true]),
            // Only a moderator can give notice, whatever a line claims.
            (Player, Room, true, [true, true, true]),
            (Player, Observers, true, [true, false, true]),
            (Observer, Room, true, [true, false, true]),
            (Observer, Observers, true, [true, false, true]),
        ] {
            let from = PlayerId::new(1).unwrap();
            let line = LineFacts {
                from,
                role,
                audience,
                is_notice,
            };
            let viewers = [
                (Some(from), role, speaker),
                // Whoever spoke as an observer and then sat down knows their words.
                (Some(from), Player, speaker),
                (PlayerId::new(2), Player, players),
                (PlayerId::new(3), Observer, watchers),
                (PlayerId::new(4), Moderator, watchers),
                (None, Observer, watchers),
            ];
            for (who, role, expected) in viewers {
                let viewer = ViewerFacts { who, role };
                assert_eq!(
                    hears(&line, &viewer, false),
                    expected,
                    "{line:?} {viewer:?}"
                );
                assert!(hears(&line, &viewer, true), "over: {line:?} {viewer:?}");
            }
        }
    }
}
