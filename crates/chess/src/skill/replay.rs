//! Reading a stored match: a history is replayed only if it is a possible one.

use shakmaty::Color;

use super::log::Entries;
use super::{Act, Ending, Entry, Event, Match, Phase};
use crate::table::Corrupt;

impl Match {
    /// Rebuilds the match by replaying its history.
    ///
    /// # Errors
    /// [`Corrupt`] if the bytes are not the history of a possible match.
    pub fn decode(bytes: &[u8]) -> Result<Match, Corrupt> {
        let corrupt = |version, why| Corrupt { version, why };
        let mut entries = Entries::new([bytes, &[]]);
        let mut replayed = match entries.next() {
            Some(Entry {
                at,
                event: Event::Created(creation),
            }) => Match::create(at, creation),
            _ => return Err(corrupt(1, "no creation")),
        };
        for entry in entries.by_ref() {
            replayed
                .may_follow(&entry.event)
                .map_err(|why| corrupt(replayed.version() + 1, why))?;
            replayed.evolve(entry.at, &entry.event);
        }
        if !entries.is_done() {
            return Err(corrupt(
                replayed.version() + 1,
                "an entry that cannot be read",
            ));
        }
        // One history has one spelling, so that equal matches are equal bytes.
        if !replayed.history().is(bytes) {
            return Err(corrupt(replayed.version(), "not written as we write it"));
        }
        Ok(replayed)
    }

    /// Reads the one change that was added to the history by somebody else.
    pub(super) fn read_next(&self, added: &[u8]) -> Result<Entry, Corrupt> {
        let corrupt = |why| Corrupt {
            version: self.version() + 1,
            why,
        };
        let mut entries = Entries::following(added, self.last_at());
        let entry = entries.next().ok_or(corrupt("no change"))?;
        if !entries.is_done() {
            return Err(corrupt("more than one change"));
        }
        self.may_follow(&entry.event).map_err(corrupt)?;
        Ok(entry)
    }

    /// Whether `event` can follow: the check that keeps a damaged record
    /// from being replayed into nonsense.
    fn may_follow(&self, event: &Event) -> Result<(), &'static str> {
        let (fits, why) = match event {
            Event::Created(_) => (false, "created twice"),
            Event::Joined { player } => (
                self.phase() == Phase::Waiting && *player != self.creation().host,
                "joined out of turn",
            ),
            Event::Acted { by, act, .. } => (self.may_act(*by, act), "an impossible action"),
            Event::Ended(ending) => (
                match ending {
                    Ending::Aborted => self.ending().is_none(),
                    Ending::Expired => self.phase() == Phase::Waiting,
                    _ => false,
                },
                "an impossible end",
            ),
        };
        if fits { Ok(()) } else { Err(why) }
    }

    fn may_act(&self, by: Color, act: &Act) -> bool {
        let draft = self.draft(by);
        match act {
            Act::Selected { skill, square } => {
                self.phase() == Phase::Drafting
                    && !draft.is_locked()
                    && square.is_none_or(|square| {
                        self.board()
                            .at(square)
                            .is_some_and(|piece| piece.color == by)
                            && draft.may_add(*skill).is_ok()
                    })
            }
            Act::Locked => self.phase() == Phase::Drafting && !draft.is_locked(),
            Act::Moved {
                from,
                to,
                promotion,
                skill,
                ending,
            } => {
                let m = self.board().recorded(*from, *to, *promotion, *skill);
                self.phase() == Phase::Active
                    && by == self.board().turn()
                    && m.is_some_and(|m| self.board().ending_after(&m) == *ending)
            }
            Act::Resigned => matches!(self.phase(), Phase::Drafting | Phase::Active),
            Act::Closed => self.phase() == Phase::Waiting && by == Color::White,
            Act::OfferedDraw => self.phase() == Phase::Active && self.draw_offer().is_none(),
            Act::AgreedToDraw => self.draw_offer() == Some(!by),
            Act::DeclinedDraw => self.draw_offer().is_some(),
        }
    }
}
