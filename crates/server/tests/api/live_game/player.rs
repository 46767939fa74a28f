//! A client of live-game-api.

use std::ops::Deref;

use serde_json::{Value, json};
use store::TableId;

use crate::client::{Answer, Client, Server};

/// Somebody with an account, who knows its UUID.
#[derive(Clone)]
pub(crate) struct Player {
    pub(crate) client: Client,
    pub(crate) account_id: String,
}

impl Deref for Player {
    type Target = Client;
    fn deref(&self) -> &Client {
        &self.client
    }
}

/// The UUID of a game.
pub(crate) fn uuid_of(id: &str) -> String {
    let id: TableId = id.parse().expect("a game's id");
    format!("61726269-7465-8000-8000-{:012x}", id.number())
}

/// The id of a game that has that UUID.
pub(crate) fn id_of(uuid: &str) -> String {
    let number = uuid.rsplit('-').next().expect("a UUID has parts");
    let number = u64::from_str_radix(number, 16).expect("a number");
    TableId::from_number(number).expect("a game").to_string()
}

/// The body of the contract, with five minutes each.
pub(crate) fn challenge(opponent: Option<&Player>) -> Value {
    json!({
        "opponent_account_id": opponent.map(|opponent| &opponent.account_id),
        "color_preference": "white",
        "time_control": { "initial_seconds": 300, "increment_seconds": 0 },
        "rated": true,
    })
}

impl Player {
    pub(crate) async fn registered(server: &Server, name: &str) -> Player {
        Player::of(server.registered(name).await).await
    }

    pub(crate) async fn of(client: Client) -> Player {
        let me = client.get("/v1/me").await.expect(200);
        let account_id = me["uuid"].as_str().expect("a UUID").to_owned();
        Player { client, account_id }
    }

    /// Makes a game.
    pub(crate) async fn creates(&self, body: Value) -> String {
        let game = self.post("/live/v1/games", body).await.expect(201);
        game["id"].as_str().expect("an id").to_owned()
    }

    pub(crate) async fn sees(&self, id: &str) -> Value {
        self.looks(id).await.expect(200)
    }

    pub(crate) async fn looks(&self, id: &str) -> Answer {
        self.get(&format!("/live/v1/games/{id}")).await
    }

    pub(crate) async fn does(&self, id: &str, what: &str) -> Answer {
        self.post(&format!("/live/v1/games/{id}/{what}"), json!({}))
            .await
    }

    /// Makes a move that is written like `e2e4` or `e7e8q`.
    pub(crate) async fn moves(&self, id: &str, uci: &str) -> Answer {
        let mut body = json!({ "from": uci[..2], "to": uci[2..4] });
        if let Some(promotion) = uci.get(4..5) {
            body["promotion"] = json!(promotion);
        }
        self.post(&format!("/live/v1/games/{id}/moves"), body).await
    }
}

/// Two at a game that they have begun, rated; the first has White.
pub(crate) async fn pair(server: &Server) -> (Player, Player, String) {
    let ann = Player::registered(server, "ann").await;
    let ben = Player::registered(server, "ben").await;
    let id = begun(&ann, &ben).await;
    (ann, ben, id)
}

pub(crate) async fn begun(white: &Player, black: &Player) -> String {
    let id = white.creates(challenge(Some(black))).await;
    black.does(&id, "join").await.expect(200);
    id
}

/// Makes moves in turn, White first. The last answer.
pub(crate) async fn play(white: &Player, black: &Player, id: &str, moves: &str) -> Value {
    let mut last = Value::Null;
    for (ply, uci) in moves.split_whitespace().enumerate() {
        let player = if ply % 2 == 0 { white } else { black };
        last = player.moves(id, uci).await.expect(200);
    }
    last
}

/// The body of a refusal, which has its two fields and no other.
#[track_caller]
pub(crate) fn refused(answer: &Answer, status: u16, code: &str) -> String {
    let body = answer.expect(status);
    assert_eq!(body["error"], code, "{body}");
    let fields: Vec<&String> = body.as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["error", "message"]);
    body["message"].as_str().expect("a sentence").to_owned()
}
