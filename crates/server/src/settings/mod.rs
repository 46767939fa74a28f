//! What an operator may choose.
//!
//! [`TABLE`] names every setting once. Flags, environment, file, `--help` and
//! `docs/settings.md` all come from it, and [`Settings::default`] says what holds
//! when nobody chooses.

mod check;
mod hint;
mod kubernetes;
mod load;
mod page;
mod table;
mod values;

use std::net::SocketAddr;
use std::path::PathBuf;

pub use load::{SettingError, Sources};
pub use page::page;
pub use table::{Section, Setting, TABLE};
pub use values::{LogFormat, Network, Registration};

/// Everything that can be chosen, chosen.
#[derive(Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where everything is durable: `sqlite:PATH` or `memory:`.
    pub store: String,
    /// How far the games' time may be ahead of the machine's clock at start.
    pub clock_ahead_seconds: u64,
    /// After how many days a guest who never played is forgotten; 0: never.
    pub purge_guest_days: u32,
    /// How many days after its end a token is forgotten; 0: never.
    pub purge_token_days: u32,
    /// After how many days an idempotency key is forgotten; 0: never.
    pub purge_key_days: u32,
    /// How nodes hear of each other; only `local` so far.
    pub bus: String,
    /// How clients reach this server, without a slash at the end.
    pub public_url: Option<String>,
    /// Where the source of this server is offered.
    pub source_url: Option<String>,
    /// The certificate chain, PEM.
    pub tls_cert: Option<PathBuf>,
    /// The certificate's key, PEM.
    pub tls_key: Option<PathBuf>,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Who may register.
    pub registration: Registration,
    /// What a newcomer must know if registration is by invitation.
    pub invite_code: Option<String>,
    /// Whether public games can be read without a token.
    pub anonymous_reads: bool,
    /// Who may read `/metrics`; empty: everybody.
    pub metrics_from: Vec<Network>,
    /// Whether rates are limited at all.
    pub rate_limits: bool,
    /// Games one account may create per second, in the long run.
    pub creations_per_second: u32,
    /// Games one account may create at once.
    pub creations_burst: u32,
    /// Accounts one address may register per minute, in the long run.
    pub registrations_per_minute: u32,
    /// Accounts one address may register at once.
    pub registrations_burst: u32,
    /// Attempts to sign in per minute, per name and address.
    pub sign_ins_per_minute: u32,
    /// Wrong passwords per minute, per name and address; wrong codes, per address.
    pub wrong_passwords_per_minute: u32,
    /// Moves one account may send per second.
    pub moves_per_second: u32,
    /// Commands other than moves that one account may send per second.
    pub commands_per_second: u32,
    /// Lines of chat one account may say in ten seconds.
    pub chat_per_ten_seconds: u32,
    /// The longest line of chat, in characters.
    pub chat_characters: usize,
    /// Unfinished games one account may have.
    pub games_per_account: u32,
    /// Streams an account may have open.
    pub sockets_per_account: usize,
    /// Streams an address may have open.
    pub sockets_per_address: usize,
    /// Connections that may be open.
    pub connections_max: usize,
    /// Connections that may be open from one address.
    pub connections_per_address: usize,
    /// How long a request's head may take, in seconds.
    pub head_seconds: u32,
    /// How long a client may take nothing of its answer, in seconds.
    pub answer_seconds: u32,
    /// How long a stream may be stuck before it is closed.
    pub stuck_seconds: u32,
    /// How often a player of whom nothing is heard is asked whether they are there.
    pub ping_seconds: u32,
    /// What of the network's delay a player gets back per move.
    pub lag_quota_ms: u32,
    /// The longest request body, in bytes.
    pub body_bytes: usize,
    /// How long a request may take, in seconds.
    pub request_seconds: u32,
    /// How long a session lasts, in days.
    pub session_days: u32,
    /// Requests that may wait for one game.
    pub queue_max: usize,
    /// Games kept in memory.
    pub resident_max: usize,
    /// How long an unused game stays in memory, in seconds.
    pub idle_seconds: u32,
    /// How often games are folded into their rows, in seconds.
    pub fold_seconds: u32,
    /// Changes of one game after which it is folded at once.
    pub fold_after: u32,
    /// The key of an outside identity service, or the file it is in: a public
    /// key in PEM, or a secret for HS256.
    pub jwt_key: Option<String>,
    /// The file with its keys, as a JWKS.
    pub jwt_jwks: Option<PathBuf>,
    /// The algorithms its tokens may use; empty: whatever fits the key.
    pub jwt_algorithms: Vec<String>,
    /// What `iss` its tokens must have.
    pub jwt_issuer: Option<String>,
    /// What `aud` its tokens must have.
    pub jwt_audience: Option<String>,
    /// The web pages whose scripts may call `/v1`.
    pub cors_origins: Vec<String>,
    /// What is logged.
    pub log: String,
    /// In which form.
    pub log_format: LogFormat,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 7878)),
            store: "sqlite:arbiter.db".into(),
            clock_ahead_seconds: 3_600,
            purge_guest_days: 30,
            purge_token_days: 7,
            purge_key_days: 1,
            bus: "local".into(),
            public_url: None,
            source_url: None,
            tls_cert: None,
            tls_key: None,
            trusted_proxies: Vec::new(),
            registration: Registration::Open,
            invite_code: None,
            anonymous_reads: true,
            metrics_from: Vec::new(),
            rate_limits: true,
            creations_per_second: 20,
            creations_burst: 300,
            registrations_per_minute: 10,
            registrations_burst: 50,
            sign_ins_per_minute: 30,
            wrong_passwords_per_minute: 10,
            moves_per_second: 50,
            commands_per_second: 20,
            chat_per_ten_seconds: 5,
            chat_characters: 500,
            games_per_account: 1_000,
            sockets_per_account: 20,
            sockets_per_address: 200,
            connections_max: 100_000,
            connections_per_address: 400,
            head_seconds: 10,
            answer_seconds: 60,
            stuck_seconds: 15,
            ping_seconds: 10,
            lag_quota_ms: 0,
            body_bytes: 16 * 1024,
            request_seconds: 30,
            session_days: 90,
            queue_max: 64,
            resident_max: 1_000_000,
            idle_seconds: 600,
            fold_seconds: 30,
            fold_after: 64,
            jwt_key: None,
            jwt_jwks: None,
            jwt_algorithms: Vec::new(),
            jwt_issuer: None,
            jwt_audience: None,
            cors_origins: Vec::new(),
            log: "info".into(),
            log_format: LogFormat::Auto,
        }
    }
}

impl Settings {
    /// Whether TLS is spoken.
    pub fn is_tls(&self) -> bool {
        self.tls_cert.is_some()
    }

    /// The database file, if the store is in one: where it really is, since
    /// what lies beside it is found by that name.
    pub fn database(&self) -> Option<PathBuf> {
        let path = self.store.strip_prefix("sqlite:")?;
        let path = PathBuf::from(path.strip_prefix("//").unwrap_or(path));
        Some(store::real_path(&path).unwrap_or(path))
    }
}
