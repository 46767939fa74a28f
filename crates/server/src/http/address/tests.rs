use axum::http::HeaderValue;

use super::*;

fn client(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
    let mut headers = HeaderMap::new();
    for value in forwarded {
        headers.append("x-forwarded-for", HeaderValue::from_str(value).unwrap());
    }
    let trusted: Vec<Network> = trusted.iter().map(|n| n.parse().unwrap()).collect();
    behind(peer.parse().unwrap(), &headers, &trusted).to_string()
}

#[test]
fn nobody_is_believed_unless_trusted() {
    assert_eq!(client("8.8.8.8", &["1.2.3.4"], &[]), "8.8.8.8");
    assert_eq!(client("8.8.8.8", &["1.2.3.4"], &["10.0.0.0/8"]), "8.8.8.8");
}

#[test]
fn a_trusted_proxy_says_who_it_was() {
    let proxies = ["10.0.0.0/8", "::1"];
    assert_eq!(client("10.0.0.1", &["1.2.3.4"], &proxies), "1.2.3.4");
    assert_eq!(client("::1", &["1.2.3.4:5678"], &proxies), "1.2.3.4");
    assert_eq!(
        client("10.0.0.1", &["[2001:db8::7]:443"], &proxies),
        "2001:db8::7"
    );
    assert_eq!(
        client("10.0.0.1", &["[2001:db8::7]"], &proxies),
        "2001:db8::7"
    );
    assert_eq!(client("10.0.0.1", &[], &proxies), "10.0.0.1");
}

#[test]
fn what_the_client_wrote_itself_is_passed_over() {
    let proxies = ["10.0.0.0/8"];
    assert_eq!(
        client("10.0.0.1", &["9.9.9.9, 1.2.3.4, 10.0.0.2"], &proxies),
        "1.2.3.4"
    );
    assert_eq!(
        client("10.0.0.1", &["9.9.9.9", "1.2.3.4"], &proxies),
        "1.2.3.4"
    );
    assert_eq!(
        client("10.0.0.1", &["10.0.0.9, 1.2.3.4"], &proxies),
        "1.2.3.4"
    );
}

#[test]
fn nonsense_leads_to_the_last_proxy() {
    let proxies = ["10.0.0.0/8"];
    assert_eq!(
        client("10.0.0.1", &["1.2.3.4, unknown"], &proxies),
        "10.0.0.1"
    );
    assert_eq!(
        client("10.0.0.1", &["nonsense, 10.0.0.2"], &proxies),
        "10.0.0.2"
    );
    assert_eq!(client("10.0.0.1", &[""], &proxies), "10.0.0.1");
}

#[test]
fn an_ipv4_address_in_ipv6_dress_is_the_same() {
    assert_eq!(
        client("::ffff:10.0.0.1", &["::ffff:1.2.3.4"], &["10.0.0.0/8"]),
        "1.2.3.4"
    );
}
