//! Every route of the description, called with whatever chance makes of it:
//! no failure of ours, no hang, no panic, no secret in the log.
//!
//! `ARBITER_FUZZ=100000` makes it longer.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::Server;
use crate::logs;
use crate::mutate::{Rng, World, nasty, nasty_text, worsen};
use crate::routes::{self, Route};
use crate::stage::{Cast, Game, Role, password_hash};
use crate::wire::{Reply, Request};

const REQUESTS: u64 = 8_000;
/// So many requests, and there are new people and games: the old ones have
/// resigned, signed out, and deleted themselves.
const LIFETIME: u64 = 100;

/// Tools of the door for language models, and what they take.
const TOOLS: [&str; 15] = [
    "sign_in_as_guest",
    "whoami",
    "find_games",
    "my_games",
    "play_computer",
    "create_game",
    "join_game",
    "call_off",
    "look_at_board",
    "legal_moves",
    "make_move",
    "draw",
    "say",
    "read_chat",
    "no_such_tool",
];
const ARGUMENTS: [&str; 14] = [
    "game_id",
    "move",
    "ply",
    "action",
    "text",
    "after",
    "opponent",
    "color",
    "minutes",
    "variant",
    "forfeit_after",
    "join_code",
    "display_name",
    "token",
];

/// People and games that requests are about.
struct Scene {
    cast: Cast,
    games: Vec<Game>,
    people: Vec<String>,
    codes: Vec<String>,
}

impl Scene {
    async fn new(server: &Server, hash: &str) -> Scene {
        let cast = Cast::new(server, hash).await;
        let mut games = Vec::new();
        for case in [
            "active", "active*", "begun", "open", "open*", "meant", "draw", "takeback", "pause",
            "paused", "over", "rematch",
        ] {
            games.extend(cast.game(case).await);
        }
        let people = cast.people();
        let codes = games.iter().map(|game| game.join_code.clone());
        Scene {
            codes: codes.filter(|code| !code.is_empty()).collect(),
            cast,
            games,
            people,
        }
    }

    /// A request to that route, more or less.
    fn request(&self, rng: &mut Rng, document: &Value, route: &Route) -> Request {
        let world = World {
            document,
            people: &self.people,
            codes: &self.codes,
        };
        let others = [
            "HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "POST", "BREW",
        ];
        let is_other = rng.percent(5);
        let method = if is_other {
            rng.pick(&others)
        } else {
            &route.method
        };
        let target = self.target(rng, &world, route);
        let request = Request::new(method, target);
        let request = request.bearer(self.cast.token(role(rng, route)));
        let request = headers(rng, request);
        let schema = &route.operation["requestBody"]["content"]["application/json"]["schema"];
        let is_models = route.path == "/mcp";
        let request = match is_models && rng.percent(90) {
            true => request.header("accept", "application/json, text/event-stream"),
            false => request,
        };
        let good = match schema {
            _ if is_models => self.tool_call(rng),
            Value::Null => json!({}),
            schema => world.valid(rng, "", schema),
        };
        if method == "GET" && rng.percent(90) {
            return request;
        }
        let body = worsen(rng, good);
        let media = [
            "application/json",
            "application/x-www-form-urlencoded",
            "text/plain",
            "multipart/form-data",
            "\"",
            "",
        ];
        let media = if rng.percent(80) {
            media[0]
        } else {
            rng.pick(&media)
        };
        let with = request.header("content-type", media);
        Request { body, ..with }
    }

    /// Some tool, with arguments of all of them.
    fn tool_call(&self, rng: &mut Rng) -> Value {
        let mut arguments = json!({});
        for name in ARGUMENTS {
            if rng.percent(if name == "game_id" { 80 } else { 20 }) {
                let game = &self.games[rng.below(self.games.len())].id;
                let person = &self.people[rng.below(self.people.len())];
                arguments[name] = match rng.below(8) {
                    0 => nasty(rng),
                    1 => json!(nasty_text(rng)),
                    2 => json!(rng.below(30)),
                    3 => json!(person),
                    4 => json!(rng.pick(&["white", "offer", "e4", "chess960", "easy"])),
                    _ => json!(game),
                };
            }
        }
        let tool = rng.pick(&TOOLS);
        let params = json!({ "name": tool, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": rng.below(9), "method": "tools/call", "params": params })
    }

    fn target(&self, rng: &mut Rng, world: &World<'_>, route: &Route) -> String {
        let any = rng.below(self.games.len());
        let game = &self.games[if rng.percent(30) { 0 } else { any }];
        let mut target = if rng.percent(85) {
            self.cast.target(&route.path, game)
        } else {
            let junk = [nasty_text(rng), nasty_text(rng)];
            route
                .path
                .replace("{id}", &junk[0])
                .replace("{name}", &junk[1])
                .replace("{speed}", &junk[1])
                .replace("{matchID}", &junk[0])
                .replace("{game_id}", &junk[0])
        };
        let parameters = route.operation["parameters"].as_array();
        let parameters = parameters.into_iter().flatten();
        let parameters: Vec<&Value> = parameters.filter(|p| p["in"] == "query").collect();
        let mut pairs = Vec::new();
        // Of many a few at a time: one that makes no sense is enough for a refusal.
        let share = 160 / parameters.len().max(4);
        for parameter in parameters {
            let name = parameter["name"].as_str().unwrap_or_default();
            if rng.percent(share) {
                let value = match world.valid(rng, name, &parameter["schema"]) {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                let value = if rng.percent(50) {
                    value
                } else {
                    nasty_text(rng)
                };
                pairs.push(format!("{name}={value}"));
            }
        }
        if rng.percent(10) {
            pairs.push(format!(
                "{}={}",
                rng.pick(&["token", "x", "%74oken", ""]),
                nasty_text(rng)
            ));
        }
        if !pairs.is_empty() {
            target = format!("{target}?{}", pairs.join("&"));
        }
        target
    }
}

/// Operators do what operators may; whoever leaves for good is not needed again.
fn role(rng: &mut Rng, route: &Route) -> Role {
    if route.method == "DELETE" && !route.path.contains('{') {
        return Role::Invited;
    }
    if route.path.starts_with("/v1/admin") && rng.percent(80) {
        return Role::All;
    }
    match rng.below(20) {
        0..12 => Role::Player,
        12..17 => Role::Opponent,
        17 => Role::Guest,
        18 => Role::Nobody,
        _ => Role::All,
    }
}

/// Headers that mean something, with values that mean nothing.
fn headers(rng: &mut Rng, mut request: Request) -> Request {
    let names = [
        "idempotency-key",
        "authorization",
        "accept",
        "if-none-match",
        "x-request-id",
        "origin",
        "x-forwarded-for",
        "arbiter-version",
        "range",
        "accept-encoding",
        "cookie",
        "upgrade",
        "access-control-request-method",
        "transfer-encoding-x",
        "if-modified-since",
    ];
    let long = "k".repeat(rng.below(5_000));
    let values: [&[u8]; 12] = [
        b"",
        b"k",
        b"Bearer",
        b"Bearer a.b.c",
        b"Basic YTpi",
        b"\xff\xfe",
        b"*/*;q=x",
        b"W/\"1-o-11\"",
        b"application/x-chess-pgn",
        b"-1",
        b"1.2.3.4, ::1, junk",
        long.as_bytes(),
    ];
    if rng.percent(30) {
        for _ in 0..=rng.below(3) {
            let name = rng.pick(&names);
            request = request.header(name, rng.pick(&values));
        }
    }
    request
}

/// What hyper refuses before it is a request at all.
fn is_refused_unread(reply: &Reply) -> bool {
    [400, 414, 431].contains(&reply.status)
        && reply.body.is_empty()
        && reply.header("x-request-id").is_none()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_asked_the_server_stands() {
    logs::listen();
    let requests = std::env::var("ARBITER_FUZZ")
        .ok()
        .and_then(|n| n.parse().ok());
    let requests: u64 = requests.unwrap_or(REQUESTS);
    let server = Server::start_with(|settings| settings.request_seconds = 4).await;
    let (document, routes, hash) = (routes::document(), routes::all(), password_hash());
    let address = server.running().address;
    let mut scene = Scene::new(&server, &hash).await;
    let mut answers: BTreeMap<u16, u32> = BTreeMap::new();
    let (mut good, mut unread) = (std::collections::BTreeSet::new(), 0);
    for number in 0..requests {
        if number % LIFETIME == LIFETIME - 1 {
            scene = Scene::new(&server, &hash).await;
        }
        let rng = &mut Rng::new(number);
        let route = &routes[number as usize % routes.len()];
        let request = scene.request(rng, &document, route);
        let reply = request.send(address).await;
        *answers.entry(reply.status).or_default() += 1;
        if is_refused_unread(&reply) {
            unread += 1;
            continue;
        }
        if reply.status < 300 && request.method == route.method {
            good.insert(route.name());
        }
        // Pages that letters lead to are for people, whatever they say.
        let is_page = route.path.starts_with("/v1/mail/");
        let flaw = reply.flaw(&request.method);
        let flaw = flaw.filter(|flaw| !(is_page && flaw.contains("no JSON")));
        let flaw = flaw.or_else(|| (reply.status >= 500).then(|| "a failure".to_owned()));
        if let Some(flaw) = flaw {
            panic!(
                "request {number}: {flaw}\n{}\n{}",
                shown(&request),
                told(&reply)
            );
        }
    }
    let missed: Vec<_> = routes
        .iter()
        .map(Route::name)
        .filter(|r| !good.contains(r))
        .collect();
    println!("{requests} requests, {answers:?}; never a success: {missed:?}");
    assert!(unread < requests / 10, "{unread} never reached a route");
    assert!(
        good.len() * 3 > routes.len() * 2,
        "hardly any succeed: the fuzz is blunt"
    );
    for probe in ["/health", "/ready"] {
        assert_eq!(Request::new("GET", probe).send(address).await.status, 200);
    }
    Scene::new(&server, &hash).await;
    assert_eq!(logs::panics(), Vec::<String>::new());
    assert_eq!(logs::secret(), None, "a secret was logged");
}

fn shown(request: &Request) -> String {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(900)]).into_owned();
    let headers = request
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {}\n", lossy(value)));
    let headers: String = headers.collect();
    format!(
        "{} {}\n{headers}\n{}",
        request.method,
        request.target,
        lossy(&request.body)
    )
}

fn told(reply: &Reply) -> String {
    let body = String::from_utf8_lossy(&reply.body[..reply.body.len().min(600)]).into_owned();
    format!("{} {:?}\n{body}", reply.status, reply.headers)
}
