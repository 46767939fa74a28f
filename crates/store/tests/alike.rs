//! The backends answer alike, whatever is asked of them: many random
//! operations, the same for each, and every answer compared.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use chess::table::State;
use chess::{Color, Timestamp};
use store::{Change, Error, ListQuery, PlayerOutcome, Row, Store};
use support::*;

const SEEDS: u64 = 12;
const STEPS: u64 = 150;
const TABLES: u64 = 12;

#[test]
fn all_backends_answer_alike() {
    for seed in 1..=SEEDS {
        println!("seed {seed}");
        let homes = [sqlite(), memory(), postgres()];
        let mut homes: Vec<Home> = homes.into_iter().flatten().collect();
        let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut tables: Vec<Option<Row>> = vec![None; TABLES as usize];
        for step in 0..STEPS {
            if chance.one_in(40) {
                for home in &mut homes {
                    home.restart();
                }
            }
            let action = Action::random(&mut chance, &tables, step);
            let answers: Vec<String> = homes.iter().map(|home| action.run(home.store())).collect();
            // Only where there is a journal can a row be behind.
            let alike = match action {
                Action::Fold => 2,
                _ => answers.len(),
            };
            for answer in &answers[..alike] {
                assert_eq!(*answer, answers[0], "seed {seed}, step {step}: {action:?}");
            }
            if let (Action::Commit(change, row), "accepted") = (action, &*answers[0]) {
                tables[change.table.number() as usize] = Some(*row);
            }
        }
    }
}

#[derive(Debug)]
enum Action {
    /// A change, and the row as it then is.
    Commit(Box<Change>, Box<Row>),
    Fold,
    /// A list, and everything about one table and one player, at that time.
    Ask(ListQuery, u64, Timestamp),
}

impl Action {
    fn random(chance: &mut Chance, tables: &[Option<Row>], step: u64) -> Action {
        let number = chance.below(TABLES);
        // A day is over in a few steps.
        let now = Timestamp(step * 20_000_000);
        match chance.below(8) {
            0 | 1 => Action::Ask(query(chance), number, now),
            2 => Action::Fold,
            _ => {
                let (row, goes_to_journal) =
                    next(chance, tables[number as usize].as_ref(), number, step);
                let expected = tables[number as usize]
                    .as_ref()
                    .map_or(0, |_| row.version - 1);
                let mut change = changed(row.clone());
                change.expected = expected;
                let is_move = tables[number as usize]
                    .as_ref()
                    .is_some_and(|before| is_move(before, &row));
                change.is_listed = !goes_to_journal || !is_move;
                if chance.one_in(4) {
                    change.remember = Some(remembered(1 + chance.below(3) as u32, "key", now.0));
                }
                Action::Commit(Box::new(change), Box::new(row))
            }
        }
    }

    /// What the store says, as text.
    fn run(&self, store: &Store) -> String {
        match self {
            Action::Commit(change, _) => match commit(store, (**change).clone()) {
                Ok(_) => "accepted".to_owned(),
                Err(Error::Conflict) => "conflict".to_owned(),
                Err(other) => panic!("{other}"),
            },
            Action::Fold => {
                tidy(store);
                format!("{:?}", wait(store.each_table(None, 100)))
            }
            Action::Ask(query, number, now) => {
                let player = player(1 + *number as u32 % 5);
                let remembered = store.remembered(player, "key", *now);
                format!(
                    "{:?} {:?} {:?} {:?} {:?} {:?}",
                    wait(store.list(query.clone())),
                    load(store, id(*number)),
                    wait(store.count_unfinished(player)),
                    wait(store.by_join_code(&format!("CODE{}", number % 3))),
                    wait(store.moves_of(id(*number))),
                    wait(remembered),
                )
            }
        }
    }
}

/// Whether no more changes than with a move.
fn is_move(before: &Row, after: &Row) -> bool {
    let seen = |row: &Row| {
        let s = &row.summary;
        let who = (s.creator, s.opponent, s.white, s.black, s.invited.clone());
        (s.state, s.private, s.variant, row.join_code.clone(), who)
    };
    seen(before) == seen(after)
}

/// A change of a table, possible or not, and whether it goes to the journal.
fn next(chance: &mut Chance, before: Option<&Row>, number: u64, step: u64) -> (Row, bool) {
    let Some(before) = before else {
        let mut row = waiting(number);
        row.summary.created_at = Timestamp(step / 3);
        row.summary.creator = player(1 + chance.below(5) as u32);
        row.summary.opponent = chance.one_in(3).then(|| player(1 + chance.below(5) as u32));
        row.summary.private = chance.one_in(3);
        row.summary.delay_ms = if chance.one_in(3) { 30 } else { 0 };
        row.summary.invited = (1..=5).filter(|_| chance.one_in(4)).map(player).collect();
        row.summary.variant = if chance.one_in(2) {
            "standard"
        } else {
            "atomic"
        };
        row.join_code = chance.one_in(2).then(|| format!("CODE{}", chance.below(3)));
        return (row, false);
    };
    let is_stale = chance.one_in(10);
    let version = before.version + u32::from(!is_stale);
    let mut row = before.clone();
    if chance.one_in(4) {
        row = if chance.one_in(2) {
            over(number, version)
        } else {
            self::row(number, version)
        };
        row.summary = store_keeps(&row, before);
        row.summary.black = Some(player(1 + chance.below(5) as u32));
    }
    row.version = version;
    row.history = history(version);
    (row, chance.one_in(2))
}

/// What never changes in the life of a table.
fn store_keeps(row: &Row, before: &Row) -> chess::table::Summary {
    chess::table::Summary {
        created_at: before.summary.created_at,
        creator: before.summary.creator,
        private: before.summary.private,
        delay_ms: before.summary.delay_ms,
        invited: before.summary.invited.clone(),
        variant: before.summary.variant,
        ..row.summary.clone()
    }
}

fn query(chance: &mut Chance) -> ListQuery {
    let someone =
        |chance: &mut Chance| chance.one_in(2).then(|| player(1 + chance.below(5) as u32));
    let states = [State::Waiting, State::Active, State::Completed];
    let whose = someone(chance);
    let outcomes = [
        PlayerOutcome::Won,
        PlayerOutcome::Drawn,
        PlayerOutcome::Lost,
    ];
    let of_whom = |chance: &mut Chance| whose.is_some() && chance.one_in(4);
    ListQuery {
        kind: chance.one_in(4).then_some(0),
        state: chance.one_in(2).then(|| states[chance.below(3) as usize]),
        player: whose,
        other: chance.one_in(6).then(|| player(1 + chance.below(5) as u32)),
        outcome: of_whom(chance).then(|| outcomes[chance.below(3) as usize]),
        color: of_whom(chance).then(|| [Color::White, Color::Black][chance.below(2) as usize]),
        since: chance.one_in(6).then(|| Timestamp(chance.below(30))),
        until: chance.one_in(6).then(|| Timestamp(chance.below(100))),
        variant: chance.one_in(3).then(|| "atomic".to_owned()),
        speed: None,
        rated: None,
        is_addressed: chance.one_in(3).then(|| chance.one_in(2)),
        viewer: someone(chance),
        everything: chance.one_in(5),
        known_at: chance.one_in(2).then(|| Timestamp(chance.below(100))),
        after: chance.one_in(2).then(|| store::Cursor {
            created_at: Timestamp(chance.below(50)),
            table: id(chance.below(TABLES)),
        }),
        oldest_first: chance.one_in(3),
        limit: chance.below(8) as u32,
    }
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}
