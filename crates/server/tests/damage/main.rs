//! `arbiter check` finds every kind of damage that can be made on purpose. The
//! kinds, how each is made and what must be said of it, are a table in
//! `crates/store/src/damage/kinds.rs`, for it is SQL.

#[path = "../api/client.rs"]
#[expect(
    dead_code,
    reason = "shared with the tests of the API, which use all of it"
)]
mod client;
#[path = "../api/contract.rs"]
mod contract;
mod stage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use server::operate::Running;
use server::settings::Settings;
use store::damage::{Damage, KINDS};
use tempfile::TempDir;

/// A directory with one database, made once and copied for each damage.
struct Place {
    directory: TempDir,
    sound: PathBuf,
}

impl Place {
    async fn new() -> Place {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let sound = directory.path().join("sound.db");
        stage::set(&sound).await;
        Place { directory, sound }
    }

    fn damaged(&self, name: &str, kinds: &[&str]) -> PathBuf {
        let copy = self.directory.path().join(name);
        fs::copy(&self.sound, &copy).expect("a copy");
        for name in kinds {
            kind(name).make(&copy);
        }
        copy
    }
}

fn kind(name: &str) -> &'static Damage {
    let found = KINDS.iter().find(|kind| kind.name == name);
    found.unwrap_or_else(|| panic!("no kind is called {name:?}"))
}

/// What `arbiter check` says, and whether it found nothing.
fn check(database: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .current_dir(database.parent().expect("a directory"))
        .env_clear()
        .arg("check")
        .args(["--store", &format!("sqlite:{}", database.display())])
        .args(arguments)
        .output()
        .expect("the check runs");
    let code = output.status.code();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(matches!(code, Some(0 | 1)), "{code:?}: {said}");
    (code == Some(0), said)
}

#[tokio::test]
async fn every_kind_of_damage_is_found_and_named() {
    let place = Place::new().await;
    let (is_sound, said) = check(&place.sound, &[]);
    assert!(
        is_sound && said.ends_with("games, all as they should be\n"),
        "{said}"
    );
    assert!(KINDS.len() >= 20);
    let mut missed = String::new();
    for (number, kind) in KINDS.iter().enumerate() {
        let copy = place.damaged(&format!("{number}.db"), &[kind.name]);
        let before = fs::read(&copy).expect("the file");
        let (is_sound, said) = check(&copy, &[]);
        let unsaid: Vec<_> = kind
            .says
            .iter()
            .filter(|words| !said.contains(**words))
            .collect();
        let is_changed = fs::read(&copy).expect("the file") != before;
        if is_sound || is_changed || !unsaid.is_empty() {
            missed += &format!(
                "\n{}: not said: {unsaid:?}; changed: {is_changed}\n{said}",
                kind.name
            );
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

#[tokio::test]
async fn a_running_server_finds_what_does_not_fit_together() {
    let place = Place::new().await;
    let kinds = [
        "a result is another",
        "a seat is gone",
        "a token is of a deleted account",
        "a line is nobody's",
        "an answer is about no table",
    ];
    let copy = place.damaged("running.db", &kinds);
    let settings = Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        store: format!("sqlite:{}", copy.display()),
        ..Settings::default()
    };
    let running = Running::start(settings).await.expect("it starts");
    let asked = copy.clone();
    let check = tokio::task::spawn_blocking(move || check(&asked, &[])).await;
    let (is_sound, said) = check.expect("the check ends");
    assert!(!is_sound, "{said}");
    for words in kinds.iter().flat_map(|name| kind(name).says) {
        assert!(said.contains(words), "{words:?} is not in {said}");
    }
    assert!(said.contains("check a backup"), "{said}");
    running.stop().await;
}

#[tokio::test]
async fn a_repair_ends_with_a_sound_file_or_leaves_it_alone() {
    let place = Place::new().await;
    let copy = place.damaged("rows.db", &["a position is another", "White is nobody"]);
    let (is_sound, said) = check(&copy, &["--repair"]);
    assert!(!is_sound && said.contains("; repaired: 2\n"), "{said}");
    let (is_sound, said) = check(&copy, &[]);
    assert!(is_sound, "{said}");
    for (file, kinds, why) in [
        (
            "page.db",
            ["a page of games is blank", "a position is another"],
            "the file itself is damaged",
        ),
        (
            "record.db",
            ["a record has a text for a version", "a position is another"],
            "stored data is corrupt",
        ),
    ] {
        let [last, first] = kinds;
        let copy = place.damaged(file, &[first, last]);
        let (is_sound, said) = check(&copy, &["--repair"]);
        assert!(
            !is_sound && said.contains(&format!("nothing is repaired: {why}")),
            "{said}"
        );
        assert!(
            said.contains("30 games; ") && said.ends_with("; repaired: 0\n"),
            "{said}"
        );
    }
}
