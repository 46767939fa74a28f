//! The binary as an operator uses it.

mod clock;
mod matches;
mod mcp;
mod postgres;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");

struct Machine(tempfile::TempDir);

/// A server in a process of its own.
struct Server {
    child: Child,
    url: String,
}

impl Machine {
    fn new() -> Machine {
        Machine(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(ARBITER);
        command
            .current_dir(self.0.path())
            .args(arguments)
            .env_clear();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> (i32, String) {
        let mut child = self.command(arguments).spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let Output {
            status,
            stdout,
            stderr,
        } = child.wait_with_output().unwrap();
        let text =
            String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
        (status.code().unwrap(), text)
    }

    fn run(&self, arguments: &[&str]) -> (i32, String) {
        self.run_with(arguments, "")
    }

    /// What a command prints that must work.
    fn good(&self, arguments: &[&str]) -> String {
        let (code, text) = self.run(arguments);
        assert_eq!(code, 0, "{arguments:?}: {text}");
        text
    }

    fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    fn serve_with(&self, arguments: &[&str]) -> Server {
        let mut command = self.command(&["--listen", "127.0.0.1:0", "--log", "warn"]);
        command.args(arguments);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines.find_map(|line| {
            let line = line.unwrap();
            line.trim()
                .strip_prefix("try it          curl ")
                .map(|url| url.replace("/health", ""))
        });
        Server {
            child,
            url: url.expect("the server says where it is"),
        }
    }
}

impl Server {
    /// SIGTERM, and what the process ends with.
    fn stop(mut self) -> i32 {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
        self.child
            .wait()
            .unwrap()
            .code()
            .expect("it ends by itself")
    }
}

const GAMES: &str = "[White \"Anderssen, Adolf\"]\n[Black \"Dufresne\"]\n[Date \"1852.??.??\"]\n\n\
    1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
    [White \"Nobody\"]\n[Black \"Dufresne\"]\n\n1. d4 d5 1/2-1/2\n\n1. e4 e5 2. Ke3 *\n";

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

#[test]
fn games_come_in_once_and_go_out_again() {
    let machine = Machine::new();
    write(&machine.path("in.pgn"), GAMES);
    let (code, text) = machine.run(&["import", "in.pgn"]);
    assert!(
        text.contains("2 games taken in, 0 were there already, 1 left out"),
        "{text}"
    );
    assert!(
        text.contains("game 3") && text.contains("not a legal move"),
        "{text}"
    );
    assert_eq!(code, 1);
    let server = machine.serve();
    let (_, text) = machine.run(&["import", "in.pgn"]);
    assert!(
        text.contains("0 games taken in, 2 were there already, 1 left out"),
        "{text}"
    );
    machine.good(&["export", "--output", "out.pgn"]);
    let out = std::fs::read_to_string(machine.path("out.pgn")).unwrap();
    assert!(
        out.contains("[White \"Anderssen_Adolf\"]") && out.contains("4. Qxf7# 1-0"),
        "{out}"
    );
    assert_eq!(out.matches("[Event ").count(), 2);
    assert_eq!(
        machine
            .good(&["export", "--player", "nobody"])
            .matches("[Event ")
            .count(),
        1
    );
    assert!(
        machine
            .good(&["check"])
            .contains("2 games, all as they should be")
    );
    assert_eq!(server.stop(), 0);
    assert!(
        machine
            .good(&["check"])
            .contains("2 games, all as they should be")
    );
    assert!(
        machine
            .good(&["check", "--repair"])
            .contains("2 games, all as they should be")
    );
}

#[test]
fn an_administrator_is_made_before_the_first_start_and_works_after_it() {
    let machine = Machine::new();
    let (code, text) = machine.run_with(&["admin", "create-admin", "boss"], "rook takes queen\n");
    assert_eq!(code, 0, "{text}");
    let (code, text) = machine.run_with(&["admin", "create-admin", "Boss"], "rook takes queen\n");
    assert_eq!((code, text.contains("already")), (1, true), "{text}");
    let server = machine.serve();
    let token = machine.good(&["admin", "issue-token", "boss", "--scopes", "admin"]);
    assert!(token.starts_with("arb_"), "{token}");
    let (code, text) = machine.run_with(&["admin", "reset-password", "boss"], "short\n");
    assert_eq!(code, 1, "{text}");
    let (code, text) = machine.run_with(&["admin", "reset-password", "boss"], "queen takes rook\n");
    assert_eq!(code, 0, "{text}");
    let (code, text) = machine.run(&["admin", "show", "00000000"]);
    assert_eq!((code, text.contains("no such game")), (1, true), "{text}");
    let (code, _) = machine.run(&["admin", "issue-token", "arbiter", "--scopes", "admin"]);
    assert_eq!(code, 1);
    assert_eq!(server.stop(), 0);
    assert!(!machine.path("arbiter.db.admin-token").exists());
    let audit = machine.good(&["admin", "audit"]);
    for action in ["create_account", "issue_token", "reset_password"] {
        assert!(
            audit
                .lines()
                .any(|l| l.contains("  cli  ") && l.contains(action)),
            "{audit}"
        );
    }
}

#[test]
fn a_backup_brings_everything_back() {
    let machine = Machine::new();
    write(&machine.path("in.pgn"), GAMES);
    machine.run(&["import", "in.pgn"]);
    let server = machine.serve();
    machine.good(&["backup", "running.db"]);
    let (code, text) = machine.run(&["backup", "running.db"]);
    assert_eq!((code, text.contains("exists")), (1, true), "{text}");
    let (code, text) = machine.run(&["restore", "running.db", "--force"]);
    assert_eq!((code, text.contains("stop it first")), (1, true), "{text}");
    assert_eq!(server.stop(), 0);
    machine.good(&["backup", "stopped.db"]);
    assert_eq!(machine.run(&["restore", "stopped.db"]).0, 1);
    assert!(
        machine
            .good(&["restore", "stopped.db", "--force"])
            .contains(".old-1")
    );
    machine.good(&["--store", "sqlite:other.db", "restore", "running.db"]);
    for store in [
        "sqlite:arbiter.db",
        "sqlite:other.db",
        "sqlite:arbiter.db.old-1",
    ] {
        let text = machine.good(&["check", "--store", store]);
        assert!(
            text.contains("2 games, all as they should be"),
            "{store}: {text}"
        );
    }
    write(&machine.path("broken.db"), "this is no database");
    assert_eq!(machine.run(&["restore", "broken.db", "--force"]).0, 1);
    assert!(machine.good(&["check"]).contains("2 games"));
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_leads_to_the_one_database() {
    let machine = Machine::new();
    write(&machine.path("in.pgn"), GAMES);
    machine.run(&["import", "in.pgn"]);
    machine.good(&["backup", "copy.db"]);
    std::fs::create_dir(machine.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../arbiter.db", machine.path("elsewhere/link.db")).unwrap();
    let link = ["--store", "sqlite:elsewhere/link.db"];
    let through_link = |arguments: &[&str]| machine.run(&[&link, arguments].concat());
    let server = machine.serve();
    let (code, text) = through_link(&["restore", "copy.db", "--force"]);
    assert_eq!((code, text.contains("stop it first")), (1, true), "{text}");
    let (code, text) = through_link(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((code, text.contains("another server")), (1, true), "{text}");
    // These ask the running server, whose token lies beside the file.
    for arguments in [&["backup", "second.db"][..], &["check"]] {
        assert_eq!(through_link(arguments).0, 0, "{arguments:?}");
    }
    assert_eq!(server.stop(), 0);
    // The file is exchanged, not the link.
    assert_eq!(through_link(&["restore", "copy.db", "--force"]).0, 0);
    assert!(machine.path("arbiter.db.old-1").exists());
    assert!(machine.path("elsewhere/link.db").is_symlink());
    assert!(machine.good(&["check"]).contains("2 games"));
}

#[cfg(unix)]
#[test]
fn no_command_uses_a_database_with_two_names() {
    let machine = Machine::new();
    write(&machine.path("in.pgn"), GAMES);
    machine.run(&["import", "in.pgn"]);
    machine.good(&["backup", "copy.db"]);
    std::fs::hard_link(machine.path("arbiter.db"), machine.path("twin.db")).unwrap();
    let commands = [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["check"],
        &["backup", "more.db"],
        &["restore", "copy.db", "--force"],
        &["import", "in.pgn"],
    ];
    for arguments in commands {
        let (code, text) = machine.run(arguments);
        assert_eq!((code, text.contains("hard links")), (1, true), "{text}");
    }
}

#[test]
fn an_account_and_an_identity_are_shut_out_and_let_in() {
    let machine = Machine::new();
    let password = "rook takes queen\n";
    let (code, text) = machine.run_with(&["admin", "create-admin", "Root"], password);
    assert_eq!(code, 0, "{text}");
    let text = machine.good(&["admin", "bar", "root", "--reason", "gone"]);
    assert!(text.contains("is barred"), "{text}");
    machine.good(&["admin", "block-identity", "https://id.example", "u-1"]);
    let list = machine.good(&["admin", "blocked-identities"]);
    assert!(list.contains("https://id.example  u-1"), "{list}");
    machine.good(&["admin", "unblock-identity", "https://id.example", "u-1"]);
    assert_eq!(machine.good(&["admin", "blocked-identities"]), "");
    machine.good(&["admin", "unbar", "root"]);
    let audit = machine.good(&["admin", "audit"]);
    for part in ["bar_account  root  gone", "block_identity", "unbar_account"] {
        assert!(audit.contains(part), "{audit}");
    }
}

#[test]
fn a_bot_gets_an_account_a_title_and_a_token() {
    let machine = Machine::new();
    let server = machine.serve();
    let text = machine.good(&["bot", "new", "deepthought"]);
    let value = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        let quoted = line.and_then(|line| line.split('"').nth(1));
        quoted.expect(key).to_owned()
    };
    assert!(value("token: ").starts_with("arb_"), "{text}");
    assert_eq!(
        value("url: "),
        "http://127.0.0.1:7878/",
        "as its settings say"
    );
    let tokens = machine.good(&["admin", "tokens", "deepthought"]);
    assert!(tokens.contains("  bot:play  "), "{tokens}");
    let audit = machine.good(&["admin", "audit"]);
    assert!(audit.contains("give_title  deepthought  BOT"), "{audit}");
    let (code, again) = machine.run(&["bot", "new", "deepthought"]);
    assert!(
        code != 0 && again.contains("somebody has this name"),
        "{again}"
    );
    let (code, own) = machine.run(&["admin", "tokens", "bot-easy-800"]);
    assert!(code != 0 && own.contains("server's own bots"), "{own}");
    assert_eq!(server.stop(), 0);
}

#[test]
fn the_built_in_engine_speaks_uci() {
    let (code, text) = Machine::new().run_with(
        &["uci"],
        "uci\nposition startpos moves e2e4\ngo depth 2\nisready\n",
    );
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("uciok") && text.contains("bestmove "),
        "{text}"
    );
}

#[test]
fn a_wrong_start_is_refused_by_name() {
    let machine = Machine::new();
    let (code, text) = machine.run(&["--registration", "perhaps"]);
    assert_eq!((code, text.contains("--registration")), (2, true), "{text}");
    write(&machine.path("arbiter.toml"), "queue_maxi = 3\n");
    let (code, text) = machine.run(&[]);
    assert_eq!(
        (code, text.contains("did you mean queue_max?")),
        (2, true),
        "{text}"
    );
    std::fs::remove_file(machine.path("arbiter.toml")).unwrap();
    let server = machine.serve();
    let (code, text) = machine.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((code, text.contains("another server")), (1, true), "{text}");
    let listen = server.url.replace("http://", "");
    let (code, text) = machine.run(&["--listen", &listen, "--store", "sqlite:b.db"]);
    assert_eq!((code, text.contains("listen")), (1, true), "{text}");
    assert_eq!(server.stop(), 0);
}
