//! What is sent, by a mail server and a push service that do as they are told.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use chess::Timestamp;
use chess::table::PlayerId;
use store::{Address, Channel, NewNotification, ProfileChange, Subscription, TableId};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::{HOUR_MS, app_with, game_of, moves, player};
use crate::play::App;
use crate::play::notify::sender;

/// What it does with a letter.
#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Takes,
    /// It has the letter, and never says so.
    Hangs,
    Refuses,
}

/// A mail server, and what came.
#[derive(Clone)]
struct Smtp {
    mood: Arc<Mutex<Mood>>,
    letters: Arc<Mutex<Vec<String>>>,
}

impl Smtp {
    /// A server that sends letters by it.
    async fn start() -> (Smtp, App) {
        let smtp = Smtp {
            mood: Arc::new(Mutex::new(Mood::Takes)),
            letters: Arc::default(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = smtp.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(server.clone().talk(stream));
            }
        });
        let app = app_with(|settings| {
            settings.smtp_url = Some(format!("smtp://127.0.0.1:{port}").as_str().into());
            settings.mail_from = Some("chess@chess.example".into());
            settings.public_url = Some("https://chess.example".into());
        })
        .await;
        (smtp, app)
    }

    async fn talk(self, stream: TcpStream) -> std::io::Result<()> {
        let mut stream = BufReader::new(stream);
        stream.write_all(b"220 here\r\n").await?;
        let mut line = String::new();
        while stream.read_line(&mut line).await? > 0 {
            let is_letter = line.starts_with("DATA");
            let answer = match is_letter {
                true => "354 go on\r\n",
                false => "250 fine\r\n",
            };
            stream.write_all(answer.as_bytes()).await?;
            line.clear();
            if is_letter {
                let mut letter = String::new();
                while !letter.ends_with("\r\n.\r\n") && stream.read_line(&mut letter).await? > 0 {}
                self.letters.lock().unwrap().push(letter);
                let mood = *self.mood.lock().unwrap();
                match mood {
                    Mood::Takes => stream.write_all(b"250 fine\r\n").await?,
                    Mood::Refuses => stream.write_all(b"451 not now\r\n").await?,
                    Mood::Hangs => std::future::pending().await,
                }
            }
        }
        Ok(())
    }

    fn is(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    fn many(&self) -> usize {
        self.letters.lock().unwrap().len()
    }

    async fn reaches(&self, many: usize) {
        while self.many() < many {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Under which names letters came.
    fn names(&self) -> Vec<String> {
        let letters = self.letters.lock().unwrap();
        let name = |letter: &String| {
            let mut lines = letter.lines();
            let name = lines.find_map(|line| line.strip_prefix("Message-ID: "));
            name.expect("a name").to_owned()
        };
        letters.iter().map(name).collect()
    }

    /// How many of the games a letter names.
    fn named(&self, letter: usize) -> usize {
        let letters = self.letters.lock().unwrap();
        let text = letters[letter].replace("=\r\n", "");
        let is_named = |id: &u64| {
            let id = TableId::from_number(*id).unwrap();
            text.contains(&format!("/game/{id}"))
        };
        (1..=100).filter(is_named).count()
    }
}

/// Somebody who reads that address.
async fn reader(app: &App) -> PlayerId {
    let ann = player(app, "ann").await;
    let email = || "ann@x.example".to_owned();
    let change = ProfileChange {
        email: Some(Some(email())),
        ..ProfileChange::default()
    };
    app.store.change_profile(ann, change).await.unwrap();
    let address = Address {
        email: email(),
        confirmed_at: Some(app.wall()),
        bounced_at: None,
    };
    app.store.set_address(ann, address).await.unwrap();
    ann
}

/// A game that waits for a player's move, of which they are to be told in that way.
async fn waits_for(app: &App, who: PlayerId, number: u64) -> TableId {
    let black = player(app, &format!("black{number}")).await;
    let (id, _) = game_of(app, number, 1, who, black).await;
    tell(app, record(app, who, id, Channel::Email)).await;
    id
}

fn record(app: &App, who: PlayerId, id: TableId, channel: Channel) -> NewNotification {
    NewNotification {
        key: format!("{id} {}", channel.name()),
        account: who,
        kind: "your_turn".into(),
        channel,
        table: Some(id),
        version: 2,
        subscription: None,
        at: app.now(),
        due_at: Timestamp(app.now().0 - 1),
    }
}

async fn tell(app: &App, record: NewNotification) {
    let added = app.store.add_notifications(None, vec![record]).await;
    assert_eq!(added, Ok(true));
}

#[tokio::test]
async fn games_that_find_no_room_in_a_letter_are_in_the_next() {
    let (smtp, app) = Smtp::start().await;
    let ann = reader(&app).await;
    for number in 1..=53 {
        waits_for(&app, ann, number).await;
    }
    sender::send_all(&app).await;
    assert_eq!((smtp.many(), smtp.named(0)), (1, 50));
    let next = app.store.oldest_notification().await.unwrap();
    let next = next.expect("the others wait");
    assert!(next.0 > app.now().0 + 3_500_000, "for an hour");
    let waiting = app
        .store
        .claim_alike(ann, "your_turn", Channel::Email, app.now(), app.now());
    assert_eq!(waiting.await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_game_more_makes_no_letter_come_sooner_that_failed() {
    let (smtp, app) = Smtp::start().await;
    let ann = reader(&app).await;
    smtp.is(Mood::Refuses);
    for number in 1..=5 {
        waits_for(&app, ann, number).await;
    }
    sender::send_all(&app).await;
    assert_eq!(smtp.many(), 1);
    // Two seconds later, and not with each game that comes to wait meanwhile.
    smtp.is(Mood::Takes);
    waits_for(&app, ann, 6).await;
    sender::send_all(&app).await;
    assert_eq!(smtp.many(), 1);
    let waiting = app
        .store
        .claim_alike(ann, "your_turn", Channel::Email, app.now(), app.now());
    let tries: Vec<u32> = waiting.await.unwrap().iter().map(|one| one.tries).collect();
    assert_eq!(tries, [1, 0, 0, 0, 0, 0], "one letter was tried, once");
    while smtp.many() == 1 {
        sender::send_all(&app).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(smtp.named(1), 6);
    assert_eq!(smtp.names()[0], smtp.names()[1]);
}

#[tokio::test]
async fn a_letter_that_is_sent_again_has_its_name_whatever_was_played_meanwhile() {
    let (smtp, app) = Smtp::start().await;
    let ann = reader(&app).await;
    smtp.is(Mood::Hangs);
    let first = waits_for(&app, ann, 1).await;
    waits_for(&app, ann, 2).await;
    let dies = app.clone();
    let dies = tokio::spawn(async move { sender::send_all(&dies).await });
    smtp.reaches(1).await;
    dies.abort();
    app.store.release_notifications().await.unwrap();
    moves(&app, first, ann).await;
    smtp.is(Mood::Takes);
    sender::send_all(&app).await;
    assert_eq!((smtp.named(0), smtp.named(1)), (2, 1));
    let names = smtp.names();
    assert_eq!(names[0], names[1]);
    assert_eq!(app.store.oldest_notification().await, Ok(None));
}

#[tokio::test]
async fn a_browser_that_hangs_keeps_nobody_else_waiting() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let open = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&open);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            kept.lock().unwrap().push(stream);
        }
    });
    let app = app_with(|settings| {
        settings.outside_networks = vec!["127.0.0.0/8".parse().expect("a network")];
        settings.outside_http = true;
    })
    .await;
    let (eve, ann, bob) = (
        player(&app, "eve").await,
        player(&app, "ann").await,
        player(&app, "bob").await,
    );
    let (id, _) = game_of(&app, 1, 1, eve, bob).await;
    for number in 0..20 {
        let browser = Subscription {
            id: 0,
            account: eve,
            endpoint: format!("http://127.0.0.1:{port}/{number}"),
            p256dh: point(),
            auth: vec![7; 16],
            created_at: app.wall(),
        };
        let browser = app.store.subscribe(browser, 20).await.unwrap();
        let push = NewNotification {
            key: format!("push {browser}"),
            subscription: Some(browser),
            ..record(&app, eve, id, Channel::Push)
        };
        tell(&app, push).await;
    }
    let (id, deadline) = game_of(&app, 2, 19, ann, bob).await;
    let plan = NewNotification {
        at: Timestamp(deadline.0 - 24 * HOUR_MS),
        ..record(&app, ann, id, Channel::Plan)
    };
    tell(&app, plan).await;
    let sends = tokio::spawn(sender::run(app.clone()));
    while app.store.last_streamed(ann).await == Ok(0) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    while open.lock().unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(open.lock().unwrap().len() <= 2);
    sends.abort();
}

/// A point of the curve, as a browser's key is one.
fn point() -> Vec<u8> {
    let hex = "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296\
               4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}
