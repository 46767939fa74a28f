//! Every route and every kind of caller: who may do what.

use std::collections::BTreeSet;

use futures_util::{StreamExt, stream};

use crate::client::Server;
use crate::stage::{Cast, Game, Role, password_hash};
use crate::table::TABLE;
use crate::wire::Reply;
use crate::{logs, routes};

/// A line of the table.
struct Row {
    method: &'static str,
    path: &'static str,
    case: &'static str,
    cells: Vec<&'static str>,
}

fn rows() -> Vec<Row> {
    let lines = TABLE.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut words = line.split_whitespace();
        let mut next = || words.next().unwrap_or_else(|| panic!("too short: {line}"));
        Row {
            method: next(),
            path: next(),
            case: next(),
            cells: words.collect(),
        }
    };
    lines.map(row).collect()
}

/// An answer as the table writes it.
fn cell(reply: &Reply) -> String {
    let letter = match reply.code().as_str() {
        "missing_scope" => "s",
        "not_a_player" => "p",
        "not_invited" => "i",
        "session_required" => "t",
        // As the Lichess door says it.
        code if code.starts_with("Missing scope") => "s",
        "a token of scope read may only read" => "s",
        _ => "",
    };
    format!("{}{letter}", reply.status)
}

async fn version(cast: &Cast, game: &Game) -> String {
    let path = format!("/v1/games/{}", game.id);
    let shown = cast
        .call(Role::Player, "GET", &path, &serde_json::json!({}))
        .await;
    shown.json()["version"].to_string()
}

/// Calls the route as everybody in turn. Whoever changed something gets the
/// next one new people and a new game; whoever was refused must have changed nothing.
async fn check(server: &Server, hash: &str, row: &Row) -> Result<(), String> {
    let mut cast = Cast::new(server, hash).await;
    let mut game = cast.game(row.case).await;
    let mut seen = Vec::new();
    let mut flaws = Vec::new();
    for role in Role::ALL {
        let on = game.clone().unwrap_or_default();
        let before = match &game {
            Some(game) if row.method != "GET" => Some(version(&cast, game).await),
            _ => None,
        };
        let target = cast.target(row.path, &on);
        let body = cast.body(row.path, row.case, &on);
        let reply = cast.call(role, row.method, &target, &body).await;
        let flaw = reply.flaw(row.method);
        flaws.extend(flaw.map(|flaw| format!("{role:?}: {flaw}")));
        seen.push(cell(&reply));
        if reply.status < 300 && row.method != "GET" {
            cast = Cast::new(server, hash).await;
            game = cast.game(row.case).await;
        } else if let Some(before) = before
            && version(&cast, &on).await != before
        {
            flaws.push(format!("{role:?} was refused and changed the game"));
        }
    }
    if seen == row.cells && flaws.is_empty() {
        return Ok(());
    }
    let Row {
        method, path, case, ..
    } = row;
    let line = |cells: &str| format!("{method:<6} {path:<38} {case:<9} {cells}");
    let (want, got) = (row.cells.join(" "), seen.join(" "));
    Err(format!(
        "want {}\ngot  {}\n{}\n",
        line(&want),
        line(&got),
        flaws.join("\n")
    ))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_may_do_what_the_table_says_and_nothing_else() {
    logs::listen();
    let server = Server::start().await;
    let (hash, rows) = (password_hash(), rows());
    let checks = stream::iter(&rows).map(|row| check(&server, &hash, row));
    let wrong: Vec<String> = checks
        .buffered(8)
        .filter_map(async |r| r.err())
        .collect()
        .await;
    assert!(
        wrong.is_empty(),
        "{} rows:\n\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(logs::secret(), None, "a secret was logged");
}

/// Where the table says that a token is needed the description says so too.
#[test]
fn the_description_says_where_a_token_is_needed() {
    let described = routes::all().into_iter();
    for route in described.filter(|route| !route.is_described_elsewhere()) {
        let says = route.operation["security"].as_array();
        let is_open = says.is_some_and(|ways| ways.iter().any(|way| way == &serde_json::json!({})));
        let rows = rows()
            .into_iter()
            .filter(|r| r.method == route.method && r.path == route.path);
        for row in rows {
            assert_eq!(row.cells[0] != "401", is_open, "{}: {says:?}", route.name());
        }
    }
}

#[test]
fn every_route_has_a_row_and_every_row_a_route() {
    let rows: BTreeSet<String> = rows()
        .iter()
        .map(|r| format!("{} {}", r.method, r.path))
        .collect();
    let routes: BTreeSet<String> = routes::all().iter().map(routes::Route::name).collect();
    let without: Vec<_> = routes.difference(&rows).collect();
    assert!(
        without.is_empty(),
        "routes without a row in table.rs: {without:#?}"
    );
    let stale: Vec<_> = rows.difference(&routes).collect();
    assert!(
        stale.is_empty(),
        "rows of table.rs without a route: {stale:#?}"
    );
}
