//! What a URL says of encryption, which is more than its reader understands.

use super::tls::Trust;

/// The URL without what it says of encryption beyond that it is wanted, and how
/// far the database must be trusted, if it must be encrypted.
///
/// # Errors
/// A sentence: it says something that is not known.
pub(super) fn take_apart(url: &str) -> Result<(String, Option<Trust>), String> {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut mode, mut file) = (None, None);
    let mut rest: Vec<&str> = Vec::new();
    for part in query.split('&').filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value),
            Some(("sslrootcert", value)) => file = Some(decoded(value)?),
            _ => rest.push(part),
        }
    }
    let (word, trust) = match (mode, file) {
        (Some("require"), None) => ("require", Some(Trust::Anyone)),
        // As with other clients: who names authorities wants them asked.
        (Some("require" | "verify-full"), file) => ("require", Some(Trust::Named(file))),
        (None | Some("disable" | "prefer"), Some(_)) => {
            return Err("sslrootcert needs sslmode=verify-full".into());
        }
        (None | Some("disable" | "prefer"), None) => ("disable", None),
        (Some(other), _) => {
            return Err(format!(
                "sslmode={other} is not known: it is disable, prefer, require or verify-full"
            ));
        }
    };
    let mode = format!("sslmode={word}");
    rest.push(&mode);
    Ok((format!("{base}?{}", rest.join("&")), trust))
}

/// A value in which some characters stand as `%2F`.
fn decoded(value: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next(), rest.next()].map(|digit| digit.map(char::from));
                let digit = |at: usize| digits[at].and_then(|digit| digit.to_digit(16));
                let code = digit(0).zip(digit(1)).map(|(high, low)| high * 16 + low);
                code.and_then(|code| u8::try_from(code).ok())
                    .ok_or("sslrootcert: after % come two digits")?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).map_err(|_| "sslrootcert is no text".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust(query: &str) -> Result<Option<Trust>, String> {
        take_apart(&format!("postgres://a@h/d{query}")).map(|(_, trust)| trust)
    }

    #[test]
    fn encryption_is_what_the_url_says() {
        for query in [
            "",
            "?sslmode=disable",
            "?sslmode=prefer",
            "?application_name=x",
        ] {
            assert_eq!(trust(query), Ok(None), "{query}");
        }
        assert_eq!(trust("?sslmode=require"), Ok(Some(Trust::Anyone)));
        assert_eq!(trust("?sslmode=verify-full"), Ok(Some(Trust::Named(None))));
        let file = Ok(Some(Trust::Named(Some("/a b.pem".into()))));
        assert_eq!(trust("?sslmode=verify-full&sslrootcert=/a%20b.pem"), file);
        assert_eq!(trust("?sslmode=require&sslrootcert=/a%20b.pem"), file);
        for query in [
            "?sslmode=verify-ca",
            "?sslrootcert=/a",
            "?sslmode=verify-full&sslrootcert=%2",
        ] {
            assert!(trust(query).is_err(), "{query}");
        }
    }

    #[test]
    fn the_rest_of_the_url_stays() {
        let (url, _) = take_apart("postgres://a@h/d?options=x&sslmode=verify-full").unwrap();
        assert_eq!(url, "postgres://a@h/d?options=x&sslmode=require");
    }
}
