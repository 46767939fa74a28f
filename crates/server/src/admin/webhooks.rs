//! Everybody's webhooks, in an operator's hands.

use store::{Delivery, Webhook};

use super::Operator;
use crate::play::events::webhooks::send_again;
use crate::problem::Problem;

impl Operator {
    /// Webhooks after that number, oldest first.
    pub(crate) async fn webhooks(&self, after: u64, limit: u32) -> Result<Vec<Webhook>, Problem> {
        Ok(self.app.store.all_webhooks(after, limit).await?)
    }

    /// What was sent to one of them, or is to be, newest first.
    pub(crate) async fn deliveries(
        &self,
        id: u64,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Delivery>, Problem> {
        self.webhook(id).await?;
        Ok(self.app.store.deliveries_of(id, before, limit).await?)
    }

    /// Sends something once more.
    pub(crate) async fn redeliver(&self, id: u64, delivery: u64) -> Result<Delivery, Problem> {
        let webhook = self.webhook(id).await?;
        let again = send_again(&self.app, id, delivery).await?;
        let detail = format!("delivery {delivery} of webhook {id}");
        self.audit("redeliver", &self.owner(&webhook).await?, detail)
            .await?;
        Ok(again)
    }

    /// Removes one, and what was to be sent there.
    pub(crate) async fn remove_webhook(&self, id: u64) -> Result<(), Problem> {
        let webhook = self.webhook(id).await?;
        let owner = self.owner(&webhook).await?;
        let store = &self.app.store;
        match store.remove_webhook(webhook.account, id).await? {
            true => {
                let detail = format!("webhook {id}: {}", webhook.url);
                self.audit("remove_webhook", &owner, detail).await
            }
            false => Err(no_such()),
        }
    }

    async fn webhook(&self, id: u64) -> Result<Webhook, Problem> {
        self.app.store.webhook(id).await?.ok_or_else(no_such)
    }

    async fn owner(&self, webhook: &Webhook) -> Result<String, Problem> {
        let owner = self.app.auth.person(webhook.account).await?;
        Ok(owner.map_or_else(|| "unknown".to_owned(), |person| person.id.clone()))
    }
}

fn no_such() -> Problem {
    Problem::not_found("there is no such webhook")
}
