mod sending;

use chess::Timestamp;
use chess::clock::TimeControl;
use chess::game::{Command, Creation, Game, MoveCommand, StartRatings, Terms};
use chess::table::{Actor, PlayerId, Verdict};
use live::With;
use store::{
    AccountKind, Channel, MailPurpose, MailToken, NewNotification, ProfileChange, TableId,
};

use super::reader::Reader;
use super::{address, sender};
use crate::auth::secrets;
use crate::operate::open;
use crate::play::App;
use crate::settings::Settings;

const HOUR_MS: u64 = 3_600_000;
const HOLDER: u64 = 1;

async fn app() -> App {
    app_with(|_| {}).await
}

async fn app_with(change: impl FnOnce(&mut Settings)) -> App {
    let mut settings = Settings {
        store: "memory:".into(),
        ..Settings::default()
    };
    change(&mut settings);
    open(settings).await.unwrap()
}

async fn player(app: &App, name: &str) -> PlayerId {
    let blank = app.auth.blank(name.into(), AccountKind::Guest);
    app.auth.create(blank).await.unwrap().unwrap().number
}

/// A game of a day per move that began so many hours ago, and whose move it is.
async fn game(app: &App, id: u64, hours_ago: u64) -> (TableId, PlayerId, Timestamp) {
    let white = player(app, &format!("white{id}")).await;
    let black = player(app, &format!("black{id}")).await;
    let (id, deadline) = game_of(app, id, hours_ago, white, black).await;
    (id, white, deadline)
}

/// The same of these two, and until when White may move.
async fn game_of(
    app: &App,
    id: u64,
    hours_ago: u64,
    white: PlayerId,
    black: PlayerId,
) -> (TableId, Timestamp) {
    let at = Timestamp(app.now().0 - hours_ago * HOUR_MS);
    let terms = Terms::casual(TimeControl::Correspondence { days: 1 });
    let mut game = Game::create(at, Creation::open(white, terms)).unwrap();
    let join = Command::Join {
        toss: chess::Color::White,
        by_code: false,
        ratings: StartRatings::default(),
    };
    let Verdict::Change(event) = game.decide(at, Actor::Player(black), &join) else {
        panic!("refused");
    };
    game.evolve(at, &event);
    let id = TableId::from_number(id).unwrap();
    let made = app.games.create(id, game, None, With::default()).await;
    (id, made.unwrap().move_deadline().unwrap())
}

/// Reads all that happened, and sends all that is due.
async fn go(app: &App) {
    let mut reader = Reader::new(HOLDER);
    while reader.step(app).await.unwrap() {}
    sender::send_all(app).await;
}

async fn told(app: &App, who: PlayerId) -> Vec<String> {
    let told = app.store.streamed_notifications(who, 0, 100).await.unwrap();
    told.into_iter().map(|told| told.what.kind).collect()
}

async fn moves(app: &App, id: TableId, who: PlayerId) {
    let command = Command::Move(MoveCommand::new("e4"));
    let (actor, now) = (Actor::Player(who), app.now());
    let made = app.games.submit(id, actor, command, now, With::default());
    assert!(made.await.is_ok());
}

#[tokio::test]
async fn a_player_is_told_when_a_quarter_of_the_time_is_left_and_once() {
    let app = app().await;
    let (_, white, _) = game(&app, 7, 19).await;
    go(&app).await;
    assert_eq!(told(&app, white).await, ["your_turn", "deadline_near"]);
    go(&app).await;
    assert_eq!(told(&app, white).await.len(), 2);
}

#[tokio::test]
async fn before_that_it_is_planned_and_forgotten_with_the_move() {
    let app = app().await;
    let (id, white, deadline) = game(&app, 7, 10).await;
    go(&app).await;
    assert_eq!(told(&app, white).await, ["your_turn"]);
    let near = Timestamp(deadline.0 - 6 * HOUR_MS);
    assert_eq!(app.store.oldest_notification().await, Ok(Some(near)));
    // Whoever looks too early, because the deadline has moved, looks again when it is time.
    let early = NewNotification {
        key: "early".into(),
        account: white,
        kind: "deadline_near".into(),
        channel: Channel::Plan,
        table: Some(id),
        version: 2,
        subscription: None,
        at: Timestamp(deadline.0 - 24 * HOUR_MS),
        due_at: app.now(),
    };
    app.store
        .add_notifications(None, vec![early])
        .await
        .unwrap();
    go(&app).await;
    assert_eq!(app.store.oldest_notification().await, Ok(Some(near)));
    assert_eq!(told(&app, white).await, ["your_turn"]);
}

#[tokio::test]
async fn of_a_move_that_was_made_meanwhile_nobody_is_told() {
    let app = app().await;
    let (id, white, _) = game(&app, 7, 19).await;
    moves(&app, id, white).await;
    go(&app).await;
    assert!(told(&app, white).await.is_empty());
}

#[tokio::test]
async fn of_two_who_read_one_writes() {
    let app = app().await;
    let (_, white, _) = game(&app, 7, 1).await;
    let (mut one, mut other) = (Reader::new(1), Reader::new(2));
    // The other takes its place before it knows, as after a lease that has ended.
    assert!(!one.step(&app).await.unwrap());
    let (_, cleo, _) = game(&app, 8, 1).await;
    assert!(!other.step(&app).await.unwrap());
    for _ in 0..2 {
        assert!(!one.step(&app).await.unwrap());
        assert!(!other.step(&app).await.unwrap());
    }
    assert_eq!(told(&app, white).await, ["your_turn"]);
    assert_eq!(told(&app, cleo).await, ["your_turn"]);
}

#[tokio::test]
async fn a_code_that_is_too_old_counts_no_more() {
    let app = app().await;
    let ann = player(&app, "ann").await;
    let email = ProfileChange {
        email: Some(Some("ann@x.example".into())),
        ..ProfileChange::default()
    };
    app.store.change_profile(ann, email).await.unwrap();
    let here = std::net::Ipv4Addr::LOCALHOST.into();
    for (code, lasts, is_good) in [("old", 0, false), ("new", 60_000, true)] {
        let token = MailToken {
            hash: secrets::hash(code),
            account: ann,
            purpose: MailPurpose::Confirm,
            email: "ann@x.example".into(),
            expires_at: Timestamp(app.wall().0 + lasts),
        };
        app.store.add_mail_token(token).await.unwrap();
        let done = address::confirm_by_letter(&app, here, code).await;
        assert_eq!(done.is_ok(), is_good, "{code}");
    }
    let account = app.store.account_by_number(ann).await.unwrap().unwrap();
    assert!(address::known(&app, &account).await.unwrap().is_confirmed);
}
