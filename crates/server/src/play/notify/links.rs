//! Links in letters. One that ends letters is signed and needs no sign-in: whoever
//! has the letter may end them, and nobody else can make such a link.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use rand::RngExt;
use sha2::Sha256;
use store::{Account, Store, TableId};

use super::Kind;
use crate::settings::Settings;

/// Under which name the key is kept.
const KEY: &str = "mail links";

/// Makes links, and knows its own again.
pub(crate) struct Links {
    key: Vec<u8>,
    base: String,
}

/// Whose letters a link ends, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    /// The account's UUID.
    pub(crate) uuid: [u8; 16],
    pub(crate) kind: Kind,
}

impl Links {
    pub(super) async fn of(store: &Store, settings: &Settings) -> Result<Links, store::Error> {
        let new: [u8; 32] = rand::rng().random();
        let base = settings.public_url.clone();
        Ok(Links {
            key: store.server_secret(KEY, new.to_vec()).await?,
            base: base.unwrap_or_else(|| format!("http://{}", settings.listen)),
        })
    }

    /// Where a game is shown.
    pub(crate) fn game(&self, id: TableId) -> String {
        format!("{}/game/{id}", self.base)
    }

    /// The server itself.
    pub(super) fn home(&self) -> &str {
        &self.base
    }

    /// Where an address is confirmed.
    pub(super) fn confirm(&self, code: &str) -> String {
        format!("{}/v1/mail/confirm?code={code}", self.base)
    }

    /// Where a new password is chosen.
    pub(super) fn reset(&self, code: &str) -> String {
        format!("{}/v1/mail/reset?code={code}", self.base)
    }

    /// Where letters of a kind are ended.
    pub(super) fn unsubscribe(&self, account: &Account, kind: Kind) -> String {
        let code = self.code(&Ends {
            uuid: account.uuid,
            kind,
        });
        format!("{}/v1/mail/unsubscribe?code={code}", self.base)
    }

    /// The same name for the same record at every node, and nothing to guess.
    pub(super) fn message_id(&self, id: u64, key: &str, host: &str) -> String {
        let mac = self.mac(&["message", key]);
        let text: String = mac
            .iter()
            .take(12)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!("<{id}.{text}@{host}>")
    }

    fn code(&self, ends: &Ends) -> String {
        let uuid = uuid::Uuid::from_bytes(ends.uuid).simple().to_string();
        let mac = self.mac(&["unsubscribe", &uuid, ends.kind.name()]);
        let mac = URL_SAFE_NO_PAD.encode(mac);
        format!("{uuid}.{}.{mac}", ends.kind.name())
    }

    /// What a link of ours ends; `None`: it is none.
    pub(crate) fn read(&self, code: &str) -> Option<Ends> {
        let (uuid, rest) = code.split_once('.')?;
        let (kind, _) = rest.split_once('.')?;
        let ends = Ends {
            uuid: uuid::Uuid::try_parse(uuid).ok()?.into_bytes(),
            kind: Kind::named(kind)?,
        };
        let own = self.code(&ends);
        crate::auth::secrets::are_equal(own.as_bytes(), code.as_bytes()).then_some(ends)
    }

    fn mac(&self, parts: &[&str]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("a key of any length");
        for part in parts {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part.as_bytes());
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(key: u8) -> Links {
        Links {
            key: vec![key; 32],
            base: "https://chess.example".into(),
        }
    }

    #[test]
    fn a_link_is_known_by_whoever_made_it_and_says_one_thing() {
        let ends = Ends {
            uuid: [7; 16],
            kind: Kind::YourTurn,
        };
        let code = links(1).code(&ends);
        assert_eq!(links(1).read(&code), Some(ends.clone()));
        assert_eq!(links(2).read(&code), None, "another server's");
        let other = code.replace("07", "08");
        let kind = code.replace("your_turn", "game_over");
        let longer = format!("{code}a");
        for forged in [&other, &kind, &longer, &code[..code.len() - 1], "", "a.b.c"] {
            assert_eq!(links(1).read(forged), None, "{forged}");
        }
    }

    #[test]
    fn a_message_has_one_name() {
        let name = |key: &str| links(1).message_id(5, key, "chess.example");
        assert_eq!(name("a"), name("a"));
        assert_ne!(name("a"), name("b"));
        assert!(name("a").starts_with("<5.") && name("a").ends_with("@chess.example>"));
    }
}
