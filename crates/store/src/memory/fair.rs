//! Fair play in memory: what is said about players, and what is decided.

use std::collections::BTreeMap;

use chess::Timestamp;
use chess::table::PlayerId;

use crate::{
    Deciding, NewNotice, NewReport, Notice, Report, Reporting, Sanction, SanctionKind, Signal,
    TableId, Verdict,
};

#[derive(Clone, Default)]
pub(crate) struct Fair {
    reports: BTreeMap<u64, Report>,
    sanctions: BTreeMap<(PlayerId, SanctionKind), Sanction>,
    notices: BTreeMap<u64, (PlayerId, Notice)>,
    last_report: u64,
    last_notice: u64,
    signals: Vec<Signal>,
}

impl Fair {
    pub(crate) fn report(&mut self, new: NewReport, open_max: u32) -> Reporting {
        let open = self
            .reports
            .values()
            .filter(|report| report.decided.is_none() && report.reporter == Some(new.reporter));
        let (mut many, mut is_there) = (0, false);
        for report in open {
            many += 1;
            is_there |= (report.reported, &report.reason, report.table)
                == (new.reported, &new.reason, new.table);
        }
        if is_there {
            return Reporting::Again;
        }
        if many >= open_max {
            return Reporting::TooMany;
        }
        self.last_report += 1;
        let report = new.numbered(self.last_report);
        self.reports.insert(report.id, report.clone());
        Reporting::Made(report)
    }

    pub(crate) fn reports(&self, is_open: Option<bool>, after: u64, limit: u32) -> Vec<Report> {
        self.reports
            .values()
            .filter(|report| report.id > after)
            .filter(|report| is_open.is_none_or(|open| open == report.decided.is_none()))
            .take(limit as usize)
            .cloned()
            .collect()
    }

    pub(crate) fn report_by_id(&self, id: u64) -> Option<Report> {
        self.reports.get(&id).cloned()
    }

    pub(crate) fn reports_by(&self, reporter: PlayerId) -> Vec<Report> {
        let reports = self.reports.values();
        let theirs = reports.filter(|report| report.reporter == Some(reporter));
        theirs.cloned().collect()
    }

    /// Decides a report. The audit trail is somebody else's.
    pub(crate) fn decide(&mut self, id: u64, verdict: &Verdict) -> Deciding {
        let Some(report) = self.reports.get_mut(&id) else {
            return Deciding::Unknown;
        };
        if report.decided.is_some() {
            return Deciding::Before(report.clone());
        }
        report.decided = Some(verdict.decided.clone());
        let report = report.clone();
        if let Some(sanction) = &verdict.sanction {
            self.impose(sanction.clone());
        }
        if let Some(notice) = &verdict.notice {
            self.give_notice(notice.clone());
        }
        Deciding::Made(report)
    }

    pub(crate) fn impose(&mut self, sanction: Sanction) {
        let key = (sanction.account, sanction.kind);
        self.sanctions.insert(key, sanction);
    }

    pub(crate) fn give_notice(&mut self, new: NewNotice) {
        self.last_notice += 1;
        let notice = Notice {
            id: self.last_notice,
            at: new.at,
            kind: new.kind,
            text: new.text,
            until: new.until,
            seen_at: None,
        };
        self.notices.insert(notice.id, (new.account, notice));
    }

    pub(crate) fn lift(&mut self, account: PlayerId, kind: SanctionKind) -> bool {
        self.sanctions.remove(&(account, kind)).is_some()
    }

    pub(crate) fn sanctions_of(&self, account: PlayerId) -> Vec<Sanction> {
        let all = self.sanctions.values();
        let mut theirs: Vec<_> = all.filter(|s| s.account == account).cloned().collect();
        theirs.sort_by_key(|sanction| sanction.kind.name());
        theirs
    }

    pub(crate) fn sanctioned_among(
        &self,
        players: &[PlayerId],
        kind: SanctionKind,
        at: Timestamp,
    ) -> Vec<PlayerId> {
        let holds = |sanction: &&Sanction| {
            sanction.kind == kind && sanction.holds(at) && players.contains(&sanction.account)
        };
        let holding = self.sanctions.values().filter(holds);
        holding.map(|sanction| sanction.account).collect()
    }

    pub(crate) fn notices_of(&self, account: PlayerId, is_unseen: bool) -> Vec<Notice> {
        self.notices
            .values()
            .filter(|(owner, _)| *owner == account)
            .map(|(_, notice)| notice)
            .filter(|notice| !is_unseen || notice.seen_at.is_none())
            .cloned()
            .collect()
    }

    pub(crate) fn put_away(&mut self, account: PlayerId, id: u64, at: Timestamp) -> bool {
        let found = self.notices.get_mut(&id);
        let theirs = found.filter(|(owner, _)| *owner == account);
        let is_there = theirs.is_some();
        if let Some((_, notice)) = theirs {
            notice.seen_at.get_or_insert(at);
        }
        is_there
    }

    pub(crate) fn signal(&mut self, signal: Signal, most: u32) -> bool {
        let alike = self.signals.iter().filter(|other| {
            (other.table, other.account, &other.kind)
                == (signal.table, signal.account, &signal.kind)
        });
        let has_room = alike.count() < most as usize;
        if has_room {
            self.signals.push(signal);
        }
        has_room
    }

    pub(crate) fn signals_of(&self, table: TableId) -> Vec<Signal> {
        let signals = self.signals.iter();
        signals.filter(|s| s.table == table).cloned().collect()
    }

    /// What a guest may not do, an account may not either that takes them over.
    pub(crate) fn take_over(&mut self, guest: PlayerId, by: PlayerId) {
        for sanction in self.sanctions_of(guest) {
            let key = (by, sanction.kind);
            let theirs = Sanction {
                account: by,
                ..sanction
            };
            self.sanctions.entry(key).or_insert(theirs);
        }
    }

    /// The account was deleted: what it said stays, and nobody said it.
    pub(crate) fn forget(&mut self, account: PlayerId) {
        for report in self.reports.values_mut() {
            report.reporter = report.reporter.filter(|reporter| *reporter != account);
        }
        self.sanctions.retain(|(who, _), _| *who != account);
        self.notices.retain(|_, (owner, _)| *owner != account);
    }
}
