//! Giving out tokens, and taking them back.

use chess::Timestamp;
use chess::table::PlayerId;
use store::{NewToken, Token, TokenKind};

use super::accounts::carried_through;
use super::{Auth, Caller, Scopes, secrets};
use crate::problem::{Kind, Problem};

/// How many sessions an account has; one more ends the oldest.
pub const SESSIONS_MAX: usize = 100;

/// What someone gets who signs in.
#[derive(Clone, Debug)]
pub struct Session {
    /// The token, shown this once.
    pub token: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl Auth {
    /// Opens a session for whoever has shown that the account is theirs.
    ///
    /// # Errors
    /// `unavailable` if the store cannot.
    pub(super) async fn open_session(&self, account: PlayerId) -> Result<Session, Problem> {
        self.make_room(account).await?;
        let expires_at = Timestamp(self.now().0.saturating_add(self.0.session_ms));
        let (token, new) = self.new_token(account, TokenKind::Session, Scopes::SESSION);
        let new = NewToken {
            expires_at: Some(expires_at),
            ..new
        };
        self.0.store.add_token(new).await?;
        Ok(Session { token, expires_at })
    }

    /// Ends the oldest sessions if there are too many for one more.
    async fn make_room(&self, account: PlayerId) -> Result<(), Problem> {
        let tokens = self.0.store.tokens_of(account).await?;
        let sessions = tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Session);
        let too_many = (sessions.clone().count() + 1).saturating_sub(SESSIONS_MAX);
        for token in sessions.take(too_many) {
            self.revoke(account, token.id).await?;
        }
        Ok(())
    }

    /// The tokens of an account, sessions included, oldest first.
    ///
    /// # Errors
    /// `unavailable` if the store cannot say.
    pub async fn tokens_of(&self, account: PlayerId) -> Result<Vec<Token>, Problem> {
        let now = self.now();
        let mut tokens = self.0.store.tokens_of(account).await?;
        tokens.retain(|token| token.expires_at.is_none_or(|end| end > now));
        Ok(tokens)
    }

    /// Takes back a token of that account; `None` if there is none of that id.
    ///
    /// # Errors
    /// `unavailable` if it is not known whether it was.
    pub async fn revoke(&self, account: PlayerId, id: u64) -> Result<Option<Token>, Problem> {
        let auth = self.clone();
        let revoked = carried_through(async move {
            // The hash is needed even if nobody knows whether the write took place.
            let tokens = auth.0.store.tokens_of(account).await?;
            let token = tokens.into_iter().find(|token| token.id == id);
            let revoked = auth.0.store.revoke_token(account, id).await;
            auth.end_tokens(account, token.iter().map(|token| &token.hash));
            revoked
        });
        revoked.await
    }

    /// Takes back the token the caller came with.
    ///
    /// # Errors
    /// `not_allowed` for a token that is not ours to take back.
    pub async fn sign_out(&self, caller: &Caller) -> Result<(), Problem> {
        let Some(hash) = caller.token else {
            let detail = "this token ends where it came from: at the outside identity service";
            return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
        };
        let (auth, account) = (self.clone(), caller.number());
        let revoked = carried_through(async move {
            let revoked = auth.0.store.revoke_token_by_hash(&hash).await;
            auth.end_tokens(account, [&hash]);
            revoked
        });
        revoked.await.map(|_| ())
    }

    /// Takes back every token of an account.
    ///
    /// # Errors
    /// `unavailable` if it is not known whether they were.
    pub async fn revoke_all(&self, account: PlayerId) -> Result<(), Problem> {
        let auth = self.clone();
        carried_through(async move {
            let tokens = auth.0.store.tokens_of(account).await?;
            let revoked = auth.0.store.revoke_all_tokens(account).await;
            let ended = revoked.iter().flatten().chain(&tokens);
            auth.end_tokens(account, ended.map(|token| &token.hash));
            revoked.map(|_| ())
        })
        .await
    }

    /// Takes back every token but the caller's own.
    pub(super) async fn revoke_others(&self, caller: &Caller) -> Result<(), store::Error> {
        let tokens = self.0.store.tokens_of(caller.number()).await?;
        for token in tokens
            .iter()
            .filter(|token| Some(token.hash) != caller.token)
        {
            let revoked = self.0.store.revoke_token(caller.number(), token.id).await;
            self.end_tokens(caller.number(), [&token.hash]);
            revoked?;
        }
        Ok(())
    }

    /// A new token's text, and what is stored of it.
    pub(crate) fn new_token(
        &self,
        account: PlayerId,
        kind: TokenKind,
        scopes: Scopes,
    ) -> (String, NewToken) {
        let text = secrets::token();
        let new = NewToken {
            hash: secrets::hash(&text),
            account,
            kind,
            name: "session".into(),
            scopes: scopes.to_bits(),
            at: self.now(),
            expires_at: None,
        };
        (text, new)
    }
}
