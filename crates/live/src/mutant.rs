//! Mistakes on purpose, to see that the simulator finds them.
//!
//! Without the feature `mutants`, which only `make sim-mutants` turns on, none
//! of them is ever made.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// The store gives tables back without what is in its journal alone, and
    /// nothing looks at the version they come back with: how acknowledged moves
    /// were once lost.
    LostMoves,
    /// The same, with the version looked at: the table is set aside instead.
    LostMovesNoticed,
    /// Flags fall, and moves are late, while the store fails.
    ClocksRunOn,
    /// What a failing store cost the players is never given back.
    NoCredit,
    /// News that found no place leave no mark on their room.
    QuietLoss,
    /// Nor do news whose telling failed.
    QuietFailure,
    /// News that could not be put into words are passed over.
    UnreadableSkipped,
    /// Rooms tell and subscribers take what comes, in whichever order.
    AnyOrder,
    /// Whoever comes to an empty room is never told what is still in the delay.
    ForgetsDelayed,
    /// A change that somebody else came before is not decided again.
    ConflictsFail,
    /// Refusals and players' own reads are answered from memory, though another
    /// node may have changed the table.
    StaleRefusals,
    /// The store makes a change whatever version the table has.
    NoVersionCondition,
    /// A change is told before it is durable.
    PublishedEarly,
    /// A room and its subscribers take what comes after the next for the next.
    SinceOffByOne,
    /// What an outage cost is given back twice.
    CreditTwice,
    /// Whether the one who waits for an opponent is there is decided by what this
    /// node alone knows.
    ExpiryOnAHint,
    /// And whether the opponent is there whose game is claimed.
    ClaimOnAHint,
    /// Tickets do not end with the game that was made of them.
    TicketsGoOn,
    /// The store makes the game of two who were paired, whatever has become of their
    /// tickets.
    PairsWhoever,
    /// The store does not see that somebody plays who wants to wait or was paired.
    ForgetsWhoPlays,
    /// The store rates an ending also if the change is refused.
    RatesRefused,
}

impl Mutant {
    /// All of them.
    pub const ALL: [Mutant; 21] = [
        Mutant::LostMoves,
        Mutant::LostMovesNoticed,
        Mutant::ClocksRunOn,
        Mutant::NoCredit,
        Mutant::QuietLoss,
        Mutant::QuietFailure,
        Mutant::UnreadableSkipped,
        Mutant::AnyOrder,
        Mutant::ForgetsDelayed,
        Mutant::ConflictsFail,
        Mutant::StaleRefusals,
        Mutant::NoVersionCondition,
        Mutant::PublishedEarly,
        Mutant::SinceOffByOne,
        Mutant::CreditTwice,
        Mutant::ExpiryOnAHint,
        Mutant::ClaimOnAHint,
        Mutant::TicketsGoOn,
        Mutant::PairsWhoever,
        Mutant::ForgetsWhoPlays,
        Mutant::RatesRefused,
    ];

    /// Whether it is a mistake that only several nodes can make.
    pub fn needs_several(self) -> bool {
        matches!(
            self,
            Mutant::StaleRefusals
                | Mutant::NoVersionCondition
                | Mutant::PublishedEarly
                | Mutant::SinceOffByOne
                | Mutant::CreditTwice
                | Mutant::ExpiryOnAHint
                | Mutant::ClaimOnAHint
        )
    }

    /// Whether it is a mistake about those who wait for an opponent, or about ratings.
    pub fn needs_pool(self) -> bool {
        matches!(
            self,
            Mutant::TicketsGoOn
                | Mutant::PairsWhoever
                | Mutant::ForgetsWhoPlays
                | Mutant::RatesRefused
        )
    }

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mutant::LostMoves => "lost-moves",
            Mutant::LostMovesNoticed => "lost-moves-noticed",
            Mutant::ClocksRunOn => "clocks-run-on",
            Mutant::NoCredit => "no-credit",
            Mutant::QuietLoss => "quiet-loss",
            Mutant::QuietFailure => "quiet-failure",
            Mutant::UnreadableSkipped => "unreadable-skipped",
            Mutant::AnyOrder => "any-order",
            Mutant::ForgetsDelayed => "forgets-delayed",
            Mutant::ConflictsFail => "conflicts-fail",
            Mutant::StaleRefusals => "stale-refusals",
            Mutant::NoVersionCondition => "no-version-condition",
            Mutant::PublishedEarly => "published-early",
            Mutant::SinceOffByOne => "since-off-by-one",
            Mutant::CreditTwice => "credit-twice",
            Mutant::ExpiryOnAHint => "expiry-on-a-hint",
            Mutant::ClaimOnAHint => "claim-on-a-hint",
            Mutant::TicketsGoOn => "tickets-go-on",
            Mutant::PairsWhoever => "pairs-whoever",
            Mutant::ForgetsWhoPlays => "forgets-who-plays",
            Mutant::RatesRefused => "rates-refused",
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

        /// Whether it is made.
        pub fn is_chosen(self) -> bool {
            CHOSEN.get() == Some(&self)
        }
    }
}

#[cfg(not(feature = "mutants"))]
impl Mutant {
    /// Whether it is made.
    pub const fn is_chosen(self) -> bool {
        false
    }
}
