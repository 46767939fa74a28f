//! Heads and bodies as large and as deep as they go.

use super::Kind;
use super::repeat::{Repeat, STEADY, unheard};
use super::stage::{CONNECTIONS, Stage, Strike, long_game};
use crate::http;

pub(super) const KIND: Kind = Kind {
    name: "bodies",
    what: "heads of 31 and 33 KiB, bodies of 16 KiB with 16,000 brackets, 3,200 objects in each other, \
           1,800 fields or 2,700 numbers, bodies of 200 KB with and without a length, in turn",
    answer: "a head has at most 32 KiB (431), a body `body_bytes` (413), JSON a depth of 128 (400)",
    prepare,
};

const ROOM: usize = 16 * 1024 - 200;

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let mut caller = stage.caller();
    let tokens = [caller.guest()?, caller.guest()?];
    let game = caller.game(&tokens, &long_game(0))?;
    let requests = requests(&tokens[0], &game);
    let address = stage.address;
    Ok(Box::new(move |until| {
        Repeat {
            address,
            connections: CONNECTIONS,
            pace: STEADY,
            write: |n: u64, out: &mut Vec<u8>| {
                out.extend_from_slice(&requests[n as usize % requests.len()]);
            },
            hear: unheard,
        }
        .until(until)
    }))
}

fn requests(token: &str, game: &str) -> Vec<Vec<u8>> {
    let fields: String = (0..ROOM / 9 - 1)
        .map(|n| format!(r#""{n:04}":1,"#))
        .collect();
    let bodies = [
        "[".repeat(ROOM),
        format!(r#"{{"time_control":{}"#, r#"{"a":"#.repeat(ROOM / 5 - 4)),
        format!(r#"{{{fields}"z":1}}"#),
        format!(r#"{{"a":[{}1]}}"#, "1e308,".repeat(ROOM / 6 - 2)),
        format!(r#"{{"text":"{}"}}"#, r"\u0000".repeat(ROOM / 6 - 4)),
        "x".repeat(200_000),
    ];
    let action = "/v1/matches/00000000-0000-8000-8000-000000000000/actions".to_owned();
    let paths = [
        ("/v1/sessions".to_owned(), ""),
        ("/v1/games".to_owned(), token),
        (format!("/v1/games/{game}/moves"), token),
        (format!("/v1/games/{game}/chat"), token),
        (action, ""),
    ];
    let mut all = Vec::new();
    for body in &bodies {
        for (path, token) in &paths {
            let mut request = Vec::new();
            http::request(&mut request, "POST", path, token, body.as_bytes());
            all.push(request);
        }
    }
    for kib in [31, 33] {
        let filling = "b".repeat(kib * 1024);
        all.push(format!("GET /health HTTP/1.1\r\nHost: a\r\nA: {filling}\r\n\r\n").into_bytes());
    }
    let chunk = format!("4000\r\n{}\r\n", " ".repeat(0x4000));
    let head = "POST /v1/guests HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    all.push(format!("{head}{}0\r\n\r\n", chunk.repeat(12)).into_bytes());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_as_large_as_they_are_read() {
        let sizes = requests("token", "Ab3fK9xQ");
        let sizes = sizes.iter().filter_map(|request| {
            let head = http::find(request, b"\r\n\r\n")? + 4;
            Some(request.len() - head)
        });
        let read = sizes.filter(|size| (15_000..16_384).contains(size)).count();
        assert_eq!(read, 25);
    }
}
