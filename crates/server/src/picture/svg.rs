//! The picture as SVG: plain shapes, no script, no style sheet, no font.

use std::collections::BTreeSet;
use std::fmt::Write;

use chess::Color;
use chess::rules::Square;

use super::glyphs::{Pen, write_sign};
use super::placement::{Piece, Placement};
use super::theme::Palette;
use super::{BoardView, pieces, side};

/// The edge of a square in the picture's own units.
pub(super) const SQUARE: u32 = 100;

/// The edge of the board in the picture's own units.
pub(super) const BOARD: u32 = 8 * SQUARE;

/// Draws a view as SVG.
pub fn svg(view: &BoardView<'_>) -> String {
    let placement = Placement::of(view.board);
    let mut out = ground(view, &placement);
    for (square, piece) in placement.pieces() {
        let (x, y) = corner(square, view.orientation);
        put(&mut out, piece, x, y);
    }
    close(out)
}

/// Everything but the pieces on the board, not closed yet.
pub(super) fn ground(view: &BoardView<'_>, placement: &Placement) -> String {
    let palette = view.theme.palette();
    let mut out = String::with_capacity(16 * 1024);
    open(&mut out, view, placement);
    define(&mut out, view, placement);
    squares(&mut out, &palette);
    marks(&mut out, view, &palette);
    if view.coordinates {
        coordinates(&mut out, view.orientation, &palette);
    }
    side::draw(&mut out, placement, view.orientation, &palette);
    out
}

/// One piece after the other, each on a square of `edge` pixels.
pub(super) fn sheet(kinds: &[Piece], edge: u32) -> String {
    let (width, wide) = (SQUARE * kinds.len() as u32, edge * kinds.len() as u32);
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{edge}" viewBox="0 0 {width} {SQUARE}"><defs>"#
    );
    for piece in kinds {
        pieces::define(&mut out, *piece);
    }
    out.push_str("</defs>");
    for (piece, i) in kinds.iter().zip(0..) {
        put(&mut out, *piece, i * SQUARE, 0);
    }
    close(out)
}

/// Ends a picture.
pub(super) fn close(mut picture: String) -> String {
    picture.push_str("</svg>\n");
    picture
}

/// The upper left corner of a square as it is looked at.
pub(super) fn corner(square: Square, orientation: Color) -> (u32, u32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    match orientation {
        Color::White => (file * SQUARE, (7 - rank) * SQUARE),
        Color::Black => ((7 - file) * SQUARE, rank * SQUARE),
    }
}

fn open(out: &mut String, view: &BoardView<'_>, placement: &Placement) {
    let width = BOARD + side::width(placement);
    let (wide, high) = (view.size() * width / BOARD, view.size());
    let to_move = view.board.turn().fold_wb("White", "Black");
    // A FEN has no sign that XML would have to escape.
    let fen = view.board.fen();
    emit(
        out,
        format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {width} {BOARD}" role="img"><title>Chess position, {to_move} to move: {fen}</title>"#
        ),
    );
}

fn define(out: &mut String, view: &BoardView<'_>, placement: &Placement) {
    out.push_str("<defs>");
    if view.check.is_some() {
        out.push_str(
            r##"<radialGradient id="check" r=".62"><stop offset="0" stop-color="#f22"/><stop offset=".55" stop-color="#e81313" stop-opacity=".9"/><stop offset="1" stop-color="#b00000" stop-opacity="0"/></radialGradient>"##,
        );
    }
    for piece in placement.kinds() {
        pieces::define(out, piece);
    }
    out.push_str("</defs>");
}

fn squares(out: &mut String, palette: &Palette) {
    let Palette { light, dark, .. } = palette;
    emit(
        out,
        format_args!(
            r#"<g shape-rendering="crispEdges"><path fill="{light}" d="M0 0H{BOARD}V{BOARD}H0Z"/><path fill="{dark}" d=""#
        ),
    );
    // A board turned around has the same pattern.
    for square in (0..64).filter(|i| (i / 8 + i % 8) % 2 == 1) {
        let (x, y) = (square % 8 * SQUARE, square / 8 * SQUARE);
        emit(out, format_args!("M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z"));
    }
    out.push_str("\"/></g>");
}

fn marks(out: &mut String, view: &BoardView<'_>, palette: &Palette) {
    if let Some((from, to)) = view.last_move {
        let mark = palette.mark;
        for square in BTreeSet::from([from, to]) {
            let (x, y) = corner(square, view.orientation);
            emit(
                out,
                format_args!(
                    r#"<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{mark}" fill-opacity=".5" shape-rendering="crispEdges"/>"#
                ),
            );
        }
    }
    if let Some(king) = view.check {
        let (x, y) = corner(king, view.orientation);
        emit(
            out,
            format_args!(
                r#"<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="url(#check)"/>"#
            ),
        );
    }
}

/// The files along the lower edge and the ranks along the left one, each in
/// the colour of the other squares.
fn coordinates(out: &mut String, orientation: Color, palette: &Palette) {
    for (i, (file, rank)) in ('a'..='h').zip('1'..='8').enumerate() {
        let i = u32::try_from(i).expect("a board has eight files");
        let place = orientation.fold_wb(i, 7 - i);
        // The lower left corner is dark for both sides.
        let color = if place.is_multiple_of(2) {
            palette.light
        } else {
            palette.dark
        };
        let scale = 1.4;
        let pen = |x: u32, y: u32| Pen {
            x: x as f32,
            y: y as f32,
            scale,
            color,
        };
        let file_x = place * SQUARE + if file == 'f' { 89 } else { 87 };
        write_sign(out, file, pen(file_x, 7 * SQUARE + 75));
        write_sign(out, rank, pen(6, (7 - place) * SQUARE + 7));
    }
}

/// Puts a defined piece down.
fn put(out: &mut String, piece: Piece, x: u32, y: u32) {
    let id = pieces::id(piece);
    emit(
        out,
        format_args!(r##"<use href="#{id}" x="{x}" y="{y}"/>"##),
    );
}

/// Writes to the picture.
pub(super) fn emit(out: &mut String, what: std::fmt::Arguments<'_>) {
    out.write_fmt(what).expect("a string can be written to");
}
