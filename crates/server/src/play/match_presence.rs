//! Who of a match's guests is there.

use chess::skill::Match;
use chess::table::PlayerId;
use chess::{ByColor, Millis, Timestamp};
use store::TableId;

use super::App;

/// How long a guest without a stream counts as there after a request.
pub(crate) const GRACE: Millis = Millis::from_secs(30);

/// Who is there now; an empty seat is nobody's.
pub(crate) fn of(app: &App, id: TableId, played: &Match) -> ByColor<bool> {
    played
        .seats()
        .map(|seat| seat.is_some_and(|player| is_here(app, id, player)))
}

/// With a stream, or a moment after a request; but not after having left.
pub(crate) fn is_here(app: &App, id: TableId, player: PlayerId) -> bool {
    match app.matches.seen(id, player) {
        Some(seen) if seen.is_streaming => true,
        Some(seen) => seen.last <= seen.request && app.now().since(seen.request) < GRACE,
        None => app.rooms.all().is_here(id, player),
    }
}

/// When one of them will be gone just because time passes, if nothing else
/// happens before.
pub(crate) fn ends_at(app: &App, id: TableId, played: &Match) -> Option<Timestamp> {
    let grace_of = |player| {
        let seen = app.matches.seen(id, player)?;
        let is_by_request = !seen.is_streaming && seen.last <= seen.request;
        is_by_request.then(|| seen.request + GRACE)
    };
    let now = app.now();
    let ends = played.seats().into_iter().flatten().filter_map(grace_of);
    ends.filter(|at| *at > now).min()
}
