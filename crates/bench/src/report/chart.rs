//! Line plots as SVG.

use serde::{Deserialize, Serialize};

use super::push;

/// A plot of some lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Plot {
    /// Its file's name.
    pub(crate) name: String,
    pub(crate) title: String,
    /// What the axes show.
    pub(crate) x: String,
    pub(crate) y: String,
    /// What stands at each place of the horizontal axis, which are equally far apart.
    pub(crate) places: Vec<String>,
    pub(crate) series: Vec<Series>,
    /// Whether the vertical axis goes in powers of ten.
    pub(crate) is_log: bool,
}

/// One line: a value at each place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) values: Vec<f64>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 76.0;
const BOTTOM: f64 = 56.0;
/// Told apart also by those who see fewer colours (Okabe and Ito).
const COLORS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00",
];

impl Plot {
    pub(crate) fn svg(&self) -> String {
        let scale = Scale::of(self);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
        );
        text(&mut out, WIDTH / 2.0, 24.0, "middle", 16, &self.title);
        text(&mut out, WIDTH / 2.0, HEIGHT - 12.0, "middle", 13, &self.x);
        text(&mut out, 12.0, TOP - 12.0, "start", 13, &self.y);
        for tick in scale.ticks() {
            let y = scale.y(tick);
            let end = WIDTH - RIGHT;
            push(
                &mut out,
                format_args!(
                    "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{end}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>"
                ),
            );
            text(
                &mut out,
                LEFT - 8.0,
                y + 4.0,
                "end",
                12,
                &super::figure(tick),
            );
        }
        for (index, place) in self.places.iter().enumerate() {
            text(
                &mut out,
                scale.x(index),
                HEIGHT - BOTTOM + 20.0,
                "middle",
                12,
                place,
            );
        }
        for (index, series) in self.series.iter().enumerate() {
            self.line(&mut out, &scale, index, series);
        }
        out.push_str("</svg>\n");
        out
    }

    fn line(&self, out: &mut String, scale: &Scale, index: usize, series: &Series) {
        let color = COLORS[index % COLORS.len()];
        let points: Vec<(f64, f64)> = series
            .values
            .iter()
            .enumerate()
            .filter(|(_, value)| value.is_finite())
            .map(|(place, value)| (scale.x(place), scale.y(*value)))
            .collect();
        let path: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let path = path.join(" ");
        push(
            out,
            format_args!(
                "<polyline points=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
            ),
        );
        for (x, y) in points {
            push(
                out,
                format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{color}\"/>"),
            );
        }
        let each = (WIDTH - LEFT - RIGHT) / self.series.len() as f64;
        let x = LEFT + each * index as f64;
        push(
            out,
            format_args!(
                "<rect x=\"{x:.1}\" y=\"38\" width=\"12\" height=\"12\" fill=\"{color}\"/>"
            ),
        );
        text(out, x + 18.0, 49.0, "start", 12, &series.name);
    }
}

/// From values to places on the paper.
struct Scale {
    low: f64,
    high: f64,
    places: usize,
    is_log: bool,
}

impl Scale {
    fn of(plot: &Plot) -> Scale {
        let values = plot.series.iter().flat_map(|s| s.values.iter().copied());
        let values = values.filter(|v| v.is_finite() && (!plot.is_log || *v > 0.0));
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        let (low, high) = if most < least {
            (0.0, 1.0)
        } else if plot.is_log {
            (
                10f64.powf(least.log10().floor()),
                10f64.powf(most.log10().ceil().max(least.log10().floor() + 1.0)),
            )
        } else {
            let step = step(most);
            (0.0, (most / step).ceil() * step)
        };
        Scale {
            low,
            high,
            places: plot.places.len(),
            is_log: plot.is_log && most >= least,
        }
    }

    fn x(&self, place: usize) -> f64 {
        let room = WIDTH - LEFT - RIGHT - 60.0;
        LEFT + 30.0 + room * place as f64 / (self.places.max(2) - 1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(self.low) / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn ticks(&self) -> Vec<f64> {
        if self.is_log {
            let powers = (self.high / self.low).log10().round() as i32;
            return (0..=powers).map(|p| self.low * 10f64.powi(p)).collect();
        }
        let step = step(self.high);
        let many = (self.high / step).round() as usize;
        (0..=many).map(|n| n as f64 * step).collect()
    }
}

/// A round step that divides `high` into about five.
fn step(high: f64) -> f64 {
    let rough = (high / 5.0).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|f| f * power >= rough);
    factor.unwrap_or(10.0) * power
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, size: u32, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    push(
        out,
        format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" \
         fill=\"#333333\">{text}</text>"
        ),
    );
}
