//! Every setting, once: what it is for, where in the documentation it stands,
//! what it accepts, and what holds when nobody chooses.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::ArgAction::Set;
use clap::{Args, Command, FromArgMatches};

use super::network::Network;
use super::values::{
    LogFormat, Member, Registration, Secret, bus, days, domain, filter, mailbox, origin, postgres,
    rate, some, store, switch, url, whole, word,
};

const DAYS: &str = "a whole number from 0 to 36500";
const RATE: &str = "a whole number from 1 to 1000000";
const SOME: &str = "a whole number from 1 to 1000000000";
const NETWORKS: &str = "addresses or networks divided by commas, such as 127.0.0.1,10.0.0.0/8";

/// Everything that can be chosen, chosen.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub struct Settings {
    /// Where to listen; port 0 takes a free one, and the start-up message says which.
    #[arg(long, help_heading = "Network", value_name = "ADDRESS:PORT, such as 127.0.0.1:7878 or 0.0.0.0:443",
          default_value = "127.0.0.1:7878")]
    pub listen: SocketAddr,
    /// How clients reach this server, if not at the address it listens on: behind a proxy, or by a name.
    #[arg(long, help_heading = "Network", value_name = "http://HOST or https://HOST, with a port or path if need be",
          value_parser = url)]
    pub public_url: Option<String>,
    /// Where the source of this very server is offered, as its licence asks: the footer of every page leads there.
    #[arg(long, help_heading = "Network", value_name = "http://HOST/PATH or https://HOST/PATH", value_parser = url)]
    pub source_url: Option<String>,
    /// The certificate chain; with tls_key it makes the server speak HTTPS.
    #[arg(long, help_heading = "Network", value_name = "the path of a PEM file")]
    pub tls_cert: Option<PathBuf>,
    /// The key of tls_cert.
    #[arg(long, help_heading = "Network", value_name = "the path of a PEM file")]
    pub tls_key: Option<PathBuf>,
    /// Proxies whose X-Forwarded-For is believed; anyone else's is ignored.
    #[arg(long, help_heading = "Network", value_name = NETWORKS, value_delimiter = ',')]
    pub trusted_proxies: Vec<Network>,
    /// The web pages whose scripts may call /v1.
    #[arg(long, help_heading = "Network", value_name = "origins divided by commas, such as https://chess.example, or *",
          value_parser = origin, value_delimiter = ',')]
    pub cors_origins: Vec<String>,
    /// Networks besides the internet that webhooks and push services may be in. Left out: none, so that nobody who
    /// names an address makes this server ask its own machine or its neighbours.
    #[arg(long, help_heading = "Network", value_name = NETWORKS, value_delimiter = ',')]
    pub outside_networks: Vec<Network>,
    /// Whether webhooks may be at addresses that begin with http://, where anybody in between reads along.
    #[arg(long, help_heading = "Network", value_name = "on or off",
          value_parser = switch(), action = Set, default_value = "off")]
    pub outside_http: bool,

    /// How long a delivery to a webhook is tried, in all of its eight tries.
    #[arg(long, help_heading = "Network", value_name = "a whole number from 1 to 2592000",
          value_parser = whole::<u32>(1..=2_592_000), default_value_t = 86_400)]
    pub webhook_seconds: u32,
    /// Whether MovePlayed is told of every game; else of games with days per move, and of others while a webhook
    /// wants it.
    #[arg(long, help_heading = "Network", value_name = "on or off",
          value_parser = switch(), action = Set, default_value = "off")]
    pub every_move_event: bool,

    /// Where everything is durable. The file is made if there is none, and so is the schema arbiter in a database of
    /// PostgreSQL, which several servers may use at the same time.
    #[arg(long, help_heading = "Storage", value_name = "sqlite:PATH, postgres://USER@HOST/DATABASE, or memory: to keep nothing",
          value_parser = store, default_value = "sqlite:arbiter.db")]
    pub store: String,
    /// A streaming replica of the store, if that is in PostgreSQL: what spectators read, lists for nobody in particular
    /// and exports are asked of it while it is no more than two seconds behind. Nobody waits for one that is away.
    #[arg(long, help_heading = "Storage", value_name = "postgres://USER@HOST/DATABASE", value_parser = postgres)]
    pub replica: Option<String>,
    /// How far the games' time, which never goes back, may be ahead of the machine's clock at start; beyond it the
    /// server does not start. See arbiter admin reset-clock.
    #[arg(long, help_heading = "Storage", value_name = "a whole number from 0 to 1000000000",
          value_parser = whole::<u64>(0..=1_000_000_000), default_value_t = 3_600)]
    pub clock_ahead_seconds: u64,
    /// After how many days a guest is forgotten who never played, said nothing and has no session any more; 0: never.
    #[arg(long, help_heading = "Storage", value_name = DAYS, value_parser = days(), default_value_t = 30)]
    pub purge_guest_days: u32,
    /// How many days after its end a token or session is forgotten; 0: never.
    #[arg(long, help_heading = "Storage", value_name = DAYS, value_parser = days(), default_value_t = 7)]
    pub purge_token_days: u32,
    /// After how many days an Idempotency-Key is forgotten, which counts for one day; 0: never.
    #[arg(long, help_heading = "Storage", value_name = DAYS, value_parser = days(), default_value_t = 1)]
    pub purge_key_days: u32,
    /// After how many days an event, and what was delivered to webhooks, is forgotten; 0: never.
    #[arg(long, help_heading = "Storage", value_name = DAYS, value_parser = days(), default_value_t = 30)]
    pub purge_event_days: u32,
    /// How the nodes that share a database of PostgreSQL hear of each other: not at all, or by NATS.
    #[arg(long, help_heading = "Nodes", value_name = "local, or nats://HOST:PORT, several divided by commas",
          value_parser = bus, default_value = "local")]
    pub bus: String,
    /// The stream of NATS (JetStream) on which events for services are put, made if there is none: its name, which is
    /// also what their subjects begin with. Left out: none.
    #[arg(long, help_heading = "Nodes", value_name = "letters, digits, - and _", value_parser = word)]
    pub event_stream: Option<String>,
    /// What this node is called where nodes are named; left out: as the machine is.
    #[arg(long, help_heading = "Nodes", value_name = "a name")]
    pub node_name: Option<String>,
    /// How many milliseconds after its deadline a flag falls where several nodes may have received a move in time.
    #[arg(long, help_heading = "Nodes", value_name = "a whole number from 0 to 10000",
          value_parser = whole::<u32>(0..=10_000), default_value_t = 300)]
    pub flag_delay_ms: u32,

    /// Who may register: anyone, whoever knows invite_code, or nobody.
    #[arg(long, help_heading = "Access", value_name = "open, invite or closed", default_value = "open")]
    pub registration: Registration,
    /// What a newcomer must know if registration is by invitation. Better in the environment or the file than as a
    /// flag.
    #[arg(long, help_heading = "Access", value_name = "a text")]
    pub invite_code: Option<Secret>,
    /// For whom the rooms of games are open that are for members only: names, @registered for everyone with an account
    /// of their own, @titled for everyone with a title.
    #[arg(long, help_heading = "Access", value_name = "names and roles divided by commas, such as ann,@titled",
          value_delimiter = ',')]
    pub members: Vec<Member>,
    /// Whether public games, profiles and lists can be read without a token.
    #[arg(long, help_heading = "Access", value_name = "on or off",
          value_parser = switch(), action = Set, default_value = "on")]
    pub anonymous_reads: bool,
    /// Who may read /metrics, by address as trusted_proxies tell it; left out: everybody.
    #[arg(long, help_heading = "Access", value_name = NETWORKS, value_delimiter = ',')]
    pub metrics_from: Vec<Network>,
    /// How many days a session lasts.
    #[arg(long, help_heading = "Access", value_name = "a whole number from 1 to 3650",
          value_parser = whole::<u32>(1..=3650), default_value_t = 90)]
    pub session_days: u32,

    /// Whether rates are limited at all; off is for load tests and closed networks.
    #[arg(long, help_heading = "Limits", value_name = "on or off",
          value_parser = switch(), action = Set, default_value = "on")]
    pub rate_limits: bool,
    /// Games one account may create per second in the long run.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 20)]
    pub creations_per_second: u32,
    /// Games one account may create at once.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 300)]
    pub creations_burst: u32,
    /// Accounts and guests one address may register per minute in the long run.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 10)]
    pub registrations_per_minute: u32,
    /// Accounts and guests one address may register at once.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 50)]
    pub registrations_burst: u32,
    /// Attempts to sign in per minute, right or wrong, for one name from one address; ten times as many for a name
    /// from anywhere and for an address.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 30)]
    pub sign_ins_per_minute: u32,
    /// Wrong passwords per minute for one name from one address, and ten times as many for a name from anywhere and
    /// for an address; also wrong invite and join codes per minute from one address.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 10)]
    pub wrong_passwords_per_minute: u32,
    /// Moves one account may send per second.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 50)]
    pub moves_per_second: u32,
    /// Whatever else than moves changes something (offers, answers, joining, moderation, one's profile and tokens)
    /// that one account may send per second in the long run; five times as many at once.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 20)]
    pub commands_per_second: u32,
    /// Lines of chat one account may say in ten seconds.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 5)]
    pub chat_per_ten_seconds: u32,
    /// The longest line of chat, in characters.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 1 to 10000",
          value_parser = whole::<usize>(1..=10_000), default_value_t = 500)]
    pub chat_characters: usize,
    /// Unfinished games one account may have.
    #[arg(long, help_heading = "Limits", value_name = RATE, value_parser = rate(), default_value_t = 1_000)]
    pub games_per_account: u32,
    /// Rated games of two accounts against each other within a day that count; further ones change no rating. 0: all
    /// of them count.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 0 to 1000000",
          value_parser = whole::<u32>(0..=1_000_000), default_value_t = 10)]
    pub rated_games_per_day: u32,
    /// Days of vacation an account has per calendar year, in which its clock stands still in games with days per move.
    /// 0: there is no vacation.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 0 to 366",
          value_parser = whole::<u32>(0..=366), default_value_t = 30)]
    pub vacation_days: u32,
    /// Streams an account may have open, unless rate_limits is off.
    #[arg(long, help_heading = "Limits", value_name = SOME, value_parser = some(), default_value_t = 20)]
    pub sockets_per_account: usize,
    /// Streams an address may have open, unless rate_limits is off.
    #[arg(long, help_heading = "Limits", value_name = SOME, value_parser = some(), default_value_t = 200)]
    pub sockets_per_address: usize,
    /// Connections that may be open, but never more than the system's limit of open files leaves; one more is
    /// answered with 503 and closed.
    #[arg(long, help_heading = "Limits", value_name = SOME, value_parser = some(), default_value_t = 100_000)]
    pub connections_max: usize,
    /// Connections that may be open from one address (IPv6: one /64 network), unless it is one of trusted_proxies or
    /// rate_limits is off; never more than half of all.
    #[arg(long, help_heading = "Limits", value_name = SOME, value_parser = some(), default_value_t = 400)]
    pub connections_per_address: usize,
    /// How long a new connection may take until its first request's head is there, the TLS handshake included, and
    /// any later head from its first byte.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 1 to 3600",
          value_parser = whole::<u32>(1..=3600), default_value_t = 10)]
    pub head_seconds: u32,
    /// How long a client may take nothing of its answer before the connection is closed.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 1 to 3600",
          value_parser = whole::<u32>(1..=3600), default_value_t = 60)]
    pub answer_seconds: u32,
    /// How long a subscriber may accept nothing before its stream is closed.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 1 to 3600",
          value_parser = whole::<u32>(1..=3600), default_value_t = 15)]
    pub stuck_seconds: u32,
    /// How often someone with a WebSocket of whom nothing is heard is asked whether they are there. Whoever does not
    /// answer is gone after three times as long at most. Who only watches, without a token, is asked every 25
    /// seconds.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 1 to 60",
          value_parser = whole::<u32>(1..=60), default_value_t = 10)]
    pub ping_seconds: u32,
    /// Milliseconds per move at most that a player gets back for the network's delay, as pings on their own socket
    /// measure it; 0: none. Games show it, and each move's record says what was given back.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 0 to 1000",
          value_parser = whole::<u32>(0..=1000), default_value_t = 0)]
    pub lag_quota_ms: u32,
    /// The longest request body that is read.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 1024 to 16777216",
          value_parser = whole::<usize>(1024..=16 << 20), default_value_t = 16 * 1024)]
    pub body_bytes: usize,
    /// How long a request may take before it is answered with 503.
    #[arg(long, help_heading = "Limits", value_name = "a whole number from 1 to 3600",
          value_parser = whole::<u32>(1..=3600), default_value_t = 30)]
    pub request_seconds: u32,
    /// Requests that may wait for one game before further ones are answered with 503.
    #[arg(long, help_heading = "Limits", value_name = SOME, value_parser = some(), default_value_t = 64)]
    pub queue_max: usize,

    /// How far away in rating an opponent may be whom one is paired with at once.
    #[arg(long, help_heading = "Pairing", value_name = "a whole number from 0 to 4000",
          value_parser = whole::<u32>(0..=4000), default_value_t = 100)]
    pub pairing_window: u32,
    /// By how much that grows with every second of waiting.
    #[arg(long, help_heading = "Pairing", value_name = "a whole number from 0 to 4000",
          value_parser = whole::<u32>(0..=4000), default_value_t = 10)]
    pub pairing_widening: u32,
    /// How far away in rating an opponent may ever be; at least pairing_window.
    #[arg(long, help_heading = "Pairing", value_name = "a whole number from 0 to 4000",
          value_parser = whole::<u32>(0..=4000), default_value_t = 500)]
    pub pairing_gap: u32,
    /// After how long of waiting others, however short they wait, are paired with somebody up to pairing_gap away.
    #[arg(long, help_heading = "Pairing", value_name = "a whole number from 0 to 86400",
          value_parser = whole::<u32>(0..=86_400), default_value_t = 30)]
    pub pairing_patience_seconds: u32,
    /// After how long nobody is looked for any more; at least pairing_patience_seconds.
    #[arg(long, help_heading = "Pairing", value_name = "a whole number from 1 to 86400",
          value_parser = whole::<u32>(1..=86_400), default_value_t = 600)]
    pub pairing_timeout_seconds: u32,

    /// Games kept in memory (about half a kilobyte each); beyond it the longest unused go first.
    #[arg(long, help_heading = "Memory", value_name = SOME, value_parser = some(), default_value_t = 1_000_000)]
    pub resident_max: usize,
    /// How many seconds an unused game stays in memory.
    #[arg(long, help_heading = "Memory", value_name = "a whole number from 1 to 86400",
          value_parser = whole::<u32>(1..=86_400), default_value_t = 600)]
    pub idle_seconds: u32,
    /// Every so many seconds the journal is folded into the games' rows; more makes a restart longer.
    #[arg(long, help_heading = "Memory", value_name = "a whole number from 1 to 3600",
          value_parser = whole::<u32>(1..=3600), default_value_t = 30)]
    pub fold_seconds: u32,
    /// After so many changes in the journal a game's row is written at once.
    #[arg(long, help_heading = "Memory", value_name = "a whole number from 2 to 10000",
          value_parser = whole::<u32>(2..=10_000), default_value_t = 64)]
    pub fold_after: u32,

    /// Whether the server's bots use UCI engines; off: the built-in engine plays every level.
    #[arg(long, help_heading = "Bots", value_name = "on or off",
          value_parser = switch(), action = Set, default_value = "on")]
    pub engines: bool,
    /// The UCI engines, the preferred first; each variant is played by the first that knows it. Left out: stockfish and
    /// fairy-stockfish, if the system's packages brought them.
    #[arg(long, help_heading = "Bots", value_name = "paths of programs divided by commas", value_delimiter = ',')]
    pub engine_paths: Vec<PathBuf>,
    /// How many moves are calculated at once, each by a process or a thread of the built-in engine. They make way for
    /// players' requests.
    #[arg(long, help_heading = "Bots", value_name = "a whole number from 1 to 256",
          value_parser = whole::<usize>(1..=256), default_value_t = 2)]
    pub bot_workers: usize,
    /// What the tables of all engines may take together, in megabytes.
    #[arg(long, help_heading = "Bots", value_name = "a whole number from 2 to 1000000",
          value_parser = whole::<u32>(2..=1_000_000), default_value_t = 64)]
    pub bot_memory_mb: u32,
    /// Whether bots take as long for a move as people do; off, and against each other, they move as soon as they can.
    #[arg(long, help_heading = "Bots", value_name = "on or off",
          value_parser = switch(), action = Set, default_value = "on")]
    pub bot_thinking: bool,
    /// How many positions an engine looks at for each move of a finished game that is analysed.
    #[arg(long, help_heading = "Bots", value_name = "a whole number from 100 to 100000000",
          value_parser = whole::<u64>(100..=100_000_000), default_value_t = 100_000)]
    pub analysis_nodes: u64,

    /// The key by which the tokens of an outside identity service are checked. A secret is better in a file than as a
    /// flag.
    #[arg(long, help_heading = "Outside identities", value_name = "a public key in PEM or a secret for HS256, or the path of a file with it")]
    pub jwt_key: Option<Secret>,
    /// The service's keys, if it has several. The file is read again on SIGHUP, and when a token names a key that is
    /// not known and the file has changed.
    #[arg(long, help_heading = "Outside identities", value_name = "the path of a JWKS file")]
    pub jwt_jwks: Option<PathBuf>,
    /// The algorithms its tokens may be signed with; left out, those that fit the key.
    #[arg(long, help_heading = "Outside identities", value_name = "some of HS256, RS256, ES256 and EdDSA, divided by commas",
          value_parser = ["HS256", "RS256", "ES256", "EdDSA"], value_delimiter = ',')]
    pub jwt_algorithms: Vec<String>,
    /// What iss its tokens must have. Required with jwt_key or jwt_jwks.
    #[arg(long, help_heading = "Outside identities", value_name = "a text")]
    pub jwt_issuer: Option<String>,
    /// What aud its tokens must have. Required with jwt_key or jwt_jwks.
    #[arg(long, help_heading = "Outside identities", value_name = "a text")]
    pub jwt_audience: Option<String>,

    /// The mail server by which letters are sent: smtps:// for TLS from the beginning, ?tls=required for STARTTLS. Left
    /// out: none are sent. Needs mail_from and public_url.
    #[arg(long, help_heading = "Mail", value_name = "smtp://USER:PASSWORD@HOST:PORT?tls=required or smtps://USER:PASSWORD@HOST")]
    pub smtp_url: Option<Secret>,
    /// Whom letters come from; push services are told it too, as whom to write to.
    #[arg(long, help_heading = "Mail", value_name = "an address, such as chess@chess.example or Chess <chess@chess.example>",
          value_parser = mailbox)]
    pub mail_from: Option<String>,

    /// The XMPP server that Arbiter joins as two external components (XEP-0114): see docs/xmpp.md. Left out: none. Needs
    /// xmpp_secret, xmpp_arbiter and xmpp_games.
    #[arg(long, help_heading = "XMPP", value_name = "a name or an address, such as 127.0.0.1")]
    pub xmpp_host: Option<String>,
    /// Where it takes components.
    #[arg(long, help_heading = "XMPP", value_name = "a whole number from 1 to 65535",
          value_parser = whole::<u16>(1..=65_535), default_value_t = 5347)]
    pub xmpp_port: u16,
    /// What it knows both components by. Better in the environment or the file than as a flag.
    #[arg(long, help_heading = "XMPP", value_name = "a text")]
    pub xmpp_secret: Option<Secret>,
    /// The component that players send their moves to.
    #[arg(long, help_heading = "XMPP", value_name = "a domain, such as arbiter.chess.example", value_parser = domain)]
    pub xmpp_arbiter: Option<String>,
    /// The component whose rooms are the games.
    #[arg(long, help_heading = "XMPP", value_name = "a domain, such as games.chess.example", value_parser = domain)]
    pub xmpp_games: Option<String>,
    /// How often clocks are told in the rooms besides every change; 0: never.
    #[arg(long, help_heading = "XMPP", value_name = "a whole number from 0 to 3600",
          value_parser = whole::<u32>(0..=3600), default_value_t = 10)]
    pub xmpp_clock_seconds: u32,

    /// What is logged.
    #[arg(long, help_heading = "Logging", value_name = "a level (error, warn, info, debug, trace), or a filter such as info,server::http=debug",
          value_parser = filter, default_value = "info")]
    pub log: String,
    /// The form of log lines; auto is human on a terminal and json otherwise.
    #[arg(long, help_heading = "Logging", value_name = "auto, human or json", default_value = "auto")]
    pub log_format: LogFormat,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::parse(Vec::new()).expect("a test reads every default")
    }
}

impl Settings {
    /// Reads `--name=value`s.
    pub(super) fn parse(words: Vec<String>) -> Result<Settings, clap::Error> {
        let matches = command().no_binary_name(true).try_get_matches_from(words)?;
        Settings::from_arg_matches(&matches)
    }
}

/// The settings as a command line.
pub(super) fn command() -> Command {
    Settings::augment_args(Command::new("settings"))
}
