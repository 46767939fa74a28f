//! The colours of the board.

use serde::Deserialize;
use utoipa::ToSchema;

/// The colours of the squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Maple and walnut.
    #[default]
    Brown,
    /// Ice and slate.
    Blue,
    /// Cream and moss.
    Green,
    /// Paper and stone, for print.
    Grey,
}

/// What a theme paints with.
pub(super) struct Palette {
    pub(super) light: &'static str,
    pub(super) dark: &'static str,
    /// Laid over the squares of the last move, half transparent.
    pub(super) mark: &'static str,
    /// Behind pockets and counters.
    pub(super) side: &'static str,
}

impl Theme {
    pub(super) const fn palette(self) -> Palette {
        let (light, dark, mark, side) = match self {
            Theme::Brown => ("#f1dcbb", "#b48763", "#f7e11a", "#8d6a4f"),
            Theme::Blue => ("#e3e9ee", "#86a2b7", "#f0e442", "#657f94"),
            Theme::Green => ("#eeeed5", "#7b9a5b", "#f9ea2d", "#5f7947"),
            Theme::Grey => ("#ededed", "#a9a9a9", "#e8d84a", "#858585"),
        };
        Palette {
            light,
            dark,
            mark,
            side,
        }
    }
}
