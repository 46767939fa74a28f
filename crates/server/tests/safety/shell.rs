//! What surrounds every answer, and what no answer tells.

use serde_json::json;

use crate::client::Server;
use crate::stage::{Cast, PASSWORD, Role, password_hash};
use crate::wire::{Reply, Request};
use crate::{logs, routes};

async fn send(server: &Server, request: Request) -> Reply {
    let method = request.method.clone();
    let reply = request.send(server.running().address).await;
    assert_eq!(reply.flaw(&method), None, "{request:?}");
    reply
}

#[tokio::test]
async fn errors_have_their_headers_and_their_shape() {
    let server = Server::start().await;
    let send = async |request: Request| send(&server, request).await;
    let code = |reply: &Reply| (reply.status, reply.code());

    let lost = send(Request::new("GET", "/v1/nowhere").header("x-request-id", "my-id.1")).await;
    assert_eq!(code(&lost), (404, "not_found".into()));
    assert_eq!(lost.header("x-request-id"), Some("my-id.1"));
    let odd = send(Request::new("GET", "/health").header("x-request-id", "a b\"c")).await;
    assert_ne!(odd.header("x-request-id"), Some("a b\"c"));

    let wrong = send(Request::new("DELETE", "/v1/games")).await;
    assert_eq!(code(&wrong), (405, "method_not_allowed".into()));
    assert_eq!(wrong.header("allow"), Some("POST,GET,HEAD"));

    let large = Request {
        body: vec![b' '; 16 * 1024 + 1],
        ..Request::new("POST", "/v1/sessions")
    };
    assert_eq!(code(&send(large).await), (413, "too_large".into()));

    for token in [None, Some("arb_no"), Some("a.b.c"), Some("")] {
        let reply = send(Request::new("GET", "/v1/me").bearer(token)).await;
        assert_eq!(code(&reply), (401, "unauthorized".into()), "{token:?}");
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
    }
    let read = send(Request::new("POST", "/v1/sessions").json(&json!({ "username": 7 }))).await;
    assert_eq!(code(&read), (400, "bad_request".into()));
    assert_eq!(read.json()["field"], "username");
    let two = Request {
        body: b"{} {}".to_vec(),
        ..Request::new("POST", "/v1/guests")
    };
    assert_eq!(code(&send(two).await), (400, "bad_request".into()));
}

/// Wrong methods, on every path there is.
#[tokio::test]
async fn every_path_says_what_it_allows() {
    let server = Server::start().await;
    let routes = routes::all();
    for route in &routes {
        let target = route.path.replace(['{', '}'], "");
        let reply = send(&server, Request::new("BREW", &*target)).await;
        assert_eq!(reply.status, 405, "{target}");
        let allowed = reply.header("allow").unwrap_or_default().to_owned();
        let all: Vec<&str> = allowed.split(',').collect();
        for other in routes.iter().filter(|other| other.path == route.path) {
            assert!(all.contains(&other.method.as_str()), "{target}: {allowed}");
        }
        let options = send(&server, Request::new("OPTIONS", &*target)).await;
        // What any page may call answers the question whether it may.
        let status = if route.is_described_elsewhere() {
            200
        } else {
            204
        };
        assert_eq!(
            (options.status, options.header("allow")),
            (status, Some(&*allowed))
        );
    }
}

/// Known and unknown names get the same answer, after the same work: a wrong
/// password counts against the name only once it has been hashed and compared.
#[tokio::test]
async fn nobody_learns_who_has_an_account() {
    let server = Server::start_with(|settings| {
        settings.rate_limits = true;
        // One from each address, and so ten for a name.
        settings.wrong_passwords_per_minute = 1;
        settings.trusted_proxies = vec!["127.0.0.1".parse().expect("a network")];
    })
    .await;
    let cast = Cast::new(&server, &password_hash()).await;
    let [player, .., target] = &cast.people()[..] else {
        panic!("there are people")
    };
    let mut all = Vec::new();
    for (who, name) in ["nobody-at-all", target, player, "arbiter", "no/name\u{0}"]
        .into_iter()
        .enumerate()
    {
        let mut told = Vec::new();
        for attempt in 0..11 {
            let credentials = json!({ "username": name, "password": "queen takes rook" });
            let address = format!("10.0.{who}.{attempt}");
            let request = Request::new("POST", "/v1/sessions").json(&credentials);
            let reply = send(&server, request.header("x-forwarded-for", address)).await;
            let headers = reply.headers.iter().map(|(name, _)| name.clone());
            let headers: Vec<String> = headers.collect();
            let body = (reply.status != 429).then(|| reply.json());
            told.push((reply.status, headers, body));
        }
        all.push(told);
    }
    let statuses: Vec<u16> = all[0].iter().map(|(status, ..)| *status).collect();
    assert_eq!(statuses[..10], [401; 10]);
    assert_eq!(
        statuses[10], 429,
        "ten wrong passwords, and the name has to wait"
    );
    let first = &all[0];
    assert!(all.iter().all(|told| told == first), "{all:#?}");
}

/// Secrets are in no URL that we make, and in no log.
#[tokio::test]
async fn secrets_are_not_logged() {
    logs::listen();
    let server = Server::start().await;
    let cast = Cast::new(&server, &password_hash()).await;
    let token = cast.token(Role::Player).expect("a token");
    let by_query = Request::new("GET", format!("/v1/me?token={token}&mark=by-query"));
    assert_eq!(send(&server, by_query).await.status, 200);
    let post = Request::new("POST", format!("/v1/tokens?token={token}")).json(&json!({}));
    assert_eq!(
        send(&server, post).await.status,
        401,
        "only reads take it from there"
    );
    let two = Request::new("GET", format!("/v1/me?token={token}&token={token}&a=%74"));
    assert_eq!(send(&server, two).await.status, 401);
    let escaped = Request::new("GET", format!("/v1/nowhere?%74oken={token}"));
    assert_eq!(send(&server, escaped).await.status, 404);
    let made = json!({ "name": "x", "scopes": ["read"] });
    let made = cast.call(Role::Player, "POST", "/v1/tokens", &made).await;
    assert_eq!(
        (made.status, made.header("cache-control")),
        (201, Some("no-store"))
    );
    let name = &cast.people()[3];
    let signed_in = json!({ "username": name, "password": PASSWORD });
    let signed_in = cast
        .call(Role::Nobody, "POST", "/v1/sessions", &signed_in)
        .await;
    assert_eq!(
        (signed_in.status, signed_in.header("cache-control")),
        (201, Some("no-store"))
    );
    let unreadable = json!({ "username": [name], "password": PASSWORD });
    let unreadable = cast
        .call(Role::Nobody, "POST", "/v1/sessions", &unreadable)
        .await;
    assert!(!String::from_utf8_lossy(&unreadable.body).contains(PASSWORD));
    assert!(logs::text().contains("token=(hidden)&mark=by-query"));
    assert_eq!(logs::secret(), None);
}

#[tokio::test]
async fn scripts_of_other_pages_are_let_in_only_where_the_operator_says_so() {
    let page = "https://chess.example";
    let allowed = async |origins: &[&str], origin: &str, method: &str| {
        let origins = origins.iter().map(|&o| o.to_owned()).collect();
        let server = Server::start_with(|settings| settings.cors_origins = origins).await;
        let request = Request::new(method, "/v1/games").header("origin", origin);
        let asked = request.header("access-control-request-method", "POST");
        let asked = asked.header("access-control-request-headers", "authorization");
        let reply = send(&server, asked).await;
        assert_eq!(reply.header("access-control-allow-credentials"), None);
        reply
            .header("access-control-allow-origin")
            .map(str::to_owned)
    };
    for method in ["GET", "OPTIONS"] {
        assert_eq!(allowed(&[], page, method).await, None);
        assert_eq!(allowed(&[page], page, method).await.as_deref(), Some(page));
        for other in [
            "https://evil.example",
            "null",
            "https://chess.example.evil.example",
        ] {
            assert_eq!(allowed(&[page], other, method).await, None, "{other}");
        }
        assert_eq!(
            allowed(&["*"], "https://a.example", method)
                .await
                .as_deref(),
            Some("*")
        );
    }
}

#[tokio::test]
async fn no_cache_keeps_what_depends_on_who_asks() {
    let server = Server::start().await;
    let cast = Cast::new(&server, &password_hash()).await;
    let game = cast.game("active").await.expect("a game");
    let routes = routes::all();
    let doors = ["/v1/", "/live/v1/", "/api/", "/game/"];
    let is_door = |path: &str| doors.iter().any(|door| path.starts_with(door));
    let of_api = |r: &&routes::Route| r.method == "GET" && is_door(&r.path);
    for route in routes.iter().filter(of_api) {
        let target = cast.target(&route.path, &game);
        let reply = cast.call(Role::Player, "GET", &target, &json!({})).await;
        let caching = reply.header("cache-control");
        assert_eq!(caching, Some("no-store"), "{target}: {}", reply.status);
    }
    let target = cast.target("/v1/games/{id}", &game);
    let public = cast.call(Role::Nobody, "GET", &target, &json!({})).await;
    assert_eq!(public.header("cache-control"), Some("no-cache"));
    let of_guest = Request::new("GET", "/v1/matches/x?guestID=y");
    let of_guest = send(&server, of_guest).await;
    assert_eq!(of_guest.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn without_anonymous_reads_nobody_sees_a_game_or_a_player() {
    let server = Server::start_with(|settings| settings.anonymous_reads = false).await;
    let cast = Cast::new(&server, &password_hash()).await;
    let game = cast.game("active").await.expect("a game");
    let reads = ["/v1/games", "/v1/players", "/v1/tv", "/v1/matches/rooms"];
    // What only the players of a game may read is another matter.
    let is_own = |path: &str| path.ends_with("/conditional-moves");
    let is_read = |path: &str| reads.iter().any(|read| path.starts_with(read)) && !is_own(path);
    for route in routes::all()
        .iter()
        .filter(|r| r.method == "GET" && is_read(&r.path))
    {
        let target = cast.target(&route.path, &game);
        for (role, status) in [
            (Role::Nobody, 401),
            (Role::Stranger, 200),
            (Role::Read, 200),
        ] {
            // A WebSocket is let in as far as it is one, and a game is analysed when it is over.
            let status = match target.rsplit('/').next() {
                Some("stream") if status == 200 => 426,
                Some("analysis") if status == 200 => 409,
                _ => status,
            };
            let reply = cast.call(role, "GET", &target, &json!({})).await;
            assert_eq!(reply.status, status, "{role:?}: {target}");
        }
    }
}

/// Lists show a private game to those who may see it and to nobody else.
#[tokio::test]
async fn private_games_are_in_nobody_elses_lists() {
    let server = Server::start().await;
    let cast = Cast::new(&server, &password_hash()).await;
    let (seen, hidden) = (cast.game("active").await, cast.game("active*").await);
    let (seen, hidden) = (seen.expect("a game").id, hidden.expect("a game").id);
    let player = &cast.people()[0];
    let of_player = [
        format!("/v1/players/{player}/games"),
        format!("/v1/games?player={player}"),
    ];
    for list in [
        "/v1/games",
        &of_player[0],
        &of_player[1],
        "/v1/games?state=ACTIVE",
    ] {
        for role in Role::ALL {
            let reply = cast.call(role, "GET", list, &json!({})).await;
            let text = String::from_utf8_lossy(&reply.body).into_owned();
            let is_outside = matches!(role, Role::Nobody | Role::Guest | Role::Stranger);
            assert!(text.contains(&seen), "{role:?}: {list}");
            assert_eq!(text.contains(&hidden), !is_outside, "{role:?}: {list}");
        }
    }
}
