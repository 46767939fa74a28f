//! Two players who only make moves, and take no refusal for an answer.

use serde_json::json;

use crate::line::{Down, Line};
use crate::pair::Pair;

impl Pair {
    /// Plays one game after the other until the server is gone.
    pub(crate) async fn rally(mut self, line: Line) -> (Pair, Down) {
        loop {
            if let Err(down) = self.stroke(&line).await {
                return (self, down);
            }
        }
    }

    /// The next move of the newest game, or what must come before it.
    async fn stroke(&mut self, line: &Line) -> Result<(), Down> {
        self.gather(line).await?;
        self.settle(line).await?;
        let newest = self.tables.len().checked_sub(1);
        let state = newest.map(|table| self.tables[table].state.as_str());
        match (newest, state) {
            (Some(table), Some("ACTIVE")) => self.make_move(line, table).await,
            (Some(table), Some("WAITING")) => {
                let guest = 1 - self.tables[table].creator;
                self.command(line, table, guest, "join", json!({})).await
            }
            _ => self.begin(line).await.map(drop),
        }
    }
}
