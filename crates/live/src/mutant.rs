//! Mistakes on purpose, to see that the simulator finds them.
//!
//! Without the feature `mutants`, which only `make sim-mutants` turns on, none
//! of them is ever made.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// A table that was loaded is forgotten as unread only after what waited
    /// for it was submitted, and nothing looks at the version it comes back
    /// with: how acknowledged moves were once lost.
    LostMoves,
    /// The same, with the version looked at: the table is set aside instead.
    LostMovesNoticed,
    /// Flags fall, and moves are late, while the store fails.
    ClocksRunOn,
    /// What a failing store cost the players is never given back.
    NoCredit,
}

impl Mutant {
    /// All of them.
    pub const ALL: [Mutant; 4] = [
        Mutant::LostMoves,
        Mutant::LostMovesNoticed,
        Mutant::ClocksRunOn,
        Mutant::NoCredit,
    ];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mutant::LostMoves => "lost-moves",
            Mutant::LostMovesNoticed => "lost-moves-noticed",
            Mutant::ClocksRunOn => "clocks-run-on",
            Mutant::NoCredit => "no-credit",
        }
    }

    /// The one of that name.
    pub fn by_name(name: &str) -> Option<Mutant> {
        Mutant::ALL.into_iter().find(|mutant| mutant.name() == name)
    }
}

#[cfg(feature = "mutants")]
mod chosen {
    use std::sync::OnceLock;

    use super::Mutant;

    static CHOSEN: OnceLock<Mutant> = OnceLock::new();

    impl Mutant {
        /// Makes this mistake from now on, in the whole process.
        ///
        /// # Panics
        /// If one was chosen before.
        pub fn choose(self) {
            CHOSEN.set(self).expect("one mutant per process");
        }

        pub(crate) fn is_chosen(self) -> bool {
            CHOSEN.get() == Some(&self)
        }
    }
}

#[cfg(not(feature = "mutants"))]
impl Mutant {
    pub(crate) const fn is_chosen(self) -> bool {
        false
    }
}
