//! Damage to the file itself, as a bad disk or a careless copy makes it.

use rusqlite::Connection;

/// A first byte of a page that has other pages below it.
const INTERIOR: u8 = 5;

/// Where the middle of a file is, between two pages.
pub(super) fn middle(bytes: &[u8]) -> usize {
    let size = page_size(bytes);
    bytes.len() / size / 2 * size
}

/// Loses an index: its page is all zeros.
pub(super) fn blank_index(db: &Connection, bytes: &mut [u8]) {
    page(bytes, root(db, "tables_by_variant")).fill(0);
}

/// Loses a page of rows, but not the others.
pub(super) fn blank_rows(db: &Connection, bytes: &mut [u8]) {
    let leaf = first_leaf(db, bytes);
    page(bytes, leaf).fill(0);
}

/// Loses a page of rows, and the index that knows their ids.
pub(super) fn blank_rows_and_index(db: &Connection, bytes: &mut [u8]) {
    blank_rows(db, bytes);
    page(bytes, root(db, "tables_by_state")).fill(0);
}

/// Writes over the middle of a page of rows.
pub(super) fn overwrite_rows(db: &Connection, bytes: &mut [u8]) {
    let leaf = first_leaf(db, bytes);
    let page = page(bytes, leaf);
    let middle = page.len() / 2;
    page[middle..].fill(0xAA);
}

/// Writes over a page of chat.
pub(super) fn overwrite_chat(db: &Connection, bytes: &mut [u8]) {
    page(bytes, root(db, "chat")).fill(0xAA);
}

/// Writes over the journal.
pub(super) fn overwrite_journal(db: &Connection, bytes: &mut [u8]) {
    page(bytes, root(db, "journal")).fill(0xAA);
}

/// Says that there are more free pages than there are, and a page that is none where they begin.
pub(super) fn misstate_free_pages(_: &Connection, bytes: &mut [u8]) {
    let free = u32::from_be_bytes([bytes[36], bytes[37], bytes[38], bytes[39]]);
    bytes[32..36].copy_from_slice(&2_u32.to_be_bytes());
    bytes[36..40].copy_from_slice(&(free + 7).to_be_bytes());
}

/// Writes over the first bytes of the file.
pub(super) fn overwrite_head(_: &Connection, bytes: &mut [u8]) {
    bytes[..100].fill(0xAA);
}

/// Writes over the part of the first page that declares the tables.
pub(super) fn overwrite_schema(_: &Connection, bytes: &mut [u8]) {
    bytes[100..108].fill(0xAA);
}

fn page_size(bytes: &[u8]) -> usize {
    usize::from(u16::from_be_bytes([bytes[16], bytes[17]]))
}

/// The page with that number; the first is 1.
fn page(bytes: &mut [u8], number: usize) -> &mut [u8] {
    let size = page_size(bytes);
    &mut bytes[(number - 1) * size..number * size]
}

/// Where a table or an index begins.
fn root(db: &Connection, name: &str) -> usize {
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let page: u32 = db
        .query_row(sql, (name,), |r| r.get(0))
        .expect("it has a page");
    page as usize
}

/// The first page that has tables' rows on it; there must be others.
fn first_leaf(db: &Connection, bytes: &mut [u8]) -> usize {
    let mut number = root(db, "tables");
    assert_eq!(
        page(bytes, number)[0],
        INTERIOR,
        "there are too few tables for several pages"
    );
    while page(bytes, number)[0] == INTERIOR {
        let page = page(bytes, number);
        let cell = usize::from(u16::from_be_bytes([page[12], page[13]]));
        let child = [page[cell], page[cell + 1], page[cell + 2], page[cell + 3]];
        number = u32::from_be_bytes(child) as usize;
    }
    number
}
