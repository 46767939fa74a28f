//! How many games somebody has played, counted or not.

use chess::Timestamp;
use chess::table::PlayerId;

use crate::list_sql::Dialect;

/// Whose games are counted: those that anybody may see, and that everybody may know by
/// then to be over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedQuery {
    /// Of these rules.
    pub kind: u8,
    /// Whose.
    pub player: PlayerId,
    /// Known to be over at this moment.
    pub known_at: Timestamp,
    /// Only those against this one.
    pub against: Option<PlayerId>,
}

/// Somebody's finished games of one variant and speed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Played {
    /// The variant's name.
    pub variant: String,
    /// The speed's name.
    pub speed: String,
    /// Whether they counted.
    pub rated: bool,
    /// All of them.
    pub games: u32,
    /// Those that were won.
    pub wins: u32,
    /// Those that nobody won.
    pub draws: u32,
}

/// The text of the question. Its parameters: 1 the player, 2 the kind, 3 the moment, 4 the
/// opponent.
pub(crate) fn sql(dialect: Dialect) -> String {
    dialect.say(
        "SELECT t.variant, t.speed, t.rated, count(*),
                sum(CASE WHEN t.result = CASE WHEN t.white = ?1 THEN 'white_wins'
                                              ELSE 'black_wins' END THEN 1 ELSE 0 END),
                sum(CASE WHEN t.result = 'draw' THEN 1 ELSE 0 END)
           FROM seats s CROSS JOIN tables t ON t.id = s.table_id
          WHERE s.player = ?1 AND s.over = TRUE AND s.sight IN (0, 1) AND s.seated
            AND t.kind = ?2 AND t.result <> 'aborted'
            AND t.ended_at + coalesce(t.delay_ms, 0) <= ?3
            AND (?4 IS NULL OR ?4 IN (t.white, t.black))
          GROUP BY t.variant, t.speed, t.rated
          ORDER BY t.variant, t.speed, t.rated",
    )
}
