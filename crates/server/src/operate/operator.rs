//! The operator at the console: an identity of its own, whose token lies in a
//! file beside the database that only the owner of the database may read.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use chess::table::PlayerId;
use chess::{Millis, Timestamp};
use store::{AccountKind, Creation, NewAccount, NewToken, TokenKind};

use super::StartError;
use crate::admin::OPERATOR;
use crate::auth::{Scope, Scopes};
use crate::play::App;

/// A token for the console, and the file it lies in.
pub struct Credentials {
    hash: [u8; 32],
    token: String,
    file: Option<PathBuf>,
}

/// What the file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Console {
    /// Where the server listens for it.
    pub url: String,
    /// The token.
    pub token: String,
}

impl Credentials {
    /// Makes a new token, ends all that earlier runs may have left, and writes
    /// the file. A store that is in no file has none beside it.
    ///
    /// # Errors
    /// [`StartError::Store`] or [`StartError::File`].
    pub async fn issue(app: &App, address: SocketAddr) -> Result<Option<Credentials>, StartError> {
        let Some(database) = app.settings.database() else {
            return Ok(None);
        };
        let account = account(app).await?;
        let ended = app.store.revoke_all_tokens(account).await?;
        app.auth
            .forget_tokens(ended.iter().map(|token| &token.hash));
        let mut credentials = Credentials::make(app, account, None).await?;
        let file = file_beside(&database);
        let text = format!("http://{address}\n{}\n", credentials.token);
        write_private(&file, &text).map_err(|error| StartError::File(file.clone(), error))?;
        credentials.file = Some(file);
        Ok(Some(credentials))
    }

    /// Makes a new token that is written nowhere. Others may have theirs at the same
    /// time; one that is left behind ends by itself.
    ///
    /// # Errors
    /// What the store says.
    pub async fn in_memory(app: &App) -> Result<Credentials, store::Error> {
        let account = account(app).await?;
        let ends = app.clock.wall() + Millis::from_days(1);
        Credentials::make(app, account, Some(ends)).await
    }

    async fn make(
        app: &App,
        account: PlayerId,
        expires_at: Option<Timestamp>,
    ) -> Result<Credentials, store::Error> {
        let scopes = Scopes::of(&[Scope::Admin]);
        let (token, new) = app.auth.new_token(account, TokenKind::Personal, scopes);
        let new = NewToken {
            name: "console".into(),
            expires_at,
            ..new
        };
        let hash = new.hash;
        app.store.add_token(new).await?;
        Ok(Credentials {
            hash,
            token,
            file: None,
        })
    }

    /// The token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Ends the token and removes the file.
    pub async fn revoke(self, app: &App) {
        if let Some(file) = &self.file
            && let Err(error) = fs::remove_file(file)
        {
            tracing::warn!(%error, file = %file.display(), "the console's token could not be removed");
        }
        match app.store.revoke_token_by_hash(&self.hash).await {
            Ok(_) => app.auth.forget_tokens([&self.hash]),
            Err(error) => tracing::warn!(%error, "the console's token could not be revoked"),
        }
    }
}

impl Console {
    /// What the file beside a database says; `None` if there is none.
    pub fn beside(database: &Path) -> Option<Console> {
        let text = fs::read_to_string(file_beside(database)).ok()?;
        let (url, token) = text.trim_end().split_once('\n')?;
        Some(Console {
            url: url.to_owned(),
            token: token.to_owned(),
        })
    }
}

/// `arbiter.db.admin-token`.
fn file_beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".admin-token");
    name.into()
}

/// The operator's account, made when it is first needed.
async fn account(app: &App) -> Result<PlayerId, store::Error> {
    if let Some(account) = app.store.account_by_id(OPERATOR).await? {
        return Ok(account.number);
    }
    let new = NewAccount {
        is_admin: true,
        ..app.auth.blank(OPERATOR.into(), AccountKind::Registered)
    };
    match app.store.create_account(new).await? {
        Creation::Created(account) => Ok(account.number),
        Creation::NameTaken | Creation::IdentityTaken => Err(store::Error::Unavailable(format!(
            "somebody else is called {OPERATOR}"
        ))),
    }
}

/// Writes a file that nobody but its owner may read, all of it or nothing.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    if let Err(error) = fs::remove_file(&partial)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&partial)?.write_all(text.as_bytes())?;
    fs::rename(&partial, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_beside_the_database_is_found_there_and_private() {
        let directory = tempfile::tempdir().unwrap();
        let database = directory.path().join("a.db");
        assert_eq!(Console::beside(&database), None);
        for token in ["arb_1", "arb_2"] {
            write_private(
                &file_beside(&database),
                &format!("http://[::1]:80\n{token}\n"),
            )
            .unwrap();
            let console = Console::beside(&database).unwrap();
            assert_eq!((&*console.url, &*console.token), ("http://[::1]:80", token));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(file_beside(&database))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
