//! Lists are answered without bringing tables into memory.

use chess::table::Table;
use live::{Limits, Listed};
use store::ListQuery;

use crate::host::{Host, at_once, memory, row_of, table};
use crate::race::Race;

fn page(host: &Host, limit: u32) -> Vec<Listed<Race>> {
    at_once(host.live.list(ListQuery {
        limit,
        ..ListQuery::default()
    }))
}

fn totals(page: &[Listed<Race>]) -> Vec<Option<u32>> {
    page.iter()
        .map(|listed| listed.table.as_ref().map(|race| race.total))
        .collect()
}

#[test]
fn a_list_shows_what_is_newest_in_memory_or_not() {
    let (store, _control) = memory();
    let limits = Limits {
        resident_max: 1,
        ..Limits::default()
    };
    let host = Host::start_with(&store, 1_000, limits);
    for id in 1..=3 {
        host.create(id).unwrap();
        host.add(id, 1, id as u32).unwrap();
    }
    // Rows are behind: of one that is in memory, and of two that are not.
    assert_eq!(host.live.evict(), 2);
    assert_eq!(totals(&page(&host, 9)), [Some(3), Some(2), Some(1)]);
    assert_eq!(totals(&page(&host, 2)), [Some(3), Some(2)]);
    assert_eq!(host.live.stats().resident, 1, "nothing came for it");
}

#[test]
fn a_damaged_table_is_left_out_and_counted() {
    let (store, _control) = memory();
    let host = Host::start(&store, 1_000);
    for id in 1..=3 {
        host.create(id).unwrap();
    }
    let rows = at_once(store.each_table(None, 9));
    let race = Race::restore(rows[1].kind, &rows[1].history);
    let mut wrong = row_of(table(2), &race.unwrap().unwrap());
    wrong.history.truncate(5);
    at_once(store.replace_row(wrong));
    let again = Host::start(&store, 2_000);
    let page = page(&again, 9);
    assert_eq!(totals(&page)[..], [Some(0), None, Some(0)]);
    assert_eq!(
        page[1].place.table,
        table(2),
        "the next page may begin there"
    );
    assert_eq!(again.live.stats().unlisted, 1);
}
