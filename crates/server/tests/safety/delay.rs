//! The spectator delay on every road: whatever is asked, by whatever route, the
//! answer to a spectator is the same before and after moves they may not know
//! of yet, down to headers and pictures.

use serde_json::{Value, json};

use crate::client::Server;
use crate::routes;
use crate::stage::{Cast, Game, Role, password_hash};
use crate::wire::Request;

/// What a route has to do with a game that runs.
enum Road {
    /// A spectator may ask; with these queries.
    Asked(&'static [&'static str]),
    /// Not asked, because.
    Not(&'static str),
}

/// A route that stands in none of these lines fails the test.
fn road(method: &str, path: &str) -> Option<Road> {
    use Road::{Asked, Not};
    Some(match (method, path) {
        (_, "/metrics" | "/ready") => Not("about the server as a whole"),
        ("GET", "/health" | "/v1/openapi.json" | "/v1/asyncapi.json") => Asked(&[""]),
        (_, path) if path.starts_with("/v1/matches") => Not("matches have no spectators"),
        (_, "/v1/setup") => Not("about the server as a whole"),
        (_, path) if path.starts_with("/v1/admin/") => Not("operators see games as they are"),
        ("GET", "/v1/games" | "/v1/players/{name}/games") => Asked(&[
            "",
            "?state=WAITING",
            "?state=ACTIVE",
            "?state=PAUSED",
            "?state=COMPLETED",
            "?state=COMPLETED&limit=1",
            "?limit=1",
        ]),
        ("POST", "/mcp") => Asked(&[""]),
        ("GET", "/live/health") => Asked(&[""]),
        (_, path) if path.starts_with("/live/internal/") => {
            Not("for services, who see games as they are")
        }
        ("POST", "/live/v1/games" | "/live/v1/games/bot") => Not("makes a game"),
        ("GET", "/live/v1/games/{game_id}/ws") => Not("its own test shows what it tells"),
        // A game by days is not there; the door's own tests have one with a clock.
        (_, path) if path.starts_with("/live/v1/games/{game_id}") => Asked(&[""]),
        ("GET", "/v1/export/games") => Asked(&["", "?limit=1"]),
        ("GET", "/v1/lobby" | "/v1/challenges") => Asked(&["", "?limit=1"]),
        ("GET", "/v1/lobby/stream" | "/v1/lobby/events") => Not("a game that runs is in no lobby"),
        ("GET", "/v1/matchmaking/pools") => Asked(&[""]),
        (_, path) if path.starts_with("/v1/matchmaking/") => Not("one's own waiting"),
        ("GET", "/v1/tv" | "/v1/me" | "/v1/tokens" | "/v1/players/{name}") => Asked(&[""]),
        ("GET", "/v1/players") => Asked(&["?prefix=a"]),
        ("GET", "/v1/players/{name}/rating-history") => Asked(&["?speed=blitz"]),
        ("GET", "/v1/leaderboards/{speed}") => Asked(&[""]),
        ("GET", "/v1/events") => Not("one's own games; operators see them as they are"),
        (_, path) if path.starts_with("/v1/webhooks") => Not("one's own webhooks"),
        ("GET", "/v1/me/export") => Not("one's own data, with the time in it"),
        (_, path) if path.starts_with("/v1/mail/") || path.starts_with("/v1/password-resets") => {
            Not("what comes of letters")
        }
        (_, path) if path.starts_with("/v1/me") || path.starts_with("/v1/tokens") => {
            Not("one's own account")
        }
        (_, "/v1/accounts" | "/v1/sessions" | "/v1/sessions/current" | "/v1/guests") => {
            Not("makes or ends something of one's own")
        }
        ("GET", "/v1/stream" | "/v1/games/{id}/stream" | "/v1/games/{id}/events") => {
            Not("the streams' own tests show what they tell, and when")
        }
        ("POST", "/v1/games" | "/v1/games/bot" | "/v1/games/join") => {
            Not("makes a game, or needs a code")
        }
        ("POST", "/v1/games/{id}/chat" | "/v1/reports") => Not("answers with one's own words"),
        ("GET", "/v1/games/{id}/pgn") => Asked(&["", "?evals=true", "?clocks=false"]),
        ("GET", "/v1/games/{id}/board.svg") => Asked(&["", "?orientation=black"]),
        (
            "GET",
            "/v1/games/{id}"
            | "/v1/games/{id}/legal-moves"
            | "/v1/games/{id}/text"
            | "/v1/games/{id}/presence"
            | "/v1/games/{id}/overlay"
            | "/v1/games/{id}/analysis"
            | "/v1/games/{id}/board.png"
            | "/v1/games/{id}/log"
            | "/v1/games/{id}/conditional-moves"
            | "/v1/games/{id}/chat",
        ) => Asked(&[""]),
        ("PUT", "/v1/games/{id}/conditional-moves") => Asked(&[""]),
        (
            "POST",
            "/v1/games/{id}/join"
            | "/v1/games/{id}/decline"
            | "/v1/games/{id}/cancel"
            | "/v1/games/{id}/moves"
            | "/v1/games/{id}/resign"
            | "/v1/games/{id}/abort"
            | "/v1/games/{id}/offer-draw"
            | "/v1/games/{id}/accept-draw"
            | "/v1/games/{id}/decline-draw"
            | "/v1/games/{id}/claim-draw"
            | "/v1/games/{id}/claim-win"
            | "/v1/games/{id}/offer-takeback"
            | "/v1/games/{id}/accept-takeback"
            | "/v1/games/{id}/decline-takeback"
            | "/v1/games/{id}/offer-pause"
            | "/v1/games/{id}/accept-pause"
            | "/v1/games/{id}/resume"
            | "/v1/games/{id}/add-time"
            | "/v1/games/{id}/invite"
            | "/v1/games/{id}/tick"
            | "/v1/games/{id}/offer-rematch"
            | "/v1/games/{id}/accept-rematch"
            | "/v1/games/{id}/mute"
            | "/v1/games/{id}/remove"
            | "/v1/games/{id}/signals"
            | "/v1/games/{id}/analysis",
        ) => Asked(&[""]),
        (_, path) => return lichess(method, path),
    })
}

/// The same for the Lichess door.
fn lichess(method: &str, path: &str) -> Option<Road> {
    use Road::{Asked, Not};
    Some(match (method, path) {
        (_, "/api/account" | "/api/account/playing" | "/api/bot/account/upgrade") => {
            Not("one's own account")
        }
        (_, "/api/token/test") => Not("about tokens"),
        (_, "/api/stream/event") => Not("one's own games and challenges"),
        ("POST", "/api/challenge/{name}" | "/api/challenge/ai" | "/api/challenge/open") => {
            Not("makes a game")
        }
        ("GET", "/api/challenge") => Asked(&[""]),
        (_, path) if path.starts_with("/api/challenge/{id}/") => Asked(&[""]),
        // For its players alone, whatever they ask.
        (_, path) if path.starts_with("/api/bot/game/") => Asked(&[""]),
        (_, path) if path.starts_with("/api/board/game/") => Asked(&[""]),
        ("POST", "/api/round/{id}/add-time/{seconds}") => Asked(&[""]),
        ("GET", "/game/export/{id}") => Asked(&["", "?lastFen=1&pgnInJson=1"]),
        ("POST", "/api/games/export/_ids") => Asked(&["", "?lastFen=1"]),
        ("GET", "/api/games/user/{name}") => {
            Asked(&["", "?ongoing=1", "?ongoing=1&finished=0", "?sort=dateAsc"])
        }
        ("GET", "/api/user/{name}" | "/api/user/{name}/current-game") => Asked(&[""]),
        ("POST", "/api/users") => Asked(&[""]),
        ("GET", "/api/users/status") => Asked(&["?ids={name}&withGameIds=1"]),
        ("GET", "/api/bot/online") => Not("users, who are asked by name; with the time in it"),
        ("GET", "/api/tv/channels" | "/api/tv/{channel}") => Asked(&[""]),
        // Whether there is anything to tell; what is, the streams' own tests show.
        ("GET", "/api/stream/game/{id}" | "/api/tv/feed" | "/api/tv/{channel}/feed") => {
            Asked(&[""])
        }
        ("POST", path) if path.starts_with("/api/stream/games") => Asked(&[""]),
        ("POST", "/api/board/seek") => Not("one's own waiting"),
        _ => return None,
    })
}

/// What a spectator can ask, and what they were answered.
type Answers = Vec<(String, u16, Vec<(String, String)>, Vec<u8>)>;

async fn walk(server: &Server, cast: &Cast, role: Role, game: &Game, player: &str) -> Answers {
    let mut answers = Vec::new();
    for route in routes::all() {
        let Some(road) = road(&route.method, &route.path) else {
            panic!(
                "{}: may a spectator ask it? Say so in delay.rs",
                route.name()
            );
        };
        let queries = match road {
            Road::Asked(queries) => queries,
            Road::Not(why) => {
                println!("{} is not asked: {why}", route.name());
                continue;
            }
        };
        for query in queries {
            let path = format!("{}{query}", route.path)
                .replace("{id}", &game.id)
                .replace("{game_id}", &game.uuid())
                .replace("{name}", player)
                .replace("{speed}", "blitz")
                .replace("{uci}", "e7e5")
                .replace("{accept}", "yes")
                .replace("{seconds}", "15")
                .replace("{channel}", "blitz")
                // Whether a stream of the walk is still open is a matter of chance.
                .replace("{sid}/add", "no-such-stream/add")
                .replace("{sid}", "a-stream");
            let mut request = Request::new(&route.method, path.clone()).bearer(cast.token(role));
            if route.method != "GET" {
                request = request.json(&cast.body(&route.path, "active", game));
            }
            let reply = request.send(server.running().address).await;
            let of_itself = ["date", "x-request-id"];
            let mut headers = reply.headers;
            headers.retain(|(name, _)| !of_itself.contains(&name.as_str()));
            let name = format!("{} {path}", route.method);
            answers.push((name, reply.status, headers, reply.body));
        }
    }
    answers
}

fn differing(before: &Answers, after: &Answers) -> Vec<String> {
    let pairs = before.iter().zip(after);
    let pairs = pairs.filter(|(before, after)| before != after);
    let text = |body: &[u8]| String::from_utf8_lossy(body).into_owned();
    pairs
        .map(|(b, a)| {
            let (was, is) = (text(&b.3), text(&a.3));
            format!("{}\n  was {} {was}\n  is  {} {is}", b.0, b.1, a.1)
        })
        .collect()
}

/// In correspondence nothing depends on how fast this machine is: nobody is
/// ever gone. The delay is long, so all that happens is within it.
#[tokio::test]
async fn no_answer_tells_a_spectator_of_what_is_delayed() {
    let server = Server::start().await;
    let cast = Cast::new(&server, &password_hash()).await;
    let [player, opponent, ..] = &cast.people()[..] else {
        panic!("a player and an opponent");
    };
    let terms = json!({
        "time_control": { "days_per_move": 3 }, "opponent_id": opponent,
        "spectator_delay_seconds": 900, "rated": true,
    });
    let made = cast.does(Role::Player, "/v1/games", terms).await;
    let game = Game {
        id: made["id"].as_str().expect("an id").to_owned(),
        join_code: String::new(),
    };
    let asks = async |role: Role, what: &str, body: Value| {
        let path = format!("/v1/games/{}/{what}", game.id);
        cast.does(role, &path, body).await;
    };
    asks(Role::Opponent, "join", json!({})).await;
    let spectators = [Role::Nobody, Role::Stranger, Role::Invited, Role::Admin];
    let mut before = Vec::new();
    for role in spectators {
        before.push(walk(&server, &cast, role, &game, player).await);
    }
    let own = async || {
        let path = format!("/v1/games/{}", game.id);
        let shown = cast.call(Role::Player, "GET", &path, &json!({})).await;
        shown.json()
    };
    let started = own().await;
    asks(Role::Player, "moves", json!({ "move": "e2e4" })).await;
    asks(Role::Player, "chat", json!({ "text": "my best move" })).await;
    asks(Role::Opponent, "moves", json!({ "move": "e7e5" })).await;
    asks(Role::Opponent, "offer-draw", json!({})).await;
    let mut told = Vec::new();
    let mut look = async |when: &str| {
        for (role, before) in spectators.into_iter().zip(&before) {
            let now = walk(&server, &cast, role, &game, player).await;
            let flaws = differing(before, &now).into_iter();
            told.extend(flaws.map(|flaw| format!("{when}, {role:?}: {flaw}")));
        }
    };
    look("moved").await;
    asks(Role::Opponent, "resign", json!({})).await;
    look("over").await;
    assert!(told.is_empty(), "{}", told.join("\n"));
    let over = own().await;
    assert_eq!((&started["ply"], &over["ply"]), (&json!(0), &json!(2)));
    assert_eq!(over["state"], "COMPLETED", "the player sees it all");
    // A rematch is another game, and its own story.
    let path = format!("/v1/games/{}/offer-rematch", game.id);
    let rematch = cast.does(Role::Player, &path, json!({})).await;
    assert_eq!(rematch["rematch_of"], game.id.as_str());
    let path = format!("/v1/games/{}", rematch["id"].as_str().expect("an id"));
    let seen = cast.call(Role::Stranger, "GET", &path, &json!({})).await;
    assert_eq!(seen.json()["rematch_of"], Value::Null, "{}", seen.json());
}
