//! A database of which something cannot be written.

use super::*;

#[test]
fn a_row_that_is_written_in_part_costs_its_transaction_and_then_only_itself() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    let damage = "CREATE TRIGGER damage BEFORE INSERT ON seats WHEN NEW.table_id = 2
                  BEGIN SELECT RAISE(ABORT, 'damaged'); END";
    told(|done| sqlite.write_then(move |db| Ok(db.execute_batch(damage)?), done)).unwrap();
    let first = told(|done| sqlite.commit(created(2), done));
    assert!(matches!(first, Err(Error::Unavailable(_))), "{first:?}");
    told(|done| sqlite.commit(created(1), done)).unwrap();
    for _ in 0..2 {
        let again = told(|done| sqlite.commit(created(2), done));
        assert!(matches!(again, Err(Error::Corrupt(_))), "{again:?}");
    }
    told(|done| sqlite.commit(created(3), done)).unwrap();
    assert_eq!(count(&sqlite, "SELECT count(*) FROM tables"), 2);
}
