//! Who of a match's guests is there.

use chess::skill::Match;
use chess::table::PlayerId;
use chess::{ByColor, Millis};
use store::TableId;

use crate::app::App;

/// How long a guest without a stream counts as there after a request.
const GRACE: Millis = Millis::from_secs(30);

/// Who is there now; an empty seat is nobody's.
pub(crate) fn of(app: &App, id: TableId, played: &Match) -> ByColor<bool> {
    played
        .seats()
        .map(|seat| seat.is_some_and(|player| is_here(app, id, player)))
}

/// With a stream, or a moment after a request; but not after having left.
fn is_here(app: &App, id: TableId, player: PlayerId) -> bool {
    match app.matches.seen(id, player) {
        Some(seen) if seen.is_streaming => true,
        Some(seen) => seen.last <= seen.request && app.now().since(seen.request) < GRACE,
        None => app.rooms.hub().is_here(id, player),
    }
}
