//! Every limit, on both sides of it.

use std::io::{self, Read};

use chess::pgn::{self, GAME_BYTES_MAX, PLIES_MAX, TAG_BYTES_MAX, TAGS_MAX, Why};

/// What became of the first game; there is a second one, which is always read.
fn first(game: &str) -> Result<usize, Why> {
    let file = format!("{game}\n\n[Event \"next\"]\n\n1. d4 d5 *\n");
    let mut games = pgn::read(file.as_bytes());
    let first = games.next().expect("two games");
    let next = games.next().expect("two games").expect("a good game");
    assert_eq!((next.number, next.tag("Event")), (2, Some("next")));
    assert!(games.next().is_none());
    first.map(|game| game.moves.len()).map_err(|e| e.why)
}

/// Knights that go out and back, with clocks as long as they get.
fn shuffle(plies: usize) -> String {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle();
    moves
        .take(plies)
        .enumerate()
        .map(|(i, san)| format!("{}... {san} {{ [%clk 336:00:00.123] }} ", i / 2 + 1))
        .collect()
}

#[test]
fn as_many_half_moves_as_a_game_may_have() {
    assert_eq!(first(&shuffle(PLIES_MAX)), Ok(PLIES_MAX));
    assert_eq!(first(&shuffle(PLIES_MAX + 1)), Err(Why::TooManyMoves));
}

#[test]
fn as_many_tags_as_a_game_may_have() {
    let tags = |count| "[Tag \"value\"]\n".repeat(count) + "\n1. e4 *";
    assert_eq!(first(&tags(TAGS_MAX)), Ok(1));
    assert_eq!(first(&tags(TAGS_MAX + 1)), Err(Why::TooManyTags));
}

#[test]
fn tags_as_long_as_they_may_be() {
    let around = "[Event \"\"]\n".len();
    let tag = |bytes: usize| format!("[Event \"{}\"]\n\n1. e4 *", "x".repeat(bytes - around));
    assert_eq!(first(&tag(TAG_BYTES_MAX)), Ok(1));
    assert_eq!(first(&tag(TAG_BYTES_MAX + 1)), Err(Why::TagTooLong));
}

#[test]
fn games_as_long_as_they_may_be() {
    let around = "1. e4 {} *\n\n".len();
    for (filling, newline) in [("long ", ""), ("line\n", "\n")] {
        let game = |bytes: usize| {
            let comment = filling.repeat((bytes - around) / filling.len() - 1);
            let rest = "x".repeat(bytes - around - comment.len() - newline.len());
            format!("1. e4 {{{comment}{rest}{newline}}} *")
        };
        assert_eq!(first(&game(GAME_BYTES_MAX)), Ok(1));
        assert_eq!(first(&game(GAME_BYTES_MAX + 1)), Err(Why::GameTooLong));
        assert_eq!(first(&game(3 * GAME_BYTES_MAX)), Err(Why::GameTooLong));
    }
}

#[test]
fn the_names_of_a_game_that_is_too_long_are_known() {
    let moves = "e4 ".repeat(GAME_BYTES_MAX);
    let file = format!("[White \"Foo\"]\n[Black \"Bar\"]\n\n{moves}");
    let error = pgn::read(file.as_bytes()).next().expect("one game");
    assert_eq!(
        error.expect_err("too long").to_string(),
        "game 1 (Foo - Bar), line 4: the game is longer than 1048576 bytes"
    );
}

/// A file whose disk dies.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk died")),
            bytes => Ok(bytes),
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_any_further_ends_with_that_error() {
    let file = Failing(b"1. e4 e5 1-0\n\n1. d4 d5\n2. c4");
    let mut games = pgn::read(file);
    assert!(games.next().is_some_and(|game| game.is_ok()));
    let error = games.next().expect("an error").expect_err("an error");
    assert_eq!(
        error.to_string(),
        "game 2, line 4: the file cannot be read any further: the disk died"
    );
    assert!(games.next().is_none());
}
