// Makes a screenshot small: 256 colours are enough for a page that is mostly flat.
import { deflateSync, inflateSync, crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** A PNG of 8 bits per channel, without interlacing, as indexed PNG. */
export function indexed(png) {
  const { width, height, channels, pixels } = decode(png);
  const palette = popular(pixels, channels);
  const nearest = new Map();
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += channels) {
      const color = key(pixels, at);
      if (!nearest.has(color)) nearest.set(color, closest(palette, color));
      rows[y * (width + 1) + 1 + x] = nearest.get(color);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const key = (pixels, at) => (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];

/** The most frequent colours; of those that look alike only one. */
function popular(pixels, channels) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels)
    counts.set(key(pixels, at), (counts.get(key(pixels, at)) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color);
  const seen = new Set();
  return byCount.filter((color) => {
    const coarse = color & 0xf8f8f8;
    return seen.size < 256 && !seen.has(coarse) && seen.add(coarse);
  });
}

function closest(palette, color) {
  let [best, index] = [Infinity, 0];
  for (const [n, other] of palette.entries()) {
    const distance =
      ((color >> 16) - (other >> 16)) ** 2 +
      (((color >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
      ((color & 255) - (other & 255)) ** 2;
    if (distance < best) [best, index] = [distance, n];
  }
  return index;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body) >>> 0, data.length + 8);
  return out;
}

function decode(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[png[25]];
  const packed = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(packed));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const here = y * stride + x;
      const a = x >= channels ? pixels[here - channels] : 0;
      const b = y > 0 ? pixels[here - stride] : 0;
      const c = x >= channels && y > 0 ? pixels[here - stride - channels] : 0;
      const guess = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
      pixels[here] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return { width, height, channels, pixels };
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}
