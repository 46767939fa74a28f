//! What somebody wants to be told, how, and when not.

use chess::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Kind;

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;

/// What an account wants to be told of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = NotificationChoices)]
pub(crate) struct Choices {
    /// It is your move, in a game that counts days.
    #[serde(default)]
    pub(crate) your_turn: Channels,
    /// Somebody wants to play with you.
    #[serde(default)]
    pub(crate) challenge: Channels,
    /// A quarter of the time for your move is left.
    #[serde(default)]
    pub(crate) deadline_near: Channels,
    /// A game that counts days is over.
    #[serde(default)]
    pub(crate) game_over: Channels,
    /// When neither mail nor browsers tell anything: it comes afterwards.
    #[serde(default)]
    pub(crate) quiet_hours: Option<QuietHours>,
    /// Games that wait for your move come in one letter, and no more than one an hour.
    #[serde(default)]
    pub(crate) digest: Digest,
}

/// Whether letters are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub(crate) struct Digest(pub(crate) bool);

impl Default for Digest {
    fn default() -> Digest {
        Digest(true)
    }
}

/// The ways in which something is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = NotificationChannels)]
pub(crate) struct Channels {
    /// By mail, of games that count days, if the address is confirmed.
    #[serde(default = "yes")]
    pub(crate) email: bool,
    /// In every browser that is subscribed.
    #[serde(default = "yes")]
    pub(crate) push: bool,
    /// As `NOTIFICATION` in your own stream.
    #[serde(default = "yes")]
    pub(crate) stream: bool,
}

fn yes() -> bool {
    true
}

impl Default for Channels {
    fn default() -> Channels {
        Channels {
            email: true,
            push: true,
            stream: true,
        }
    }
}

/// A part of each day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct QuietHours {
    /// `22:00`.
    #[schema(pattern = "^[0-2][0-9]:[0-5][0-9]$")]
    pub(crate) from: String,
    /// `07:30`; earlier than `from` means the next day.
    #[schema(pattern = "^[0-2][0-9]:[0-5][0-9]$")]
    pub(crate) to: String,
    /// How far the owner's clock is ahead of UTC.
    #[serde(default)]
    #[schema(minimum = -840, maximum = 840)]
    pub(crate) utc_offset_minutes: i32,
}

impl Choices {
    /// What was stored, or what is usual.
    pub(crate) fn read(stored: Option<&str>) -> Choices {
        stored
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    }

    pub(crate) fn of(&self, kind: Kind) -> Channels {
        match kind {
            Kind::YourTurn => self.your_turn,
            Kind::Challenge => self.challenge,
            Kind::DeadlineNear => self.deadline_near,
            Kind::GameOver => self.game_over,
        }
    }

    pub(crate) fn of_mut(&mut self, kind: Kind) -> &mut Channels {
        match kind {
            Kind::YourTurn => &mut self.your_turn,
            Kind::Challenge => &mut self.challenge,
            Kind::DeadlineNear => &mut self.deadline_near,
            Kind::GameOver => &mut self.game_over,
        }
    }

    /// The first moment, from that one on, at which something may be sent.
    pub(crate) fn awake(&self, now: Timestamp) -> Timestamp {
        let quiet = self.quiet_hours.as_ref();
        quiet.map_or(now, |quiet| quiet.ends(now))
    }

    /// The name of a field that cannot be.
    pub(crate) fn flaw(&self) -> Option<&'static str> {
        let quiet = self.quiet_hours.as_ref()?;
        match (minutes(&quiet.from), minutes(&quiet.to)) {
            (None, _) => Some("quiet_hours.from"),
            (_, None) => Some("quiet_hours.to"),
            _ if !(-840..=840).contains(&quiet.utc_offset_minutes) => {
                Some("quiet_hours.utc_offset_minutes")
            }
            _ => None,
        }
    }
}

impl QuietHours {
    /// When they end, if that moment is in them; else that moment.
    fn ends(&self, now: Timestamp) -> Timestamp {
        let (Some(from), Some(to)) = (minutes(&self.from), minutes(&self.to)) else {
            return now;
        };
        let local = i64::try_from(now.0).unwrap_or(i64::MAX / 2)
            + i64::from(self.utc_offset_minutes) * MINUTE_MS;
        let today = local.rem_euclid(DAY_MS);
        // Counted from when they begin, so that midnight is like any other time.
        let since = (today - from * MINUTE_MS).rem_euclid(DAY_MS);
        let length = ((to - from) * MINUTE_MS).rem_euclid(DAY_MS);
        match since < length {
            true => Timestamp(now.0 + u64::try_from(length - since).unwrap_or(0)),
            false => now,
        }
    }
}

/// Minutes since midnight.
fn minutes(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    let read = |text: &str, most: i64| {
        let is_plain = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|n: &i64| is_plain && *n <= most)
    };
    Some(read(hours, 23)? * 60 + read(minutes, 59)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(from: &str, to: &str, utc_offset_minutes: i32) -> Choices {
        Choices {
            quiet_hours: Some(QuietHours {
                from: from.into(),
                to: to.into(),
                utc_offset_minutes,
            }),
            ..Choices::default()
        }
    }

    /// A time of some day, in minutes.
    fn at(hours: u64, minutes: u64) -> Timestamp {
        Timestamp((20_000 * 24 * 60 + hours * 60 + minutes) * 60_000)
    }

    #[test]
    fn quiet_hours_put_off_until_they_end() {
        let night = quiet("22:00", "07:30", 0);
        for (now, then) in [
            (at(21, 59), at(21, 59)),
            (at(22, 0), at(31, 30)),
            (at(23, 59), at(31, 30)),
            (at(24, 0), at(31, 30)),
            (at(7, 29), at(7, 30)),
            (at(7, 30), at(7, 30)),
            (at(12, 0), at(12, 0)),
        ] {
            assert_eq!(night.awake(now), then, "{now:?}");
        }
        // In India it is half past three at night when it is ten in the evening here.
        assert_eq!(quiet("22:00", "07:30", 330).awake(at(22, 0)), at(26, 0));
        assert_eq!(quiet("22:00", "07:30", -420).awake(at(22, 0)), at(22, 0));
        assert_eq!(quiet("12:00", "12:00", 0).awake(at(12, 0)), at(12, 0));
        assert_eq!(Choices::default().awake(at(3, 0)), at(3, 0));
    }

    #[test]
    fn what_is_left_out_is_as_usual_and_what_cannot_be_is_named() {
        assert_eq!(Choices::read(None), Choices::default());
        assert_eq!(Choices::read(Some("{}")), Choices::default());
        let some = Choices::read(Some(r#"{"your_turn":{"email":false}}"#));
        assert!(!some.your_turn.email && some.your_turn.push && some.challenge.email);
        assert!(some.digest.0);
        for (from, to, offset, flaw) in [
            ("24:00", "07:00", 0, Some("quiet_hours.from")),
            ("22:00", "7:00", 0, Some("quiet_hours.to")),
            ("22:00", "07:60", 0, Some("quiet_hours.to")),
            ("22:00", "+7:00", 0, Some("quiet_hours.to")),
            (
                "22:00",
                "07:00",
                841,
                Some("quiet_hours.utc_offset_minutes"),
            ),
            ("22:00", "07:00", -840, None),
        ] {
            assert_eq!(quiet(from, to, offset).flaw(), flaw);
        }
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name()), Some(kind));
            let mut some = Choices::default();
            some.of_mut(kind).email = false;
            assert!(!some.of(kind).email);
        }
    }
}
