//! Times on the wire.

use chess::Timestamp;
use chess::pgn::{Date, Utc};

/// `2026-01-31T18:05:09.250Z`.
pub fn rfc3339(at: Timestamp) -> String {
    let Utc {
        year,
        month,
        day,
        hour,
        minute,
        second,
        milli,
    } = Utc::from(at);
    if year > 9_999 {
        return format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z");
    }
    // Every message has one or two: what formats anything takes ten times as long.
    let mut text = *b"0000-00-00T00:00:00.000Z";
    put(&mut text[0..4], year);
    put(&mut text[5..7], month.into());
    put(&mut text[8..10], day.into());
    put(&mut text[11..13], hour.into());
    put(&mut text[14..16], minute.into());
    put(&mut text[17..19], second.into());
    put(&mut text[20..23], milli.into());
    String::from_utf8_lossy(&text).into_owned()
}

/// A number, with zeros before it.
fn put(places: &mut [u8], mut number: u32) {
    for place in places.iter_mut().rev() {
        *place = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// Reads `2026-01-31T18:05:09Z`, with or without a fraction of the second.
pub fn read_rfc3339(text: &str) -> Option<Timestamp> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let is_number = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let is_whole = date.len() == 10 && time.len() == 8 && is_number;
    let milli: u64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    let at = Date::read(date).filter(|_| is_whole)?.at(time)?;
    Some(Timestamp(at.0 + milli))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: u64 = 86_400_000;

    #[test]
    fn known_moments_have_their_dates() {
        let known = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_769_882_709_250, "2026-01-31T18:05:09.250Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ];
        for (ms, text) in known {
            assert_eq!(rfc3339(Timestamp(ms)), text);
            assert_eq!(read_rfc3339(text), Some(Timestamp(ms)));
        }
    }

    #[test]
    fn years_of_five_digits_are_written_too() {
        let last = 253_402_300_799_999;
        assert_eq!(rfc3339(Timestamp(last)), "9999-12-31T23:59:59.999Z");
        assert_eq!(rfc3339(Timestamp(last + 1)), "10000-01-01T00:00:00.000Z");
    }

    #[test]
    fn a_time_is_read_with_or_without_a_fraction() {
        let at = |text| read_rfc3339(text).map(|at| at.0);
        assert_eq!(at("2000-02-29T00:00:00Z"), Some(951_782_400_000));
        assert_eq!(at("2000-02-29T00:00:00.5Z"), Some(951_782_400_500));
        assert_eq!(at("2000-02-29T00:00:00.123456Z"), Some(951_782_400_123));
        for wrong in [
            "",
            "2000-02-30T00:00:00Z",
            "2000-02-29",
            "2000-02-29T00:00:00",
            "2000-02-29T00:00:00+01:00",
            "2000-02-29T24:00:00Z",
            "2000-02-29T00:00:00.Z",
            "2000-02-29T00:00:00.xZ",
            "1900-01-01T00:00:00Z",
        ] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn later_moments_have_later_texts() {
        let texts: Vec<String> = (0..40_000)
            .map(|day| rfc3339(Timestamp(day * DAY_MS + day)))
            .collect();
        assert!(texts.is_sorted());
        assert!(texts.iter().all(|text| text.len() == 24));
    }
}
