//! What somebody is in a room, in the words of multi-user chat.

use chess::game::Game;
use chess::table::PlayerId;
use live::room::{Policies, Role};

use crate::auth::Caller;
use crate::play::room::role_in;

/// What somebody is in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    /// What they are around the game.
    pub(super) role: Role,
    /// Whether they may speak.
    pub(super) may_speak: bool,
    /// Whether they made the game: they may silence and remove others.
    pub(super) is_creator: bool,
}

impl Standing {
    /// What the caller is around that game, unless they were silenced.
    pub(super) fn of(game: &Game, caller: &Caller) -> Standing {
        let role = role_in(game, Some(caller));
        Standing::with(game, role, caller.number())
    }

    /// What a player of that game is.
    pub(super) fn of_player(game: &Game, player: PlayerId) -> Standing {
        Standing::with(game, Role::Player, player)
    }

    fn with(game: &Game, role: Role, who: PlayerId) -> Standing {
        Standing {
            role,
            may_speak: (Policies::of(game.terms().room).speaks)(role),
            is_creator: game.creator() == who,
        }
    }

    /// The same, silenced or not.
    #[must_use]
    pub(super) fn muted(self, is_muted: bool, game: &Game) -> Standing {
        let speaks = Policies::of(game.terms().room).speaks;
        Standing {
            may_speak: !is_muted && speaks(self.role),
            ..self
        }
    }

    /// The role that every client knows: those who may keep order are moderators to it, or
    /// it would not offer them to.
    pub(super) fn muc_role(&self) -> &'static str {
        match self.role {
            Role::Moderator => "moderator",
            Role::Player | Role::Observer if self.is_creator => "moderator",
            Role::Player | Role::Observer if self.may_speak => "participant",
            Role::Player | Role::Observer => "visitor",
        }
    }

    /// What they are to the room, whether they are there or not.
    pub(super) fn affiliation(&self) -> &'static str {
        match self.role {
            Role::Moderator => "admin",
            Role::Player => "member",
            Role::Observer => "none",
        }
    }

    /// Whether they sit at the board.
    pub(super) fn is_player(&self) -> bool {
        self.role == Role::Player
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_understands_what_somebody_is() {
        // role, may speak, made the game; role, affiliation
        for (role, may_speak, is_creator, expected) in [
            (Role::Player, true, false, ("participant", "member")),
            (Role::Player, false, false, ("visitor", "member")),
            (Role::Player, true, true, ("moderator", "member")),
            (Role::Observer, true, false, ("participant", "none")),
            (Role::Observer, false, false, ("visitor", "none")),
            (Role::Observer, true, true, ("moderator", "none")),
            (Role::Moderator, true, false, ("moderator", "admin")),
            (Role::Moderator, false, false, ("moderator", "admin")),
        ] {
            let standing = Standing {
                role,
                may_speak,
                is_creator,
            };
            let muc = (standing.muc_role(), standing.affiliation());
            assert_eq!(muc, expected, "{standing:?}");
        }
    }
}
