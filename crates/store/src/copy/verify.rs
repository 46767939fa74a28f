//! Whether what was copied is what is there.

use super::run::{Copy, both, key};
use super::{CopyReport, Kind, Record};
use crate::Error;

/// So many differences are told one by one.
const TOLD_MAX: usize = 20;

impl Copy<'_> {
    /// Compares everything of one kind, page by page in the order of the keys.
    pub(super) async fn compare(
        &mut self,
        kind: &'static Kind,
        count: u64,
        report: &mut CopyReport,
    ) -> Result<(), Error> {
        self.tell(kind, true);
        let copied = self.to.count(kind).await?;
        if copied != count {
            report.tell(format!(
                "{}: {count} in the source, {copied} in the target",
                kind.name
            ));
        }
        let mut after: Option<Record> = None;
        loop {
            let (here, there) = both(
                self.from.read(kind, after.clone()),
                self.to.read(kind, after.take()),
            )
            .await;
            let (here, there) = (here?, there?);
            if here != there {
                report.differ(kind, &here, &there);
            }
            self.done += here.len() as u64;
            self.tell(kind, true);
            match here.last() {
                Some(last) if here.len() >= kind.page as usize => after = Some(key(kind, last)),
                _ => return Ok(()),
            }
        }
    }
}

impl CopyReport {
    fn tell(&mut self, what: String) {
        self.wrong += 1;
        if self.differences.len() < TOLD_MAX {
            self.differences.push(what);
        }
    }

    /// Tells which rows of two pages differ, by their keys.
    fn differ(&mut self, kind: &Kind, here: &[Record], there: &[Record]) {
        let find = |rows: &[Record], wanted: &Record| {
            rows.iter()
                .find(|row| row[..kind.key] == wanted[..kind.key])
                .cloned()
        };
        for row in here {
            match find(there, row) {
                None => self.tell(format!("{} {}: is missing", kind.name, name(kind, row))),
                Some(copy) if copy == *row => {}
                Some(copy) => {
                    let columns = kind.columns.iter().zip(row.iter().zip(&copy));
                    let wrong: Vec<String> = columns
                        .filter(|(_, (right, copied))| right != copied)
                        .map(|((column, _), (right, copied))| {
                            format!("{column} is {copied}, not {right}")
                        })
                        .collect();
                    self.tell(format!(
                        "{} {}: {}",
                        kind.name,
                        name(kind, row),
                        wrong.join(", ")
                    ));
                }
            }
        }
        for row in there.iter().filter(|row| find(here, row).is_none()) {
            self.tell(format!(
                "{} {}: is not in the source",
                kind.name,
                name(kind, row)
            ));
        }
    }
}

/// A row by its key.
fn name(kind: &Kind, row: &Record) -> String {
    let key: Vec<String> = row[..kind.key]
        .iter()
        .map(|value| value.to_string())
        .collect();
    key.join(" ")
}
