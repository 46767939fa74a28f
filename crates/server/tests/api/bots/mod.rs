//! The server's own bots.

mod manners;
mod playing;
pub(crate) mod trouble;

use ::bots::{Engine, Limits, Situation};
use chess::rules::{Board, Spelled, Start, Variant};
use serde_json::{Value, json};
use server::settings::Settings;

use crate::client::{Client, Server};
use crate::streams::listener::Listener;

/// A server whose bots are quick and use nothing that may not be installed.
async fn server() -> Server {
    server_with(|_| {}).await
}

async fn server_with(change: impl FnOnce(&mut Settings)) -> Server {
    Server::start_with(|settings| {
        settings.engines = false;
        settings.bot_thinking = false;
        change(settings);
    })
    .await
}

/// Somebody at a board with a bot.
struct Guest {
    client: Client,
    id: String,
    socket: Listener,
    situation: Situation,
}

impl Guest {
    /// Begins a game, and comes to it.
    async fn plays(server: &Server, request: Value) -> (Guest, Value) {
        let client = server.guest().await;
        let game = client.post("/v1/games/bot", request).await.expect(201);
        let id = game["id"].as_str().expect("an id").to_owned();
        (Guest::at(&client, &id).await, game)
    }

    /// Comes to a game.
    async fn at(client: &Client, id: &str) -> Guest {
        let mut socket = client.watches(id).await;
        let game = socket.hears("STATE").await;
        let variant = game["variant"].as_str().expect("a variant");
        let variant = Variant::from_name(variant).expect("a known one");
        let fen = game["initial_fen"].as_str().expect("a position");
        let start = Board::start(variant, &Start::Fen(fen.into())).expect("a start");
        let mut guest = Guest {
            client: client.clone(),
            id: id.to_owned(),
            socket,
            situation: Situation::new(variant, start),
        };
        for text in game["moves"].as_array().expect("moves") {
            guest.follows(text.as_str().expect("a move"));
        }
        guest
    }

    fn follows(&mut self, text: &str) {
        let spelled = Spelled::read(text).expect("a readable move");
        let m = self.situation.board().resolve(spelled);
        self.situation.play(m.expect("a legal move"));
    }

    fn ply(&self) -> u32 {
        self.situation.moves().len() as u32
    }

    /// Makes a move, and hears it.
    async fn makes(&mut self, text: &str) -> Value {
        let ply = self.ply() + 1;
        let made = self.client.plays_at(&self.id, text, ply).await.expect(200);
        self.hears_move(ply).await;
        made
    }

    /// Waits for the bot's move.
    async fn waits(&mut self) -> String {
        self.hears_move(self.ply() + 1).await
    }

    /// Hears of a move, unless it was there when they came.
    async fn hears_move(&mut self, ply: u32) -> String {
        if self.ply() >= ply {
            return String::new();
        }
        let is_it = |m: &Value| m["type"] == "MOVE" && m["ply"] == ply;
        let heard = self.socket.hears_of("a move", is_it).await;
        let text = heard["move"].as_str().expect("a move").to_owned();
        self.follows(&text);
        text
    }

    /// Any move.
    fn any(&self) -> String {
        let mut engine = Engine::new(1 << 16);
        let found = engine.search(&self.situation, Limits::nodes(500));
        let best = found.expect("the game goes on").best;
        self.situation.board().uci_text(best)
    }

    async fn asks(&self, command: &str) -> Value {
        self.client.asks(&self.id, command).await.expect(200)
    }
}

/// Against that level with White, without a clock.
fn against(difficulty: &str) -> Value {
    json!({ "difficulty": difficulty, "player_color": "white", "time_control": null })
}

fn from(difficulty: &str, fen: &str) -> Value {
    let mut request = against(difficulty);
    request["initial_fen"] = json!(fen);
    request
}
