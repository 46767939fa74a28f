//! The picture as PNG: our own SVG, rendered.

mod encode;
mod palette;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::placement::{Piece, Placement};
use super::svg::{BOARD, close, corner, ground, sheet};
use super::{BoardView, Square};

/// Draws a view as PNG. This takes milliseconds of processor time: call it
/// where blocking is allowed.
pub fn png(view: &BoardView<'_>) -> Vec<u8> {
    let placement = Placement::of(view.board);
    let mut picture = render(&close(ground(view, &placement)));
    place_pieces(&mut picture, view, &placement);
    encode::encode(picture.data(), picture.width(), picture.height())
}

fn render(svg: &str) -> Pixmap {
    let tree = Tree::from_str(svg, &Options::default()).expect("our own SVG is well-formed");
    let size = tree.size().to_int_size();
    let mut pixels =
        Pixmap::new(size.width(), size.height()).expect("a picture has an area, and a bounded one");
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels
}

/// Puts the pieces down. Most of the time goes into curves, so each kind of
/// piece is rendered once and then copied to its squares.
fn place_pieces(picture: &mut Pixmap, view: &BoardView<'_>, placement: &Placement) {
    let pieces: Vec<(Square, Piece)> = placement.pieces().collect();
    let kinds: Vec<Piece> = placement
        .kinds()
        .filter(|kind| pieces.iter().any(|(_, piece)| piece == kind))
        .collect();
    if kinds.is_empty() {
        return;
    }
    let edge = view.size().div_ceil(8);
    let stamps = render(&sheet(&kinds, edge));
    for (square, piece) in pieces {
        let (x, y) = corner(square, view.orientation);
        let pixel = |units: u32| (units * view.size() + BOARD / 2) / BOARD;
        let kind = kinds.iter().position(|kind| *kind == piece);
        let stamp = kind.expect("every kind on the board is on the sheet");
        copy(
            &stamps,
            stamp * edge as usize,
            edge,
            picture,
            (pixel(x), pixel(y)),
        );
    }
}

/// Lays the square of `edge` pixels that begins `left` pixels into `from`
/// over `onto`, with its upper left corner `at`. Both are premultiplied.
fn copy(from: &Pixmap, left: usize, edge: u32, onto: &mut Pixmap, at: (u32, u32)) {
    const BYTES: usize = 4;
    let (from_row, onto_row) = (from.width() as usize * BYTES, onto.width() as usize * BYTES);
    let columns = edge.min(onto.width() - at.0) as usize * BYTES;
    let rows = edge.min(onto.height() - at.1) as usize;
    for row in 0..rows {
        let start = row * from_row + left * BYTES;
        let above = &from.data()[start..start + columns];
        let start = (at.1 as usize + row) * onto_row + at.0 as usize * BYTES;
        let below = &mut onto.data_mut()[start..start + columns];
        for (above, below) in above.chunks_exact(BYTES).zip(below.chunks_exact_mut(BYTES)) {
            let through = 255 - u32::from(above[BYTES - 1]);
            for (a, b) in above.iter().zip(below) {
                let seen = u32::from(*a) + (u32::from(*b) * through + 127) / 255;
                *b = u8::try_from(seen).unwrap_or(u8::MAX);
            }
        }
    }
}
