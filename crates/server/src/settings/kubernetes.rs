//! Variables that nobody wished for.
//!
//! Kubernetes tells every container of a namespace of every service in it, and
//! the names of those of a service called `arbiter` or `arbiter-metrics` begin
//! like our settings.

/// Whether it is such a variable, by its name after `ARBITER_` and its value.
pub(super) fn is_of_service(name: &str, value: &str) -> bool {
    let is_host = after(name, "SERVICE_HOST") == Some("");
    let is_port = after(name, "SERVICE_PORT").is_some();
    is_host
        || is_port
        || match after(name, "PORT") {
            // Kubernetes says a URL; a plain number is somebody's wish.
            Some("") => is_url(value),
            Some(rest) => is_numbered(rest),
            None => false,
        }
}

fn is_url(value: &str) -> bool {
    let schemes = ["tcp://", "udp://", "sctp://"];
    schemes.iter().any(|scheme| value.starts_with(scheme))
}

/// `_7878_TCP`, perhaps with `_PROTO`, `_PORT` or `_ADDR`.
fn is_numbered(rest: &str) -> bool {
    let Some((number, protocol)) = rest.strip_prefix('_').and_then(|r| r.split_once('_')) else {
        return false;
    };
    let protocol = protocol.split('_').next();
    number.parse::<u16>().is_ok() && matches!(protocol, Some("TCP" | "UDP" | "SCTP"))
}

/// What comes after these words, if they are whole words of the name.
fn after<'a>(name: &'a str, words: &str) -> Option<&'a str> {
    name.match_indices(words).find_map(|(at, _)| {
        let (before, after) = (&name[..at], &name[at + words.len()..]);
        let is_whole = (before.is_empty() || before.ends_with('_'))
            && (after.is_empty() || after.starts_with('_'));
        is_whole.then_some(after)
    })
}

#[cfg(test)]
mod tests {
    use super::is_of_service;

    #[test]
    fn what_kubernetes_says_of_its_services_is_known() {
        for service in ["", "METRICS_", "HTTP_"] {
            for (rest, value) in [
                ("SERVICE_HOST", "10.0.0.11"),
                ("SERVICE_PORT", "7878"),
                ("SERVICE_PORT_HTTP", "7878"),
                ("SERVICE_PORT_HTTP_2", "7878"),
                ("PORT", "tcp://10.0.0.11:7878"),
                ("PORT_7878_TCP", "tcp://10.0.0.11:7878"),
                ("PORT_7878_TCP_PROTO", "tcp"),
                ("PORT_7878_TCP_PORT", "7878"),
                ("PORT_7878_TCP_ADDR", "10.0.0.11"),
                ("PORT_53_UDP", "udp://10.0.0.11:53"),
            ] {
                let name = format!("{service}{rest}");
                assert!(is_of_service(&name, value), "{name}");
            }
        }
    }

    #[test]
    fn what_somebody_meant_is_not_taken_for_it() {
        for (name, value) in [
            ("PORT", "7878"),
            ("LISTEN_PORT", "7878"),
            ("PORTS", "tcp://x"),
            ("PORT_NUMBER", "7878"),
            ("PORT_X_TCP", "tcp://x"),
            ("SERVICE", "x"),
            ("MYSERVICE_HOST", "x"),
            ("SERVICE_HOSTS", "x"),
            ("LISTN", "127.0.0.1:1"),
        ] {
            assert!(!is_of_service(name, value), "{name}");
        }
    }
}
