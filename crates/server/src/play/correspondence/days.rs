//! How many days of each calendar year vacations take.

use std::collections::BTreeMap;

use chess::Timestamp;
use chess::pgn::{Date, Utc};

const DAY_MS: u64 = 86_400_000;

/// From when to when somebody was away.
pub(super) type Span = (Timestamp, Timestamp);

/// The days that these take of each year, in UTC. Every vacation counts whole days in each
/// year it touches, however short it was.
pub(super) fn taken(spans: impl IntoIterator<Item = Span>) -> BTreeMap<u32, u32> {
    let mut days = BTreeMap::new();
    for (began, ends) in spans {
        let mut from = began;
        loop {
            let year = year_of(from);
            let next = begin_of(year + 1);
            let until = ends.min(next).max(from);
            let whole = (until.0 - from.0).div_ceil(DAY_MS).max(1);
            *days.entry(year).or_default() += u32::try_from(whole).unwrap_or(u32::MAX);
            if ends <= next {
                break;
            }
            from = next;
        }
    }
    days
}

/// When that many days after a moment are over.
pub(super) fn after(from: Timestamp, days: u32) -> Timestamp {
    Timestamp(from.0.saturating_add(u64::from(days) * DAY_MS))
}

/// The latest end that takes no more days than this one. So there are no more ends to
/// choose from than days.
pub(super) fn whole((began, ends): Span) -> Timestamp {
    let year = year_of(ends);
    let from = began.max(begin_of(year));
    let days = ends.0.saturating_sub(from.0).div_ceil(DAY_MS);
    let whole = Timestamp(from.0.saturating_add(days.saturating_mul(DAY_MS)));
    whole.min(begin_of(year + 1))
}

/// The calendar year of a moment, in UTC.
pub(super) fn year_of(at: Timestamp) -> u32 {
    Utc::from(at).year
}

/// When a year begins; never, if that is farther than can be written.
pub(super) fn begin_of(year: u32) -> Timestamp {
    let date = Date::read(&format!("{year:04}-01-01"));
    let begin = date.and_then(|date| date.at("00:00:00"));
    begin.unwrap_or(Timestamp(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_time::read_rfc3339;

    fn at(text: &str) -> Timestamp {
        read_rfc3339(&format!("{text}Z")).expect("a time")
    }

    fn days(spans: &[(&str, &str)]) -> Vec<(u32, u32)> {
        let spans = spans.iter().map(|(from, to)| (at(from), at(to)));
        taken(spans).into_iter().collect()
    }

    #[test]
    fn a_part_of_a_day_is_a_day() {
        let noon = "2026-05-01T12:00:00";
        assert_eq!(days(&[(noon, "2026-05-08T12:00:00")]), [(2026, 7)]);
        assert_eq!(days(&[(noon, "2026-05-08T12:00:01")]), [(2026, 8)]);
        assert_eq!(days(&[(noon, "2026-05-01T12:00:01")]), [(2026, 1)]);
        assert_eq!(days(&[(noon, noon)]), [(2026, 1)]);
    }

    #[test]
    fn each_counts_however_often_one_comes_and_goes() {
        let again = [("2026-05-01T12:00:00", "2026-05-01T13:00:00"); 5];
        assert_eq!(days(&again), [(2026, 5)]);
    }

    #[test]
    fn a_vacation_over_new_year_takes_days_of_both() {
        let over = [("2026-12-30T00:00:00", "2027-01-02T06:00:00")];
        assert_eq!(days(&over), [(2026, 2), (2027, 2)]);
        let until = [("2026-12-30T00:00:00", "2027-01-01T00:00:00")];
        assert_eq!(days(&until), [(2026, 2)]);
    }

    #[test]
    fn an_end_is_as_late_as_the_days_it_takes_allow() {
        for (began, ends, latest) in [
            ("2026-05-01T12", "2026-05-01T12:00:01", "2026-05-02T12"),
            ("2026-05-01T12", "2026-05-02T12:00:00", "2026-05-02T12"),
            ("2026-05-01T12", "2026-05-02T12:00:01", "2026-05-03T12"),
            // No day of the next year is touched for it, and those of that are its own.
            ("2026-12-30T12", "2026-12-31T13:00:00", "2027-01-01T00"),
            ("2026-12-30T12", "2027-01-01T00:00:00", "2027-01-01T00"),
            ("2026-12-30T12", "2027-01-02T06:00:00", "2027-01-03T00"),
        ] {
            let hour = |text: &str| at(&format!("{text}:00:00"));
            let (began, ends, latest) = (hour(began), at(ends), hour(latest));
            assert_eq!(whole((began, ends)), latest, "{ends:?}");
            assert_eq!(taken([(began, ends)]), taken([(began, latest)]));
        }
    }

    #[test]
    fn a_number_of_days_is_that_many_days() {
        let began = at("2026-02-27T10:00:00");
        assert_eq!(after(began, 3), at("2026-03-02T10:00:00"));
        assert_eq!(taken([(began, after(began, 3))])[&2026], 3);
    }
}
