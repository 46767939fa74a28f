//! Digits and the letters a to h as single strokes, because a picture must
//! look the same where no font is installed.
//!
//! A glyph is about 8 wide; capital height is from 0 down to the base line at 12.

use std::fmt::Write;

const fn glyph(sign: char) -> &'static str {
    match sign {
        '0' => "M4 0C1.5 0 0 2.5 0 6S1.5 12 4 12 8 9.5 8 6 6.5 0 4 0Z",
        '1' => "M1.5 2.600L5 0V12",
        '2' => "M.3 3C.3 1 2 0 4 0S7.7 1.2 7.7 3.300C7.7 6 0 9 0 12H8",
        '3' => {
            "M.5 1.500C2-.5 7.3-.5 7.3 3 7.3 5 5.5 5.7 3.5 5.7 6 5.7 8 6.8 8 8.8 8 12.8 1.5 13 0 10.3"
        }
        '4' => "M6 12V0L0 8.500H8.5",
        '5' => "M7.3 0H1.300L.7 5.300C2.5 4 8 3.8 8 8 8 12.5 2 13 0 10.5",
        '6' => "M7 .8C3-1 0 2.5 0 7.5 0 10.5 1.7 12 4 12S8 10.4 8 8.2 6.3 4.5 4 4.5 0 6 0 8",
        '7' => "M0 0H8L3 12",
        '8' => {
            "M4 5.700C1.8 5.7.7 4.4.7 2.900S1.8 0 4 0 7.3 1.4 7.3 2.9 6.2 5.7 4 5.700C1.5 5.7 0 7 0 8.800S1.5 12 4 12 8 10.6 8 8.8 6.5 5.7 4 5.700Z"
        }
        '9' => "M1 11.200C5 13 8 9.5 8 4.5 8 1.5 6.3 0 4 0S0 1.6 0 3.8 1.7 7.5 4 7.5 8 6 8 4",
        'a' => "M7 4.500V12M7 8C7 5.8 5.5 4.2 3.6 4.200S.3 5.8.3 8.1 1.7 12 3.6 12 7 10.3 7 8",
        'b' => "M0 0V12M0 8C0 5.8 1.5 4.2 3.4 4.200S6.7 5.8 6.7 8.1 5.3 12 3.4 12 0 10.3 0 8",
        'c' => "M6.5 5.600C4.5 3 0 4 0 8.100S4.5 13.2 6.5 10.6",
        'd' => "M7 0V12M7 8C7 5.8 5.5 4.2 3.6 4.200S.3 5.8.3 8.1 1.7 12 3.6 12 7 10.3 7 8",
        'e' => "M.3 8H6.900C6.9 5.5 5.5 4.2 3.6 4.200S0 5.8 0 8.100C0 12.3 4.8 13.2 6.6 10.6",
        'f' => "M5 .4C3.2-.5 2 .7 2 2.600V12M0 4.600H4.6",
        'g' => {
            "M7 4.500V12.300C7 15.4 3 16.4.8 14.300M7 8C7 5.8 5.5 4.2 3.6 4.200S.3 5.8.3 8.1 1.7 12 3.6 12 7 10.3 7 8"
        }
        'h' => "M0 0V12M0 7.800C0 5.7 1.5 4.2 3.4 4.200S6.4 5.4 6.4 7.400V12",
        _ => "",
    }
}

/// Where a sign is written, how large, and in what colour.
#[derive(Clone, Copy)]
pub(super) struct Pen<'a> {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) scale: f32,
    pub(super) color: &'a str,
}

/// Writes a sign with its upper left corner at the pen.
pub(super) fn write_sign(out: &mut String, sign: char, pen: Pen<'_>) {
    let Pen { x, y, scale, color } = pen;
    write!(
        out,
        r#"<path transform="translate({x} {y}) scale({scale})" fill="none" stroke="{color}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" d="{d}"/>"#,
        d = glyph(sign),
    )
    .expect("a string can be written to");
}

/// Writes a number, digit after digit.
pub(super) fn write_number(out: &mut String, number: u8, pen: Pen<'_>) {
    for (place, digit) in number.to_string().chars().enumerate() {
        let x = pen.x + 11.0 * pen.scale * place as f32;
        write_sign(out, digit, Pen { x, ..pen });
    }
}
