//! What pieces can do once, one file each. A new skill is one more file here
//! and one more line in [`SKILLS`].

mod deadeye;
mod knightfall;
mod shadowstep;

use std::fmt;

use super::{Board, Square};

/// All skills. The place in this list is what stored matches say, so a new one
/// goes to the end and none is ever taken out.
pub static SKILLS: [&dyn Skill; 3] = [
    &shadowstep::Shadowstep,
    &knightfall::Knightfall,
    &deadeye::Deadeye,
];

/// The skill with that id.
pub fn skill(id: &str) -> Option<&'static dyn Skill> {
    SKILLS.into_iter().find(|known| known.id() == id)
}

/// A way to capture, besides those of the piece that has it. What holds for
/// every skill is not asked here: the target is an enemy piece but no king,
/// the piece moves to its square, once, and its own king must be safe then.
pub trait Skill: Sync {
    /// The `skillID` on the wire.
    fn id(&self) -> &'static str;

    /// Whether a piece on `from` gets at one on `to`.
    fn reaches(&self, board: &Board, from: Square, to: Square) -> bool;
}

impl PartialEq for dyn Skill + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for dyn Skill + '_ {}

impl fmt::Debug for dyn Skill + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_skill_is_found_by_its_id() {
        for known in SKILLS {
            assert_eq!(skill(known.id()), Some(known));
        }
        assert_eq!(skill("fireball"), None);
    }
}
