//! How much each caller may ask for.
//!
//! Each node counts for itself. Only what somebody guesses at (passwords, codes) is
//! counted by all nodes of a shared store together (`together`): more nodes must
//! not mean more guesses.

mod levels;
mod together;

use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::OnceLock;
use std::time::Duration;

use chess::table::PlayerId;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::{Quota, RateLimiter};

use self::levels::{Ask, Levels};
pub use self::together::Together;
use crate::problem::Problem;
use crate::settings::Settings;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// Creating games, per account.
    Creation,
    /// Registering and becoming a guest, per address.
    Registration,
    /// Attempts to sign in, right or wrong: per name and address together,
    /// and ten times as many per name and per address.
    SignIn,
    /// Those of them that were wrong, in the same way.
    WrongPassword,
    /// Codes that open nothing, per address.
    WrongCode,
    /// A player's own moves, per account.
    Move,
    /// Whatever else changes something, per account.
    Command,
    /// Lines of chat, per account.
    Chat,
    /// Letters that somebody can make the server send, per account and per address
    /// they go to.
    Mail,
    /// Pages of finished games, per account or address.
    Export,
    /// Accounts, tokens or games of which one request names many, per address.
    Bulk,
    /// Vacations begun or changed, per account: each is told to all of its games.
    Vacation,
    /// Own streams that end the one before, per account.
    OwnStream,
    /// Coming into rooms of XMPP, per account: everybody in them is told.
    RoomEntry,
}

/// Whose share it counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose<'a> {
    /// An account's.
    Account(PlayerId),
    /// That of an address.
    Address(IpAddr),
    /// That of a name, whether or not somebody has it.
    Name(&'a str),
    /// That of a name as used from one address: whoever guesses there locks
    /// nobody out elsewhere.
    NameFrom(&'a str, IpAddr),
}

impl From<PlayerId> for Whose<'_> {
    fn from(account: PlayerId) -> Self {
        Whose::Account(account)
    }
}

impl From<IpAddr> for Whose<'_> {
    fn from(address: IpAddr) -> Self {
        Whose::Address(whole(address))
    }
}

/// Who has one IPv6 address has all of its network: /64 counts as one.
pub fn whole(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// The rates by which callers are limited, unless the operator lifted them.
pub struct RateLimits {
    limiters: Option<Limiters>,
    sign_ins_per_minute: u32,
    wrong_passwords_per_minute: u32,
    /// Accounts that nobody outside uses.
    own: OnceLock<Box<[PlayerId]>>,
    keys: RandomState,
}

struct Limiters {
    creation: Limiter,
    registration: Limiter,
    sign_in: Narrowing,
    wrong_password: Narrowing,
    wrong_code: Limiter,
    own_move: Limiter,
    command: Limiter,
    chat: Limiter,
    mail: Limiter,
    export: Limiter,
    bulk: Limiter,
    vacation: Limiter,
    own_stream: Limiter,
    room_entry: Limiter,
}

impl RateLimits {
    /// The rates the operator chose.
    pub fn new(settings: &Settings) -> RateLimits {
        let limiters = settings.rate_limits.then(|| Limiters {
            creation: limiter(
                SECOND,
                settings.creations_per_second,
                settings.creations_burst,
            ),
            registration: limiter(
                MINUTE,
                settings.registrations_per_minute,
                settings.registrations_burst,
            ),
            sign_in: Narrowing::per_minute(settings.sign_ins_per_minute),
            wrong_password: Narrowing::per_minute(settings.wrong_passwords_per_minute),
            wrong_code: limiter(
                MINUTE,
                settings.wrong_passwords_per_minute,
                settings.wrong_passwords_per_minute,
            ),
            own_move: limiter(SECOND, settings.moves_per_second, settings.moves_per_second),
            command: limiter(
                SECOND,
                settings.commands_per_second,
                settings.commands_per_second.saturating_mul(AT_ONCE),
            ),
            chat: limiter(
                TEN_SECONDS,
                settings.chat_per_ten_seconds,
                settings.chat_per_ten_seconds,
            ),
            mail: limiter(HOUR, LETTERS, LETTERS),
            export: limiter(SECOND, 1, EXPORTS),
            bulk: limiter(SECOND, 1, BULKS),
            vacation: limiter(HOUR, VACATIONS, VACATIONS),
            own_stream: limiter(MINUTE, OWN_STREAMS, OWN_STREAMS_AT_ONCE),
            room_entry: limiter(MINUTE, ROOM_ENTRIES, ROOM_ENTRIES_AT_ONCE),
        });
        RateLimits {
            limiters,
            sign_ins_per_minute: settings.sign_ins_per_minute,
            wrong_passwords_per_minute: settings.wrong_passwords_per_minute,
            own: OnceLock::new(),
            keys: RandomState::new(),
        }
    }

    /// Whether anybody is limited at all.
    pub fn is_on(&self) -> bool {
        self.limiters.is_some()
    }

    /// Never limits the server's own accounts, each of which plays thousands.
    pub fn spare(&self, own: Vec<PlayerId>) {
        drop(self.own.set(own.into()));
    }

    fn is_own(&self, whose: Whose<'_>) -> bool {
        let Whose::Account(account) = whose else {
            return false;
        };
        self.own.get().is_some_and(|own| own.contains(&account))
    }

    /// Counts one more.
    ///
    /// # Errors
    /// `rate_limited` if that is one too many; it is not counted then.
    pub fn check<'a>(&self, rate: Rate, whose: impl Into<Whose<'a>>) -> Result<(), Problem> {
        self.ask(rate, whose.into(), true)
    }

    /// Whether one more would be too many; counts nothing.
    ///
    /// # Errors
    /// `rate_limited` if so.
    pub fn look<'a>(&self, rate: Rate, whose: impl Into<Whose<'a>>) -> Result<(), Problem> {
        self.ask(rate, whose.into(), false)
    }

    /// Counts one that has happened, whether or not it is too many.
    pub fn count<'a>(&self, rate: Rate, whose: impl Into<Whose<'a>>) {
        drop(self.check(rate, whose));
    }

    fn ask(&self, rate: Rate, whose: Whose<'_>, counts: bool) -> Result<(), Problem> {
        let Some(limiters) = &self.limiters else {
            return Ok(());
        };
        if self.is_own(whose) {
            return Ok(());
        }
        let limiter = match rate {
            Rate::Creation => &limiters.creation,
            Rate::Registration => &limiters.registration,
            Rate::SignIn => limiters.sign_in.of(whose),
            Rate::WrongPassword => limiters.wrong_password.of(whose),
            Rate::WrongCode => &limiters.wrong_code,
            Rate::Move => &limiters.own_move,
            Rate::Command => &limiters.command,
            Rate::Chat => &limiters.chat,
            Rate::Mail => &limiters.mail,
            Rate::Export => &limiters.export,
            Rate::Bulk => &limiters.bulk,
            Rate::Vacation => &limiters.vacation,
            Rate::OwnStream => &limiters.own_stream,
            Rate::RoomEntry => &limiters.room_entry,
        };
        admit(
            limiter,
            Ask {
                key: self.keys.hash_one(whose),
                counts,
            },
        )
    }
}

/// Commands that may come at once, as a multiple of those per second: whoever
/// plays many games answers them all when they come back.
const AT_ONCE: u32 = 5;
/// Pages of finished games that may be asked for at once.
const EXPORTS: u32 = 10;
/// Requests that name many, at once: as many as programs that start together at one address.
const BULKS: u32 = 30;
/// How much looser a limit is that many share: everybody who tries a name, and
/// everybody behind an address.
const SHARED: u32 = 10;

/// A rate of those who are known by two things, and a looser one by each of them.
struct Narrowing {
    both: Limiter,
    either: Limiter,
}

impl Narrowing {
    fn per_minute(many: u32) -> Narrowing {
        let shared = many.saturating_mul(SHARED);
        Narrowing {
            both: limiter(MINUTE, many, many),
            either: limiter(MINUTE, shared, shared),
        }
    }

    fn of(&self, whose: Whose<'_>) -> &Limiter {
        match whose {
            Whose::NameFrom(..) => &self.both,
            Whose::Account(_) | Whose::Address(_) | Whose::Name(_) => &self.either,
        }
    }
}

/// How many keys a limiter remembers.
const KEYS_MAX: usize = 200_000;
const SECOND: Duration = Duration::from_secs(1);
const TEN_SECONDS: Duration = Duration::from_secs(10);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);
/// Letters in an hour that nobody waits for.
const LETTERS: u32 = 5;
/// Vacations in an hour, and other ends of them.
const VACATIONS: u32 = 10;
/// Own streams in a minute, and at once: two clients with one token chase each other.
const OWN_STREAMS: u32 = 3;
const OWN_STREAMS_AT_ONCE: u32 = 30;
/// Rooms of XMPP that are come into in a minute, and at once: more than one account may be
/// in, for a client that has lost its connection joins all of them again.
const ROOM_ENTRIES: u32 = 30;
const ROOM_ENTRIES_AT_ONCE: u32 = 60;

type Limiter<C = DefaultClock> = RateLimiter<Ask, Levels, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// So many per `period`, and so many at once; zero counts as one.
fn limiter(period: Duration, per_period: u32, burst: u32) -> Limiter {
    limiter_with(period, per_period, burst, DefaultClock::default())
}

fn limiter_with<C: Clock>(period: Duration, per_period: u32, burst: u32, clock: C) -> Limiter<C> {
    let interval = (period / per_period.max(1)).max(Duration::from_nanos(1));
    let quota = Quota::with_period(interval).expect("an interval that is not zero");
    let quota = quota.allow_burst(NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN));
    RateLimiter::new(quota, Levels::new(interval, KEYS_MAX), clock)
}

fn admit<C: Clock>(limiter: &Limiter<C>, ask: Ask) -> Result<(), Problem> {
    limiter.check_key(&ask).map_err(|until| {
        let wait = until.wait_time_from(limiter.clock().now());
        let seconds = u32::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(u32::MAX);
        Problem::rate_limited(seconds.max(1))
    })
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn fake(
        period: Duration,
        rate: u32,
        burst: u32,
    ) -> (Limiter<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (limiter_with(period, rate, burst, clock.clone()), clock)
    }

    fn count<C: Clock>(limiter: &Limiter<C>, key: u64) -> Result<(), Problem> {
        admit(limiter, Ask { key, counts: true })
    }

    fn look<C: Clock>(limiter: &Limiter<C>, key: u64) -> Result<(), Problem> {
        admit(limiter, Ask { key, counts: false })
    }

    #[test]
    fn a_burst_is_let_through_and_then_the_rate() {
        let (limiter, clock) = fake(MINUTE, 10, 50);
        for _ in 0..50 {
            assert!(count(&limiter, 1).is_ok());
        }
        let error = count(&limiter, 1).unwrap_err();
        assert_eq!((error.status().as_u16(), error.code), (429, "rate_limited"));
        assert_eq!(error.retry_after, Some(6));
        assert!(
            count(&limiter, 2).is_ok(),
            "somebody else has their own share"
        );
        clock.advance(Duration::from_millis(5_999));
        assert_eq!(count(&limiter, 1).unwrap_err().retry_after, Some(1));
        clock.advance(Duration::from_millis(1));
        assert!(count(&limiter, 1).is_ok());
        assert!(count(&limiter, 1).is_err());
    }

    #[test]
    fn looking_counts_nothing_but_sees_what_was_counted() {
        let (limiter, _) = fake(MINUTE, 2, 2);
        for _ in 0..100 {
            assert!(look(&limiter, 1).is_ok());
        }
        assert!(count(&limiter, 1).is_ok() && count(&limiter, 1).is_ok());
        assert!(look(&limiter, 1).is_err());
    }

    #[test]
    fn keys_that_are_like_new_are_swept_out() {
        let (limiter, clock) = fake(SECOND, 1, 1);
        for key in 0..100_000 {
            count(&limiter, key).unwrap();
            clock.advance(Duration::from_millis(10));
        }
        let held = limiter.into_state_store().len();
        assert!((100..2_100).contains(&held), "{held}");
    }

    #[test]
    fn there_are_never_more_keys_than_allowed() {
        let clock = FakeRelativeClock::default();
        let quota = Quota::with_period(MINUTE).unwrap();
        let limiter: Limiter<_> = RateLimiter::new(quota, Levels::new(MINUTE, 1_600), clock);
        for key in 0..10_000 {
            assert!(count(&limiter, key).is_ok());
        }
        assert_eq!(limiter.into_state_store().len(), 1_600);
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let whose = |text: &str| Whose::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(whose("2001:db8:1:2::1"), whose("2001:db8:1:2:ffff::9"));
        assert_ne!(whose("2001:db8:1:2::1"), whose("2001:db8:1:3::1"));
        assert_eq!(whose("::ffff:192.0.2.1"), whose("192.0.2.1"));
        assert_ne!(whose("192.0.2.1"), whose("192.0.2.2"));
    }
}
