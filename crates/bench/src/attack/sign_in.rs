//! Passwords of one account, right ones and wrong ones.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use super::Kind;
use super::caller::Caller;
use super::outcome::Toll;
use super::repeat::{Repeat, STEADY, unheard};
use super::stage::{CONNECTIONS, Stage, Strike, steadily, together};
use crate::http;
use crate::report::figure;
use crate::stats::Times;

pub(super) const KIND: Kind = Kind {
    name: "sign-in",
    what: "`POST /v1/sessions` for one account, with the right and with a wrong password in turn; \
           somebody else signs in twice a second",
    answer: "`sign_ins_per_minute` and `wrong_passwords_per_minute` by name and address; half of \
             the processors work on passwords, and an address has 40 places to wait in",
    prepare,
};

/// Where the other one signs in.
const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
const OTHERS_EVERY: Duration = Duration::from_millis(500);

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let account = |caller: &mut Caller, name: &str| {
        let body = credentials(name, "correct horse battery");
        caller.insist("POST", "/v1/accounts", "", &body)
    };
    account(&mut stage.caller(), "attacked")?;
    let mut other = Caller::new(Some(ELSEWHERE), stage.address);
    account(&mut other, "somebody")?;
    Ok(together(vec![
        trying(stage.address),
        Box::new(move |until| signing_in(&mut other, until)),
    ]))
}

fn credentials(name: &str, password: &str) -> String {
    format!(r#"{{"username":"{name}","password":"{password}"}}"#)
}

fn trying(address: SocketAddr) -> Strike {
    let bodies = ["correct horse battery", "wrong horse battery"];
    let bodies = bodies.map(|password| credentials("attacked", password));
    Box::new(move |until| {
        Repeat {
            address,
            connections: CONNECTIONS,
            pace: STEADY,
            write: |n: u64, out: &mut Vec<u8>| {
                let body = bodies[n as usize % 2].as_bytes();
                http::request(out, "POST", "/v1/sessions", "", body);
            },
            hear: unheard,
        }
        .until(until)
    })
}

/// Somebody else, who must be let in.
fn signing_in(caller: &mut Caller, until: Instant) -> Result<Toll, String> {
    let body = credentials("somebody", "correct horse battery");
    let (mut toll, mut times) = (Toll::default(), Times::default());
    steadily(until, OTHERS_EVERY, || {
        let asked = Instant::now();
        let reply = caller.ask("POST", "/v1/sessions", "", &body)?;
        times.push(asked.elapsed());
        toll.harm += u64::from(reply.status != 201);
        Ok(())
    })?;
    let (many, middle, most) = (times.len(), times.ms(50.0), times.ms(100.0));
    let (middle, most) = (figure(middle), figure(most));
    toll.note(format!(
        "somebody else signed in {many} times, within {middle} ms (median) and {most} ms at most"
    ));
    Ok(toll)
}
