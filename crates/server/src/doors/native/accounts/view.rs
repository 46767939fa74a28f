//! An account as clients see it.

use serde::Serialize;
use serde_json::Value;
use store::{Account, AccountKind};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::text_time::rfc3339;

/// An account, as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Account)]
pub struct AccountView {
    #[serde(flatten)]
    public: Profile,
    /// Where to write to.
    email: Option<String>,
    /// The client's own settings; `seen_watching: true` lets others see which games
    /// you watch.
    #[schema(value_type = Object)]
    preferences: Value,
    /// Whether it may hold tokens of scope `admin`.
    is_admin: bool,
}

/// An account, as everyone sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Player)]
pub struct Profile {
    /// The lower-cased name.
    id: String,
    /// The name as its owner writes it.
    name: String,
    /// For clients that want one.
    #[schema(format = "uuid")]
    uuid: String,
    /// `registered`, `guest` or `outside` (known through another service).
    kind: &'static str,
    /// Whether it is a guest: plays casual games only.
    guest: bool,
    /// `GM`, `BOT`, ...
    title: Option<String>,
    /// What a guest wants to be called, if they said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
}

impl From<Account> for AccountView {
    fn from(account: Account) -> AccountView {
        AccountView {
            public: Profile::of(&account),
            email: account.email,
            preferences: serde_json::from_str(&account.preferences).unwrap_or(Value::Null),
            is_admin: account.is_admin,
        }
    }
}

impl Profile {
    /// What everyone may see of an account.
    pub fn of(account: &Account) -> Profile {
        Profile {
            id: account.id.clone(),
            name: account.name.clone(),
            uuid: Uuid::from_bytes(account.uuid).to_string(),
            kind: match account.kind {
                AccountKind::Registered => "registered",
                AccountKind::Guest => "guest",
                AccountKind::Outside => "outside",
            },
            guest: account.kind == AccountKind::Guest,
            title: account.title.clone(),
            display_name: account.display_name.clone(),
            created_at: rfc3339(account.created_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::Timestamp;
    use chess::table::PlayerId;
    use serde_json::json;

    use super::*;

    fn ann() -> Account {
        Account {
            number: PlayerId::new(7).unwrap(),
            uuid: [1; 16],
            id: "ann".into(),
            name: "Ann".into(),
            kind: AccountKind::Registered,
            email: Some("ann@example.org".into()),
            password_hash: Some("secret".into()),
            title: Some("GM".into()),
            is_admin: false,
            preferences: r#"{"board":"blue"}"#.into(),
            created_at: Timestamp(0),
            deleted_at: None,
            barred_at: None,
            alias_of: None,
            display_name: None,
        }
    }

    #[test]
    fn an_owner_sees_everything_but_the_password() {
        let shown = serde_json::to_value(AccountView::from(ann())).unwrap();
        let want = json!({
            "id": "ann", "name": "Ann", "uuid": "01010101-0101-0101-0101-010101010101",
            "kind": "registered", "guest": false, "title": "GM", "email": "ann@example.org",
            "preferences": { "board": "blue" }, "is_admin": false,
            "created_at": "1970-01-01T00:00:00.000Z",
        });
        assert_eq!(shown, want);
    }

    #[test]
    fn others_see_neither_the_address_nor_the_preferences() {
        let shown = serde_json::to_value(Profile::of(&ann())).unwrap();
        let fields: Vec<_> = shown.as_object().unwrap().keys().cloned().collect();
        assert_eq!(
            fields,
            ["created_at", "guest", "id", "kind", "name", "title", "uuid"]
        );
    }
}
