//! The proxy does what the tests that use it say it does.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use servers::Proxy;

const PATIENCE: Duration = Duration::from_secs(60);
const DELAY: Duration = Duration::from_millis(40);

/// A server that says everything back, and a proxy to it.
fn echo() -> Proxy {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.expect("a client");
            thread::spawn(move || {
                let mut copy = client.try_clone().expect("a copy");
                drop(std::io::copy(&mut client, &mut copy));
            });
        }
    });
    Proxy::to(address)
}

fn connect(proxy: &Proxy) -> TcpStream {
    let client = TcpStream::connect(proxy.address()).expect("it listens");
    client.set_read_timeout(Some(PATIENCE)).expect("a limit");
    client
}

/// Says something and waits until all of it has come back.
fn call(client: &mut TcpStream, words: &[u8]) -> std::io::Result<()> {
    client.write_all(words)?;
    let mut heard = vec![0; words.len()];
    client.read_exact(&mut heard)?;
    assert_eq!(heard, words);
    Ok(())
}

#[test]
fn a_long_way_is_not_a_narrow_one() {
    let proxy = echo();
    let mut client = connect(&proxy);
    call(&mut client, b"near").expect("an echo");
    proxy.delay(DELAY);
    let begun = Instant::now();
    call(&mut client, b"far").expect("an echo");
    let once = begun.elapsed();
    assert!(once >= 2 * DELAY, "{once:?}");
    // A hundred calls one after the other would take a hundred times as long.
    let begun = Instant::now();
    for _ in 0..100 {
        client.write_all(b"far").expect("it is sent");
    }
    client.read_exact(&mut [0; 300]).expect("all echoes");
    let all = begun.elapsed();
    assert!(all >= 2 * DELAY && all < 150 * DELAY, "{all:?}");
}

#[test]
fn a_cut_closes_what_is_open_and_refuses_what_comes() {
    let proxy = echo();
    let mut client = connect(&proxy);
    call(&mut client, b"before").expect("an echo");
    proxy.cut();
    assert!(call(&mut client, b"after").is_err());
    let refused = TcpStream::connect(proxy.address()).expect_err("it is cut");
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    proxy.resume();
    call(&mut connect(&proxy), b"again").expect("an echo");
}

#[test]
fn what_is_held_back_arrives_in_the_end() {
    let proxy = echo();
    let mut client = connect(&proxy);
    call(&mut client, b"before").expect("an echo");
    proxy.stall();
    client.write_all(b"held").expect("it is sent");
    let short = Duration::from_millis(100);
    client.set_read_timeout(Some(short)).expect("a limit");
    let mut heard = [0; 4];
    assert!(client.read_exact(&mut heard).is_err());
    client.set_read_timeout(Some(PATIENCE)).expect("a limit");
    proxy.resume();
    client.read_exact(&mut heard).expect("an echo");
    assert_eq!(&heard, b"held");
}

#[test]
fn a_url_leads_through_the_proxy() {
    let proxy = echo();
    let url = format!("postgres://arbiter@{}/games", proxy.address());
    let (second, through) = Proxy::to_url(&url);
    let place = second.address();
    assert_eq!(through, format!("postgres://arbiter@{place}/games"));
    call(&mut connect(&second), b"through both").expect("an echo");
    let (third, through) = Proxy::to_url(&format!("nats://{}", proxy.address()));
    assert_eq!(through, format!("nats://{}", third.address()));
}
