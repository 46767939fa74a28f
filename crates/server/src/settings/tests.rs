//! Settings from everywhere at once.

use std::collections::BTreeMap;

use super::{LogFormat, Registration, Settings, Sources};

fn texts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect()
}

fn load(
    flags: &[(&str, &str)],
    environment: &[(&str, &str)],
    file: &str,
) -> Result<Settings, String> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("arbiter.toml");
    std::fs::write(&path, file).unwrap();
    let sources = Sources {
        flags: texts(flags),
        environment: texts(environment),
        config: Some(path),
    };
    sources.load().map_err(|e| e.to_string())
}

fn refusal(flags: &[(&str, &str)], environment: &[(&str, &str)], file: &str) -> String {
    load(flags, environment, file).expect_err("must be refused")
}

#[test]
fn flags_come_before_environment_before_file_before_defaults() {
    let file = "queue_max = 1\nfold_after = 2\nsession_days = 3";
    let environment = [("ARBITER_QUEUE_MAX", "10"), ("ARBITER_FOLD_AFTER", "20")];
    let settings = load(&[("queue_max", "100")], &environment, file).unwrap();
    assert_eq!(settings.queue_max, 100);
    assert_eq!(settings.fold_after, 20);
    assert_eq!(settings.session_days, 3);
    assert_eq!(settings.fold_seconds, Settings::default().fold_seconds);
}

#[test]
fn a_file_has_numbers_switches_words_and_lists() {
    let file = "
        listen = \"0.0.0.0:0\"
        anonymous_reads = false
        rate_limits = \"off\"
        registration = \"closed\"
        trusted_proxies = [\"127.0.0.1\", \"10.0.0.0/8\"]
        log_format = \"json\"";
    let settings = load(&[], &[], file).unwrap();
    assert_eq!(settings.listen.port(), 0);
    assert!(!settings.anonymous_reads);
    assert!(!settings.rate_limits);
    assert_eq!(settings.registration, Registration::Closed);
    assert_eq!(settings.trusted_proxies.len(), 2);
    assert_eq!(settings.log_format, LogFormat::Json);
}

#[test]
fn a_wrong_value_is_refused_by_name_and_place_with_what_is_accepted() {
    let why = refusal(&[("listen", "7878")], &[], "");
    assert!(
        why.starts_with("--listen: \"7878\" is not accepted; it must be ADDRESS:PORT"),
        "{why}"
    );
    let why = refusal(&[], &[("ARBITER_REGISTRATION", "maybe")], "");
    assert!(
        why.contains("ARBITER_REGISTRATION") && why.contains("open, invite or closed"),
        "{why}"
    );
    let why = refusal(&[], &[], "queue_max = 0");
    assert!(
        why.contains("queue_max in ") && why.contains("from 1 to"),
        "{why}"
    );
    let why = refusal(&[], &[], "[queue_max]\nx = 1");
    assert!(
        why.contains("queue_max in ") && why.contains("from 1 to"),
        "{why}"
    );
    let why = refusal(&[("bus", "redis://x")], &[], "");
    assert!(why.contains("must be local"), "{why}");
    let why = refusal(&[("log", "a=b=c")], &[], "");
    assert!(why.contains("--log"), "{why}");
}

#[test]
fn a_wrong_value_is_refused_also_where_another_comes_before_it() {
    let why = refusal(&[("queue_max", "7")], &[], "queue_max = 0");
    assert!(why.contains("queue_max in "), "{why}");
}

#[test]
fn an_empty_text_takes_back_what_the_file_chose() {
    let file = "public_url = \"https://a\"\ncors_origins = [\"https://a\"]";
    let empty = [("ARBITER_PUBLIC_URL", ""), ("ARBITER_CORS_ORIGINS", "")];
    assert_eq!(load(&[], &empty, file).unwrap(), Settings::default());
    let why = refusal(&[], &[("ARBITER_STORE", "")], "");
    assert!(why.contains("ARBITER_STORE"), "{why}");
}

#[test]
fn an_unknown_setting_is_refused_wherever_it_is() {
    let why = refusal(&[], &[("ARBITER_LISTN", "x")], "");
    assert_eq!(
        why,
        "ARBITER_LISTN: there is no such setting; did you mean listen?"
    );
    let why = refusal(&[], &[("ARBITER_listen", "127.0.0.1:1")], "");
    assert!(
        why.contains("ARBITER_listen") && why.contains("did you mean listen?"),
        "{why}"
    );
    let why = refusal(&[], &[], "listen_to = \"x\"");
    assert!(
        why.contains("listen_to in ") && why.contains("listen"),
        "{why}"
    );
    assert!(
        load(
            &[],
            &[("ARBITER_PORT", "tcp://10.0.0.1:80"), ("HOME", "x")],
            ""
        )
        .is_ok()
    );
}

#[test]
fn what_an_orchestrator_says_of_its_services_is_ignored_and_named() {
    let environment = [
        ("ARBITER_METRICS_SERVICE_HOST", "10.0.0.1"),
        ("ARBITER_PORT_7878_TCP", "tcp://10.0.0.1:7878"),
        ("ARBITER_QUEUE_MAX", "7"),
    ];
    let settings = load(&[], &environment, "").unwrap();
    assert_eq!(settings.queue_max, 7);
    let sources = Sources {
        environment: texts(&environment),
        ..Sources::default()
    };
    assert_eq!(
        sources.ignored(),
        ["ARBITER_METRICS_SERVICE_HOST", "ARBITER_PORT_7878_TCP"]
    );
    let why = refusal(&[], &[("ARBITER_PORT", "7878")], "");
    assert!(why.contains("ARBITER_PORT"), "{why}");
}

#[test]
fn a_secret_is_not_repeated() {
    let secret = || Some("hush".into());
    let settings = Settings {
        invite_code: secret(),
        jwt_key: secret(),
        ..Settings::default()
    };
    assert!(!format!("{settings:?}").contains("hush"));
}

#[test]
fn a_file_that_was_named_must_be_there() {
    let sources = Sources {
        config: Some("/nowhere/x.toml".into()),
        ..Sources::default()
    };
    assert!(
        sources
            .load()
            .unwrap_err()
            .to_string()
            .contains("/nowhere/x.toml")
    );
    let mut sources = Sources::default();
    sources
        .environment
        .insert("ARBITER_CONFIG".into(), "/nowhere/y.toml".into());
    assert!(
        sources
            .load()
            .unwrap_err()
            .to_string()
            .contains("/nowhere/y.toml")
    );
}
