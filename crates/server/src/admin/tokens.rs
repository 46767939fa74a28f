//! Tokens of accounts, in an operator's hands.

use store::{NewToken, Token, TokenKind};

use super::{Operator, has_no_nul};
use crate::auth::{Scope, Scopes};
use crate::problem::Problem;

impl Operator {
    /// Makes a token of an account, and gives it with its secret.
    pub(crate) async fn issue_token(
        &self,
        whose: &str,
        name: String,
        scopes: &[String],
    ) -> Result<(Token, String), Problem> {
        has_no_nul("name", &name)?;
        let account = self.account(whose).await?;
        let scopes = named(scopes)?;
        if scopes.contains(Scope::Admin) && !account.is_admin {
            let detail = format!("scopes: {} is no administrator", account.name);
            return Err(Problem::bad_request(detail).with("field", "scopes"));
        }
        let auth = &self.app.auth;
        let (secret, new) = auth.new_token(account.number, TokenKind::Personal, scopes);
        let token = self.app.store.add_token(NewToken { name, ..new }).await?;
        let detail = format!("token {}: {}", token.id, scopes.names().join(" "));
        self.audit("issue_token", &account.id, detail).await?;
        Ok((token, secret))
    }

    /// The tokens of an account, sessions included, oldest first.
    pub(crate) async fn tokens_of(&self, whose: &str) -> Result<Vec<Token>, Problem> {
        let account = self.account(whose).await?;
        self.app.auth.tokens_of(account.number).await
    }

    /// Ends a token of an account.
    pub(crate) async fn revoke_token(&self, whose: &str, id: u64) -> Result<(), Problem> {
        let account = self.account(whose).await?;
        if self.app.auth.revoke(account.number, id).await?.is_none() {
            return Err(Problem::not_found("there is no such token"));
        }
        let detail = format!("token {id}");
        self.audit("revoke_token", &account.id, detail).await
    }
}

fn named(names: &[String]) -> Result<Scopes, Problem> {
    let scopes: Option<Scopes> = names.iter().map(|name| Scope::from_name(name)).collect();
    scopes.filter(|scopes| !scopes.is_empty()).ok_or_else(|| {
        let all = Scope::ALL.map(Scope::name).join(", ");
        Problem::bad_request(format!("scopes: must be some of {all}")).with("field", "scopes")
    })
}
