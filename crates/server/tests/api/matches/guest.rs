//! A guest with a device, and two of them at a match.

use serde_json::{Value, json};

use crate::client::{Answer, Client, Server};
use crate::streams::listener::Listener;

/// Someone with a client of Collector Chess.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) client: Client,
    /// What the device made for itself, and nobody else knows.
    pub(crate) id: String,
    pub(crate) name: String,
}

/// A match and its two guests.
pub(crate) struct Pair {
    pub(crate) white: Guest,
    pub(crate) black: Guest,
    pub(crate) id: String,
    pub(crate) code: String,
}

pub(crate) fn new_uuid() -> String {
    uuid::Uuid::new_v4().to_string()
}

impl Guest {
    pub(crate) fn new(server: &Server, name: &str) -> Guest {
        Guest {
            client: server.nobody(),
            id: new_uuid(),
            name: name.to_owned(),
        }
    }

    /// The same guest, after the server has moved to another port.
    pub(crate) fn again(&self, server: &Server) -> Guest {
        Guest {
            client: server.again(&self.client),
            ..self.clone()
        }
    }

    pub(crate) async fn hosts(&self) -> Value {
        let body = json!({ "guestID": self.id, "displayName": self.name });
        self.client.post("/v1/matches", body).await.expect(200)
    }

    pub(crate) async fn joins(&self, code: &str) -> Answer {
        let body = json!({ "roomCode": code, "guestID": self.id, "displayName": self.name });
        self.client.post("/v1/matches/join", body).await
    }

    pub(crate) async fn looks(&self, id: &str) -> Answer {
        let path = format!("/v1/matches/{id}?guestID={}", self.id);
        self.client.get(&path).await
    }

    pub(crate) async fn sees(&self, id: &str) -> Value {
        self.looks(id).await.expect(200)
    }

    pub(crate) async fn follows(&self, id: &str) -> Listener {
        self.client.listens(&self.live(id)).await
    }

    pub(crate) fn live(&self, id: &str) -> String {
        format!("/v1/matches/{id}/live?guestID={}", self.id)
    }

    /// An action as it is sent, on the latest revision.
    pub(crate) async fn action(&self, id: &str, kind: &str, payload: Value) -> Value {
        let seen = self.sees(id).await;
        json!({
            "id": new_uuid(), "matchID": id, "actorID": self.id, "baseRevision": seen["revision"],
            "type": kind, "submittedAt": "2026-03-21T20:00:00Z", "payload": payload,
        })
    }

    pub(crate) async fn sends(&self, id: &str, action: &Value) -> Answer {
        let path = format!("/v1/matches/{id}/actions");
        self.client.post(&path, action.clone()).await
    }

    /// Acts, and is answered with an event.
    pub(crate) async fn acts(&self, id: &str, kind: &str, payload: Value) -> Value {
        let action = self.action(id, kind, payload).await;
        let event = self.sends(id, &action).await.expect(200);
        assert_eq!(event["actionID"], action["id"], "{event}");
        event
    }

    /// Acts, and is told that it was done.
    pub(crate) async fn does(&self, id: &str, kind: &str, payload: Value) -> Value {
        let event = self.acts(id, kind, payload).await;
        assert_eq!(event["rejectionReason"], Value::Null, "{event}");
        event
    }

    /// Acts, and is told why it was not done; nothing has changed.
    pub(crate) async fn fails(&self, id: &str, kind: &str, payload: Value, why: &str) {
        let before = self.sees(id).await;
        let event = self.acts(id, kind, payload).await;
        let told = (&event["type"], &event["rejectionReason"]);
        assert_eq!(told, (&json!("actionRejected"), &json!(why)), "{event}");
        assert_eq!(event["snapshot"]["board"], before["board"]);
        assert_eq!(event["revision"], before["revision"]);
    }

    pub(crate) async fn selects(&self, id: &str, skill: &str, square: Option<&str>) -> Value {
        self.does(id, "updateDraftSelection", selection(skill, square))
            .await
    }

    pub(crate) async fn plays(&self, id: &str, text: &str) -> Value {
        self.does(id, "makeMove", order(text, None)).await
    }

    /// The skill of that kind on the piece that stands there.
    pub(crate) async fn skill(&self, id: &str, square: &str, kind: &str) -> String {
        let seen = self.sees(id).await;
        let skills = piece(&seen, square)["equippedSkills"].clone();
        let skills = skills.as_array().expect("skills").iter();
        let skill = skills.clone().find(|skill| skill["skillID"] == kind);
        let skill = skill.unwrap_or_else(|| panic!("no {kind} on {square}: {skills:?}"));
        skill["id"].as_str().expect("an id").to_owned()
    }
}

impl Pair {
    /// Two guests in a room.
    pub(crate) async fn meet(server: &Server) -> Pair {
        let (white, black) = (Guest::new(server, "Ann"), Guest::new(server, "Ben"));
        let made = white.hosts().await;
        let text = |field: &str| made["snapshot"][field].as_str().expect("text").to_owned();
        let (id, code) = (text("id"), text("roomCode"));
        black.joins(&code).await.expect(200);
        Pair {
            white,
            black,
            id,
            code,
        }
    }

    /// And without skills at the board.
    pub(crate) async fn begin(server: &Server) -> Pair {
        let pair = Pair::meet(server).await;
        pair.lock().await;
        pair
    }

    pub(crate) async fn lock(&self) {
        for guest in [&self.white, &self.black] {
            guest.does(&self.id, "lockDraft", json!({})).await;
        }
    }

    /// Plays moves in turn, White first.
    pub(crate) async fn play(&self, moves: &str) {
        for (ply, text) in moves.split_whitespace().enumerate() {
            let guest = [&self.white, &self.black][ply % 2];
            guest.plays(&self.id, text).await;
        }
    }

    pub(crate) fn again(&self, server: &Server) -> Pair {
        Pair {
            white: self.white.again(server),
            black: self.black.again(server),
            id: self.id.clone(),
            code: self.code.clone(),
        }
    }
}

/// `e2` as row and column.
pub(crate) fn at(square: &str) -> Value {
    let bytes = square.as_bytes();
    json!({ "row": i64::from(bytes[1]) - 49, "column": i64::from(bytes[0]) - 97 })
}

pub(crate) fn selection(skill: &str, square: Option<&str>) -> Value {
    json!({ "skillID": skill, "position": square.map(at) })
}

/// `e7e8=queen`, with a skill or none.
pub(crate) fn order(text: &str, skill: Option<&str>) -> Value {
    let (squares, promotion) = match text.split_once('=') {
        Some((squares, promotion)) => (squares, Some(promotion)),
        None => (text, None),
    };
    json!({ "move": {
        "from": at(&squares[..2]), "to": at(&squares[2..]),
        "promotionPieceName": promotion, "equippedSkillID": skill,
    } })
}

/// The piece on a square of a snapshot.
pub(crate) fn piece<'a>(snapshot: &'a Value, square: &str) -> &'a Value {
    let pieces = snapshot["board"]["pieces"].as_array().expect("pieces");
    let found = pieces.iter().find(|piece| piece["position"] == at(square));
    found.unwrap_or_else(|| panic!("nobody on {square}"))
}
