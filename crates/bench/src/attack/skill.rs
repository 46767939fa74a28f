//! A skill match that is as long as it may be: every event of it tells it all.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Kind;
use super::caller::Caller;
use super::crowds::listening;
use super::outcome::Toll;
use super::repeat::reading;
use super::stage::{PAUSE, Stage, Strike, steadily, together};
use crate::collector::{at, uuid};
use crate::rng::Rng;

pub(super) const KIND: Kind = Kind {
    name: "skill",
    what: "a skill match of 700 actions goes on at 30 a second; 20 sockets of each guest hear every \
           event, which has all its moves, and each guest reads the match",
    answer: "1,000 records a match, `moves_per_second` for actions, `sockets_per_account`",
    prepare,
};

/// Actions before the attack, and a second while it goes on.
const BEFORE: usize = 700;
const RATE: f64 = 30.0;
const SOCKETS: usize = 20;
/// Knights there and back again.
const SHUFFLE: [(&str, &str); 4] = [("b1", "c3"), ("b8", "c6"), ("c3", "b1"), ("c6", "b8")];

/// A match, by both its guests.
struct Match {
    caller: Caller,
    rng: Rng,
    id: String,
    guests: [String; 2],
    revision: u64,
    moves: usize,
}

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let mut played = Match::begin(stage.caller())?;
    let by = stage.prepared_by();
    while played.moves < stage.scaled(BEFORE) && Instant::now() < by {
        if played.shuffle()? == 429 {
            sleep(PAUSE);
        }
    }
    let path = format!("/v1/matches/{}", played.id);
    let of = |part: &str| {
        played
            .guests
            .each_ref()
            .map(|g| format!("{path}{part}?guestID={g}"))
    };
    let (reads, streams) = (of(""), of("/live"));
    let streams = streams.iter().cycle().take(2 * SOCKETS).cloned();
    let parts = vec![
        listening(stage.address, streams.collect()),
        reading(stage.address, reads.to_vec()),
        Box::new(move |until| played.go_on(until)) as Strike,
    ];
    Ok(together(parts))
}

impl Match {
    fn begin(mut caller: Caller) -> Result<Match, String> {
        let mut rng = Rng::new(71);
        let guests = [uuid(&mut rng), uuid(&mut rng)];
        let body = json!({ "guestID": guests[0], "displayName": "white" });
        let made = caller.insist("POST", "/v1/matches", "", &body.to_string())?;
        let made: Value = serde_json::from_slice(&made.body).map_err(|e| e.to_string())?;
        let text = |key: &str| {
            made["snapshot"][key]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let (id, code) = (text("id"), text("roomCode"));
        let body = json!({ "guestID": guests[1], "displayName": "black", "roomCode": code });
        let joined = caller.insist("POST", "/v1/matches/join", "", &body.to_string())?;
        let joined: Value = serde_json::from_slice(&joined.body).map_err(|e| e.to_string())?;
        let mut played = Match {
            caller,
            rng,
            id,
            guests,
            revision: joined["snapshot"]["revision"].as_u64().unwrap_or_default(),
            moves: 0,
        };
        for side in [0, 1] {
            played.act(side, "lockDraft", &json!({}))?;
        }
        Ok(played)
    }

    /// Acts; an action that is rejected is answered all the same.
    fn act(&mut self, side: usize, kind: &str, payload: &Value) -> Result<u16, String> {
        let body = json!({
            "id": uuid(&mut self.rng), "matchID": self.id, "actorID": self.guests[side],
            "baseRevision": self.revision, "type": kind, "submittedAt": "2026-03-21T20:00:00Z",
            "payload": payload,
        });
        let path = format!("/v1/matches/{}/actions", self.id);
        let reply = self.caller.ask("POST", &path, "", &body.to_string())?;
        if reply.status == 200 {
            let known = crate::http::number_of(&reply.body, "revision");
            self.revision = known.map_or(self.revision, |revision| revision as u64);
        }
        Ok(reply.status)
    }

    fn shuffle(&mut self) -> Result<u16, String> {
        let (from, to) = SHUFFLE[self.moves % SHUFFLE.len()];
        let order = json!({ "move": { "from": at(from), "to": at(to) } });
        let before = self.revision;
        let status = self.act(self.moves % 2, "makeMove", &order)?;
        self.moves += usize::from(self.revision > before);
        Ok(status)
    }

    fn go_on(mut self, until: Instant) -> Result<Toll, String> {
        let mut toll = Toll::default();
        steadily(until, Duration::from_secs_f64(1.0 / RATE), || {
            toll.count(self.shuffle()?);
            Ok(())
        })?;
        toll.note(format!("the match came to {} moves", self.moves));
        Ok(toll)
    }
}
