//! PostgreSQL comes back where it was, and has a replica.

use std::net::TcpStream;

use servers::Postgres;

/// The address in a URL of a database.
fn address(url: &str) -> &str {
    let place = url.rsplit('@').next().expect("a place");
    place.split('/').next().expect("an address")
}

#[test]
fn a_server_is_stopped_and_started_and_has_a_replica() {
    let Some(server) = Postgres::start_own() else {
        return;
    };
    let url = server.database();
    server.stop_immediately();
    assert!(TcpStream::connect(address(&url)).is_err());
    server.start();
    assert!(TcpStream::connect(address(&url)).is_ok());
    let replica = server.replica_url(&url);
    assert_ne!(address(&replica), address(&url));
    assert_eq!(replica, server.replica_url(&url));
    server.stop_immediately();
    assert!(TcpStream::connect(address(&replica)).is_ok());
    server.start();
    assert_ne!(server.database(), url);
}
