//! Encrypted connections to a real PostgreSQL, with a certificate made here.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use store::Store;
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// A server that offers encryption; it ends with its standard input.
struct Server {
    #[expect(dead_code, reason = "its end is the server's")]
    input: ChildStdin,
    #[expect(dead_code, reason = "it is held, not used")]
    script: Child,
    /// The certificate is of `localhost`.
    folder: TempDir,
    url: String,
}

impl Server {
    /// `None` where there is no PostgreSQL, and none may be installed.
    fn start() -> Option<Server> {
        servers::postgres()?;
        let folder = tempfile::tempdir().expect("a temporary directory");
        let names = vec!["localhost".to_owned()];
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(names).expect("a certificate");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("cert.pem"), cert.pem()).expect("a file is written");
        std::fs::write(at("key.pem"), signing_key.serialize_pem()).expect("a file is written");
        let file = |setting: &str, name: &str| format!("{setting}=@{}", at(name).display());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/postgres");
        let mut script = Command::new(path)
            .arg("ssl=on")
            .arg(file("ssl_cert_file", "cert.pem"))
            .arg(file("ssl_key_file", "key.pem"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the script is there");
        let (Some(mut input), Some(output)) = (script.stdin.take(), script.stdout.take()) else {
            unreachable!("both are pipes");
        };
        input.write_all(b"database\n").expect("the script listens");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        assert_eq!(lines.next().as_deref(), Some("ready"));
        let url = lines.next().expect("a database");
        Some(Server {
            input,
            script,
            folder,
            url,
        })
    }

    /// How the store is opened with that, by that name of the machine.
    fn open(&self, host: &str, query: &str) -> Result<Store, String> {
        let url = self.url.replace("127.0.0.1", host);
        Store::open(&format!("{url}?{query}")).map_err(|error| error.to_string())
    }

    /// How many of the store's connections are encrypted, and how many are not.
    fn connections(&self) -> (i64, i64) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime for the test");
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&self.url, NoTls)
                .await
                .expect("the database can be reached");
            tokio::spawn(connection);
            let sql = "SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl)
                         FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                        WHERE application_name = 'arbiter'";
            let row = client.query_one(sql, &[]).await.expect("good SQL");
            (row.get(0), row.get(1))
        })
    }
}

fn works(store: &Store) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime for the test");
    runtime.block_on(store.ping()).expect("the store works");
}

#[test]
fn connections_are_encrypted_if_the_url_says_so() {
    let Some(server) = Server::start() else {
        return;
    };
    let authority = server.folder.path().join("cert.pem");
    let full = format!("sslmode=verify-full&sslrootcert={}", authority.display());
    for (host, query) in [("127.0.0.1", "sslmode=require"), ("localhost", &full)] {
        let store = server.open(host, query).expect("it can be reached");
        works(&store);
        let (encrypted, clear) = server.connections();
        assert!(encrypted > 0 && clear == 0, "{query}: {encrypted}, {clear}");
        store.close();
    }
    let store = server
        .open("127.0.0.1", "sslmode=prefer")
        .expect("in the clear");
    works(&store);
    let (_, clear) = server.connections();
    assert!(clear > 0);
}

#[test]
fn a_database_that_cannot_prove_who_it_is_is_refused() {
    let Some(server) = Server::start() else {
        return;
    };
    let authority = server.folder.path().join("cert.pem");
    let full = format!("sslmode=verify-full&sslrootcert={}", authority.display());
    for (host, query, why) in [
        ("127.0.0.1", &*full, "certificate"),
        ("localhost", "sslmode=verify-full", "certificate"),
        (
            "localhost",
            "sslmode=verify-full&sslrootcert=/none",
            "sslrootcert",
        ),
        ("localhost", "sslmode=verify-ca", "verify-full"),
    ] {
        let refused = server.open(host, query).err();
        assert!(
            refused.as_deref().is_some_and(|said| said.contains(why)),
            "{query}: {refused:?}"
        );
    }
}

#[test]
fn a_database_without_encryption_is_refused_if_it_is_required() {
    let Some(url) = servers::postgres() else {
        return;
    };
    let refused = Store::open(&format!("{url}?sslmode=require")).err();
    let said = refused.expect("it is refused").to_string();
    assert!(said.contains("TLS"), "{said}");
}
