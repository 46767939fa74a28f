use chess::Timestamp;
use chess::clock::TimeControl;
use chess::game::{Command, Creation, Game, StartRatings, Terms};
use chess::table::{Actor, PlayerId, Verdict};

use store::Row;

use super::*;

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).unwrap()
}

/// A game after each of its changes: created, joined, a move, over.
fn stages() -> Vec<Game> {
    let creation = Creation::open(player(1), Terms::casual(TimeControl::Unlimited));
    let mut game = Game::create(Timestamp(1_000), creation).unwrap();
    let join = Command::Join {
        toss: chess::Color::White,
        by_code: false,
        ratings: StartRatings::default(),
    };
    let mut stages = vec![game.clone()];
    for (who, command) in [
        (2, join),
        (1, Command::Move(chess::game::MoveCommand::new("e4"))),
        (2, Command::Resign),
    ] {
        let Verdict::Change(event) =
            game.decide(Timestamp(2_000), Actor::Player(player(who)), &command)
        else {
            panic!("refused");
        };
        game.evolve(Timestamp(2_000), &event);
        stages.push(game.clone());
    }
    stages
}

fn finished() -> Game {
    stages().pop().unwrap()
}

fn right(game: &Game, id: u64) -> Row {
    Row {
        table: TableId::from_number(id).unwrap(),
        kind: Game::KIND,
        version: game.version(),
        history: game.encode(),
        deadline: None,
        join_code: None,
        summary: game.summary(),
        moves: game.score_sheet(),
    }
}

#[tokio::test]
async fn what_is_not_as_in_the_history_is_found_and_repaired() {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", directory.path().join("a.db").display());
    let store = Store::open(&url).unwrap();
    let game = finished();
    let mut rows: Vec<Row> = (1..=5).map(|id| right(&game, id)).collect();
    rows[1].summary.fen = "8/8/8/8/8/8/8/8 w - - 0 1".into();
    rows[2].moves.clear();
    rows[3].version += 1;
    rows[4].history.truncate(3);
    for row in rows {
        store.replace_row(row).await.unwrap();
    }
    let seen = |found: &Findings| -> Vec<(String, String, bool)> {
        let told = |d: &Difference| (d.about.clone(), d.what.clone(), d.repaired);
        found.differences.iter().map(told).collect()
    };
    let found = rows_of(&store, false).await;
    assert_eq!(found.checked, 5);
    let wrong = seen(&found);
    assert_eq!(
        wrong[0],
        ("00000002".into(), "fen not as in the history".into(), false)
    );
    assert_eq!(
        wrong[1],
        (
            "00000003".into(),
            "moves not as in the history".into(),
            false
        )
    );
    assert_eq!(
        wrong[2],
        (
            "00000004".into(),
            "version not as in the history".into(),
            false
        )
    );
    assert!(wrong[3].1.contains("corrupt"), "{}", wrong[3].1);
    let repaired: Vec<bool> = seen(&rows_of(&store, true).await)
        .iter()
        .map(|d| d.2)
        .collect();
    assert_eq!(repaired, [true, true, true, false]);
    assert_eq!(seen(&rows_of(&store, false).await).len(), 1);
    store.close();
}

async fn rows_of(store: &Store, repair: bool) -> Findings {
    let repair = repair.then_some(store);
    let now = Timestamp(9_000);
    let page = page(&store.inspector(), Place::Start, 100, repair, now).await;
    page.unwrap().unwrap()
}

/// The change that made a game's last version, as a record of the journal.
fn record(before: &Game, after: &Game) -> store::Change {
    store::Change {
        table: TableId::from_number(1).unwrap(),
        expected: before.version(),
        version: after.version(),
        at: after.last_at(),
        asked: after.last_at(),
        node: store::NodeId::ALONE,
        payload: after.encoded_since(before),
        is_listed: false,
        rates: None,
        after: std::sync::Arc::new(right(after, 1)),
        remember: None,
        begins: None,
        tells: store::EventKinds::NONE,
    }
}

fn commit(store: &Store, change: store::Change) {
    let (tell, told) = std::sync::mpsc::channel();
    store.commit(change, Box::new(move |result| tell.send(result).unwrap()));
    told.recv().unwrap().unwrap();
}

async fn journal_of(store: &Store) -> Vec<String> {
    let found = journal(&store.inspector(), Timestamp(9_000)).await.unwrap();
    found.differences.into_iter().map(|d| d.what).collect()
}

/// What a fold has written to the row stays in the journal until it is trimmed.
#[tokio::test]
async fn records_that_the_row_has_too_must_say_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", directory.path().join("a.db").display());
    let store = Store::open(&url).unwrap();
    let stages = stages();
    store.replace_row(right(&stages[1], 1)).await.unwrap();
    for pair in stages[1..].windows(2) {
        commit(&store, record(&pair[0], &pair[1]));
    }
    assert_eq!(journal_of(&store).await, [""; 0]);
    store.replace_row(right(&stages[3], 1)).await.unwrap();
    assert_eq!(journal_of(&store).await, [""; 0]);
    let mut other = right(&stages[3], 1);
    other.history = stages[1].encode();
    store.replace_row(other).await.unwrap();
    assert_eq!(
        journal_of(&store).await,
        ["journal: version 3 is not as in the row"]
    );
    store.close();
}

#[test]
fn a_place_is_read_as_it_is_written() {
    let table = TableId::from_number(77).unwrap();
    for place in [
        Place::Games(table),
        Place::References(None),
        Place::References(Some("seats~i1".into())),
    ] {
        assert_eq!(place.to_string().parse(), Ok(place));
    }
    assert!("".parse::<Place>().is_err());
}
