//! What a token may do.

/// One thing a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Scope {
    /// Reading only.
    Read,
    /// Playing: moves, offers, resigning.
    Play,
    /// Creating, accepting and declining games.
    Challenge,
    /// Playing as a bot.
    Bot,
    /// Acting for others: another service that starts games of two accounts.
    Service,
    /// Operating the server.
    Admin,
    /// Lichess's name for playing as a bot, challenges included.
    BotPlay,
    /// Lichess's name for playing as a person, challenges included.
    BoardPlay,
    /// Lichess's name for reading challenges.
    ChallengeRead,
    /// Lichess's name for creating, accepting and declining them.
    ChallengeWrite,
}

impl Scope {
    /// Every scope, in the order they are listed.
    pub const ALL: [Scope; 10] = [
        Scope::Read,
        Scope::Play,
        Scope::Challenge,
        Scope::Bot,
        Scope::Service,
        Scope::Admin,
        Scope::BotPlay,
        Scope::BoardPlay,
        Scope::ChallengeRead,
        Scope::ChallengeWrite,
    ];

    /// Those of Lichess: other names for what the first four allow.
    pub const LICHESS: [Scope; 4] = [
        Scope::BotPlay,
        Scope::BoardPlay,
        Scope::ChallengeRead,
        Scope::ChallengeWrite,
    ];

    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Play => "play",
            Scope::Challenge => "challenge",
            Scope::Bot => "bot",
            Scope::Service => "service",
            Scope::Admin => "admin",
            Scope::BotPlay => "bot:play",
            Scope::BoardPlay => "board:play",
            Scope::ChallengeRead => "challenge:read",
            Scope::ChallengeWrite => "challenge:write",
        }
    }

    /// The scopes of which each allows it too.
    const fn implied_by(self) -> &'static [Scope] {
        match self {
            Scope::Play => &[Scope::BotPlay, Scope::BoardPlay],
            Scope::Challenge => &[Scope::BotPlay, Scope::BoardPlay, Scope::ChallengeWrite],
            Scope::Bot => &[Scope::BotPlay],
            Scope::BotPlay => &[Scope::Bot],
            Scope::BoardPlay => &[Scope::Play],
            Scope::ChallengeRead => &[
                Scope::Read,
                Scope::Play,
                Scope::Challenge,
                Scope::Bot,
                Scope::BotPlay,
                Scope::BoardPlay,
                Scope::ChallengeWrite,
            ],
            Scope::ChallengeWrite => &[Scope::Challenge],
            Scope::Read | Scope::Service | Scope::Admin => &[],
        }
    }

    /// The scope of that name.
    pub fn from_name(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Its place in the set; stored, so it never changes.
    const fn bit(self) -> u16 {
        1 << self as u8
    }
}

/// A set of scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u16);

impl Scopes {
    /// What signing in gives: all but `service` and `admin`.
    pub const SESSION: Scopes =
        Scopes::of(&[Scope::Read, Scope::Play, Scope::Challenge, Scope::Bot]);

    /// The set of these.
    pub const fn of(scopes: &[Scope]) -> Scopes {
        let mut bits = 0;
        let mut at = 0;
        while at < scopes.len() {
            bits |= scopes[at].bit();
            at += 1;
        }
        Scopes(bits)
    }

    /// The set as it is stored.
    pub fn to_bits(self) -> u16 {
        self.0
    }

    /// The set out of the store; bits without a meaning are dropped.
    pub fn from_bits(bits: u16) -> Scopes {
        Scopes(bits & Scopes::of(&Scope::ALL).0)
    }

    /// Whether the set allows it, under one name or another. Whoever may do anything
    /// may read.
    pub fn contains(self, scope: Scope) -> bool {
        let names = Scopes::of(scope.implied_by()).0 | scope.bit();
        self.0 & names != 0 || (scope == Scope::Read && !self.is_empty())
    }

    /// Whether everything in `other` is in this set.
    pub fn covers(self, other: Scopes) -> bool {
        self.missing(other).is_none()
    }

    /// The first scope of `other` that is not in this set.
    pub fn missing(self, other: Scopes) -> Option<Scope> {
        other.iter().find(|scope| !self.contains(*scope))
    }

    /// Whether there is nothing it allows.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it allows reading and nothing else.
    pub fn is_read_only(self) -> bool {
        self.0 & !Scopes::of(&[Scope::Read, Scope::ChallengeRead]).0 == 0
    }

    /// The set without that scope.
    #[must_use]
    pub fn without(self, scope: Scope) -> Scopes {
        Scopes(self.0 & !scope.bit())
    }

    /// The scopes one by one.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL
            .into_iter()
            .filter(move |scope| self.0 & scope.bit() != 0)
    }

    /// Their names.
    pub fn names(self) -> Vec<&'static str> {
        self.iter().map(Scope::name).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Scopes {
        Scopes(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_found_by_its_name() {
        for scope in Scope::ALL {
            assert_eq!(Scope::from_name(scope.name()), Some(scope));
        }
        for bad in ["", "Read", "write", "admin "] {
            assert_eq!(Scope::from_name(bad), None, "{bad}");
        }
    }

    #[test]
    fn stored_bits_keep_their_meaning() {
        let bits = Scope::ALL.map(|scope| Scopes::of(&[scope]).to_bits());
        assert_eq!(bits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
        assert_eq!(
            Scopes::from_bits(0xffff).names(),
            Scope::ALL.map(Scope::name)
        );
    }

    #[test]
    fn a_session_may_do_all_but_serve_and_operate() {
        assert_eq!(
            Scopes::SESSION.names(),
            ["read", "play", "challenge", "bot"]
        );
        assert!(!Scopes::SESSION.contains(Scope::Service));
        assert!(!Scopes::SESSION.contains(Scope::Admin));
    }

    #[test]
    fn whoever_may_do_anything_may_read() {
        assert!(Scopes::of(&[Scope::Play]).contains(Scope::Read));
        assert!(Scopes::of(&[Scope::Play]).covers(Scopes::of(&[Scope::Read, Scope::Play])));
        assert!(!Scopes::default().contains(Scope::Read));
        assert!(Scopes::of(&[Scope::Read]).is_read_only());
        assert!(!Scopes::of(&[Scope::Read, Scope::Play]).is_read_only());
    }

    #[test]
    fn s2_the_scopes_of_lichess_are_other_names() {
        let bot = Scopes::of(&[Scope::BotPlay]);
        assert!(bot.covers(Scopes::of(&[Scope::Play, Scope::Challenge, Scope::Bot])));
        assert!(!bot.contains(Scope::BoardPlay) && !bot.contains(Scope::Admin));
        let board = Scopes::of(&[Scope::BoardPlay]);
        assert!(board.contains(Scope::Play) && !board.contains(Scope::BotPlay));
        assert!(Scopes::SESSION.covers(Scopes::of(&Scope::LICHESS)));
        let reads = Scopes::of(&[Scope::ChallengeRead]);
        assert!(reads.is_read_only() && !reads.contains(Scope::Challenge));
        let writes = Scopes::of(&[Scope::ChallengeWrite]);
        assert!(writes.contains(Scope::ChallengeRead) && !writes.contains(Scope::Play));
        for powers in [Scope::Service, Scope::Admin] {
            assert!(!Scopes::of(&Scope::LICHESS).contains(powers));
        }
    }

    #[test]
    fn a_set_covers_what_is_in_it() {
        let play = Scopes::of(&[Scope::Play]);
        assert!(Scopes::SESSION.covers(play));
        assert_eq!(play.missing(Scopes::SESSION), Some(Scope::Challenge));
        assert_eq!(
            Scopes::SESSION.missing(Scopes::of(&[Scope::Admin])),
            Some(Scope::Admin)
        );
    }
}
