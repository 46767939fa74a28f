//! Days and hours as PGN writes them: UTC, the Gregorian calendar throughout.

use crate::Timestamp;

/// A [`Timestamp`] taken apart into the calendar and the clock on the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Utc {
    /// From 1970 on.
    pub year: u32,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// 0 to 999.
    pub milli: u16,
}

/// The date of a game as far as it is known: of old games it is often only
/// the year, and many are older than any [`Timestamp`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// 1 to 9999.
    pub year: u16,
    /// 1 to 12.
    pub month: Option<u8>,
    /// 1 to 31; only with a month.
    pub day: Option<u8>,
}

const MILLIS_PER_DAY: u64 = 86_400_000;
/// From 1 March of the year 0 to the Unix epoch.
const DAYS_TO_EPOCH: u64 = 719_468;
/// In the four hundred years after which the calendar repeats.
const DAYS_PER_ERA: u64 = 146_097;

impl From<Timestamp> for Utc {
    /// Years are counted from 1 March, so that the leap day comes last; then
    /// months and years follow by division (the method of Howard Hinnant).
    fn from(at: Timestamp) -> Utc {
        let days = at.0 / MILLIS_PER_DAY + DAYS_TO_EPOCH;
        let of_era = days % DAYS_PER_ERA;
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let month = if from_march < 10 {
            from_march + 3
        } else {
            from_march - 9
        };
        let year = days / DAYS_PER_ERA * 400 + year_of_era + u64::from(month <= 2);
        let of_day = at.0 % MILLIS_PER_DAY;
        Utc {
            year: year as u32,
            month: month as u8,
            day: (of_year - (153 * from_march + 2) / 5 + 1) as u8,
            hour: (of_day / 3_600_000) as u8,
            minute: (of_day / 60_000 % 60) as u8,
            second: (of_day / 1000 % 60) as u8,
            milli: (of_day % 1000) as u16,
        }
    }
}

impl Utc {
    /// `2026.01.31`.
    pub fn date(&self) -> String {
        format!("{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }

    /// `18:05:09`.
    pub fn time(&self) -> String {
        format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

impl Date {
    /// Reads `1851.06.21`, `1851.06.??` or `1851.??.??`; dashes and slashes
    /// are as good as dots. `None` if not even the year is known.
    pub fn read(text: &str) -> Option<Date> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let year: u16 = number(parts.next()?)?;
        let month = parts.next().and_then(number);
        let day = month.and(parts.next()).and_then(number);
        let fits = (1..=9999).contains(&year)
            && month.is_none_or(|m: u8| (1..=12).contains(&m))
            && day.is_none_or(|d| (1..=days_in(year, month.unwrap_or(1))).contains(&d));
        fits.then_some(Date { year, month, day })
    }

    /// That day at a time of day like `18:05:09`, if the day is fully known
    /// and not before 1970.
    pub fn at(&self, time: &str) -> Option<Timestamp> {
        let mut parts = time.trim().split(':');
        let hour: u64 = number(parts.next()?)?;
        let minute: u64 = number(parts.next()?)?;
        let second: u64 = number(parts.next()?)?;
        if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = self.days_since_epoch()? * 86_400 + hour * 3600 + minute * 60 + second;
        Some(Timestamp(seconds * 1000))
    }

    /// The inverse of `Utc::from`, for whole days.
    fn days_since_epoch(&self) -> Option<u64> {
        let (month, day) = (u64::from(self.month?), u64::from(self.day?));
        let year = u64::from(self.year) - u64::from(month <= 2);
        let from_march = if month > 2 { month - 3 } else { month + 9 };
        let of_year = (153 * from_march + 2) / 5 + day - 1;
        let days = 365 * year + year / 4 - year / 100 + year / 400 + of_year;
        days.checked_sub(DAYS_TO_EPOCH)
    }
}

fn days_in(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Digits and nothing else: no sign, no question mark.
fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_have_their_dates() {
        let shown = |ms| {
            let utc = Utc::from(Timestamp(ms));
            format!("{} {} {}", utc.date(), utc.time(), utc.milli)
        };
        assert_eq!(shown(0), "1970.01.01 00:00:00 0");
        assert_eq!(shown(951_782_399_999), "2000.02.28 23:59:59 999");
        assert_eq!(shown(951_782_400_000), "2000.02.29 00:00:00 0");
        assert_eq!(shown(1_769_882_709_250), "2026.01.31 18:05:09 250");
        assert_eq!(shown(4_107_542_400_000), "2100.03.01 00:00:00 0");
    }

    #[test]
    fn every_day_of_two_centuries_leads_back_to_itself() {
        for day in 0..75_000 {
            let at = Timestamp(day * MILLIS_PER_DAY + 12_345_000);
            let utc = Utc::from(at);
            let date = Date::read(&utc.date()).expect("a date we wrote");
            assert_eq!(date.at(&utc.time()), Some(at), "{}", utc.date());
        }
    }

    #[test]
    fn the_last_timestamp_has_a_date_too() {
        assert_eq!(Utc::from(Timestamp(u64::MAX)).year, 584_556_019);
    }

    #[test]
    fn a_date_may_be_partly_unknown() {
        let date = |year, month, day| Some(Date { year, month, day });
        assert_eq!(Date::read("1851.06.21"), date(1851, Some(6), Some(21)));
        assert_eq!(Date::read("1851-06-21"), date(1851, Some(6), Some(21)));
        assert_eq!(Date::read("1851.06.??"), date(1851, Some(6), None));
        assert_eq!(Date::read("1851.??.21"), date(1851, None, None));
        assert_eq!(Date::read("1851"), date(1851, None, None));
        for none in [
            "",
            "?",
            "????.??.??",
            "2023.02.29",
            "2023.13.01",
            "+23",
            "0",
        ] {
            assert_eq!(Date::read(none), None, "{none}");
        }
        let old = Date::read("1851.06.21").expect("a date");
        assert_eq!(old.at("12:00:00"), None);
    }
}
