//! What stands beside the board in some variants: pockets, and checks given.

use chess::Color;

use super::glyphs::{Pen, write_number};
use super::pieces;
use super::placement::{POCKET, Placement};
use super::svg::{BOARD, SQUARE, emit};
use super::theme::Palette;

/// How wide the strip is, in the picture's units.
const STRIP: u32 = 120;

/// How much a piece in a pocket is made smaller.
const SCALE: f32 = 0.72;

/// What the strip adds to the picture's width: nothing in most variants.
pub(super) fn width(placement: &Placement) -> u32 {
    if placement.pockets.is_some() || placement.checks.is_some() {
        STRIP
    } else {
        0
    }
}

/// Draws the strip, each side's half beside its side of the board.
pub(super) fn draw(out: &mut String, placement: &Placement, orientation: Color, palette: &Palette) {
    if width(placement) == 0 {
        return;
    }
    let side = palette.side;
    emit(
        out,
        format_args!(
            r#"<path fill="{side}" shape-rendering="crispEdges" d="M{BOARD} 0h{STRIP}v{BOARD}h-{STRIP}z"/>"#
        ),
    );
    for color in Color::ALL {
        let below = color == orientation;
        if let Some(pockets) = &placement.pockets {
            pocket(out, color, pockets.get(color), below);
        }
        if let Some(checks) = &placement.checks {
            pips(out, *checks.get(color), color, below);
        }
    }
}

/// The kinds in the pocket with their numbers, the strongest at the edge of the board.
fn pocket(out: &mut String, color: Color, counts: &[u8; 5], below: bool) {
    let held = counts.iter().zip(POCKET).filter(|(count, _)| **count > 0);
    for (row, (&count, role)) in held.enumerate() {
        let from_edge = 78.0 * row as f32 + 4.0;
        let y = if below {
            BOARD as f32 - from_edge - SQUARE as f32 * SCALE
        } else {
            from_edge
        };
        let x = BOARD as f32 + 8.0;
        let id = pieces::id((color, role));
        emit(
            out,
            format_args!(r##"<use href="#{id}" transform="translate({x} {y}) scale({SCALE})"/>"##),
        );
        let pen = Pen {
            x: x + 76.0,
            y: y + 38.0,
            scale: if count < 10 { 2.2 } else { 1.4 },
            color: "#fff",
        };
        write_number(out, count, pen);
    }
}

/// Three rings, filled for each check a side has given.
fn pips(out: &mut String, given: u8, color: Color, below: bool) {
    let x = BOARD + STRIP / 2;
    let fill = color.fold_wb("#fffdf9", "#1b1716");
    for pip in 0..3u8 {
        let from_edge = 60 + 70 * u32::from(pip);
        let y = if below { BOARD - from_edge } else { from_edge };
        let opacity = if pip < given { "1" } else { "0" };
        emit(
            out,
            format_args!(
                r#"<circle cx="{x}" cy="{y}" r="24" fill="{fill}" fill-opacity="{opacity}" stroke="{fill}" stroke-width="6"/>"#
            ),
        );
    }
}
