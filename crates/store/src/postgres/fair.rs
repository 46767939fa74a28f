//! Fair play: what is said about players, and what is decided.

use chess::Timestamp;
use chess::table::PlayerId;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::ToSql;

use super::fault::Fault;
use super::social::numbers;
use super::values::{Columns, at, int, small, table, who};
use super::{Db, outbox, revocations, upkeep};
use crate::{
    AuditEntry, Decided, Deciding, NewNotice, NewReport, Notice, Report, Reporting, Revoked,
    Sanction, SanctionKind, Signal, TableId, Verdict,
};

const REPORT: &str = "id, reporter, reported, reason, table_id, text, at, decision, decided_by, \
                      decided_at, until, note";

/// Writes a report, unless the same one is open, or so many of that reporter's are.
pub(crate) async fn report(
    db: &mut Db,
    new: &NewReport,
    open_max: u32,
) -> Result<Reporting, Fault> {
    let transaction = db.transaction().await?;
    let count = transaction
        .prepare_cached("SELECT count(*) FROM reports WHERE reporter = $1 AND decision IS NULL")
        .await?;
    let open = transaction.query_one(&count, &[&who(new.reporter)]).await?;
    let open = open.number(0)?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO reports (reporter, reported, reason, table_id, text, at)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id",
        )
        .await?;
    let made = transaction
        .query_opt(
            &insert,
            &[
                &who(new.reporter),
                &who(new.reported),
                &new.reason,
                &new.table.map(table),
                &new.text,
                &at(new.at),
            ],
        )
        .await?;
    let Some(made) = made else {
        return Ok(Reporting::Again);
    };
    if open >= u64::from(open_max) {
        // Nothing is committed.
        return Ok(Reporting::TooMany);
    }
    let id = made.number(0)?;
    outbox::tell_of_report(&transaction, new, id).await?;
    transaction.commit().await?;
    Ok(Reporting::Made(new.clone().numbered(id)))
}

/// Reports after that one, oldest first: the open ones, those that are decided, or all.
pub(crate) async fn reports(
    db: &Db,
    is_open: Option<bool>,
    after: u64,
    limit: u32,
) -> Result<Vec<Report>, Fault> {
    let which = match is_open {
        Some(true) => "AND decision IS NULL",
        Some(false) => "AND decision IS NOT NULL",
        None => "",
    };
    let place = format!("id > $1 {which} ORDER BY id LIMIT $2");
    find(db, &place, &[&int(after), &i64::from(limit)]).await
}

pub(crate) async fn report_by_id(
    db: &impl GenericClient,
    id: u64,
) -> Result<Option<Report>, Fault> {
    Ok(find(db, "id = $1", &[&int(id)]).await?.pop())
}

/// What somebody said about others.
pub(crate) async fn reports_by(db: &Db, reporter: PlayerId) -> Result<Vec<Report>, Fault> {
    find(db, "reporter = $1 ORDER BY id", &[&who(reporter)]).await
}

/// Decides a report that is open, with all that comes of it.
pub(crate) async fn decide(db: &mut Db, id: u64, verdict: &Verdict) -> Result<Deciding, Fault> {
    let Verdict {
        decided,
        sanction,
        notice,
        audit,
    } = verdict;
    let transaction = db.transaction().await?;
    let update = transaction
        .prepare_cached(
            "UPDATE reports SET decision = $2, decided_by = $3, decided_at = $4, until = $5, note = $6
              WHERE id = $1 AND decision IS NULL",
        )
        .await?;
    let written = transaction
        .execute(
            &update,
            &[
                &int(id),
                &decided.decision,
                &decided.by,
                &at(decided.at),
                &decided.until.map(at),
                &decided.note,
            ],
        )
        .await?;
    let Some(report) = report_by_id(&transaction, id).await? else {
        return Ok(Deciding::Unknown);
    };
    if written == 0 {
        return Ok(Deciding::Before(report));
    }
    if let Some(sanction) = sanction {
        impose(&transaction, sanction).await?;
    }
    if let Some(notice) = notice {
        give_notice(&transaction, notice).await?;
    }
    upkeep::audit(&transaction, audit).await?;
    // Whoever has a stream is told, at whichever node.
    revocations::note(&transaction, &[Revoked::Account(report.reported)]).await?;
    transaction.commit().await?;
    Ok(Deciding::Made(report))
}

/// Decides without a report, with all that comes of it.
pub(crate) async fn sanction(
    db: &mut Db,
    sanction: &Sanction,
    notice: &NewNotice,
    audit: &AuditEntry,
) -> Result<(), Fault> {
    let transaction = db.transaction().await?;
    impose(&transaction, sanction).await?;
    give_notice(&transaction, notice).await?;
    upkeep::audit(&transaction, audit).await?;
    revocations::note(&transaction, &[Revoked::Account(sanction.account)]).await?;
    transaction.commit().await?;
    Ok(())
}

async fn impose(transaction: &Transaction<'_>, sanction: &Sanction) -> Result<(), Fault> {
    let write = transaction
        .prepare_cached(
            "INSERT INTO sanctions (account, kind, until, why, by, at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (account, kind) DO UPDATE SET until = excluded.until,
                    why = excluded.why, by = excluded.by, at = excluded.at",
        )
        .await?;
    transaction
        .execute(
            &write,
            &[
                &who(sanction.account),
                &sanction.kind.name(),
                &sanction.until.map(at),
                &sanction.why,
                &sanction.by,
                &at(sanction.at),
            ],
        )
        .await?;
    Ok(())
}

async fn give_notice(transaction: &Transaction<'_>, notice: &NewNotice) -> Result<(), Fault> {
    let insert = transaction
        .prepare_cached(
            "INSERT INTO notices (account, at, kind, text, until) VALUES ($1, $2, $3, $4, $5)",
        )
        .await?;
    transaction
        .execute(
            &insert,
            &[
                &who(notice.account),
                &at(notice.at),
                &notice.kind,
                &notice.text,
                &notice.until.map(at),
            ],
        )
        .await?;
    Ok(())
}

/// Lifts a sanction; whether there was one.
pub(crate) async fn lift(
    db: &mut Db,
    account: PlayerId,
    kind: SanctionKind,
    audit: &AuditEntry,
) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    let delete = transaction
        .prepare_cached("DELETE FROM sanctions WHERE account = $1 AND kind = $2")
        .await?;
    let lifted = transaction
        .execute(&delete, &[&who(account), &kind.name()])
        .await?;
    if lifted > 0 {
        upkeep::audit(&transaction, audit).await?;
    }
    transaction.commit().await?;
    Ok(lifted > 0)
}

pub(crate) async fn sanctions_of(db: &Db, account: PlayerId) -> Result<Vec<Sanction>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT account, kind, until, why, by, at FROM sanctions
              WHERE account = $1 ORDER BY kind",
        )
        .await?;
    let found = db.query(&select, &[&who(account)]).await?;
    let one = |row: &SqlRow| {
        Ok(Sanction {
            account: row.who(0)?,
            kind: row.named(1, SanctionKind::named)?,
            until: row.at_or(2)?,
            why: row.col(3)?,
            by: row.col(4)?,
            at: row.at(5)?,
        })
    };
    found.iter().map(one).collect()
}

/// Those of these for whom a sanction of that kind holds at that moment.
pub(crate) async fn sanctioned_among(
    db: &Db,
    players: &[PlayerId],
    kind: SanctionKind,
    now: Timestamp,
) -> Result<Vec<PlayerId>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT account FROM sanctions
              WHERE account = ANY($1) AND kind = $2 AND (until IS NULL OR until > $3)
              ORDER BY account",
        )
        .await?;
    let found = db
        .query(&select, &[&numbers(players), &kind.name(), &at(now)])
        .await?;
    found.iter().map(|row| row.who(0)).collect()
}

/// What its owner was told, oldest first; only what was not put away, if so asked.
pub(crate) async fn notices_of(
    db: &Db,
    account: PlayerId,
    is_unseen: bool,
) -> Result<Vec<Notice>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT id, at, kind, text, until, seen_at FROM notices
              WHERE account = $1 AND (NOT $2::boolean OR seen_at IS NULL) ORDER BY id",
        )
        .await?;
    let found = db.query(&select, &[&who(account), &is_unseen]).await?;
    let one = |row: &SqlRow| {
        Ok(Notice {
            id: row.number(0)?,
            at: row.at(1)?,
            kind: row.col(2)?,
            text: row.col(3)?,
            until: row.at_or(4)?,
            seen_at: row.at_or(5)?,
        })
    };
    found.iter().map(one).collect()
}

/// Puts a notice away; whether it is one of that account's.
pub(crate) async fn put_away(
    db: &Db,
    account: PlayerId,
    id: u64,
    seen: Timestamp,
) -> Result<bool, Fault> {
    let update = db
        .prepare_cached(
            "UPDATE notices SET seen_at = coalesce(seen_at, $3) WHERE id = $1 AND account = $2",
        )
        .await?;
    let written = db
        .execute(&update, &[&int(id), &who(account), &at(seen)])
        .await?;
    Ok(written > 0)
}

/// Keeps a signal, unless there are so many of its kind by that player at that table.
pub(crate) async fn signal(db: &Db, signal: &Signal, most: u32) -> Result<bool, Fault> {
    let insert = db
        .prepare_cached(
            "INSERT INTO signals (table_id, account, kind, at, ply)
             SELECT $1::bigint, $2::bigint, $3::text, $4::bigint, $5::integer
              WHERE (SELECT count(*) FROM signals
                      WHERE table_id = $1 AND account = $2 AND kind = $3::text) < $6::bigint",
        )
        .await?;
    let written = db
        .execute(
            &insert,
            &[
                &table(signal.table),
                &who(signal.account),
                &signal.kind,
                &at(signal.at),
                &signal.ply.map(small),
                &i64::from(most),
            ],
        )
        .await?;
    Ok(written > 0)
}

pub(crate) async fn signals_of(db: &Db, id: TableId) -> Result<Vec<Signal>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT table_id, account, kind, at, ply FROM signals WHERE table_id = $1 ORDER BY id",
        )
        .await?;
    let found = db.query(&select, &[&table(id)]).await?;
    let one = |row: &SqlRow| {
        Ok(Signal {
            table: row.table(0)?,
            account: row.who(1)?,
            kind: row.col(2)?,
            at: row.at(3)?,
            ply: row.small_or(4)?,
        })
    };
    found.iter().map(one).collect()
}

async fn find(
    db: &impl GenericClient,
    place: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Report>, Fault> {
    let select = db
        .prepare_cached(&format!("SELECT {REPORT} FROM reports WHERE {place}"))
        .await?;
    let found = db.query(&select, params).await?;
    found.iter().map(read).collect()
}

fn read(row: &SqlRow) -> Result<Report, Fault> {
    let decision: Option<String> = row.col(7)?;
    let decided = match decision {
        Some(decision) => Some(Decided {
            decision,
            by: row.col(8)?,
            at: row.at(9)?,
            until: row.at_or(10)?,
            note: row.col(11)?,
        }),
        None => None,
    };
    let about: Option<i64> = row.col(4)?;
    Ok(Report {
        id: row.number(0)?,
        reporter: row.who_or(1)?,
        reported: row.who(2)?,
        reason: row.col(3)?,
        table: about.map(|_| row.table(4)).transpose()?,
        text: row.col(5)?,
        at: row.at(6)?,
        decided,
    })
}
