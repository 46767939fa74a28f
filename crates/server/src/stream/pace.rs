//! How much a client may say over its socket.

use std::time::Instant;

use super::End;

/// Frames a client may send in a second, and at once.
const FRAMES_PER_SECOND: u32 = 20;
const FRAMES_BURST: u32 = 100;

/// What a client may still send. Moves and commands are counted where those by `POST`
/// are, and never cost the socket.
pub(crate) struct Pace {
    allowance: u32,
    counted: Instant,
}

impl Pace {
    pub(super) fn new() -> Pace {
        Pace {
            allowance: FRAMES_BURST,
            counted: Instant::now(),
        }
    }

    /// Counts a frame: whoever floods the server is not served.
    pub(crate) fn count(&mut self) -> Result<(), End> {
        let seconds = u32::try_from(self.counted.elapsed().as_secs()).unwrap_or(u32::MAX);
        if seconds > 0 {
            let earned = seconds.saturating_mul(FRAMES_PER_SECOND);
            self.allowance = self.allowance.saturating_add(earned).min(FRAMES_BURST);
            self.counted = Instant::now();
        }
        self.allowance = self
            .allowance
            .checked_sub(1)
            .ok_or(End(1008, "too many messages"))?;
        Ok(())
    }
}
