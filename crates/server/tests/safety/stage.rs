//! People of every kind, and games in every state, to call routes with.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};

use chess::table::PlayerId;
use serde_json::{Value, json};
use server::admin::OPERATOR;
use server::auth::{Scope, Scopes, passwords, secrets};
use server::play::App;
use store::{AccountKind, Creation, NewAccount, NewToken, TokenKind};

use crate::client::Server;
use crate::wire::{Reply, Request};

/// The password of whoever has one.
pub(crate) const PASSWORD: &str = "rook takes queen";

/// Who calls. The first five scopes are tokens of the player with that one
/// scope; `Admin` is such a token of an administrator, `All` one with every scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Nobody,
    Guest,
    Stranger,
    Player,
    Opponent,
    Invited,
    Read,
    Play,
    Challenge,
    Bot,
    Service,
    Admin,
    All,
    Console,
}

impl Role {
    /// In the order of the table's columns.
    pub(crate) const ALL: [Role; 14] = [
        Role::Nobody,
        Role::Guest,
        Role::Stranger,
        Role::Player,
        Role::Opponent,
        Role::Invited,
        Role::Read,
        Role::Play,
        Role::Challenge,
        Role::Bot,
        Role::Service,
        Role::Admin,
        Role::All,
        Role::Console,
    ];
}

/// Somebody with an account.
struct Person {
    id: String,
    number: PlayerId,
}

/// One of each.
pub(crate) struct Cast {
    address: SocketAddr,
    tokens: Vec<(Role, Option<String>)>,
    player: String,
    opponent: String,
    invited: String,
    /// Somebody whom operators do things to, who has a password.
    target: String,
    target_token: u64,
    /// A token of the player with scope `play`.
    player_token: u64,
}

/// A game to call a route of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Game {
    pub(crate) id: String,
    pub(crate) join_code: String,
}

impl Game {
    /// Its id at doors whose contract says UUID.
    pub(crate) fn uuid(&self) -> String {
        let id = self.id.parse::<store::TableId>();
        id.map_or_else(
            |_| NO_MATCH.to_owned(),
            |id| format!("61726269-7465-8000-8000-{:012x}", id.number()),
        )
    }
}

static PEOPLE: AtomicU32 = AtomicU32::new(0);

fn new_name(kind: &str) -> String {
    format!("{kind}-{}", PEOPLE.fetch_add(1, Ordering::Relaxed))
}

async fn person(app: &App, kind: &str, hash: Option<&str>) -> Person {
    let new = NewAccount {
        uuid: rand::random(),
        name: new_name(kind),
        kind: if kind == "guest" {
            AccountKind::Guest
        } else {
            AccountKind::Registered
        },
        email: None,
        password_hash: hash.map(str::to_owned),
        is_admin: kind == "boss",
        outside: None,
        at: app.now(),
    };
    match app.store.create_account(new).await {
        Ok(Creation::Created(account)) => Person {
            id: account.id,
            number: account.number,
        },
        other => panic!("no {kind}: {other:?}"),
    }
}

/// Who may do what signing in gives has signed in; other tokens are personal.
async fn token(app: &App, person: &Person, scopes: Scopes) -> (u64, Option<String>) {
    let secret = secrets::token();
    let new = NewToken {
        hash: secrets::hash(&secret),
        account: person.number,
        kind: if scopes == Scopes::SESSION {
            TokenKind::Session
        } else {
            TokenKind::Personal
        },
        name: "test".into(),
        scopes: scopes.to_bits(),
        at: app.now(),
        expires_at: None,
    };
    let token = app.store.add_token(new).await.expect("a token");
    (token.id, Some(secret))
}

/// What a password is kept as, worked out once.
pub(crate) fn password_hash() -> String {
    passwords::hash(PASSWORD).expect("a hash")
}

/// The id of a match that there is not.
const NO_MATCH: &str = "61726269-7465-8000-8000-000000000000";

fn new_uuid() -> String {
    uuid::Uuid::new_v4().to_string()
}

impl Cast {
    pub(crate) async fn new(server: &Server, hash: &str) -> Cast {
        let app = server.running().app();
        let (guest, stranger, player, opponent, invited, boss, target) = tokio::join!(
            person(app, "guest", None),
            person(app, "stranger", None),
            person(app, "player", None),
            person(app, "opponent", None),
            person(app, "invited", None),
            person(app, "boss", None),
            person(app, "target", Some(hash)),
        );
        let console = app.store.account_by_id(OPERATOR).await;
        let console = console.expect("the store reads").expect("a console");
        let console = Person {
            id: console.id,
            number: console.number,
        };
        let one = |scope| Scopes::of(&[scope]);
        let session = Scopes::SESSION;
        let minted = futures_util::future::join_all([
            token(app, &guest, session),
            token(app, &stranger, session),
            token(app, &player, session),
            token(app, &opponent, session),
            token(app, &invited, session),
            token(app, &player, one(Scope::Read)),
            token(app, &player, one(Scope::Play)),
            token(app, &player, one(Scope::Challenge)),
            token(app, &player, one(Scope::Bot)),
            token(app, &player, one(Scope::Service)),
            token(app, &boss, one(Scope::Admin)),
            token(app, &boss, Scopes::of(&Scope::ALL)),
            token(app, &console, one(Scope::Admin)),
        ]);
        let (minted, spare, targets) = tokio::join!(
            minted,
            token(app, &player, one(Scope::Play)),
            token(app, &target, session),
        );
        let minted = minted.into_iter().map(|(_, secret)| secret);
        let tokens = [None].into_iter().chain(minted);
        Cast {
            address: server.running().address,
            tokens: Role::ALL.into_iter().zip(tokens).collect(),
            player: player.id,
            opponent: opponent.id,
            invited: invited.id,
            target: target.id,
            target_token: targets.0,
            player_token: spare.0,
        }
    }

    pub(crate) fn token(&self, role: Role) -> Option<&str> {
        let found = self.tokens.iter().find(|(of, _)| *of == role);
        found.and_then(|(_, token)| token.as_deref())
    }

    /// The ids of those who are not operators.
    pub(crate) fn people(&self) -> Vec<String> {
        let people = [&self.player, &self.opponent, &self.invited, &self.target];
        people.into_iter().cloned().collect()
    }

    /// Fills in a path.
    pub(crate) fn target(&self, path: &str, game: &Game) -> String {
        let id = match path {
            path if path.starts_with("/v1/webhooks") || path.starts_with("/v1/admin/webhooks") => {
                "999999999".to_owned()
            }
            "/v1/tokens/{id}" => self.player_token.to_string(),
            "/v1/admin/accounts/{name}/tokens/{id}" => self.target_token.to_string(),
            "/v1/me/notices/{id}"
            | "/v1/me/push/{id}"
            | "/v1/admin/reports/{id}/decide"
            | "/v1/matchmaking/queue/{id}" => "999999999".to_owned(),
            _ => game.id.clone(),
        };
        // An account that is closed or barred could not be asked about any more.
        let name = match path {
            "/v1/admin/accounts/{name}/close" | "/v1/admin/accounts/{name}/bar" => "no-such-one",
            _ => &self.target,
        };
        let query = match path {
            "/v1/players" => "?prefix=a",
            "/v1/players/{name}/rating-history" => "?speed=blitz",
            _ => "",
        };
        let filled = path
            .replace("{id}", &id)
            .replace("{name}", name)
            .replace("{speed}", "blitz")
            .replace("{kind}", "mute")
            .replace("{delivery}", "1")
            .replace("{matchID}", NO_MATCH)
            .replace("{game_id}", &game.uuid())
            .replace("{uci}", "g1f3")
            .replace("{jid}", "nobody@example.org")
            .replace("{accept}", "yes")
            .replace("{seconds}", "15")
            .replace("{channel}", "blitz")
            .replace("{sid}/add", "no-such-stream/add")
            .replace("{sid}", "a-stream");
        filled + query
    }

    /// A body that the route takes from whoever may call it.
    pub(crate) fn body(&self, path: &str, case: &str, game: &Game) -> Value {
        let clock = json!({ "initial_seconds": 300, "increment_seconds": 0 });
        match (path, case) {
            ("/v1/accounts" | "/v1/admin/accounts", _) => {
                json!({ "username": new_name("new"), "password": PASSWORD })
            }
            ("/v1/setup", _) => json!({
                "code": "AAAA-AAAA-AAAA", "name": new_name("new"), "password": PASSWORD,
            }),
            ("/v1/admin/accounts/{name}/sanctions/{kind}", _) => json!({ "note": "" }),
            ("/v1/sessions" | "/v1/admin/sessions", _) => {
                json!({ "username": self.target, "password": PASSWORD })
            }
            ("/v1/tokens", "power") => json!({ "name": "x", "scopes": ["admin"] }),
            ("/v1/tokens" | "/v1/admin/accounts/{name}/tokens", _) => {
                json!({ "name": "x", "scopes": ["read"] })
            }
            ("/v1/admin/accounts/{name}/password", _) => json!({ "password": PASSWORD }),
            ("/v1/admin/accounts/{name}/title", _) => json!({ "title": "GM" }),
            ("/v1/admin/accounts/{name}/rights", _) => json!({ "is_admin": false }),
            ("/v1/admin/identities/block" | "/v1/admin/identities/unblock", _) => {
                json!({ "issuer": "https://id.example", "subject": "nobody" })
            }
            ("/v1/webhooks", case) => json!({
                "url": "https://example.org/hook", "events": ["GameEnded"],
                "all_games": case == "all",
            }),
            ("/v1/me/blocks", _) => json!({ "names": [self.target] }),
            ("/v1/me/push", _) => json!({
                "endpoint": "https://push.example/a",
                "keys": {
                    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
                },
            }),
            ("/v1/password-resets", _) => json!({ "username": self.target }),
            ("/v1/password-resets/complete", _) => {
                json!({ "code": "made-up", "password": PASSWORD })
            }
            ("/v1/reports", _) => json!({ "player": self.target, "reason": "spam" }),
            ("/v1/games/{id}/signals", _) => json!({ "kind": "focus_lost" }),
            ("/v1/games/{id}/conditional-moves", _) => json!({ "lines": [["e7e5", "g1f3"]] }),
            ("/v1/me/vacation", _) => json!({ "until": null }),
            ("/v1/me/adopt", _) => json!({ "guest_token": "made-up" }),
            ("/v1/me/preferences", _) => json!({ "board": "blue" }),
            ("/v1/admin/reports/{id}/decide", _) => json!({ "decision": "dismiss", "note": "" }),
            ("/v1/games", "service") => json!({
                "time_control": clock, "white": self.player, "black": self.opponent, "start": true,
            }),
            ("/v1/games", _) => json!({ "time_control": clock }),
            ("/v1/games/bot" | "/live/v1/games/bot", _) => {
                json!({ "time_control": clock, "difficulty": "easy" })
            }
            // Guests play unrated games.
            ("/live/v1/games", _) => json!({ "time_control": clock, "rated": false }),
            ("/live/v1/games/{game_id}/moves", _) => json!({ "from": "g1", "to": "f3" }),
            // Whoever they wait for, nobody comes, and they may play meanwhile.
            ("/v1/matchmaking/queue", _) => json!({
                "time_control": { "days_per_move": 3 }, "rating_range": { "min": 3999 },
            }),
            ("/v1/games/join", _) => json!({ "join_code": game.join_code }),
            ("/mcp", _) => json!({
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": { "name": "look_at_board", "arguments": { "game_id": game.id } },
            }),
            ("/v1/games/{id}/moves", _) => json!({ "move": "g1f3" }),
            ("/v1/games/{id}/add-time", _) => json!({ "seconds": 15 }),
            ("/v1/games/{id}/invite", _) => json!({ "names": [self.target] }),
            ("/v1/games/{id}/chat", "notice") => json!({ "text": "Hello", "notice": true }),
            ("/v1/games/{id}/chat", _) => json!({ "text": "Hello" }),
            ("/v1/games/{id}/mute", "player") => json!({ "name": self.opponent }),
            ("/v1/games/{id}/mute" | "/v1/games/{id}/remove", _) => json!({ "name": self.target }),
            ("/v1/matches", _) => json!({ "guestID": new_uuid(), "displayName": "Guest" }),
            ("/v1/matches/join", _) => json!({
                "guestID": new_uuid(), "displayName": "Guest", "roomCode": "ABCDEF",
            }),
            ("/v1/matches/{matchID}/actions", "guest") => json!({ "actorID": new_uuid() }),
            ("/v1/admin/games/{id}/clock", _) => json!({ "white_ms": 60_000 }),
            ("/v1/admin/games/{id}/result", _) => json!({ "result": "draw" }),
            ("/api/challenge/ai", _) => {
                json!({ "level": 1, "clock.limit": 300, "clock.increment": 0 })
            }
            ("/api/games/export/_ids" | "/api/stream/games/{sid}", _) => json!([game.id]),
            ("/api/users" | "/api/stream/games-by-users", _) => json!([self.player]),
            // Nobody is as strong as that.
            ("/api/board/seek", _) => json!({ "ratingRange": "3998-3999" }),
            // Nothing is there, and nothing will be written.
            ("/v1/admin/backup" | "/v1/admin/import", _) => json!({ "path": "/nowhere/at/all" }),
            _ => json!({}),
        }
    }

    pub(crate) async fn call(&self, role: Role, method: &str, target: &str, body: &Value) -> Reply {
        let request = Request::new(method, target).bearer(self.token(role));
        let request = if method == "GET" {
            request
        } else {
            request.json(body)
        };
        // A service must name its requests; nobody else asks to start a game.
        let request = match body["start"].as_bool() {
            Some(true) => request.header("idempotency-key", new_name("key")),
            _ => request,
        };
        request.send(self.address).await
    }

    /// Something that must succeed.
    pub(crate) async fn does(&self, role: Role, path: &str, body: Value) -> Value {
        let reply = self.call(role, "POST", path, &body).await;
        assert!(reply.status < 300, "{path}: {}", reply.json());
        reply.json()
    }

    /// A game in the state that the case names: `open` to all, `meant` for the
    /// opponent, `begun`, `active` after a move of each, with something on
    /// offer by the opponent, and so on. A star makes it private.
    pub(crate) async fn game(&self, case: &str) -> Option<Game> {
        let state = case.trim_end_matches('*');
        if ["-", "power", "service", "guest", "all"].contains(&state) {
            return None;
        }
        let mut terms =
            json!({ "time_control": { "initial_seconds": 300, "increment_seconds": 0 } });
        if case.ends_with('*') {
            terms["visibility"] = json!("private");
            terms["invited"] = json!([self.invited]);
        }
        if state != "open" {
            terms["opponent_id"] = json!(self.opponent);
        }
        if state.starts_with("rated") {
            terms["rated"] = json!(true);
        }
        let made = self.does(Role::Player, "/v1/games", terms).await;
        let text = |field: &str| made[field].as_str().unwrap_or_default().to_owned();
        let game = Game {
            id: text("id"),
            join_code: text("join_code"),
        };
        let asks = async |role: Role, what: &str, body: Value| {
            let path = format!("/v1/games/{}/{what}", game.id);
            self.does(role, &path, body).await;
        };
        let steps: &[&str] = match state {
            "open" | "meant" | "rated" => &[],
            "begun" => &["join"],
            "active" | "notice" | "player" => &["join", "moves"],
            "over" => &["join", "resign"],
            "rematch" => &["join", "resign", "offer-rematch"],
            "draw" => &["join", "moves", "offer-draw"],
            "takeback" => &["join", "moves", "offer-takeback"],
            "pause" => &["join", "moves", "offer-pause"],
            "paused" => &["join", "moves", "offer-pause", "accept-pause"],
            other => panic!("there is no case {other}"),
        };
        for step in steps {
            match *step {
                "moves" => {
                    asks(Role::Player, "moves", json!({ "move": "e2e4" })).await;
                    asks(Role::Opponent, "moves", json!({ "move": "e7e5" })).await;
                }
                "accept-pause" => asks(Role::Player, step, json!({})).await,
                step => asks(Role::Opponent, step, json!({})).await,
            }
        }
        Some(game)
    }
}
