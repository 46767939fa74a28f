//! What players said about players, and what is decided.

use chess::Timestamp;
use store::{AuditEntry, Decided, Deciding, NewNotice, Report, Sanction, SanctionKind, Verdict};

use super::Operator;
use crate::play::reports::proper;
use crate::problem::{Kind, Problem};
use crate::text_time::rfc3339;

/// What comes of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Nothing.
    Dismiss,
    /// The player is told.
    Warn,
    /// The player may not speak.
    Mute,
    /// The player may not play rated games.
    BarRated,
    /// Nobody uses the account any more.
    Close,
}

impl Decision {
    fn name(self) -> &'static str {
        match self {
            Decision::Dismiss => "dismiss",
            Decision::Warn => "warn",
            Decision::Mute => "mute",
            Decision::BarRated => "bar_rated",
            Decision::Close => "close",
        }
    }

    fn sanction(self) -> Option<SanctionKind> {
        match self {
            Decision::Mute => Some(SanctionKind::Mute),
            Decision::BarRated => Some(SanctionKind::BarRated),
            Decision::Dismiss | Decision::Warn | Decision::Close => None,
        }
    }
}

impl Operator {
    /// Reports after that number, oldest first: open, decided, or all.
    pub(crate) async fn reports(
        &self,
        is_open: Option<bool>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Report>, Problem> {
        Ok(self.app.store.reports(is_open, after, limit).await?)
    }

    /// Decides a report, with all that comes of it and a line in the audit trail. The
    /// player is told why, and never who said it.
    pub(crate) async fn decide(
        &self,
        id: u64,
        decision: Decision,
        until: Option<Timestamp>,
        note: &str,
    ) -> Result<Report, Problem> {
        let note = proper("note", note)?;
        let now = self.app.wall();
        check_until(decision, until, now)?;
        let found = self.app.store.report_by_id(id).await?;
        let report = found.ok_or_else(no_such)?;
        let whom = report.reported;
        let person = self.app.auth.person(whom).await?;
        let target = person.map_or_else(|| "unknown".to_owned(), |person| person.id.clone());
        if whom == self.caller.number() {
            let detail = "nobody decides about themselves";
            return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
        }
        if report.decided.is_some() {
            return Err(decided_before());
        }
        if decision == Decision::Close {
            // First, so that a report is not decided of which nothing came.
            self.bar(&target, note.clone()).await?;
        }
        let verdict = Verdict {
            sanction: decision.sanction().map(|kind| Sanction {
                account: whom,
                kind,
                until,
                why: note.clone(),
                by: self.name().to_owned(),
                at: now,
            }),
            notice: (decision == Decision::Warn || decision.sanction().is_some()).then(|| {
                NewNotice {
                    account: whom,
                    at: now,
                    kind: decision.name().to_owned(),
                    text: note.clone(),
                    until,
                }
            }),
            audit: self.entry("decide_report", &target, told(id, decision, until, &note)),
            decided: Decided {
                decision: decision.name().to_owned(),
                by: self.name().to_owned(),
                at: now,
                until,
                note,
            },
        };
        match self.app.store.decide_report(id, verdict).await? {
            Deciding::Made(report) => {
                // The player's streams look at what there is to know.
                self.app.auth.forget_person(whom);
                Ok(report)
            }
            Deciding::Before(_) => Err(decided_before()),
            Deciding::Unknown => Err(no_such()),
        }
    }

    /// Lets somebody speak, or play rated games, again.
    pub(crate) async fn lift(&self, name: &str, kind: SanctionKind) -> Result<(), Problem> {
        let account = self.account(name).await?;
        let entry = self.entry("lift_sanction", &account.id, kind.name().to_owned());
        let store = &self.app.store;
        match store.lift_sanction(account.number, kind, entry).await? {
            true => Ok(()),
            false => Err(Problem::not_found("nothing of that kind was decided")),
        }
    }

    pub(super) fn entry(&self, action: &str, target: &str, detail: String) -> AuditEntry {
        AuditEntry {
            at: self.app.wall(),
            actor: self.name().to_owned(),
            action: action.to_owned(),
            target: target.to_owned(),
            detail,
        }
    }
}

/// Only what lasts has an end, and that is to come.
fn check_until(
    decision: Decision,
    until: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), Problem> {
    if until.is_some() && decision.sanction().is_none() {
        let why = "until: only for mute and bar_rated";
        return Err(Problem::bad_request(why).with("field", "until"));
    }
    check_end(until, now)
}

pub(super) fn check_end(until: Option<Timestamp>, now: Timestamp) -> Result<(), Problem> {
    if until.is_none_or(|until| until > now) {
        return Ok(());
    }
    let why = "until: must be yet to come";
    Err(Problem::bad_request(why).with("field", "until"))
}

/// What the audit trail says of it.
fn told(id: u64, decision: Decision, until: Option<Timestamp>, note: &str) -> String {
    let end = until.map_or_else(String::new, |until| format!(" until {}", rfc3339(until)));
    format!("report {id}: {}{end}: {note}", decision.name())
}

fn no_such() -> Problem {
    Problem::not_found("there is no such report")
}

fn decided_before() -> Problem {
    let detail = "somebody has decided this report";
    Problem::new(Kind::Conflict, "already_decided", detail)
}
