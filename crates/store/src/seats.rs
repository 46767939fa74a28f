//! Whose a table is.

use chess::table::{PlayerId, State, Summary};

/// Who a table belongs to: creator, opponent, White, Black, each once, and
/// whether they sit there or were only asked to.
#[derive(PartialEq)]
pub(crate) struct Seats {
    pub(crate) over: bool,
    /// Whom lists show the table to.
    pub(crate) sight: u8,
    pub(crate) players: Vec<(PlayerId, bool)>,
}

impl Seats {
    pub(crate) fn of(s: &Summary) -> Seats {
        Seats::new(
            s.state == State::Completed,
            sight(s),
            [Some(s.creator), s.white, s.black],
            s.opponent,
        )
    }

    pub(crate) fn new(
        over: bool,
        sight: u8,
        seated: [Option<PlayerId>; 3],
        asked: Option<PlayerId>,
    ) -> Seats {
        let mut players: Vec<_> = seated.into_iter().flatten().map(|p| (p, true)).collect();
        players.extend(asked.map(|p| (p, false)));
        players.sort_by_key(|(player, is_seated)| (*player, !is_seated));
        players.dedup_by_key(|(player, _)| *player);
        Seats {
            over,
            sight,
            players,
        }
    }
}

/// The sight of a table that only those see who were invited.
pub(crate) const PRIVATE: u8 = 2;

/// Whom lists show a table to, as its row works it out too.
fn sight(s: &Summary) -> u8 {
    match (s.private, s.delay_ms) {
        (true, _) => PRIVATE,
        (false, 1..) => 1,
        (false, 0) => 0,
    }
}
