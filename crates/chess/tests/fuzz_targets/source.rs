//! Bytes as a source of choices.

use chess::rules::Variant;

/// Hands out bytes one by one; zeros when there are no more.
pub(crate) struct Source<'a> {
    rest: &'a [u8],
}

impl<'a> Source<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Source<'a> {
        Source { rest: bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.rest.split_off_first().copied().unwrap_or(0)
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub(crate) fn one_in(&mut self, n: u8) -> bool {
        self.byte().is_multiple_of(n)
    }

    /// A number of 24 bits.
    pub(crate) fn number(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), 0])
    }

    /// One of the digits that a seed begins with: `0` is 0.
    pub(crate) fn digit(&mut self) -> usize {
        usize::from(self.byte().wrapping_sub(b'0'))
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()]
    }

    /// A digit: the place of the variant in [`Variant::ALL`].
    pub(crate) fn variant(&mut self) -> Variant {
        Variant::ALL[self.digit() % Variant::ALL.len()]
    }
}
