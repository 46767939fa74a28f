//! Fair play: what is said about players, and what is decided.

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Params, Row as SqlRow};

use super::fault::Fault;
use super::social::list;
use super::values::{At, Number, Who, int};
use super::{outbox, upkeep};
use crate::{
    AuditEntry, Decided, Deciding, NewNotice, NewReport, Notice, Report, Reporting, Sanction,
    SanctionKind, Signal, TableId, Verdict,
};

const REPORT: &str = "id, reporter, reported, reason, table_id, text, at, decision, decided_by, \
                      decided_at, until, note";

/// Writes a report, unless the same one is open, or so many of that reporter's are.
pub(crate) fn report(db: &Connection, new: &NewReport, open_max: u32) -> Result<Reporting, Fault> {
    let open: u32 = db
        .prepare_cached("SELECT count(*) FROM reports WHERE reporter = ?1 AND decision IS NULL")?
        .query_row((Who(new.reporter),), |r| r.get(0))?;
    let made = db
        .prepare_cached(
            "INSERT INTO reports (reporter, reported, reason, table_id, text, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING RETURNING id",
        )?
        .query_row(
            (
                Who(new.reporter),
                Who(new.reported),
                &new.reason,
                new.table,
                &new.text,
                At(new.at),
            ),
            |r| r.get::<_, Number>(0),
        )
        .optional()?;
    let Some(Number(id)) = made else {
        return Ok(Reporting::Again);
    };
    if open >= open_max {
        db.prepare_cached("DELETE FROM reports WHERE id = ?1")?
            .execute((int(id),))?;
        return Ok(Reporting::TooMany);
    }
    outbox::tell_of_report(db, new, id)?;
    Ok(Reporting::Made(new.clone().numbered(id)))
}

/// Reports after that one, oldest first: the open ones, those that are decided, or all.
pub(crate) fn reports(
    db: &Connection,
    is_open: Option<bool>,
    after: u64,
    limit: u32,
) -> Result<Vec<Report>, Fault> {
    let which = match is_open {
        Some(true) => "AND decision IS NULL",
        Some(false) => "AND decision IS NOT NULL",
        None => "",
    };
    let place = format!("id > ?1 {which} ORDER BY id LIMIT ?2");
    find(db, &place, (int(after), limit))
}

pub(crate) fn report_by_id(db: &Connection, id: u64) -> Result<Option<Report>, Fault> {
    Ok(find(db, "id = ?1", (int(id),))?.pop())
}

/// What somebody said about others.
pub(crate) fn reports_by(db: &Connection, reporter: PlayerId) -> Result<Vec<Report>, Fault> {
    find(db, "reporter = ?1 ORDER BY id", (Who(reporter),))
}

/// Decides a report that is open, with all that comes of it.
pub(crate) fn decide(db: &Connection, id: u64, verdict: &Verdict) -> Result<Deciding, Fault> {
    let Verdict {
        decided,
        sanction,
        notice,
        audit,
    } = verdict;
    let written = db
        .prepare_cached(
            "UPDATE reports SET decision = ?2, decided_by = ?3, decided_at = ?4, until = ?5, note = ?6
              WHERE id = ?1 AND decision IS NULL",
        )?
        .execute((
            int(id),
            &decided.decision,
            &decided.by,
            At(decided.at),
            decided.until.map(At),
            &decided.note,
        ))?;
    let Some(report) = report_by_id(db, id)? else {
        return Ok(Deciding::Unknown);
    };
    if written == 0 {
        return Ok(Deciding::Before(report));
    }
    if let Some(sanction) = sanction {
        impose(db, sanction)?;
    }
    if let Some(notice) = notice {
        give_notice(db, notice)?;
    }
    upkeep::audit(db, audit)?;
    Ok(Deciding::Made(report))
}

/// Decides without a report, with all that comes of it.
pub(crate) fn sanction(
    db: &Connection,
    sanction: &Sanction,
    notice: &NewNotice,
    audit: &AuditEntry,
) -> Result<(), Fault> {
    impose(db, sanction)?;
    give_notice(db, notice)?;
    upkeep::audit(db, audit)
}

fn impose(db: &Connection, sanction: &Sanction) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO sanctions (account, kind, until, why, by, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute((
        Who(sanction.account),
        sanction.kind.name(),
        sanction.until.map(At),
        &sanction.why,
        &sanction.by,
        At(sanction.at),
    ))?;
    Ok(())
}

fn give_notice(db: &Connection, notice: &NewNotice) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT INTO notices (account, at, kind, text, until) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute((
        Who(notice.account),
        At(notice.at),
        &notice.kind,
        &notice.text,
        notice.until.map(At),
    ))?;
    Ok(())
}

/// Lifts a sanction; whether there was one.
pub(crate) fn lift(
    db: &Connection,
    account: PlayerId,
    kind: SanctionKind,
    audit: &AuditEntry,
) -> Result<bool, Fault> {
    let lifted = db
        .prepare_cached("DELETE FROM sanctions WHERE account = ?1 AND kind = ?2")?
        .execute((Who(account), kind.name()))?;
    if lifted > 0 {
        upkeep::audit(db, audit)?;
    }
    Ok(lifted > 0)
}

pub(crate) fn sanctions_of(db: &Connection, account: PlayerId) -> Result<Vec<Sanction>, Fault> {
    let found = db
        .prepare_cached(
            "SELECT account, kind, until, why, by, at FROM sanctions
              WHERE account = ?1 ORDER BY kind",
        )?
        .query_map((Who(account),), |r| {
            let name: String = r.get(1)?;
            let kind = SanctionKind::named(&name);
            Ok(Sanction {
                account: r.get::<_, Who>(0)?.0,
                kind: kind.ok_or(rusqlite::Error::InvalidColumnType(1, name, Type::Text))?,
                until: time_or(r, 2)?,
                why: r.get(3)?,
                by: r.get(4)?,
                at: r.get::<_, At>(5)?.0,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// Those of these for whom a sanction of that kind holds at that moment.
pub(crate) fn sanctioned_among(
    db: &Connection,
    players: &[PlayerId],
    kind: SanctionKind,
    at: Timestamp,
) -> Result<Vec<PlayerId>, Fault> {
    let found = db
        .prepare_cached(
            "SELECT account FROM sanctions
              WHERE account IN (SELECT value FROM json_each(?1)) AND kind = ?2
                AND (until IS NULL OR until > ?3) ORDER BY account",
        )?
        .query_map((list(players), kind.name(), At(at)), |r| {
            Ok(r.get::<_, Who>(0)?.0)
        })?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// What its owner was told, oldest first; only what was not put away, if so asked.
pub(crate) fn notices_of(
    db: &Connection,
    account: PlayerId,
    is_unseen: bool,
) -> Result<Vec<Notice>, Fault> {
    let found = db
        .prepare_cached(
            "SELECT id, at, kind, text, until, seen_at FROM notices
              WHERE account = ?1 AND (NOT ?2 OR seen_at IS NULL) ORDER BY id",
        )?
        .query_map((Who(account), is_unseen), |r| {
            Ok(Notice {
                id: r.get::<_, Number>(0)?.0,
                at: r.get::<_, At>(1)?.0,
                kind: r.get(2)?,
                text: r.get(3)?,
                until: time_or(r, 4)?,
                seen_at: time_or(r, 5)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// Puts a notice away; whether it is one of that account's.
pub(crate) fn put_away(
    db: &Connection,
    account: PlayerId,
    id: u64,
    at: Timestamp,
) -> Result<bool, Fault> {
    let written = db
        .prepare_cached(
            "UPDATE notices SET seen_at = coalesce(seen_at, ?3) WHERE id = ?1 AND account = ?2",
        )?
        .execute((int(id), Who(account), At(at)))?;
    Ok(written > 0)
}

/// Keeps a signal, unless there are so many of its kind by that player at that table.
pub(crate) fn signal(db: &Connection, signal: &Signal, most: u32) -> Result<bool, Fault> {
    let written = db
        .prepare_cached(
            "INSERT INTO signals (table_id, account, kind, at, ply) SELECT ?1, ?2, ?3, ?4, ?5
              WHERE (SELECT count(*) FROM signals
                      WHERE table_id = ?1 AND account = ?2 AND kind = ?3) < ?6",
        )?
        .execute((
            signal.table,
            Who(signal.account),
            &signal.kind,
            At(signal.at),
            signal.ply,
            most,
        ))?;
    Ok(written > 0)
}

pub(crate) fn signals_of(db: &Connection, table: TableId) -> Result<Vec<Signal>, Fault> {
    let found = db
        .prepare_cached(
            "SELECT table_id, account, kind, at, ply FROM signals WHERE table_id = ?1 ORDER BY id",
        )?
        .query_map((table,), |r| {
            Ok(Signal {
                table: r.get(0)?,
                account: r.get::<_, Who>(1)?.0,
                kind: r.get(2)?,
                at: r.get::<_, At>(3)?.0,
                ply: r.get(4)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

fn find(db: &Connection, place: &str, params: impl Params) -> Result<Vec<Report>, Fault> {
    let found = db
        .prepare_cached(&format!("SELECT {REPORT} FROM reports WHERE {place}"))?
        .query_map(params, read)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

fn read(r: &SqlRow<'_>) -> Result<Report, rusqlite::Error> {
    let decision: Option<String> = r.get(7)?;
    let decided = match decision {
        Some(decision) => Some(Decided {
            decision,
            by: r.get(8)?,
            at: r.get::<_, At>(9)?.0,
            until: time_or(r, 10)?,
            note: r.get(11)?,
        }),
        None => None,
    };
    Ok(Report {
        id: r.get::<_, Number>(0)?.0,
        reporter: r.get::<_, Option<Who>>(1)?.map(|who| who.0),
        reported: r.get::<_, Who>(2)?.0,
        reason: r.get(3)?,
        table: r.get(4)?,
        text: r.get(5)?,
        at: r.get::<_, At>(6)?.0,
        decided,
    })
}

fn time_or(r: &SqlRow<'_>, index: usize) -> Result<Option<Timestamp>, rusqlite::Error> {
    Ok(r.get::<_, Option<At>>(index)?.map(|at| at.0))
}
