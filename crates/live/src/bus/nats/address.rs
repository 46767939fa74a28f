//! Where the servers are, and who we are to them.

use async_nats::ServerAddr;

use super::super::BadUrl;

/// The servers of a cluster, any of which will do.
#[derive(Clone)]
pub(super) struct Servers {
    pub(super) addresses: Vec<ServerAddr>,
    pub(super) login: Login,
}

/// What the first URL that says so says of us; it is said to all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Login {
    Anonymous,
    Token(String),
    Password { user: String, password: String },
}

/// Reads `nats://[user:password@]host[:port]`, or several between commas.
pub(super) fn parse(url: &str) -> Result<Servers, BadUrl> {
    let addresses = url.split(',').map(address).collect::<Result<Vec<_>, _>>()?;
    let login = addresses.iter().find_map(login);
    Ok(Servers {
        login: login.unwrap_or(Ok(Login::Anonymous))?,
        addresses,
    })
}

fn address(url: &str) -> Result<ServerAddr, BadUrl> {
    let is_known = url.starts_with("nats://") || url.starts_with("tls://");
    let address: Option<ServerAddr> = is_known.then(|| url.parse().ok()).flatten();
    address
        .filter(|address| !address.host().is_empty())
        .ok_or_else(|| {
            // What was written may hold a password.
            BadUrl("a bus is `local:`, or `nats://host:port` or `tls://host:port`, several of them between commas".into())
        })
}

fn login(address: &ServerAddr) -> Option<Result<Login, BadUrl>> {
    let user = address.username()?;
    let Some(password) = address.password() else {
        return Some(decoded(user).map(Login::Token));
    };
    let both = decoded(user).and_then(|user| Ok((user, decoded(password)?)));
    Some(both.map(|(user, password)| Login::Password { user, password }))
}

/// Undoes the escapes of URLs (`%40` for `@`).
fn decoded(text: &str) -> Result<String, BadUrl> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        let escaped = (first == b'%')
            .then(|| others.get(..2))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(first));
        rest = &others[escaped.map_or(0, |_| 2)..];
    }
    String::from_utf8(bytes)
        .map_err(|_| BadUrl("the bus's user and password must be UTF-8".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login_of(url: &str) -> Login {
        parse(url).expect("a URL of a bus").login
    }

    #[test]
    fn several_servers_may_be_named() {
        let servers = parse("nats://one,tls://two:5222,nats://[::1]:1").expect("a URL of a bus");
        let named = servers.addresses.iter();
        let named: Vec<_> = named
            .map(|a| (a.host(), a.port(), a.tls_required()))
            .collect();
        let expected = [("one", 4222, false), ("two", 5222, true), ("::1", 1, false)];
        assert_eq!(named, expected);
    }

    #[test]
    fn who_we_are_is_in_the_url() {
        assert_eq!(login_of("nats://one"), Login::Anonymous);
        assert_eq!(
            login_of("nats://one,nats://s3cret@two"),
            Login::Token("s3cret".into())
        );
        let (user, password) = ("arbiter".to_owned(), "a@b:ü%".to_owned());
        assert_eq!(
            login_of("nats://arbiter:a%40b%3A%C3%BC%25@one:4222"),
            Login::Password { user, password }
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_without_telling_the_password() {
        for url in [
            "",
            "nats",
            "http://one",
            "nats://",
            "ws://one",
            "one:4222",
            "nats://a,,",
        ] {
            assert!(parse(url).is_err(), "{url}");
        }
        let refused = parse("nats://me:hunter2@one:no-port").err();
        let told = refused.expect("there is no such port").to_string();
        assert!(!told.contains("hunter2"), "{told}");
    }
}
