//! PNG for pictures of boards: with a byte for a pixel, because a board has
//! few colours, and each row as its difference from the one above, which is
//! most often none.

use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};

use super::palette::{Indexed, index};

/// A quarter larger than what takes five times as long.
const QUICK: DeflateCompression = DeflateCompression::Level(1);

/// Encodes opaque pixels, given as red, green, blue and alpha.
pub(super) fn encode(rgba: &[u8], width: u32, height: u32) -> Vec<u8> {
    let Indexed { colors, pixels } = index(rgba);
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(colors.into_flattened());
    encoder.set_deflate_compression(QUICK);
    encoder.set_filter(Filter::Up);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&pixels));
    written.expect("memory takes a picture whose pixels are counted");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::tiny_skia::Pixmap;

    /// Pixels that repeat themselves now and then.
    fn pixels(width: u32, height: u32, seed: u32) -> Vec<u8> {
        let mut state = seed;
        let mut color = [0, 0, 0, 255];
        let mut out = Vec::new();
        for _ in 0..width * height {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 28 < 3 {
                let shade = (state >> 16) as u8 % 200;
                color = [shade, shade.wrapping_mul(7), 255 - shade, 255];
            }
            out.extend(color);
        }
        out
    }

    #[test]
    fn what_is_encoded_is_decoded_again() {
        for (width, height) in [(1, 1), (7, 3), (300, 40), (1242, 30)] {
            for seed in 0..8 {
                let pixels = pixels(width, height, seed);
                let png = encode(&pixels, width, height);
                let decoded = Pixmap::decode_png(&png).expect("a decoder reads it");
                assert_eq!((decoded.width(), decoded.height()), (width, height));
                assert!(decoded.data() == pixels, "{width}x{height}, seed {seed}");
            }
        }
    }

    #[test]
    fn a_flat_picture_takes_next_to_nothing() {
        let pixels = [10, 20, 30, 255].repeat(480 * 480);
        let png = encode(&pixels, 480, 480);
        assert!(png.len() < 4 * 1024, "{} bytes", png.len());
        assert!(Pixmap::decode_png(&png).unwrap().data() == pixels);
    }
}
