//! The tables of live-game-api, as programs of the databases see them.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::player::{Player, begun, challenge, play, uuid_of};
use crate::client::{Server, blitz};

/// A database, and the program that is asked.
enum Database {
    /// `sqlite3`, and the file.
    Sqlite(String),
    /// `psql`, and the URL.
    Postgres(String),
}

impl Database {
    /// The rows that a question has, column by column as text; NULL is empty.
    fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let mut command = match self {
            Database::Sqlite(file) => {
                let mut command = Command::new("sqlite3");
                command.args(["-readonly", "-bail", "-separator", "|", file, sql]);
                command
            }
            Database::Postgres(url) => {
                let mut command = Command::new("psql");
                let quiet = ["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-F", "|"];
                command.args(quiet).args(["-c", sql, url]);
                command
            }
        };
        let output = command.stdin(Stdio::null()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{sql}: {said}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let row = |line: &str| line.split('|').map(str::to_owned).collect();
        text.lines().map(row).collect()
    }

    fn row(&self, sql: &str) -> Vec<String> {
        let mut rows = self.rows(sql);
        assert_eq!(rows.len(), 1, "{sql}: {rows:?}");
        rows.remove(0)
    }

    /// Where the views are.
    fn view(&self, name: &str) -> String {
        match self {
            Database::Sqlite(_) => format!("live_{name}"),
            Database::Postgres(_) => format!("arbiter.live_{name}"),
        }
    }

    /// A moment, written as the API writes it.
    fn time(&self, column: &str) -> String {
        match self {
            Database::Sqlite(_) => column.to_owned(),
            Database::Postgres(_) => {
                format!("to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')")
            }
        }
    }
}

/// Whether the program is there; only `CI=true` forbids that it is not.
fn has(program: &str, package: &str) -> bool {
    let need = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/need");
    let status = Command::new(need).args([program, package]).status();
    let is_there = status.expect("the script runs").success();
    let must = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(is_there || !must, "{program} is missing");
    is_there
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[tokio::test]
async fn sqlite3_reads_the_tables_of_the_contract() {
    if !has("sqlite3", "sqlite3") {
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("arbiter.db").display().to_string();
    let store = format!("sqlite:{file}");
    let mut server = Server::start_with(|settings| settings.store = store).await;
    let database = Database::Sqlite(file);
    let (ann, running) = shows_what_the_door_shows(&server, &database).await;
    // Of a game that is played, the file has what was folded: all of it, once the server stops.
    let shown = ann.sees(&running).await;
    let sql = format!("SELECT status FROM live_games WHERE id = '{running}'");
    assert_eq!(database.row(&sql), ["in_progress"]);
    server.stop().await;
    let sql = format!("SELECT fen, side_to_move FROM live_games WHERE id = '{running}'");
    assert_eq!(
        database.row(&sql),
        [text(&shown["fen"]), text(&shown["side_to_move"])]
    );
}

#[tokio::test]
async fn psql_reads_the_tables_of_the_contract() {
    let Some(url) = servers::postgres() else {
        return;
    };
    if !has("psql", "postgresql-client") {
        return;
    }
    let store = url.clone();
    let server = Server::start_with(|settings| settings.store = store).await;
    let database = Database::Postgres(url);
    let (ann, running) = shows_what_the_door_shows(&server, &database).await;
    let shown = ann.sees(&running).await;
    let sql = format!(
        "SELECT status, fen, side_to_move, white_clock_ms FROM arbiter.live_games WHERE id = '{running}'"
    );
    let row = database.row(&sql);
    assert_eq!(
        row[..3],
        [
            "in_progress".to_owned(),
            text(&shown["fen"]),
            text(&shown["side_to_move"])
        ]
    );
    let spent: u64 = shown["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .step_by(2)
        .map(|played| played["elapsed_ms"].as_u64().expect("a time"))
        .sum();
    assert_eq!(
        row[3],
        (300_000 - spent).to_string(),
        "as of the last change"
    );
    // The types are those of the contract.
    let sql = "SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute
                WHERE attrelid = 'arbiter.live_games'::regclass AND attnum > 0 ORDER BY attnum";
    let types: Vec<String> = database.rows(sql).into_iter().flatten().collect();
    let expected = [
        "id uuid",
        "creator_account_id uuid",
        "white_account_id uuid",
        "black_account_id uuid",
        "status character varying(32)",
        "rated boolean",
        "variant_code character varying(32)",
        "time_initial_ms integer",
        "time_increment_ms integer",
        "white_clock_ms integer",
        "black_clock_ms integer",
        "side_to_move character(1)",
        "fen text",
        "result character varying(8)",
        "end_reason character varying(32)",
        "created_at timestamp with time zone",
        "started_at timestamp with time zone",
        "ended_at timestamp with time zone",
        "updated_at timestamp with time zone",
    ];
    assert_eq!(types, expected);
}

/// Games of every kind, and each view of them. Who plays, and a game that goes on.
async fn shows_what_the_door_shows(server: &Server, database: &Database) -> (Player, String) {
    let ann = Player::registered(server, "ann").await;
    let ben = Player::registered(server, "ben").await;
    let mated = begun(&ann, &ben).await;
    play(
        &ann,
        &ben,
        &mated,
        "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 f6g8 b7a8n",
    )
    .await;
    ben.does(&mated, "resign").await.expect(200);
    shows_the_game(&ann, database, &mated).await;
    shows_the_moves(&ann, database, &mated).await;
    shows_the_events(database, &mated);

    let drawn = begun(&ann, &ben).await;
    play(&ann, &ben, &drawn, "e2e4 e7e5").await;
    ben.does(&drawn, "offer-draw").await.expect(200);
    ann.does(&drawn, "accept-draw").await.expect(200);
    shows_the_game(&ann, database, &drawn).await;

    let declined = ann.creates(challenge(Some(&ben))).await;
    shows_the_game(&ann, database, &declined).await;
    ben.asks(&super::player::id_of(&declined), "decline")
        .await
        .expect(200);
    shows_the_game(&ann, database, &declined).await;

    let others = [
        json!({ "time_control": null }),
        json!({ "time_control": { "days_per_move": 3 } }),
        json!({ "time_control": blitz()["time_control"], "variant": "atomic" }),
    ];
    for terms in others {
        let other = ann.post("/v1/games", terms).await.expect(201);
        let id = uuid_of(other["id"].as_str().expect("an id"));
        let view = database.view("games");
        let sql = format!("SELECT count(*) FROM {view} WHERE id = '{id}'");
        assert_eq!(database.row(&sql), ["0"]);
    }
    let running = begun(&ann, &ben).await;
    play(&ann, &ben, &running, "d2d4 d7d5 c2c4").await;
    let view = database.view("game_moves");
    let sql = format!("SELECT count(*) FROM {view} WHERE game_id = '{running}'");
    assert_eq!(
        database.row(&sql),
        ["0"],
        "moves are there when the game is over"
    );
    (ann, running)
}

async fn shows_the_game(viewer: &Player, database: &Database, id: &str) {
    let shown = viewer.sees(id).await;
    let times = ["created_at", "started_at", "ended_at", "updated_at"].map(|c| database.time(c));
    let sql = format!(
        "SELECT id, creator_account_id, white_account_id, black_account_id, status, variant_code,
                side_to_move, fen, result, end_reason, time_initial_ms, time_increment_ms,
                {}, CASE WHEN rated THEN 'yes' ELSE 'no' END
           FROM {} WHERE id = '{id}'",
        times.join(", "),
        database.view("games"),
    );
    let row = database.row(&sql);
    let mut expected: Vec<String> = vec![
        id.to_owned(),
        viewer.account_id.clone(),
        text(&shown["white"]["account_id"]),
        text(&shown["black"]["account_id"]),
    ];
    let fields = [
        "status",
        "variant_code",
        "side_to_move",
        "fen",
        "result",
        "end_reason",
    ];
    expected.extend(fields.map(|field| text(&shown[field])));
    expected.extend(["300000", "0"].map(str::to_owned));
    expected.extend(["created_at", "started_at", "ended_at"].map(|field| text(&shown[field])));
    // A game that waits or is over last changed when it was made or ended.
    let changed = match shown["ended_at"].is_null() {
        true => &shown["created_at"],
        false => &shown["ended_at"],
    };
    expected.push(text(changed));
    expected.push("yes".to_owned());
    assert_eq!(row, expected);
}

async fn shows_the_moves(viewer: &Player, database: &Database, id: &str) {
    let shown = viewer.sees(id).await;
    let sql = format!(
        "SELECT ply, move_number, color, from_square, to_square, promotion, san, {}, elapsed_ms
           FROM {} WHERE game_id = '{id}' ORDER BY ply",
        database.time("played_at"),
        database.view("game_moves"),
    );
    let fields = [
        "ply",
        "move_number",
        "color",
        "from",
        "to",
        "promotion",
        "san",
        "played_at",
        "elapsed_ms",
    ];
    let moves = shown["moves"].as_array().expect("moves");
    let expected: Vec<Vec<String>> = moves
        .iter()
        .map(|played| fields.map(|field| text(&played[field])).to_vec())
        .collect();
    assert_eq!(database.rows(&sql), expected);
    let view = database.view("game_moves");
    let last =
        format!("SELECT fen_after FROM {view} WHERE game_id = '{id}' ORDER BY ply DESC LIMIT 1");
    assert_eq!(database.row(&last), [text(&shown["fen"])]);
    let ids = format!("SELECT count(DISTINCT id) FROM {view} WHERE game_id = '{id}'");
    assert_eq!(database.row(&ids), [moves.len().to_string()]);
    let first = format!("SELECT id FROM {view} WHERE game_id = '{id}' AND ply = 1");
    let first = uuid::Uuid::parse_str(&database.row(&first)[0]).expect("a UUID");
    assert_eq!(first.get_version_num(), 8);
}

fn shows_the_events(database: &Database, id: &str) {
    let view = database.view("game_events");
    let sql = format!(
        "SELECT event_type, count(*) FROM {view} WHERE game_id = '{id}' GROUP BY event_type ORDER BY event_type"
    );
    let counts: Vec<String> = database.rows(&sql).concat();
    assert_eq!(counts, ["move", "9", "resign", "1"]);
    let sql =
        format!("SELECT payload FROM {view} WHERE game_id = '{id}' AND event_type = 'resign'");
    let payload: Value = serde_json::from_str(&database.row(&sql)[0]).expect("JSON");
    assert_eq!(payload, json!({ "color": "b" }));
    let sql = format!(
        "SELECT payload FROM {view} WHERE game_id = '{id}' AND event_type = 'move' ORDER BY created_at DESC, id DESC LIMIT 1"
    );
    let payload: Value = serde_json::from_str(&database.row(&sql)[0]).expect("JSON");
    let expected = json!({
        "ply": 9, "color": "w", "from": "b7", "to": "a8", "promotion": "n", "san": "bxa8=N",
    });
    assert_eq!(payload, expected);
}
