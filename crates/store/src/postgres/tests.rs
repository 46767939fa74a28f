//! Which parts of `tables` a statement touches, and how often it looks at what it was given.

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls};

use super::{Postgres, batch, loading};

/// A database with many live tables and some archived ones.
async fn filled() -> Option<Client> {
    let url = servers::postgres()?;
    drop(Postgres::open(&url).expect("the store opens"));
    let (client, connection) = tokio_postgres::connect(&url, NoTls)
        .await
        .expect("the database can be reached");
    tokio::spawn(connection);
    client
        .batch_execute(
            "SET search_path = arbiter;
             CREATE TABLE tables_archive_202601 (LIKE tables INCLUDING ALL);
             ALTER TABLE tables ATTACH PARTITION tables_archive_202601 FOR VALUES IN (202601);
             INSERT INTO tables (id, archive, kind, version, state, creator, private, variant, rated,
                                 speed, side_to_move, ply, created_at, updated_at, fen, delay_ms, history)
             SELECT id, CASE WHEN id > 1500 THEN 202601 ELSE 0 END, 1, 3, 'ACTIVE', 1, false, 'standard',
                    false, 'blitz', 'w', 1, id, id, '', 0, '' FROM generate_series(1, 2000) AS id;
             ANALYZE tables",
        )
        .await
        .expect("good SQL");
    Some(client)
}

/// The parts that were looked at, by the plan as it was carried out.
async fn touched(client: &Client, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Vec<String> {
    let explain = format!("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) {sql}");
    let plan = client.query(&explain, parameters).await.expect("a plan");
    let mut parts: Vec<String> = Vec::new();
    for line in plan.iter().map(|row| row.get::<_, String>(0)) {
        let part = line.split("on tables_").nth(1);
        let Some(part) = part.and_then(|rest| rest.split_whitespace().next()) else {
            continue;
        };
        // A part that is only written to in name has no count of its own.
        if line.contains("actual") && !line.contains("never executed") {
            parts.push(part.to_owned());
        }
    }
    parts.sort_unstable();
    parts.dedup();
    parts
}

#[tokio::test]
async fn a_load_and_a_move_touch_one_live_part() {
    let Some(client) = filled().await else {
        return;
    };
    let live = touched(&client, loading::LOAD_LIVE, &[&77_i64]).await;
    assert_eq!(live.len(), 1, "{live:?}");
    assert!(!live[0].starts_with("archive"), "{live:?}");
    let parameters: [&(dyn ToSql + Sync); 14] = [
        &vec![77_i64],
        &vec![3_i32],
        &vec![4_i32],
        &vec![b"x".to_vec()],
        &vec![9_i64],
        &vec![None::<i64>],
        &vec![None::<i64>],
        &vec![None::<i64>],
        &vec!["b".to_owned()],
        &vec![2_i32],
        &vec!["fen".to_owned()],
        &9_i64,
        &0_i32,
        &7_i32,
    ];
    assert_eq!(touched(&client, batch::UPDATE, &parameters).await, live);
    let row = client
        .query_one("SELECT version FROM tables WHERE id = 77", &[])
        .await
        .expect("the row is there");
    assert_eq!(row.get::<_, i32>(0), 4, "it was carried out");
}

#[tokio::test]
async fn what_a_batch_was_given_is_gone_through_once() {
    let Some(client) = filled().await else {
        return;
    };
    // The plan that a busy server comes to: made once, for batches of any length.
    let types = "bigint[], integer[], integer[], bytea[], bigint[], bigint[], bigint[], bigint[],
                 text[], integer[], text[], bigint, integer, integer";
    let prepare = format!(
        "SET plan_cache_mode = force_generic_plan; PREPARE batch ({types}) AS {}",
        batch::UPDATE
    );
    client.batch_execute(&prepare).await.expect("good SQL");
    let nothing = ["'{}'"; 11].join(", ");
    let explain = format!("EXPLAIN EXECUTE batch ({nothing}, 9, 0, 7)");
    let plan = client.query(&explain, &[]).await.expect("a plan");
    let lines: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
    let plan = lines.join("\n");
    assert_eq!(plan.matches("Function Scan").count(), 1, "{plan}");
    // Not once more for every row that is locked.
    assert!(!plan.contains("CTE Scan on given"), "{plan}");
}
