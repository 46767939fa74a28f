//! Fair play: what is said about players, and what is decided.

use chess::Timestamp;
use chess::table::PlayerId;
use store::{
    AuditEntry, Decided, Deciding, NewNotice, NewReport, Report, Reporting, Sanction, SanctionKind,
    Signal, Store, Verdict,
};

use crate::people::{create, new};
use crate::support::*;

fn about(reporter: u32, reported: u32, reason: &str) -> NewReport {
    NewReport {
        reporter: player(reporter),
        reported: player(reported),
        reason: reason.into(),
        table: Some(id(7)),
        text: "look at move 12".into(),
        at: Timestamp(1_000),
    }
}

fn report(store: &Store, new: NewReport) -> Report {
    match wait(store.report(new, 10)).unwrap() {
        Reporting::Made(report) => report,
        other => panic!("{other:?}"),
    }
}

fn audit(action: &str) -> AuditEntry {
    AuditEntry {
        at: Timestamp(3_000),
        actor: "olga".into(),
        action: action.into(),
        target: "bob".into(),
        detail: "why".into(),
    }
}

/// A mute with all that comes of it.
fn mute(who: PlayerId) -> Verdict {
    Verdict {
        decided: Decided {
            decision: "mute".into(),
            by: "olga".into(),
            at: Timestamp(3_000),
            until: Some(Timestamp(9_000)),
            note: "insults".into(),
        },
        sanction: Some(Sanction {
            account: who,
            kind: SanctionKind::Mute,
            until: Some(Timestamp(9_000)),
            why: "insults".into(),
            by: "olga".into(),
            at: Timestamp(3_000),
        }),
        notice: Some(NewNotice {
            account: who,
            at: Timestamp(3_000),
            kind: "mute".into(),
            text: "insults".into(),
            until: Some(Timestamp(9_000)),
        }),
        audit: audit("decide_report"),
    }
}

pub(crate) fn the_same_is_not_reported_twice_while_it_is_open(home: &mut Home) {
    let store = home.store();
    let first = report(store, about(1, 2, "abuse"));
    let again = |new| wait(store.report(new, 10)).unwrap();
    assert_eq!(again(about(1, 2, "abuse")), Reporting::Again);
    let elsewhere = NewReport {
        table: None,
        ..about(1, 2, "abuse")
    };
    report(store, elsewhere.clone());
    assert_eq!(again(elsewhere), Reporting::Again);
    report(store, about(1, 2, "spam"));
    report(store, about(3, 2, "abuse"));
    assert_eq!(
        wait(store.report(about(1, 4, "spam"), 3)),
        Ok(Reporting::TooMany)
    );
    wait(store.decide_report(first.id, mute(player(2)))).unwrap();
    report(store, about(1, 2, "abuse"));
    assert_eq!(wait(store.reports_by(player(1))).unwrap().len(), 4);
}

pub(crate) fn reports_are_read_from_the_oldest_on(home: &mut Home) {
    let store = home.store();
    let made = ["abuse", "spam", "other"].map(|reason| report(store, about(1, 2, reason)));
    wait(store.decide_report(made[1].id, mute(player(2)))).unwrap();
    let store = home.restart();
    let ids = |is_open, after, limit| {
        let found = wait(store.reports(is_open, after, limit)).unwrap();
        found.iter().map(|report| report.id).collect::<Vec<_>>()
    };
    let [abuse, spam, other] = made.each_ref().map(|report| report.id);
    assert!(abuse < spam && spam < other);
    assert_eq!(ids(Some(true), 0, 10), [abuse, other]);
    assert_eq!(ids(Some(true), abuse, 10), [other]);
    assert_eq!(ids(Some(false), 0, 10), [spam]);
    assert_eq!(ids(None, 0, 2), [abuse, spam]);
    assert_eq!(wait(store.report_by_id(abuse)), Ok(Some(made[0].clone())));
    assert_eq!(wait(store.report_by_id(other + 1)), Ok(None));
}

pub(crate) fn a_decision_is_made_once_with_all_that_comes_of_it(home: &mut Home) {
    let store = home.store();
    let (bob, made) = (player(2), report(store, about(1, 2, "abuse")));
    let verdict = mute(bob);
    let decided = Report {
        decided: Some(verdict.decided.clone()),
        ..made.clone()
    };
    let decide = |store: &Store, id| wait(store.decide_report(id, mute(bob))).unwrap();
    assert_eq!(decide(store, made.id), Deciding::Made(decided.clone()));
    let store = home.restart();
    assert_eq!(decide(store, made.id), Deciding::Before(decided));
    assert_eq!(decide(store, made.id + 1), Deciding::Unknown);
    let sanctions = wait(store.sanctions_of(bob)).unwrap();
    assert_eq!(
        Some(&sanctions[..]),
        verdict.sanction.as_ref().map(std::slice::from_ref)
    );
    assert!(sanctions[0].holds(Timestamp(8_999)) && !sanctions[0].holds(Timestamp(9_000)));
    let notices = wait(store.notices_of(bob, true)).unwrap();
    assert_eq!(notices.len(), 1);
    assert_eq!((&*notices[0].kind, &*notices[0].text), ("mute", "insults"));
    let trail = wait(store.audit_log(None, 10)).unwrap();
    assert_eq!(trail.len(), 1);
    assert_eq!(trail[0].1, verdict.audit);
}

pub(crate) fn of_several_it_is_known_for_whom_a_sanction_holds(home: &mut Home) {
    let store = home.store();
    let (ann, bob, cleo) = (player(1), player(2), player(3));
    for (about, verdict) in [
        (about(3, 1, "abuse"), mute(ann)),
        (about(1, 2, "abuse"), mute(bob)),
    ] {
        let mut verdict = verdict;
        if let Some(sanction) = verdict.sanction.as_mut().filter(|s| s.account == ann) {
            sanction.until = None;
        }
        let made = report(store, about);
        wait(store.decide_report(made.id, verdict)).unwrap();
    }
    let among = |players: &[PlayerId], kind, at| {
        wait(store.sanctioned_among(players, kind, Timestamp(at))).unwrap()
    };
    let mute = SanctionKind::Mute;
    assert_eq!(among(&[cleo, bob, ann], mute, 8_999), [ann, bob]);
    assert_eq!(among(&[cleo, bob, ann], mute, 9_000), [ann]);
    assert_eq!(among(&[cleo, bob], mute, 9_000), []);
    assert_eq!(among(&[ann, bob], SanctionKind::BarRated, 0), []);
    assert_eq!(among(&[], mute, 0), []);
}

pub(crate) fn a_sanction_is_changed_by_the_next_and_lifted(home: &mut Home) {
    let store = home.store();
    let bob = player(2);
    for reason in ["abuse", "spam"] {
        let made = report(store, about(1, 2, reason));
        let mut verdict = mute(bob);
        if let Some(sanction) = &mut verdict.sanction {
            (sanction.until, sanction.why) = (None, reason.into());
        }
        wait(store.decide_report(made.id, verdict)).unwrap();
    }
    let sanctions = wait(store.sanctions_of(bob)).unwrap();
    assert_eq!(sanctions.len(), 1);
    assert_eq!((sanctions[0].until, &*sanctions[0].why), (None, "spam"));
    assert_eq!(wait(store.sanctions_of(player(1))), Ok(vec![]));
    let lift = |kind| wait(store.lift_sanction(bob, kind, audit("lift_sanction")));
    assert_eq!(lift(SanctionKind::BarRated), Ok(false));
    assert_eq!(lift(SanctionKind::Mute), Ok(true));
    assert_eq!(lift(SanctionKind::Mute), Ok(false));
    assert_eq!(wait(store.sanctions_of(bob)), Ok(vec![]));
    assert_eq!(wait(store.audit_log(None, 10)).unwrap().len(), 3);
}

pub(crate) fn a_notice_is_there_until_its_owner_puts_it_away(home: &mut Home) {
    let store = home.store();
    let bob = player(2);
    for reason in ["abuse", "spam"] {
        let made = report(store, about(1, 2, reason));
        wait(store.decide_report(made.id, mute(bob))).unwrap();
    }
    let unseen = |store: &Store| wait(store.notices_of(bob, true)).unwrap();
    let first = unseen(store)[0].id;
    let away = |who, id, at| wait(store.put_notice_away(who, id, Timestamp(at)));
    assert_eq!(away(player(1), first, 5_000), Ok(false));
    assert_eq!(away(bob, first, 5_000), Ok(true));
    assert_eq!(away(bob, first, 6_000), Ok(true));
    let store = home.restart();
    assert_eq!(unseen(store).len(), 1);
    let all = wait(store.notices_of(bob, false)).unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(all[0].seen_at, Some(Timestamp(5_000)));
}

pub(crate) fn signals_of_a_kind_are_kept_up_to_a_number(home: &mut Home) {
    let store = home.store();
    let signal = |who: u32, kind: &str, at: u64| Signal {
        table: id(7),
        account: player(who),
        kind: kind.into(),
        at: Timestamp(at),
        ply: (at > 2).then_some(4),
    };
    let add = |signal| wait(store.add_signal(signal, 2)).unwrap();
    assert!(add(signal(1, "focus_lost", 1)) && add(signal(1, "focus_lost", 2)));
    assert!(!add(signal(1, "focus_lost", 3)));
    assert!(add(signal(1, "disconnected", 4)) && add(signal(2, "focus_lost", 5)));
    let store = home.restart();
    let kept = wait(store.signals_of(id(7))).unwrap();
    assert_eq!(kept[1], signal(1, "focus_lost", 2));
    assert_eq!(kept[3], signal(2, "focus_lost", 5));
    assert_eq!(kept.len(), 4);
    assert_eq!(wait(store.signals_of(id(8))), Ok(vec![]));
}

pub(crate) fn what_a_deleted_account_reported_stays_and_nobody_said_it(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = ["Ann", "Bob"].map(|name| create(store, new(name)).number);
    let made = report(store, about(ann.number(), bob.number(), "abuse"));
    let theirs = report(store, about(bob.number(), ann.number(), "abuse"));
    wait(store.decide_report(theirs.id, mute(ann))).unwrap();
    assert_eq!(
        wait(store.delete_account(ann, Timestamp(4_000), "gone-1")),
        Ok(true)
    );
    let kept = wait(store.report_by_id(made.id)).unwrap().unwrap();
    assert_eq!((kept.reporter, kept.text), (None, made.text));
    assert_eq!(wait(store.reports_by(ann)), Ok(vec![]));
    assert_eq!(wait(store.sanctions_of(ann)), Ok(vec![]));
    assert_eq!(wait(store.notices_of(ann, false)), Ok(vec![]));
    let about_them = wait(store.report_by_id(theirs.id)).unwrap().unwrap();
    assert_eq!((about_them.reporter, about_them.reported), (Some(bob), ann));
}
