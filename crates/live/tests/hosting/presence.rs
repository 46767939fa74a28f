//! Who was at a table is known though the table is not, or has just been read again.

use std::sync::Arc;

use chess::Timestamp;
use chess::table::PlayerId;
use live::{Changed, Handles, Limits, Live, Surroundings};
use store::TableId;

use crate::conflicts::{begun, elsewhere};
use crate::host::{at_once, memory, player, table};
use crate::race::Race;

#[test]
fn who_left_is_remembered_though_somebody_else_changes_the_table() {
    let (_, control, host) = begun();
    host.at(5_000).live.left(table(7), player(2));
    let seen = || host.live.seen(table(7), player(2)).map(|seen| seen.last);
    assert_eq!(seen(), Some(Timestamp(5_000)));
    elsewhere(&control, 0, 3);
    host.at(6_000).add(7, 1, 1).unwrap();
    assert_eq!(host.live.stats().conflicts, 1, "it was read again");
    assert_eq!(seen(), Some(Timestamp(5_000)));
}

struct Listening;

impl Surroundings<Race> for Listening {
    fn changed(&self, _: TableId, _: &Changed<Race>) {}
    fn is_here(&self, _: TableId, who: PlayerId) -> bool {
        who == player(1)
    }
}

#[test]
fn who_listens_is_there_though_the_table_is_not_in_memory() {
    let handles = Handles {
        store: memory().0,
        now: Arc::new(|| Timestamp(9_000)),
        around: Arc::new(Listening),
        member: None,
    };
    let live: Live<Race> = at_once(Live::start(handles, Limits::default()));
    let seen = live.seen(table(7), player(1));
    assert_eq!(seen.map(|seen| seen.last), Some(Timestamp(9_000)));
    assert_eq!(live.seen(table(7), player(2)), None);
}
