//! Every setting, once: its name, what it accepts, what it is for.

use super::Settings;
use super::values::{
    LogFormat, Registration, filter, joined, list, number, on_off, optional, optional_path, origin,
    store, switch, url, word,
};

/// One thing that can be chosen.
pub struct Setting {
    /// Its name, as in the file; flag and variable are made of it.
    pub name: &'static str,
    /// Where in the documentation it stands.
    pub section: Section,
    /// What it accepts.
    pub accepts: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Whether its value must never be shown.
    pub is_secret: bool,
    /// Chooses; `false`: not accepted.
    pub(super) set: fn(&mut Settings, &str) -> bool,
    /// What is chosen, as it would be written.
    pub(super) get: fn(&Settings) -> String,
}

/// What settings are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Addresses and certificates.
    Network,
    /// Where things are kept.
    Storage,
    /// Who may come in.
    Access,
    /// How much anyone may ask for.
    Limits,
    /// What stays in memory.
    Memory,
    /// Tokens of an outside identity service.
    Identity,
    /// What is written to the log.
    Logging,
}

impl Section {
    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Section::Network => "Network",
            Section::Storage => "Storage",
            Section::Access => "Access",
            Section::Limits => "Limits",
            Section::Memory => "Memory",
            Section::Identity => "Outside identities",
            Section::Logging => "Logging",
        }
    }
}

impl Setting {
    /// `--trusted-proxies`, without the dashes in front.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// `ARBITER_TRUSTED_PROXIES`.
    pub fn variable(&self) -> String {
        format!("ARBITER_{}", self.name.to_uppercase())
    }

    /// What holds when nobody chooses, as it would be written; empty: nothing.
    pub fn default(&self) -> String {
        (self.get)(&Settings::default())
    }
}

/// Makes a row of the table: name, section, what it accepts, what it is for, how it is set and shown.
macro_rules! setting {
    ($field:ident, $section:ident, $accepts:expr, $doc:expr, $read:expr, $show:expr) => {
        setting!($field, $section, $accepts, $doc, $read, $show, false)
    };
    ($field:ident, $section:ident, $accepts:expr, $doc:expr, $read:expr, $show:expr, $secret:expr) => {
        Setting {
            name: stringify!($field),
            section: Section::$section,
            accepts: $accepts,
            doc: $doc,
            is_secret: $secret,
            set: |settings, text| {
                let read: fn(&str) -> Option<_> = $read;
                read(text).map(|value| settings.$field = value).is_some()
            },
            get: |settings| shown(&settings.$field, $show),
        }
    };
}

/// Helps the compiler to see what a row's closure takes.
fn shown<V>(value: &V, show: fn(&V) -> String) -> String {
    show(value)
}

const RATE: &str = "a whole number from 1 to 1000000";
const SOME: &str = "a whole number from 1 to 1000000000";

const DAYS: &str = "a whole number from 0 to 36500";

fn days(text: &str) -> Option<u32> {
    number(text, 0..=36_500)
}

fn rate(text: &str) -> Option<u32> {
    number(text, 1..=1_000_000)
}

fn some(text: &str) -> Option<usize> {
    number(text, 1..=1_000_000_000)
}

fn text_or_empty(text: &Option<String>) -> String {
    text.clone().unwrap_or_default()
}

fn path_or_empty(path: &Option<std::path::PathBuf>) -> String {
    path.as_ref()
        .map(|path| path.display().to_string())
        .unwrap_or_default()
}

/// Every setting, in the order of the documentation.
#[rustfmt::skip]
pub static TABLE: &[Setting] = &[
    setting!(listen, Network, "ADDRESS:PORT, such as 127.0.0.1:7878 or 0.0.0.0:443",
        "Where to listen; port 0 takes a free one, and the start-up message says which.",
        |t| t.parse().ok(), |v| v.to_string()),
    setting!(public_url, Network, "http://HOST or https://HOST, with a port or path if need be",
        "How clients reach this server, if not at the address it listens on: behind a proxy, or by a name.",
        |t| if t.is_empty() { Some(None) } else { url(t).map(Some) }, text_or_empty),
    setting!(source_url, Network, "http://HOST/PATH or https://HOST/PATH",
        "Where the source of this very server is offered, as its licence asks: the footer of every page leads there.",
        |t| if t.is_empty() { Some(None) } else { url(t).map(Some) }, text_or_empty),
    setting!(tls_cert, Network, "the path of a PEM file",
        "The certificate chain; with tls_key it makes the server speak HTTPS.",
        |t| Some(optional_path(t)), path_or_empty),
    setting!(tls_key, Network, "the path of a PEM file",
        "The key of tls_cert.",
        |t| Some(optional_path(t)), path_or_empty),
    setting!(trusted_proxies, Network, "addresses or networks divided by commas, such as 127.0.0.1,10.0.0.0/8",
        "Proxies whose X-Forwarded-For is believed; anyone else's is ignored.",
        |t| list(t, |part| part.parse().ok()), |v| joined(v)),
    setting!(cors_origins, Network, "origins divided by commas, such as https://chess.example, or *",
        "The web pages whose scripts may call /v1.",
        |t| list(t, origin), |v| joined(v)),

    setting!(store, Storage, "sqlite:PATH, or memory: to keep nothing",
        "Where everything is durable. The file is made if there is none; one server uses it at a time.",
        store, String::clone),
    setting!(clock_ahead_seconds, Storage, "a whole number from 0 to 1000000000",
        "How far the games' time, which never goes back, may be ahead of the machine's clock at start; beyond it \
         the server does not start. See arbiter admin reset-clock.",
        |t| number(t, 0..=1_000_000_000), u64::to_string),
    setting!(purge_guest_days, Storage, DAYS,
        "After how many days a guest is forgotten who never played, said nothing and has no session any more; 0: never.",
        days, u32::to_string),
    setting!(purge_token_days, Storage, DAYS,
        "How many days after its end a token or session is forgotten; 0: never.",
        days, u32::to_string),
    setting!(purge_key_days, Storage, DAYS,
        "After how many days an Idempotency-Key is forgotten, which counts for one day; 0: never.",
        days, u32::to_string),
    setting!(bus, Storage, "local",
        "How nodes hear of each other.",
        |t| (t == "local").then(|| t.to_owned()), String::clone),

    setting!(registration, Access, "open, invite or closed",
        "Who may register: anyone, whoever knows invite_code, or nobody.",
        |t| word(t, &[Registration::Open, Registration::Invite, Registration::Closed]), Registration::to_string),
    setting!(invite_code, Access, "a text",
        "What a newcomer must know if registration is by invitation. Better in the environment or the file than as a flag.",
        |t| Some(optional(t)), text_or_empty, true),
    setting!(anonymous_reads, Access, "on or off",
        "Whether public games, profiles and lists can be read without a token.",
        switch, |v| on_off(*v)),
    setting!(metrics_from, Access, "addresses or networks divided by commas, such as 127.0.0.1,10.0.0.0/8",
        "Who may read /metrics, by address as trusted_proxies tell it; left out: everybody.",
        |t| list(t, |part| part.parse().ok()), |v| joined(v)),
    setting!(session_days, Access, "a whole number from 1 to 3650",
        "How many days a session lasts.",
        |t| number(t, 1..=3650), u32::to_string),

    setting!(rate_limits, Limits, "on or off",
        "Whether rates are limited at all; off is for load tests and closed networks.",
        switch, |v| on_off(*v)),
    setting!(creations_per_second, Limits, RATE,
        "Games one account may create per second in the long run.",
        rate, u32::to_string),
    setting!(creations_burst, Limits, RATE,
        "Games one account may create at once.",
        rate, u32::to_string),
    setting!(registrations_per_minute, Limits, RATE,
        "Accounts and guests one address may register per minute in the long run.",
        rate, u32::to_string),
    setting!(registrations_burst, Limits, RATE,
        "Accounts and guests one address may register at once.",
        rate, u32::to_string),
    setting!(sign_ins_per_minute, Limits, RATE,
        "Attempts to sign in per minute, right or wrong, for one name from one address; ten times as many for a \
         name from anywhere and for an address.",
        rate, u32::to_string),
    setting!(wrong_passwords_per_minute, Limits, RATE,
        "Wrong passwords per minute for one name from one address, and ten times as many for a name from anywhere \
         and for an address; also wrong invite and join codes per minute from one address.",
        rate, u32::to_string),
    setting!(moves_per_second, Limits, RATE,
        "Moves one account may send per second.",
        rate, u32::to_string),
    setting!(commands_per_second, Limits, RATE,
        "Whatever else than moves changes something (offers, answers, joining, moderation, one's profile and tokens) \
         that one account may send per second in the long run; five times as many at once.",
        rate, u32::to_string),
    setting!(chat_per_ten_seconds, Limits, RATE,
        "Lines of chat one account may say in ten seconds.",
        rate, u32::to_string),
    setting!(chat_characters, Limits, "a whole number from 1 to 10000",
        "The longest line of chat, in characters.",
        |t| number(t, 1..=10_000), usize::to_string),
    setting!(games_per_account, Limits, RATE,
        "Unfinished games one account may have.",
        rate, u32::to_string),
    setting!(sockets_per_account, Limits, SOME,
        "Streams an account may have open, unless rate_limits is off.",
        some, |v| v.to_string()),
    setting!(sockets_per_address, Limits, SOME,
        "Streams an address may have open, unless rate_limits is off.",
        some, |v| v.to_string()),
    setting!(connections_max, Limits, SOME,
        "Connections that may be open, but never more than the system's limit of open files leaves; one more is \
         answered with 503 and closed.",
        some, |v| v.to_string()),
    setting!(connections_per_address, Limits, SOME,
        "Connections that may be open from one address (IPv6: one /64 network), unless it is one of trusted_proxies \
         or rate_limits is off; never more than half of all.",
        some, |v| v.to_string()),
    setting!(head_seconds, Limits, "a whole number from 1 to 3600",
        "How long a new connection may take until its first request's head is there, the TLS handshake included, \
         and any later head from its first byte.",
        |t| number(t, 1..=3600), |v| v.to_string()),
    setting!(answer_seconds, Limits, "a whole number from 1 to 3600",
        "How long a client may take nothing of its answer before the connection is closed.",
        |t| number(t, 1..=3600), |v| v.to_string()),
    setting!(stuck_seconds, Limits, "a whole number from 1 to 3600",
        "How long a subscriber may accept nothing before its stream is closed.",
        |t| number(t, 1..=3600), |v| v.to_string()),
    setting!(ping_seconds, Limits, "a whole number from 1 to 60",
        "How often someone with a WebSocket of whom nothing is heard is asked whether they are there. Whoever does \
         not answer is gone after three times as long at most. Who only watches, without a token, is asked every 25 \
         seconds.",
        |t| number(t, 1..=60), |v| v.to_string()),
    setting!(lag_quota_ms, Limits, "a whole number from 0 to 1000",
        "Milliseconds per move at most that a player gets back for the network's delay, as pings on their own \
         socket measure it; 0: none. Games show it, and each move's record says what was given back.",
        |t| number(t, 0..=1000), |v| v.to_string()),
    setting!(body_bytes, Limits, "a whole number from 1024 to 16777216",
        "The longest request body that is read.",
        |t| number(t, 1024..=16 << 20), usize::to_string),
    setting!(request_seconds, Limits, "a whole number from 1 to 3600",
        "How long a request may take before it is answered with 503.",
        |t| number(t, 1..=3600), u32::to_string),
    setting!(queue_max, Limits, SOME,
        "Requests that may wait for one game before further ones are answered with 503.",
        some, usize::to_string),

    setting!(resident_max, Memory, SOME,
        "Games kept in memory (about half a kilobyte each); beyond it the longest unused go first.",
        some, usize::to_string),
    setting!(idle_seconds, Memory, "a whole number from 1 to 86400",
        "How many seconds an unused game stays in memory.",
        |t| number(t, 1..=86_400), u32::to_string),
    setting!(fold_seconds, Memory, "a whole number from 1 to 3600",
        "Every so many seconds the journal is folded into the games' rows; more makes a restart longer.",
        |t| number(t, 1..=3600), u32::to_string),
    setting!(fold_after, Memory, "a whole number from 2 to 10000",
        "After so many changes in the journal a game's row is written at once.",
        |t| number(t, 2..=10_000), u32::to_string),

    setting!(jwt_key, Identity, "a public key in PEM or a secret for HS256, or the path of a file with it",
        "The key by which the tokens of an outside identity service are checked. A secret is better in a file than as a flag.",
        |t| Some(optional(t)), text_or_empty, true),
    setting!(jwt_jwks, Identity, "the path of a JWKS file",
        "The service's keys, if it has several. The file is read again on SIGHUP, and when a token names a key that \
         is not known and the file has changed.",
        |t| Some(optional_path(t)), path_or_empty),
    setting!(jwt_algorithms, Identity, "some of HS256, RS256, ES256 and EdDSA, divided by commas",
        "The algorithms its tokens may be signed with; left out, those that fit the key.",
        |t| list(t, |part| word(part, &["HS256", "RS256", "ES256", "EdDSA"]).map(str::to_owned)), |v| joined(v)),
    setting!(jwt_issuer, Identity, "a text",
        "What iss its tokens must have. Required with jwt_key or jwt_jwks.",
        |t| Some(optional(t)), text_or_empty),
    setting!(jwt_audience, Identity, "a text",
        "What aud its tokens must have. Required with jwt_key or jwt_jwks.",
        |t| Some(optional(t)), text_or_empty),

    setting!(log, Logging, "a level (error, warn, info, debug, trace), or a filter such as info,server::http=debug",
        "What is logged.",
        filter, String::clone),
    setting!(log_format, Logging, "auto, human or json",
        "The form of log lines; auto is human on a terminal and json otherwise.",
        |t| word(t, &[LogFormat::Auto, LogFormat::Human, LogFormat::Json]), LogFormat::to_string),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_accepted_and_read_back() {
        for setting in TABLE {
            let text = setting.default();
            let mut settings = Settings::default();
            if !text.is_empty() {
                assert!(
                    (setting.set)(&mut settings, &text),
                    "{} = {text}",
                    setting.name
                );
            }
            assert_eq!(settings, Settings::default(), "{}", setting.name);
        }
    }

    #[test]
    fn every_field_has_its_setting() {
        // The only list of fields the language gives: the names in this pattern.
        let Settings {
            listen: _,
            store: _,
            clock_ahead_seconds: _,
            purge_guest_days: _,
            purge_token_days: _,
            purge_key_days: _,
            bus: _,
            public_url: _,
            source_url: _,
            tls_cert: _,
            tls_key: _,
            trusted_proxies: _,
            registration: _,
            invite_code: _,
            anonymous_reads: _,
            metrics_from: _,
            rate_limits: _,
            creations_per_second: _,
            creations_burst: _,
            registrations_per_minute: _,
            registrations_burst: _,
            sign_ins_per_minute: _,
            wrong_passwords_per_minute: _,
            moves_per_second: _,
            commands_per_second: _,
            chat_per_ten_seconds: _,
            chat_characters: _,
            games_per_account: _,
            sockets_per_account: _,
            sockets_per_address: _,
            connections_max: _,
            connections_per_address: _,
            head_seconds: _,
            answer_seconds: _,
            stuck_seconds: _,
            ping_seconds: _,
            lag_quota_ms: _,
            body_bytes: _,
            request_seconds: _,
            session_days: _,
            queue_max: _,
            resident_max: _,
            idle_seconds: _,
            fold_seconds: _,
            fold_after: _,
            jwt_key: _,
            jwt_jwks: _,
            jwt_algorithms: _,
            jwt_issuer: _,
            jwt_audience: _,
            cors_origins: _,
            log: _,
            log_format: _,
        } = Settings::default();
        assert_eq!(TABLE.len(), 53);
    }
}
