//! On what, and when.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// The machine in one line, with how busy it was when the run began.
pub(crate) fn describe() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|l| l.split_once(':'))
            .map_or_else(String::new, |(_, v)| v.trim().to_owned())
    };
    let cpu = field(&read("/proc/cpuinfo"), "model name");
    let memory = crate::http::number(field(&read("/proc/meminfo"), "MemTotal").as_bytes());
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let kernel = read("/proc/sys/kernel/osrelease");
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or_default();
    format!(
        "{cores} cores of {cpu}, {} GiB, Linux {}, loopback, load average before the run {load}",
        memory.div_ceil(1 << 20),
        kernel.trim()
    )
}

/// The time, to the minute, in UTC.
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let minutes = since.map_or(0, |s| s.as_secs()) / 60;
    let (year, month, day) = date(minutes / 1440);
    let (hour, minute) = (minutes / 60 % 24, minutes % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

/// Year, month and day of so many days after 1970-01-01.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |y: u64| y.is_multiple_of(4) && !y.is_multiple_of(100) || y.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(19_782), (2024, 2, 29));
        assert_eq!(date(20_088), (2024, 12, 31));
        assert_eq!(date(20_089), (2025, 1, 1));
    }
}
