//! What players decide about each other.

/// Whose challenges somebody takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accept {
    /// Everybody's.
    #[default]
    Everybody,
    /// Everybody's, if the game is rated.
    RatedOnly,
    /// Those of players whom they follow.
    Follows,
    /// Nobody's.
    Nobody,
}

impl Accept {
    const ALL: [Accept; 4] = [
        Accept::Everybody,
        Accept::RatedOnly,
        Accept::Follows,
        Accept::Nobody,
    ];

    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Accept::Everybody => "everybody",
            Accept::RatedOnly => "rated_only",
            Accept::Follows => "follows",
            Accept::Nobody => "nobody",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Accept> {
        Accept::ALL.into_iter().find(|some| some.name() == name)
    }
}

/// Which challenges somebody takes; by default all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChallengeRule {
    /// Whose.
    pub accept: Accept,
    /// The least that a challenger's rating must be.
    pub rating_min: Option<u32>,
    /// The most that it may be.
    pub rating_max: Option<u32>,
}
