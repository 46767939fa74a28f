//! Times on the wire.

use chess::Timestamp;
use chess::pgn::Utc;

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
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
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
