//! Names on the wire: of matches, rooms and events.

use chess::skill::Uuid;
use sha2::{Digest, Sha256};
use store::TableId;

/// The letters of a room's code: none looks like another.
const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// How many a code has.
const LENGTH: usize = 6;

/// Before a table's number, a match's id has these bits: a version 8 UUID,
/// which is the one for ids made in one's own way.
const HEAD: u128 = 0x6172_6269_7465_8000_8000_0000_0000_0000;

/// The id of the match at a table.
pub(crate) fn match_id(table: TableId) -> Uuid {
    Uuid((HEAD | u128::from(table.number())).to_be_bytes())
}

/// The table of a match.
pub(crate) fn table_of(text: &str) -> Option<TableId> {
    let id = u128::from_be_bytes(uuid(text)?.0);
    TableId::from_number(u64::try_from(id ^ HEAD).ok()?)
}

/// A UUID as a client wrote it, in either case.
pub(crate) fn uuid(text: &str) -> Option<Uuid> {
    let is_plain = text.len() == 36;
    let read = is_plain
        .then(|| uuid::Uuid::try_parse(text).ok())
        .flatten()?;
    Some(Uuid(read.into_bytes()))
}

/// The code of the room that a match of this seed is in.
pub(crate) fn room_code(seed: Uuid) -> String {
    let mut rest = u128::from_be_bytes(seed.0);
    let letter = |_| {
        let letter = LETTERS[rest as usize % LETTERS.len()];
        rest >>= 5;
        char::from(letter)
    };
    (0..LENGTH).map(letter).collect()
}

/// A code as a client wrote it, if it can be one.
pub(crate) fn read_code(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    let is_code = code.len() == LENGTH && code.bytes().all(|byte| LETTERS.contains(&byte));
    is_code.then_some(code)
}

/// The id of what is told of a change: the same whoever is told, and however often.
pub(crate) fn event_id(table: TableId, revision: u32, what: &str, action: Option<Uuid>) -> Uuid {
    let mut digest = Sha256::new();
    digest.update(table.number().to_be_bytes());
    digest.update(revision.to_be_bytes());
    digest.update(what.as_bytes());
    digest.update(action.map_or([0; 16], |action| action.0));
    let hash: [u8; 32] = digest.finalize().into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    Uuid(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_found_by_its_id_in_either_case() {
        for number in [0, 1, (1 << 47) - 1] {
            let table = TableId::from_number(number).unwrap();
            let id = match_id(table).to_string();
            assert_eq!(uuid::Uuid::parse_str(&id).unwrap().get_version_num(), 8);
            assert_eq!(table_of(&id), Some(table));
            assert_eq!(table_of(&id.to_uppercase()), Some(table));
        }
        let foreign = "7f3c1e52-9a60-4b0e-8d53-2f1f4c0a9b11";
        let too_large = "61726269-7465-8000-8000-800000000000";
        for bad in [
            "",
            "1",
            foreign,
            too_large,
            "{61726269-7465-8000-8000-000000000001}",
        ] {
            assert_eq!(table_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_code_is_read_as_it_is_written_and_in_any_case() {
        let code = room_code(Uuid([0xa7; 16]));
        assert_eq!(code.len(), 6);
        let typed = format!(" {} ", code.to_lowercase());
        assert_eq!(read_code(&typed), Some(code));
        for bad in ["", "ABCDE", "ABCDEFG", "ABCDE0", "ABCDEI", "ABC-EF"] {
            assert_eq!(read_code(bad), None, "{bad}");
        }
    }
}
