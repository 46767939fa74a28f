//! The draft: which pieces begin with which skills.

use super::{Refusal, Skill, Square};

/// The most skills that a player takes into a match.
pub const SKILLS_PER_PLAYER: usize = 2;

/// One player's part of the draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    selections: Vec<Selection>,
    locked: bool,
}

/// A skill and where the piece stands that is to have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The skill.
    pub skill: &'static dyn Skill,
    /// Where the piece stands.
    pub square: Square,
}

impl Draft {
    /// What is selected so far, earliest first.
    pub fn selections(&self) -> &[Selection] {
        &self.selections
    }

    /// Whether the player is done.
    pub fn is_locked(&self) -> bool {
        self.locked
    }

    /// Whether one more skill may be selected. A skill that is selected
    /// already must be taken back before another piece can have it.
    pub(super) fn may_add(&self, skill: &'static dyn Skill) -> Result<(), Refusal> {
        if self.selections.iter().any(|held| held.skill == skill) {
            Err(Refusal::DuplicateSkill)
        } else if self.selections.len() == SKILLS_PER_PLAYER {
            Err(Refusal::SkillLimit)
        } else {
            Ok(())
        }
    }

    pub(super) fn select(&mut self, skill: &'static dyn Skill, square: Option<Square>) {
        self.selections.retain(|held| held.skill != skill);
        self.selections
            .extend(square.map(|square| Selection { skill, square }));
    }

    pub(super) fn lock(&mut self) {
        self.locked = true;
    }
}
