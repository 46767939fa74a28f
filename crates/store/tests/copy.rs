//! Everything of one store, in another.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::sync::Arc;

use chess::Timestamp;
use chess::table::Outage;
use store::{
    Accept, AccountKind, Adopting, Adoption, AuditEntry, Ban, BanKind, ChallengeRule, Change,
    ChatFilter, ChatNumbering, CopyReport, Creation, Decided, Error, NewAccount, NewAnalysis,
    NewChatLine, NewNotice, NewReport, NewToken, OutsideIdentity, ProfileChange, Remembered, Row,
    Sanction, SanctionKind, Signal, Store, Stored, TableId, TokenKind, Upkeep, Verdict,
};
use support::*;
use tempfile::TempDir;

/// A new file, and its URL.
fn file() -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let url = format!("sqlite:{}", directory.path().join("arbiter.db").display());
    (directory, url)
}

/// Makes rows as the rules of these tests do.
fn to_row(id: TableId, stored: Stored) -> Result<Row, String> {
    Ok(Row {
        join_code: stored.join_code,
        ..row(id.number(), stored.version)
    })
}

fn open(url: &str) -> Store {
    let upkeep = Upkeep {
        to_row: Some(Arc::new(to_row)),
        ..Upkeep::default()
    };
    Store::open_for(url, upkeep).expect("the store opens")
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime for the test")
        .block_on(future)
}

fn copy(from: &Store, to: &Store) -> Result<CopyReport, Error> {
    run(from.copy_to(to, |step| assert!(step.done <= step.total, "{step:?}")))
}

fn account(store: &Store, name: &str, outside: Option<OutsideIdentity>) -> u32 {
    let new = NewAccount {
        uuid: {
            let mut uuid = [0; 16];
            uuid[..name.len()].copy_from_slice(name.as_bytes());
            uuid
        },
        name: name.into(),
        kind: match name.starts_with("guest-") {
            true => AccountKind::Guest,
            false => AccountKind::Registered,
        },
        email: None,
        password_hash: Some("a hash".into()),
        is_admin: name == "Ann",
        outside,
        at: Timestamp(5),
    };
    match run(store.create_account(new)).expect("accounts can be made") {
        Creation::Created(account) => account.number.number(),
        other => panic!("{other:?}"),
    }
}

fn token(store: &Store, account: u32, number: u8, name: &str) -> u64 {
    let new = NewToken {
        hash: [number; 32],
        account: player(account),
        kind: TokenKind::Personal,
        name: name.into(),
        scopes: 3,
        at: Timestamp(5),
        expires_at: None,
    };
    run(store.add_token(new)).expect("tokens can be made").id
}

fn identity(subject: &str) -> OutsideIdentity {
    OutsideIdentity {
        issuer: "https://id.example".into(),
        subject: subject.into(),
    }
}

/// Some of everything, with moves that are only in the journal.
fn fill(store: &Store, games: u64) {
    let ann = account(store, "Ann", None);
    let ben = account(store, "Ben", Some(identity("b")));
    assert_eq!((ann, ben), (1, 2));
    let change = ProfileChange {
        barred_at: Some(Some(Timestamp(9))),
        ..ProfileChange::default()
    };
    run(store.change_profile(player(2), change)).expect("profiles can be changed");
    let guest = account(store, "guest-1", None);
    let adopting = Adopting {
        guest: player(guest),
        by: player(1),
        token: [9; 32],
    };
    let adopted = run(store.adopt_guest(adopting)).expect("guests can be taken over");
    assert_eq!(adopted, Adoption::Adopted);
    run(store.block_identity(identity("c"), Timestamp(7))).expect("it can be blocked");
    // With a NUL in its name, which only a file can have.
    token(store, 1, 1, "a\0program");
    let gone = token(store, 2, 2, "gone");
    run(store.revoke_token(player(2), gone)).expect("it can be revoked");
    let mut private = waiting(1);
    private.join_code = Some("QWERTY".into());
    private.summary.private = true;
    private.summary.invited = vec![player(2)];
    let remember = Remembered {
        table: id(1),
        version: 1,
        ..remembered(1, "a key", 5)
    };
    let first = Change {
        remember: Some(remember),
        ..created(private)
    };
    commit(store, first).expect("it is new");
    commit_all(store, (2..2 + games).map(|number| created(over(number, 4))));
    commit(store, created(row(900_001, 2))).expect("it is new");
    for version in 3..=7 {
        commit(store, moved(900_001, version)).expect("it is next");
    }
    let line = NewChatLine {
        table: id(900_001),
        at: Timestamp(8),
        from: player(1),
        role: "player".into(),
        audience: "room".into(),
        is_notice: false,
        text: "good luck".into(),
    };
    let numbering = ChatNumbering {
        from: 0,
        next: Box::new(|_, _| 77),
    };
    told(|done| store.append_chat(line, numbering, done)).expect("it can be said");
    let ban = Ban {
        table: id(900_001),
        account: player(2),
        kind: BanKind::Muted,
        by: player(1),
        at: Timestamp(9),
    };
    run(store.ban(ban)).expect("it can be banned");
    let entry = AuditEntry {
        at: Timestamp(9),
        actor: "cli".into(),
        action: "bar".into(),
        target: "ben".into(),
        detail: String::new(),
    };
    run(store.audit(entry)).expect("it can be noted");
    let outage = Outage {
        down_since: Timestamp(100),
        up_at: Timestamp(200),
    };
    run(store.note_outage(outage)).expect("it can be noted");
    decide(store);
    told(|done| store.heartbeat(Timestamp(1_000_000), done)).expect("it can be noted");
}

/// What players decide about each other, and what is decided about them.
fn decide(store: &Store) {
    let (ann, ben, at) = (player(1), player(2), Timestamp(9));
    run(store.block(ann, ben, at)).expect("it can be decided");
    run(store.follow(ben, ann, at)).expect("it can be decided");
    let rule = ChallengeRule {
        accept: Accept::Follows,
        rating_min: None,
        rating_max: Some(1_500),
    };
    run(store.set_challenge_rule(ann, rule)).expect("it can be decided");
    let report = NewReport {
        reporter: ann,
        reported: ben,
        reason: "abuse".into(),
        table: Some(id(900_001)),
        text: "insults".into(),
        at,
    };
    run(store.report(report, 9)).expect("it can be said");
    let sanction = Sanction {
        account: ben,
        kind: SanctionKind::Mute,
        until: None,
        why: "insults".into(),
        by: "ann".into(),
        at,
    };
    let notice = NewNotice {
        account: ben,
        at,
        kind: "mute".into(),
        text: "insults".into(),
        until: None,
    };
    let verdict = Verdict {
        decided: Decided {
            decision: "mute".into(),
            by: "ann".into(),
            at,
            until: None,
            note: "insults".into(),
        },
        sanction: Some(sanction),
        notice: Some(notice),
        audit: AuditEntry {
            at,
            actor: "ann".into(),
            action: "decide_report".into(),
            target: "ben".into(),
            detail: String::new(),
        },
    };
    run(store.decide_report(1, verdict)).expect("it can be decided");
    let signal = Signal {
        table: id(900_001),
        account: ben,
        kind: "focus_lost".into(),
        at,
        ply: Some(3),
    };
    run(store.add_signal(signal, 9)).expect("it can be kept");
    let wanted = NewAnalysis {
        table: id(900_001),
        by: ben,
        at,
        total: 3,
        own_max: 1,
        all_max: 1,
    };
    run(store.ask_analysis(wanted)).expect("it can be asked for");
}

fn assert_decided(store: &Store) {
    let (ann, ben) = (player(1), player(2));
    assert_eq!(run(store.blockers_of(ben)), Ok(vec![ann]));
    assert_eq!(run(store.is_following(ben, ann)), Ok(true));
    let rule = run(store.challenge_rule(ann)).expect("rules can be read");
    assert_eq!(rule.rating_max, Some(1_500));
    let report = run(store.report_by_id(1)).expect("reports can be read");
    assert!(report.is_some_and(|report| report.decided.is_some()));
    let sanctions = run(store.sanctions_of(ben)).expect("sanctions can be read");
    assert_eq!(sanctions.len(), 1);
    let notices = run(store.notices_of(ben, true)).expect("notices can be read");
    assert_eq!(notices.len(), 1);
    let signals = run(store.signals_of(id(900_001))).expect("signals can be read");
    assert_eq!(signals[0].ply, Some(3));
    let analysis = run(store.analysis(id(900_001))).expect("analyses can be read");
    assert_eq!(analysis.map(|one| one.total), Some(3));
}

/// What a server would find there.
fn assert_filled(store: &Store) {
    let ann = run(store.account_by_id("ann")).expect("accounts can be read");
    assert!(ann.as_ref().expect("she is there").is_admin);
    let alias = run(store.account_by_id("guest-1")).expect("accounts can be read");
    assert_eq!(alias, ann, "whom she took over leads to her");
    let shown = run(store.alias_by_token([9; 32])).expect("aliases can be read");
    assert!(shown.is_some());
    let ben = run(store.account_by_outside(&identity("b"))).expect("accounts can be read");
    assert_eq!(ben.expect("he is there").barred_at, Some(Timestamp(9)));
    assert!(run(store.is_identity_blocked(&identity("c"))).expect("it can be asked"));
    let played = load(store, id(900_001)).expect("the game is there");
    assert_eq!((played.version, played.history), (7, history(7)));
    let code = run(store.by_join_code("QWERTY")).expect("codes can be asked for");
    assert_eq!(code, Some(id(1)));
    let again = run(store.remembered(player(1), "a key", Timestamp(6))).expect("keys can be read");
    assert_eq!(again.map(|old| old.table), Some(id(1)));
    let chat = run(store.chat_of(id(900_001), ChatFilter::default(), None, 9));
    assert_eq!(chat.expect("chat can be read")[0].id, 77);
    let bans = run(store.bans_of(id(900_001))).expect("bans can be read");
    assert_eq!(bans.len(), 1);
    assert_decided(store);
    let moves = run(store.moves_of(id(2))).expect("moves can be read");
    assert_eq!(moves, over(2, 4).moves);
    let past = run(store.past()).expect("the past can be read");
    assert_eq!(past.alive_at, Some(Timestamp(1_000_000)));
    assert_eq!(past.outages.len(), 1);
    assert_eq!(account(store, "Cay", None), 4, "numbers go on");
    assert_eq!(
        token(store, 3, 9, "new"),
        3,
        "a token's number is never used again"
    );
}

#[test]
fn a_file_becomes_a_database_and_a_file_again() {
    let Some(url) = servers::postgres() else {
        return;
    };
    let (_first, first) = file();
    let store = Store::open(&first).expect("the store opens");
    fill(&store, 5);
    store.close();
    let (source, target) = (open(&first), open(&url));
    let report = copy(&source, &target).expect("it can be copied");
    assert_eq!((report.wrong, report.is_resumed), (0, false), "{report:?}");
    assert!(report.counts.contains(&("games", 7)), "{report:?}");
    let tokens = run(target.tokens_of(player(1))).expect("tokens can be read");
    assert_eq!(tokens[0].name, "a\u{fffd}program");
    let flaws = run(target
        .inspector()
        .references(None, 10, Timestamp(2_000_000)));
    assert_eq!(flaws.expect("it can be looked at").unwrap().flaws, []);
    let (_second, second) = file();
    let back = open(&second);
    let report = copy(&target, &back).expect("it can be copied");
    assert_eq!(report.wrong, 0, "{report:?}");
    assert_filled(&back);
    assert_filled(&target);
}

#[test]
fn an_interrupted_copy_goes_on_and_a_changed_source_is_noticed() {
    let Some(url) = servers::postgres() else {
        return;
    };
    let (_directory, from) = file();
    let source = open(&from);
    fill(&source, 1_400);
    for stop_after in [0, 3, 900, 1_500, 4_000] {
        let target = open(&url);
        // The future is dropped in the middle, as when the process is killed.
        run(async {
            let (stop, mut stopped) = tokio::sync::mpsc::channel(1);
            let copying = source.copy_to(&target, move |step| {
                if step.done >= stop_after {
                    // Once is enough.
                    let _sent = stop.try_send(());
                }
            });
            tokio::select! {
                biased;
                _ = stopped.recv() => {}
                report = copying => panic!("it came to its end: {report:?}"),
            }
        });
        assert!(run(target.is_unfinished_copy()).expect("it can be asked"));
        target.close();
    }
    let target = open(&url);
    let report = copy(&source, &target).expect("it can be gone on with");
    assert_eq!((report.wrong, report.is_resumed), (0, true), "{report:?}");
    assert!(!run(target.is_unfinished_copy()).expect("it can be asked"));
    assert_filled(&target);
    let refused = copy(&source, &target);
    assert!(
        matches!(&refused, Err(Error::Unavailable(why)) if why.contains("is not empty")),
        "{refused:?}"
    );
}

#[test]
fn a_difference_is_told_and_the_copy_stays_unfinished() {
    let (_first, first) = file();
    let (_second, second) = file();
    let (source, target) = (open(&first), open(&second));
    fill(&source, 2);
    // Half a copy, in which somebody changed something.
    run(async {
        let (stop, mut stopped) = tokio::sync::mpsc::channel(1);
        let copying = source.copy_to(&target, move |step| {
            if step.is_check {
                // Once is enough.
                let _sent = stop.try_send(());
            }
        });
        tokio::select! {
            biased;
            _ = stopped.recv() => {}
            report = copying => panic!("it came to its end: {report:?}"),
        }
    });
    let mut wrong = over(2, 4);
    wrong.summary.reason = Some("resignation");
    run(target.replace_row(wrong)).expect("it can be written");
    let report = copy(&source, &target).expect("it can be compared");
    assert_eq!(report.wrong, 1, "{report:?}");
    assert!(report.differences[0].contains("reason"), "{report:?}");
    assert!(run(target.is_unfinished_copy()).expect("it can be asked"));
    // Nor does it go on with a source that has changed since.
    commit(&source, created(over(3_000, 4))).expect("it is new");
    let refused = copy(&source, &target);
    assert!(
        matches!(&refused, Err(Error::Unavailable(why)) if why.contains("something else")),
        "{refused:?}"
    );
}
