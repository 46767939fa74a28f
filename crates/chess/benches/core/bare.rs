//! The same parts on `shakmaty` alone, as one would write them by hand with
//! care for speed: parse, legality, apply, SAN, FEN, repetition, outcome, clock, encode.

use std::hint::black_box;

use chess::{ByColor, Millis, Timestamp};
use shakmaty::fen::Fen;
use shakmaty::packed::PackedUciMove;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, KnownOutcome, Outcome, Position};

use crate::sample::{INCREMENT, Sample};

/// Plays all moves; returns the length of all SAN and FEN, and the last FEN.
pub(crate) fn play(sample: &Sample) -> (usize, String) {
    let mut position = Chess::default();
    let mut seen: Vec<Zobrist64> = vec![position.zobrist_hash(EnPassantMode::Legal)];
    let mut clocks = ByColor::new_with(|_| sample.initial());
    let mut last_at: Option<Timestamp> = None;
    let mut log: Vec<u8> = Vec::new();
    let (mut written, mut last) = (0, String::new());
    for sent in &sample.moves {
        let uci = UciMove::from_ascii(sent.text.as_bytes()).expect("a readable move");
        let m = uci.to_move(&position).expect("a legal move");
        let mover = position.turn();

        // `SanPlus` would look for the outcome a second time.
        let mut san = String::with_capacity(8);
        San::from_move(&position, m).append_to_string(&mut san);
        position.play_unchecked(m);
        let outcome = position.outcome();
        if matches!(outcome, Outcome::Known(KnownOutcome::Decisive { .. })) {
            san.push('#');
        } else if position.is_check() {
            san.push('+');
        }
        let mut fen = String::with_capacity(80);
        Fen::from_position(&position, EnPassantMode::Legal).append_to_string(&mut fen);
        // Not always what was sent: castling has two spellings.
        let mut text = String::with_capacity(5);
        m.to_uci(CastlingMode::Standard).append_to_string(&mut text);

        let hash = position.zobrist_hash(EnPassantMode::Legal);
        if position.halfmoves() == 0 {
            seen.clear();
        }
        let repeated = seen.iter().filter(|earlier| **earlier == hash).count();
        seen.push(hash);

        let spent = last_at.map_or(Millis::ZERO, |last| sent.at.since(last));
        last_at = Some(sent.at);
        let left = clocks.get_mut(mover);
        *left = *left - spent + INCREMENT;

        log.extend_from_slice(&PackedUciMove::pack(uci).to_bytes());
        log.extend_from_slice(&(spent.0 as u16).to_le_bytes());

        written += san.len() + fen.len();
        black_box((&san, &text, outcome, repeated, clocks));
        last = fen;
    }
    black_box(log);
    (written, last)
}
