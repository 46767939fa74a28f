//! The colours of a picture: a board has few, so a byte can stand for a pixel.

use std::collections::HashMap;

type Color = [u8; 3];

/// As many colours as a byte can tell apart.
const COLORS_MAX: usize = 256;

/// A picture, each pixel the number of its colour.
pub(super) struct Indexed {
    pub(super) colors: Vec<Color>,
    pub(super) pixels: Vec<u8>,
}

/// Gives each colour a number, the most frequent first. Of more than 256, the
/// rare ones become the nearest of the others: they are single pixels at the
/// edges of shapes, or in the glow around a king in check.
pub(super) fn index(rgba: &[u8]) -> Indexed {
    let mut found: HashMap<Color, u16> = HashMap::new();
    let mut counted: Vec<(u32, Color)> = Vec::new();
    let mut pixels: Vec<u16> = Vec::with_capacity(rgba.len() / 4);
    let (mut last, mut number) = (None, 0);
    for pixel in rgba.chunks_exact(4) {
        let color = [pixel[0], pixel[1], pixel[2]];
        if last != Some(color) {
            number = *found.entry(color).or_insert_with(|| {
                // Colours beyond these are more than a picture of ours has.
                let next = counted.len().min(usize::from(u16::MAX)) as u16;
                counted.push((0, color));
                next
            });
            last = Some(color);
        }
        counted[usize::from(number)].0 += 1;
        pixels.push(number);
    }
    let (colors, numbers) = choose(&counted);
    Indexed {
        pixels: pixels.iter().map(|n| numbers[usize::from(*n)]).collect(),
        colors,
    }
}

/// The colours that stay, and for each that was counted, which one it becomes.
fn choose(counted: &[(u32, Color)]) -> (Vec<Color>, Vec<u8>) {
    let mut order: Vec<usize> = (0..counted.len()).collect();
    order.sort_by(|a, b| counted[*b].cmp(&counted[*a]));
    let color = |place: &usize| counted[*place].1;
    let kept: Vec<Color> = order.iter().take(COLORS_MAX).map(color).collect();
    let mut numbers = vec![0; counted.len()];
    for (place, number) in order.iter().zip(0..=u8::MAX) {
        numbers[*place] = number;
    }
    for place in order.iter().skip(COLORS_MAX) {
        numbers[*place] = nearest(&kept, color(place));
    }
    (kept, numbers)
}

fn nearest(colors: &[Color], wanted: Color) -> u8 {
    let distance = |color: &Color| -> u32 {
        let parts = color.iter().zip(wanted);
        parts.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let places = 0..=u8::MAX;
    let best = colors
        .iter()
        .zip(places)
        .min_by_key(|(color, _)| distance(color));
    best.map_or(0, |(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_colours_stay_as_they_are() {
        let grey = |value: u8| [value, value, value, 255];
        let mut rgba: Vec<u8> = (0..=255).flat_map(grey).collect();
        rgba.extend(grey(7));
        rgba.extend([9, 9, 8, 255].repeat(3));
        let Indexed { colors, pixels } = index(&rgba);
        assert_eq!(colors.len(), 256);
        assert_eq!((colors[0], colors[1]), ([9, 9, 8], [7, 7, 7]));
        assert_eq!((pixels[7], pixels[256]), (1, 1));
        assert_eq!(pixels[257..], [0, 0, 0]);
        assert_eq!(pixels[0], pixels[1], "black had to go, this is the nearest");
    }
}
