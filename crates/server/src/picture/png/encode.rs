//! PNG for pictures of boards.
//!
//! A general encoder takes longer to look for repetitions than it takes to
//! draw the board. But where a board repeats itself is known: a pixel is like
//! the one to its left, like the one above it, or, two squares on, like the
//! same piece on a square of the same colour. Looking only there is ten times
//! as fast, and with a byte for a pixel the files are smaller.

use super::deflate::Deflate;
use super::palette::{Indexed, index};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Eight bits for each pixel, the number of a colour; no interlacing.
const FORMAT: [u8; 5] = [8, 3, 0, 0, 0];

/// The filter that changes nothing, named before each row.
const NO_FILTER: u8 = 0;

/// Encodes opaque pixels, given as red, green, blue and alpha. `period` is the
/// number of pixels after which a row is likely to repeat itself.
pub(super) fn encode(rgba: &[u8], width: u32, height: u32, period: u32) -> Vec<u8> {
    let Indexed { colors, pixels } = index(rgba);
    let row = width as usize;
    let mut rows = Vec::with_capacity((row + 1) * height as usize);
    for pixels in pixels.chunks_exact(row) {
        rows.push(NO_FILTER);
        rows.extend_from_slice(pixels);
    }
    let packed = Deflate::pack(&rows, &[1, row + 1, period as usize]);

    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend(FORMAT);
    let mut out = SIGNATURE.to_vec();
    chunk(&mut out, *b"IHDR", &header);
    chunk(&mut out, *b"PLTE", colors.as_flattened());
    chunk(&mut out, *b"IDAT", &packed);
    chunk(&mut out, *b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    let length = u32::try_from(content.len()).expect("a picture has a few megabytes at most");
    out.extend(length.to_be_bytes());
    let start = out.len();
    out.extend(name);
    out.extend(content);
    let sum = crc32(&out[start..]);
    out.extend(sum.to_be_bytes());
}

/// The checksum of PNG's chunks (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let (mut sum, mut bit) = (i as u32, 0);
            while bit < 8 {
                let odd = sum & 1 == 1;
                sum >>= 1;
                if odd {
                    sum ^= 0xedb8_8320;
                }
                bit += 1;
            }
            table[i] = sum;
            i += 1;
        }
        table
    };
    let sum = bytes.iter().fold(u32::MAX, |sum, byte| {
        TABLE[((sum ^ u32::from(*byte)) & 0xff) as usize] ^ (sum >> 8)
    });
    !sum
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
        for (width, height, period) in [(1, 1, 1), (7, 3, 2), (300, 40, 75), (1242, 30, 270)] {
            for seed in 0..8 {
                let pixels = pixels(width, height, seed);
                let png = encode(&pixels, width, height, period);
                let decoded = Pixmap::decode_png(&png).expect("a decoder reads it");
                assert_eq!((decoded.width(), decoded.height()), (width, height));
                assert!(decoded.data() == pixels, "{width}x{height}, seed {seed}");
            }
        }
    }

    #[test]
    fn a_flat_picture_takes_next_to_nothing() {
        let pixels = [10, 20, 30, 255].repeat(480 * 480);
        let png = encode(&pixels, 480, 480, 120);
        assert!(png.len() < 4 * 1024, "{} bytes", png.len());
        assert!(Pixmap::decode_png(&png).unwrap().data() == pixels);
    }
}
