//! What nodes tell each other about a table and the room around it.

use chess::Timestamp;
use chess::table::PlayerId;
use serde::{Deserialize, Serialize};
use store::{ChatLine, NodeId, TableId};

use crate::rooms::lobby::Why;
use crate::rooms::{BlockedBy, Line};

/// One piece of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The table changed; this was added to its history. Nothing, if it is new.
    Changed { version: u32, added: Vec<u8> },
    /// The rematch of this game is offered, or begins.
    Rematch,
    /// Somebody spoke.
    Said(Box<Said>),
    /// Who is at the table, at the node that says so.
    Here(Here),
    /// Somebody must leave.
    Removed(PlayerId),
    /// A game waits for whoever comes; its history.
    Open(Vec<u8>),
    /// It does no longer.
    Gone(Why),
    /// So many half-moves of the finished game were looked at.
    Analysis {
        done: u32,
        total: u32,
        is_for_all: bool,
    },
}

/// A line that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Said {
    id: u64,
    /// The id of the newest line before it, whoever may read that.
    pub(super) after: u64,
    at: u64,
    from: u32,
    role: String,
    audience: String,
    notice: bool,
    text: String,
    /// Those who block the speaker, in order.
    #[serde(default)]
    blocked_by: Vec<u32>,
}

/// Who is at a table, as one node knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Here {
    /// Which node.
    pub node: u32,
    /// The players it has seen.
    pub players: Vec<PlayerSeen>,
    /// How many watch there.
    pub watchers: usize,
    /// The accounts of those of them who agreed to be seen.
    pub shown: Vec<u32>,
}

/// When a player was last there, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSeen {
    /// Who.
    pub player: u32,
    /// Whether a stream of theirs is open.
    pub is_streaming: bool,
    /// Their last request.
    pub request: u64,
    /// When they were last there in any way.
    pub last: u64,
}

impl Said {
    pub(super) fn new(line: &Line, after: u64, blocked_by: &[PlayerId]) -> Said {
        Said {
            id: line.id.number(),
            after,
            at: line.at.0,
            from: line.facts.from.number(),
            role: line.facts.role.name().to_owned(),
            audience: line.facts.audience.name().to_owned(),
            notice: line.facts.is_notice,
            text: line.text.clone(),
            blocked_by: blocked_by.iter().map(|who| who.number()).collect(),
        }
    }

    /// Those who are not told.
    pub(super) fn blocked_by(&self) -> BlockedBy {
        let numbers = self.blocked_by.iter().copied();
        numbers.filter_map(PlayerId::new).collect()
    }

    pub(super) fn line(&self, table: TableId) -> Option<Line> {
        Line::read(ChatLine {
            table,
            id: self.id,
            at: Timestamp(self.at),
            from: PlayerId::new(self.from)?,
            role: self.role.clone(),
            audience: self.audience.clone(),
            is_notice: self.notice,
            text: self.text.clone(),
        })
    }
}

impl Here {
    /// Which node says so.
    pub fn node(&self) -> NodeId {
        NodeId(self.node)
    }
}

const CHANGED: u8 = 1;
const REMATCH: u8 = 2;
const SAID: u8 = 3;
const HERE: u8 = 4;
const REMOVED: u8 = 5;
const OPEN: u8 = 6;
const GONE: u8 = 7;
const ANALYSIS: u8 = 8;

impl Word {
    pub(super) fn encode(&self) -> Vec<u8> {
        let json = |kind, json: serde_json::Result<Vec<u8>>| {
            let mut bytes = vec![kind];
            bytes.extend(json.unwrap_or_default());
            bytes
        };
        match self {
            Word::Changed { version, added } => {
                let mut bytes = Vec::with_capacity(5 + added.len());
                bytes.push(CHANGED);
                bytes.extend(version.to_le_bytes());
                bytes.extend(added);
                bytes
            }
            Word::Rematch => vec![REMATCH],
            Word::Said(said) => json(SAID, serde_json::to_vec(said)),
            Word::Here(here) => json(HERE, serde_json::to_vec(here)),
            Word::Removed(who) => {
                let mut bytes = vec![REMOVED];
                bytes.extend(who.number().to_le_bytes());
                bytes
            }
            Word::Open(history) => [&[OPEN], &history[..]].concat(),
            Word::Gone(why) => vec![GONE, why.code()],
            Word::Analysis {
                done,
                total,
                is_for_all,
            } => {
                let mut bytes = vec![ANALYSIS, u8::from(*is_for_all)];
                bytes.extend(done.to_le_bytes());
                bytes.extend(total.to_le_bytes());
                bytes
            }
        }
    }

    /// What a message says; `None` if it is of another release, or no word at all.
    pub(super) fn decode(bytes: &[u8]) -> Option<Word> {
        let (kind, rest) = bytes.split_first()?;
        let number = |rest: &[u8]| Some(u32::from_le_bytes(rest.get(..4)?.try_into().ok()?));
        Some(match *kind {
            CHANGED => Word::Changed {
                version: number(rest)?,
                added: rest[4..].to_vec(),
            },
            REMATCH => Word::Rematch,
            SAID => Word::Said(Box::new(serde_json::from_slice(rest).ok()?)),
            HERE => Word::Here(serde_json::from_slice(rest).ok()?),
            REMOVED => Word::Removed(PlayerId::new(number(rest)?)?),
            OPEN => Word::Open(rest.to_vec()),
            GONE => Word::Gone(Why::from_code(*rest.first()?)?),
            ANALYSIS => Word::Analysis {
                is_for_all: *rest.first()? == 1,
                done: number(rest.get(1..)?)?,
                total: number(rest.get(5..)?)?,
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_heard_as_it_was_said() {
        let said = Said {
            id: 9,
            after: 8,
            at: 5,
            from: 3,
            role: "player".into(),
            audience: "room".into(),
            notice: false,
            text: "schön".into(),
            blocked_by: vec![4, 7],
        };
        let here = Here {
            node: 2,
            players: vec![PlayerSeen {
                player: 1,
                is_streaming: true,
                request: 7,
                last: 8,
            }],
            watchers: 3,
            shown: vec![4],
        };
        for word in [
            Word::Changed {
                version: 70_000,
                added: vec![1, 2, 3],
            },
            Word::Rematch,
            Word::Said(Box::new(said)),
            Word::Here(here),
            Word::Removed(PlayerId::new(5).unwrap()),
            Word::Open(vec![4, 5]),
            Word::Gone(Why::Cancelled),
            Word::Analysis {
                done: 3,
                total: 700,
                is_for_all: true,
            },
        ] {
            assert_eq!(Word::decode(&word.encode()), Some(word));
        }
    }

    #[test]
    fn rubbish_says_nothing() {
        for bytes in [
            &[][..],
            &[0],
            &[99, 1],
            &[1, 2],
            &[5, 0, 0, 0, 0],
            &[7],
            &[7, 99],
            &[8, 1, 2, 0, 0, 0],
            b"\x03{}",
        ] {
            assert_eq!(Word::decode(bytes), None, "{bytes:?}");
        }
    }
}
