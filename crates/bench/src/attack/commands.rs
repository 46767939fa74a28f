//! Commands without end: gifts of time, rematches, games made and joined.

use std::time::{Duration, Instant};

use super::Kind;
use super::caller::Caller;
use super::outcome::Toll;
use super::stage::{Pair, Stage, Strike, long_game, steadily, together};

pub(super) const KIND: Kind = Kind {
    name: "commands",
    what: "four pairs of guests on a connection each, at most 250 requests a second: one adds time, one \
           resigns and plays again, two make and join games",
    answer: "`commands_per_second`, `creations_per_second` (rematches too), `games_per_account`",
    prepare,
};

const EVERY: Duration = Duration::from_millis(4);

/// What a pair does again and again.
type Deed = fn(&mut Pair, &mut Caller, u64) -> Result<u16, String>;

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let deeds: [Deed; 4] = [add_time, play_again, make_and_join, make_and_join];
    let mut parts: Vec<Strike> = Vec::new();
    for deed in deeds {
        let mut caller = stage.caller();
        let mut pair = Pair::begin(&mut caller, &long_game(0), 0)?;
        parts.push(Box::new(move |until| {
            repeat(&mut pair, &mut caller, deed, until)
        }));
    }
    Ok(together(parts))
}

fn repeat(
    pair: &mut Pair,
    caller: &mut Caller,
    deed: Deed,
    until: Instant,
) -> Result<Toll, String> {
    let (mut toll, mut n) = (Toll::default(), 0);
    steadily(until, EVERY, || {
        toll.count(deed(pair, caller, n)?);
        n += 1;
        Ok(())
    })?;
    Ok(toll)
}

fn add_time(pair: &mut Pair, caller: &mut Caller, n: u64) -> Result<u16, String> {
    pair.command(caller, n as usize % 2, "add-time", r#"{"seconds":5}"#)
}

/// One resigns and offers a rematch, the other accepts; each step again until it is allowed.
fn play_again(pair: &mut Pair, caller: &mut Caller, _: u64) -> Result<u16, String> {
    let resigned = pair.command(caller, 0, "resign", "")?;
    if resigned != 200 {
        return Ok(resigned);
    }
    for (side, command) in [(0, "offer-rematch"), (1, "accept-rematch")] {
        let path = format!("/v1/games/{}/{command}", pair.id);
        let reply = caller.ask("POST", &path, &pair.tokens[side], "")?;
        if reply.status != 200 {
            return Ok(reply.status);
        }
        if side == 1 {
            pair.id = reply.text("id")?;
        }
    }
    Ok(200)
}

fn make_and_join(pair: &mut Pair, caller: &mut Caller, _: u64) -> Result<u16, String> {
    let made = caller.ask("POST", "/v1/games", &pair.tokens[0], &long_game(0))?;
    if made.status != 201 {
        return Ok(made.status);
    }
    let path = format!("/v1/games/{}/join", made.text("id")?);
    Ok(caller.ask("POST", &path, &pair.tokens[1], "")?.status)
}
