//! Settings as a log may show them.

/// A URL without the password in it: logs are read by more people than databases.
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    // A password may hold anything but what ends the part it stands in.
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (place, path) = rest.split_at(end);
    let Some((user, host)) = place.rsplit_once('@') else {
        return url.to_owned();
    };
    match user.split_once(':') {
        Some((user, _)) => format!("{scheme}://{user}:***@{host}{path}"),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_password;

    #[test]
    fn a_password_is_not_shown() {
        for (url, shown) in [
            (
                "postgres://ann:s3cret@db/arbiter",
                "postgres://ann:***@db/arbiter",
            ),
            (
                "postgres://ann:a@b:c@db:1,db2:2/x?y=z",
                "postgres://ann:***@db:1,db2:2/x?y=z",
            ),
            ("nats://:s3cret@bus:4222", "nats://:***@bus:4222"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }

    #[test]
    fn what_has_none_is_shown_as_it_is() {
        for url in [
            "memory:",
            "local",
            "sqlite:a@b:c.db",
            "postgres://ann@db:5432/x",
            "nats://bus:4222",
        ] {
            assert_eq!(without_password(url), url);
        }
    }
}
