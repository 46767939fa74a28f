//! Hundreds of games that no list may show, in front of those that it does.

use super::Kind;
use super::outcome::Toll;
use super::repeat::{Repeat, STEADY};
use super::stage::{CONNECTIONS, Stage, Strike, long_game};
use crate::client::Answer;
use crate::http;

pub(super) const KIND: Kind = Kind {
    name: "lists",
    what: "12 guests begin 900 games with a spectator delay, which are newer than the honest ones; then \
           `/v1/tv`, running games and all games are listed in turn",
    answer: "`registrations_burst`, `creations_burst`; every list must go on to show the honest games",
    prepare,
};

const GAMES: usize = 900;
/// What an account may do at once: make games, and join some.
const MADE_BY_ONE: usize = 300;
const JOINED_BY_ONE: usize = 95;

/// The lists, and whether the honest games have to be on them.
const LISTS: [(&str, bool); 3] = [
    ("/v1/tv?limit=20", true),
    ("/v1/games?state=ACTIVE&limit=100", true),
    ("/v1/games?limit=100", false),
];

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let mut caller = stage.caller();
    let (mut makers, mut joiners) = (Vec::new(), Vec::new());
    let terms = long_game(900);
    for n in 0..stage.scaled(GAMES) {
        if n % MADE_BY_ONE == 0 {
            makers.push(caller.guest()?);
        }
        if n % JOINED_BY_ONE == 0 {
            joiners.push(caller.guest()?);
        }
        let (maker, joiner) = (&makers[n / MADE_BY_ONE], &joiners[n / JOINED_BY_ONE]);
        caller.game(&[maker.clone(), joiner.clone()], &terms)?;
    }
    let (address, honest) = (stage.address, stage.honest.clone());
    Ok(Box::new(move |until| {
        let mut lacking = [0_u64; LISTS.len()];
        let toll = Repeat {
            address,
            connections: CONNECTIONS,
            pace: STEADY,
            write: |n: u64, out: &mut Vec<u8>| {
                http::request(out, "GET", LISTS[n as usize % LISTS.len()].0, "", b"");
            },
            hear: |answer: &Answer<'_>, toll: &mut Toll| {
                let list = answer.tag as usize % LISTS.len();
                let shows = |id: &String| http::find(answer.body, id.as_bytes()).is_some();
                if LISTS[list].1 && answer.status == 200 && !honest.iter().all(shows) {
                    lacking[list] += 1;
                    toll.harm += 1;
                }
            },
        }
        .until(until);
        toll.map(|mut toll| {
            for ((path, _), many) in LISTS.iter().zip(lacking).filter(|(_, many)| *many > 0) {
                toll.note(format!(
                    "{many} times `{path}` did not show the honest games"
                ));
            }
            toll
        })
    }))
}
