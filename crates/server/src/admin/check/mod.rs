//! Whether everything that is stored fits together.
//!
//! Games are replayed and compared with their rows. What refers to something
//! else, from seats to tokens, is looked at by the store, which has the SQL. A
//! check ends when it has seen everything: what it cannot read, it reports.

mod journal;
mod rows;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use chess::Timestamp;
use chess::table::Table;
use chess::tables::AnyTable;
use store::{Flaw, Inspector, Store, TableId};

pub use journal::journal;

/// What was found in one step of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Games looked at.
    pub checked: u64,
    /// What is not as it should be.
    pub differences: Vec<Difference>,
    /// Where to go on. `None`: that was all.
    pub next: Option<Place>,
}

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A game's id, `account 7`, `file`, ...
    pub about: String,
    /// What is wrong, for a person to read.
    pub what: String,
    /// Whether the row was written anew from the history.
    pub repaired: bool,
}

/// How far a check has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// At the first game.
    #[default]
    Start,
    /// After that game.
    Games(TableId),
    /// Beyond the games: at the first reference, or at the one the store named.
    References(Option<String>),
}

/// Looks at some of what is stored, beginning at `place`. With a store for
/// `repair`, rows are written anew from their histories, which are the truth.
/// `None` if there is no such place.
///
/// # Errors
/// Why the store cannot say.
pub async fn page(
    inspector: &Inspector,
    place: Place,
    limit: u32,
    repair: Option<&Store>,
    now: Timestamp,
) -> Result<Option<Findings>, store::Error> {
    let after = match place {
        Place::Start => None,
        Place::Games(last) => Some(last),
        Place::References(after) => {
            let page = inspector.references(after, limit, now).await?;
            return Ok(page.map(|page| Findings {
                checked: 0,
                differences: page.flaws.into_iter().map(Difference::from).collect(),
                next: page.next.map(|next| Place::References(Some(next))),
            }));
        }
    };
    rows::page(inspector, after, limit, repair).await.map(Some)
}

/// The table, by whichever rules it was played.
fn replayed(kind: u8, history: &[u8]) -> Result<AnyTable, String> {
    match AnyTable::restore(kind, history) {
        Some(table) => table.map_err(|corrupt| corrupt.to_string()),
        None => Err(format!("rules number {kind} are unknown")),
    }
}

impl From<Flaw> for Difference {
    fn from(flaw: Flaw) -> Difference {
        Difference {
            about: flaw.about,
            what: flaw.what,
            repaired: false,
        }
    }
}

/// What stands before a place beyond the games; no id has it.
const REFERENCES: &str = "~";

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Start => Ok(()),
            Place::Games(last) => last.fmt(f),
            Place::References(after) => {
                write!(f, "{REFERENCES}{}", after.as_deref().unwrap_or_default())
            }
        }
    }
}

impl FromStr for Place {
    type Err = store::BadTableId;

    fn from_str(text: &str) -> Result<Place, store::BadTableId> {
        Ok(match text.strip_prefix(REFERENCES) {
            Some("") => Place::References(None),
            Some(after) => Place::References(Some(after.to_owned())),
            None => Place::Games(text.parse()?),
        })
    }
}
