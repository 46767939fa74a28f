//! Chat: what was acknowledged is there once, and everybody is told all of it in order;
//! a player with the end what was kept from them.

use serde_json::Value;

use crate::pair::Said;
use crate::socket::Heard;
use crate::stage::Stage;
use crate::watch::Watched;
use crate::way::{Person, text};

/// Compares what was said with what can be read, and that with what was heard.
pub(super) async fn check(stage: &Stage, game: &str, said: &[Said], watched: &[Watched]) {
    let everything = read(stage, game, None).await;
    for line in &everything {
        let by_somebody = said.iter().find(|said| line["text"] == said.text.as_str());
        let known = by_somebody.unwrap_or_else(|| panic!("{game}: nobody said {line}"));
        let is_told = known.id.as_ref().is_none_or(|id| line["id"] == id.as_str());
        assert!(is_told, "{game}: {known:?} was told, but it is {line}");
    }
    for said in said {
        let times = everything.iter();
        let times = times.filter(|line| line["text"] == said.text.as_str());
        let times = times.count();
        let is_right = times == 1 || (times == 0 && said.id.is_none());
        assert!(is_right, "{game}: {said:?} is there {times} times");
    }
    for watched in watched {
        let readable = read(stage, game, watched.who.as_ref()).await;
        let kept = readable.iter().filter(|line| is_kept(line, watched));
        let kept: Vec<String> = kept.map(|line| text(&line["id"])).collect();
        let mut readable: Vec<String> = readable.iter().map(|line| text(&line["id"])).collect();
        readable.sort();
        let heard = heard(watched);
        let in_time = heard.iter().filter(|id| !kept.contains(id));
        assert!(
            in_time.is_sorted(),
            "{game}: told out of order: {watched:?}"
        );
        let mut heard = heard;
        heard.sort();
        assert_eq!(
            heard, readable,
            "{game}: lines heard and readable: {watched:?}"
        );
    }
}

/// Whether a line was not for somebody who plays while they played.
fn is_kept(line: &Value, watched: &Watched) -> bool {
    let Some(who) = watched.who.as_ref().filter(|_| watched.is_player) else {
        return false;
    };
    let is_to_room = line["role"] == "player" && line["audience"] == "room";
    !is_to_room && line["from"] != who.id.as_str()
}

/// What somebody can read of a finished game; the same at every node.
async fn read(stage: &Stage, game: &str, who: Option<&Person>) -> Vec<Value> {
    let path = format!("/v1/games/{game}/chat");
    let mut pages = Vec::new();
    for number in 0..stage.ways.count() {
        let page = stage.ways.only(number).get(who, &path).await;
        pages.push(page.expect(200)["chat"].clone());
    }
    assert!(pages.iter().all(|page| *page == pages[0]), "{pages:#?}");
    pages[0].as_array().expect("lines").clone()
}

/// The lines that somebody was told of, in that order.
fn heard(watched: &Watched) -> Vec<String> {
    let mut lines = Vec::new();
    for heard in &watched.heard {
        let Heard::Said { message, .. } = heard else {
            continue;
        };
        match message["type"].as_str() {
            Some("STATE") => {
                let all = message["chat"].as_array().expect("lines").iter();
                lines = all.map(|line| text(&line["id"])).collect();
            }
            Some("CHAT") => lines.push(text(&message["id"])),
            _ => {}
        }
    }
    lines
}
