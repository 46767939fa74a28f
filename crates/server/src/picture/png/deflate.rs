//! The compression inside PNG (RFC 1950 and 1951) with the fixed codes, for
//! data whose likely repetitions are known beforehand.

/// The longest repetition one code can stand for.
const LENGTH_MAX: usize = 258;

/// Shorter ones are no shorter than the bytes themselves.
const LENGTH_MIN: usize = 4;

const END_OF_BLOCK: u32 = 256;

/// Packed data, being written bit by bit from the lowest on.
pub(super) struct Deflate {
    out: Vec<u8>,
    bits: u64,
    count: u32,
}

impl Deflate {
    /// Packs `data`, looking for repetitions only at these distances, each
    /// below 32 KiB.
    pub(super) fn pack(data: &[u8], distances: &[usize]) -> Vec<u8> {
        // A zlib stream with the usual window and no dictionary.
        let mut packed = Deflate {
            out: vec![0x78, 0x01],
            bits: 0,
            count: 0,
        };
        let (last_block, fixed_codes) = (1, 0b01);
        packed.put(last_block, 1);
        packed.put(fixed_codes, 2);
        let mut at = 0;
        while at < data.len() {
            let (length, distance) = longest(data, at, distances);
            if length < LENGTH_MIN {
                packed.symbol(u32::from(data[at]));
                at += 1;
            } else {
                packed.repeat(length, distance);
                at += length;
            }
        }
        packed.symbol(END_OF_BLOCK);
        packed.put(0, 7); // fills up the last byte
        let mut out = packed.out;
        out.extend(adler32(data).to_be_bytes());
        out
    }

    fn put(&mut self, bits: u32, count: u32) {
        self.bits |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.bits as u8);
            self.bits >>= 8;
            self.count -= 8;
        }
    }

    /// A code of Huffman's begins with its highest bit.
    fn put_code(&mut self, code: u32, count: u32) {
        self.put(code.reverse_bits() >> (32 - count), count);
    }

    /// A byte, a class of lengths, or the end (RFC 1951, 3.2.6).
    fn symbol(&mut self, symbol: u32) {
        match symbol {
            0..144 => self.put_code(0x30 + symbol, 8),
            144..256 => self.put_code(0x190 + symbol - 144, 9),
            256..280 => self.put_code(symbol - 256, 7),
            _ => self.put_code(0xc0 + symbol - 280, 8),
        }
    }

    /// `length` bytes again that came `distance` ago (RFC 1951, 3.2.5).
    fn repeat(&mut self, length: usize, distance: usize) {
        let (length, distance) = (length as u32 - 3, distance as u32 - 1);
        match length {
            255 => self.symbol(285),
            8.. => {
                let extra = length.ilog2() - 2;
                self.symbol(261 + 4 * extra + (length >> extra & 3));
                self.put(length & ((1 << extra) - 1), extra);
            }
            _ => self.symbol(257 + length),
        }
        if distance < 4 {
            self.put_code(distance, 5);
        } else {
            let extra = distance.ilog2() - 1;
            self.put_code(2 * (extra + 1) + (distance >> extra & 1), 5);
            self.put(distance & ((1 << extra) - 1), extra);
        }
    }
}

/// The longest repetition at `at`, and how far away it began.
fn longest(data: &[u8], at: usize, distances: &[usize]) -> (usize, usize) {
    let ahead = &data[at..data.len().min(at + LENGTH_MAX)];
    let mut best = (0, 0);
    for &distance in distances.iter().filter(|d| **d <= at) {
        let before = &data[at - distance..];
        let pairs = ahead.iter().zip(before);
        let length = pairs.take_while(|(a, b)| a == b).count();
        if length > best.0 {
            best = (length, distance);
        }
        if length == LENGTH_MAX {
            break;
        }
    }
    best
}

/// The checksum of zlib streams (RFC 1950, 9).
fn adler32(data: &[u8]) -> u32 {
    const BASE: u32 = 65_521;
    // So many bytes can be added before a sum could overflow.
    const RUN: usize = 5552;
    let (mut a, mut b) = (1, 0);
    for run in data.chunks(RUN) {
        for byte in run {
            a += u32::from(*byte);
            b += a;
        }
        a %= BASE;
        b %= BASE;
    }
    b << 16 | a
}
