//! `arbiter match`.

mod remote;

use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::{Duration, Instant};

use super::*;

/// Two players who are done quickly.
const QUICK: [&str; 5] = [
    "match",
    "built-in,nodes=400",
    "built-in,nodes=20",
    "--max-plies",
    "60",
];

fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    QUICK.iter().chain(more).copied().collect()
}

fn read(machine: &Machine, name: &str) -> String {
    std::fs::read_to_string(machine.path(name)).unwrap()
}

/// The games of a file in order, without the line about the match.
fn games(machine: &Machine, name: &str) -> Vec<String> {
    let text = read(machine, name);
    let mut games: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
    games.sort_by_key(|line| {
        let (_, rest) = line.split_once("\"game\":").unwrap();
        rest.split(',').next().unwrap().parse::<u64>().unwrap()
    });
    games
}

fn program(machine: &Machine, name: &str, script: &str) {
    let path = machine.path(name);
    write(&path, &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_match_is_played_counted_and_written_down() {
    let machine = Machine::new();
    let files = ["--games", "4", "--jsonl", "a.jsonl", "--pgn", "a.pgn"];
    let text = machine.good(&quick(&files));
    assert!(
        text.contains("built-in,nodes=400 - built-in,nodes=20: 4 games, +"),
        "{text}"
    );
    assert!(
        text.contains("Elo ") && text.contains(" at 95 %)"),
        "{text}"
    );
    let pgn = read(&machine, "a.pgn");
    assert_eq!(pgn.matches("[Event \"arbiter match\"]").count(), 4, "{pgn}");
    let lines = games(&machine, "a.jsonl");
    assert_eq!(lines.len(), 4);
    // Each opening twice, with both colours.
    let opening = |line: &str| -> Vec<String> {
        let (_, moves) = line.split_once("\"moves\":[").unwrap();
        moves.split(',').take(4).map(str::to_owned).collect()
    };
    assert_eq!(opening(&lines[0]), opening(&lines[1]));
    assert_ne!(opening(&lines[0]), opening(&lines[2]));
    assert!(lines[0].contains("\"first_is_white\":true"));
    assert!(lines[1].contains("\"first_is_white\":false"));
    // The same seed, the same games; another seed, others. However many are played at once.
    machine.good(&quick(&["-n", "4", "-c", "3", "--jsonl", "b.jsonl"]));
    assert_eq!(games(&machine, "b.jsonl"), lines);
    machine.good(&quick(&["-n", "4", "--seed", "2", "--jsonl", "c.jsonl"]));
    assert_ne!(games(&machine, "c.jsonl"), lines);
    assert!(!machine.path("arbiter.db").exists(), "no store is opened");
    // What was written is read by others.
    let taken = machine.good(&["import", "a.pgn"]);
    assert!(taken.contains("4 games taken in"), "{taken}");
}

#[test]
fn an_interrupted_match_goes_on_and_becomes_the_same() {
    let machine = Machine::new();
    machine.good(&quick(&["-n", "8", "--jsonl", "whole.jsonl"]));
    let whole = games(&machine, "whole.jsonl");
    for (signal, code) in [("-INT", Some(130)), ("-KILL", None)] {
        let path = machine.path("games.jsonl");
        let long = quick(&["-n", "100000", "-c", "1", "--jsonl", "games.jsonl"]);
        let mut child = machine.command(&long).spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(60);
        while std::fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < 3 {
            assert!(Instant::now() < until, "no games");
            thread::sleep(Duration::from_millis(5));
        }
        let id = child.id().to_string();
        let killed = Command::new("kill").args([signal, &id]).status();
        assert!(killed.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), code);
        // The machine stopped in the middle of a line.
        let mut text = read(&machine, "games.jsonl");
        text.push_str("{\"game\":7,\"seed\"");
        write(&path, &text);
        let again = machine.good(&quick(&["-n", "8", "--jsonl", "games.jsonl"]));
        assert!(again.contains(": 8 games"), "{again}");
        assert_eq!(games(&machine, "games.jsonl")[..8], whole);
        std::fs::remove_file(path).unwrap();
    }
    // Nothing is left to play, and all of it is told.
    let again = machine.good(&quick(&[
        "-n",
        "8",
        "--jsonl",
        "whole.jsonl",
        "--pgn",
        "w.pgn",
    ]));
    assert!(again.contains(": 8 games"), "{again}");
    assert_eq!(read(&machine, "w.pgn").matches("[Event ").count(), 8);
    // Another match is not mixed with it.
    let (code, text) = machine.run(&quick(&[
        "-n",
        "8",
        "--seed",
        "5",
        "--jsonl",
        "whole.jsonl",
    ]));
    assert_eq!(code, 1);
    assert!(
        text.contains("whole.jsonl: another match is there"),
        "{text}"
    );
    assert_eq!(games(&machine, "whole.jsonl"), whole);
}

#[test]
fn programs_play_and_those_that_fail_are_told() {
    let machine = Machine::new();
    program(&machine, "good", &format!("exec {ARBITER} uci"));
    program(&machine, "bad", "exit 3");
    let few = ["-n", "2", "--max-plies", "30", "--nodes", "40"];
    let play = |first: &str, more: &[&str]| {
        let both = ["match", first, "beginner"];
        machine.run(&[&both, &few[..], more].concat())
    };
    let (code, text) = play("./good", &[]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("./good,nodes=40 - beginner: 2 games"),
        "{text}"
    );
    let (code, text) = play(
        "./good,name=mine",
        &["--time-control", "5+0.1", "--variant", "atomic"],
    );
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("mine - beginner: 2 games"), "{text}");
    // Nobody else's moves are counted for a program that fails.
    let (code, text) = play("./bad", &["--jsonl", "bad.jsonl"]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("./bad,nodes=40: it ended by itself"),
        "{text}"
    );
    assert_eq!(games(&machine, "bad.jsonl"), Vec::<String>::new());
    assert!(!text.contains("Elo"), "nothing was played: {text}");
    // Programs say nothing about options that they do not take.
    for (who, told) in [
        ("./good,Hashh=5", "it has no option Hashh"),
        ("./good,Hash=0", "its Hash is from 1 to 1024, not 0"),
        (
            "./good,UCI_Chess960=yes",
            "its UCI_Chess960 is true or false, not yes",
        ),
    ] {
        let (code, text) = play(who, &[]);
        assert!(code == 1 && text.contains(told), "{text}");
    }
}

#[test]
fn openings_come_from_files() {
    let machine = Machine::new();
    write(
        &machine.path("two.epd"),
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\nr3k3/8/8/8/8/8/8/4K2R w K - 3 40\n",
    );
    machine.good(&quick(&[
        "-n",
        "4",
        "--openings",
        "two.epd",
        "--jsonl",
        "epd.jsonl",
    ]));
    let lines = games(&machine, "epd.jsonl");
    assert!(lines[0].contains("\"start\":\"4k3/"), "{}", lines[0]);
    assert!(lines[1].contains("\"start\":\"4k3/"), "{}", lines[1]);
    assert!(lines[2].contains("\"start\":\"r3k3/"), "{}", lines[2]);
    write(
        &machine.path("games.pgn"),
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n",
    );
    let pgn = ["--openings", "games.pgn", "--opening-plies", "3", "-n", "2"];
    machine.good(&quick(&[&pgn[..], &["--jsonl", "pgn.jsonl"]].concat()));
    for line in games(&machine, "pgn.jsonl") {
        assert!(
            line.contains("\"moves\":[\"e2e4\",\"e7e5\",\"g1f3\","),
            "{line}"
        );
        assert!(line.contains("\"opening\":3"), "{line}");
    }
    write(&machine.path("bad.epd"), "hello\n");
    let (code, text) = machine.run(&quick(&["--openings", "bad.epd"]));
    assert!(code == 1 && text.contains("bad.epd: line 1: "), "{text}");
}

#[test]
fn a_test_ends_the_match_when_it_is_decided() {
    let machine = Machine::new();
    let who = ["match", "built-in,nodes=2000", "built-in,nodes=10"];
    let test = ["-n", "400", "--sprt", "-400,100", "--jsonl", "t.jsonl"];
    let text = machine.good(&[&who[..], &test].concat());
    assert!(text.contains("SPRT -400 to +100: accepted"), "{text}");
    let played = games(&machine, "t.jsonl").len();
    assert!(played < 400, "{text}");
    // It is decided, so nothing is played.
    machine.good(&[&who[..], &test].concat());
    assert_eq!(games(&machine, "t.jsonl").len(), played);
}

#[test]
fn what_is_wrong_is_told_before_anything_is_played() {
    let machine = Machine::new();
    write(&machine.path("there.pgn"), "");
    for (arguments, told) in [
        (
            ["nobody", "easy"].as_slice(),
            "nobody is no program, and none of beginner, easy",
        ),
        (&["./none", "easy"], "./none is no program"),
        (&["easy,nodes=5", "hard"], "nodes=5 is no option"),
        (&["built-in,nodes=0", "hard"], "nodes=0 is no option"),
        (&["built-in,Hash=5", "hard"], "Hash=5 is no option"),
        (
            &["easy", "hard", "--variant", "checkers"],
            "no variant is called checkers",
        ),
        (
            &["easy", "hard", "--time-control", "soon"],
            "soon is no time control",
        ),
        (
            &["easy", "hard", "--sprt", "10,0"],
            "two differences such as 0,10",
        ),
        (
            &["easy", "hard", "--sprt", "0,5", "--sprt-error", "0.7"],
            "--sprt-error",
        ),
        (&["easy", "hard", "--openings", "none.epd"], "none.epd: "),
        (
            &["easy", "hard", "--pgn", "there.pgn"],
            "there.pgn is there already",
        ),
    ] {
        let (code, text) = machine.run(&[&["match"], arguments].concat());
        assert_eq!(code, 1, "{arguments:?}: {text}");
        assert!(text.contains(told), "{arguments:?}: {text}");
    }
    let help = machine.good(&["match", "--help"]);
    assert!(
        help.contains("Examples:\n") && help.contains("--sprt <ELO0,ELO1>"),
        "{help}"
    );
}
