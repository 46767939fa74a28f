//! The messages of the streams, described: `GET /v1/asyncapi.json`.

use axum::Json;
use serde_json::{Map, Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::play::App;

/// A message: its type, who sends it, when it comes, and its fields.
struct Described {
    kind: &'static str,
    when: &'static str,
    fields: &'static [(&'static str, &'static str)],
}

const VERSION: (&str, &str) = ("version", "integer: the version that the change made");
const AT: (&str, &str) = ("at", "date-time: when it was accepted");
const CLOCK: (&str, &str) = (
    "clock",
    "object: whole seconds for white and black, rounded down",
);
const CLOCK_MS: (&str, &str) = ("clock_ms", "object: milliseconds for white and black");
const CLOCK_AT: (&str, &str) = ("clock_at", "date-time: when the clocks showed this");
const FEN: (&str, &str) = ("fen", "string: the position");
const TO_MOVE: (&str, &str) = ("to_move", "string: white or black");
const BY: (&str, &str) = (
    "by",
    "string: white, black, or null for the server or an operator",
);
const GAME_ID: (&str, &str) = ("game_id", "string: the game it is about");

/// What a game's stream says.
const GAME: &[Described] = &[
    Described {
        kind: "STATE",
        when: "First, and again whenever the subscriber must begin anew: the game with all of its fields.",
        fields: &[
            VERSION,
            ("role", "string: player, observer or moderator"),
            (
                "presence",
                "object: white and black (name, title, online, claim_at), the number of spectators, \
                 and observers as in PRESENCE",
            ),
            ("chat", "array: the lines that the reader may see"),
            (
                "resync",
                "boolean: true if what was known before counts for nothing",
            ),
        ],
    },
    Described {
        kind: "SYNC",
        when: "After the changes that were missed since `since`: from here on everything comes as it happens.",
        fields: &[
            VERSION,
            ("role", "string: player, observer or moderator"),
            CLOCK_MS,
            CLOCK_AT,
            ("presence", "object: as in STATE"),
            (
                "offers",
                "object: draw, takeback and pause, each the color that offers or null",
            ),
            (
                "resume_by",
                "array: who is ready to go on with a paused game",
            ),
        ],
    },
    Described {
        kind: "STARTED",
        when: "The opponent has joined.",
        fields: &[
            VERSION,
            AT,
            ("player", "string: who joined"),
            ("color", "string: their color"),
            ("white", "string"),
            ("black", "string"),
            ("white_title", "string or null: GM, BOT, ..."),
            ("black_title", "string or null"),
            FEN,
            TO_MOVE,
            CLOCK,
            CLOCK_MS,
            CLOCK_AT,
        ],
    },
    Described {
        kind: "MOVE",
        when: "A move was made.",
        fields: &[
            VERSION,
            AT,
            ("ply", "integer: the half-move, from 1"),
            ("move_number", "integer: as on a score sheet"),
            ("color", "string: who moved"),
            ("player", "string: the mover's id"),
            ("move", "string: in UCI"),
            ("san", "string: in standard algebraic notation"),
            FEN,
            TO_MOVE,
            CLOCK,
            CLOCK_MS,
            CLOCK_AT,
            (
                "stage",
                "integer: the mover's stage of the time control, from 0",
            ),
            ("check", "boolean: whether the side to move is in check"),
            ("offer_draw", "boolean: whether a draw was offered with it"),
            (
                "game_state",
                "string: ACTIVE, or COMPLETED if GAME_OVER follows",
            ),
            (
                "lag_ms",
                "integer: what was given back for the network's delay",
            ),
        ],
    },
    Described {
        kind: "CLOCK",
        when: "Every second while a clock runs and nothing else tells the clocks; not in correspondence.",
        fields: &[CLOCK, CLOCK_MS, CLOCK_AT],
    },
    Described {
        kind: "GAME_OVER",
        when: "The game has ended.",
        fields: &[
            VERSION,
            AT,
            ("state", "string: COMPLETED"),
            ("result", "string: white_wins, black_wins, draw or aborted"),
            ("reason", "string"),
            ("winner", "string: white, black or null"),
            BY,
            CLOCK,
            CLOCK_MS,
            CLOCK_AT,
        ],
    },
    Described {
        kind: "OFFER",
        when: "A draw, a takeback or a pause is offered.",
        fields: &[
            VERSION,
            AT,
            ("offer", "string: draw, takeback or pause"),
            BY,
        ],
    },
    Described {
        kind: "OFFER_DECLINED",
        when: "It was declined; by whoever had made it: withdrawn. A move of the opponent \
               declines it without saying so.",
        fields: &[
            VERSION,
            AT,
            ("offer", "string: draw, takeback or pause"),
            BY,
        ],
    },
    Described {
        kind: "TAKEBACK",
        when: "Moves were taken back.",
        fields: &[
            VERSION,
            AT,
            ("plies", "integer: how many half-moves"),
            ("ply", "integer: the half-moves that are left"),
            BY,
            FEN,
            TO_MOVE,
            CLOCK,
            CLOCK_MS,
            CLOCK_AT,
        ],
    },
    Described {
        kind: "PAUSED",
        when: "The clocks have stopped.",
        fields: &[
            VERSION,
            AT,
            BY,
            (
                "adjourned_until",
                "date-time: when the game is aborted if it has not gone on",
            ),
            CLOCK,
            CLOCK_MS,
            CLOCK_AT,
        ],
    },
    Described {
        kind: "RESUME_ASKED",
        when: "One side is ready to go on; RESUMED follows when both are.",
        fields: &[VERSION, AT, BY, ("resume_by", "array: who is ready by now")],
    },
    Described {
        kind: "RESUMED",
        when: "The game goes on.",
        fields: &[VERSION, AT, BY, CLOCK, CLOCK_MS, CLOCK_AT],
    },
    Described {
        kind: "TIME_ADDED",
        when: "A player gave the opponent time.",
        fields: &[
            VERSION,
            AT,
            ("color", "string: whose clock"),
            ("ms", "integer"),
            CLOCK,
            CLOCK_MS,
            CLOCK_AT,
        ],
    },
    Described {
        kind: "TIME_CREDITED",
        when: "The server gave back the time of its own downtime.",
        fields: &[
            VERSION,
            AT,
            ("color", "string: whose clock"),
            ("ms", "integer"),
            CLOCK,
            CLOCK_MS,
            CLOCK_AT,
        ],
    },
    Described {
        kind: "CLOCK_SET",
        when: "An operator has set the clocks.",
        fields: &[VERSION, AT, CLOCK, CLOCK_MS, CLOCK_AT],
    },
    Described {
        kind: "INVITED",
        when: "Names were invited to a private game.",
        fields: &[VERSION, AT, ("names", "array of strings")],
    },
    Described {
        kind: "ILLEGAL_ATTEMPT",
        when: "An illegal move, in a game that counts them.",
        fields: &[
            VERSION,
            AT,
            ("color", "string: who tried it"),
            ("attempts", "integer: how many that side has tried by now"),
        ],
    },
    Described {
        kind: "CHAT",
        when: "Somebody spoke whom the reader may hear.",
        fields: &[
            ("id", "string: opaque, ordered"),
            ("from", "string: who"),
            ("role", "string"),
            ("title", "string or null"),
            ("text", "string"),
            ("audience", "string: room or observers"),
            AT,
        ],
    },
    Described {
        kind: "PRESENCE",
        when: "A player came or went; or, at most once a second, who watches. With a \
               spectator delay, those who watch are not told who comes and goes until they know \
               that the game is over.",
        fields: &[
            ("name", "string"),
            ("role", "string: player"),
            ("color", "string"),
            ("title", "string or null"),
            ("online", "boolean"),
            (
                "claim_at",
                "date-time: when the opponent may claim the game, unless they come back",
            ),
            ("spectators", "integer"),
            (
                "observers",
                "array: id, name and title of the spectators who agreed to be seen, 50 at most. \
                 Players are told it once the game is over, and those who watch with a delay \
                 once they know that it is",
            ),
        ],
    },
    Described {
        kind: "REMATCH",
        when: "A rematch is offered or accepted. Here `game_id` is the new game.",
        fields: &[
            ("of", "string: the finished game"),
            BY,
            ("by_title", "string or null: GM, BOT, ..."),
            ("accepted", "boolean"),
        ],
    },
    Described {
        kind: "PONG",
        when: "The answer to PING.",
        fields: &[("id", "whatever PING had")],
    },
    Described {
        kind: "ERROR",
        when: "What was sent could not be done; the socket stays open.",
        fields: &[("error", "string: a stable code"), ("detail", "string")],
    },
];

/// What an account's stream says besides.
const ACCOUNT: &[Described] = &[
    Described {
        kind: "CHALLENGE",
        when: "Somebody wants to play with you.",
        fields: &[
            ("from", "string: who"),
            ("from_title", "string or null: GM, BOT, ..."),
            ("game", "object: the game"),
        ],
    },
    Described {
        kind: "CHALLENGE_GONE",
        when: "A challenge was declined, withdrawn, or has expired.",
        fields: &[("reason", "string")],
    },
    Described {
        kind: "GAME_STARTED",
        when: "A game of yours begins.",
        fields: &[
            VERSION,
            ("color", "string: yours"),
            ("opponent", "string"),
            ("opponent_title", "string or null: GM, BOT, ..."),
        ],
    },
    Described {
        kind: "YOUR_TURN",
        when: "It is your move.",
        fields: &[
            VERSION,
            ("ply", "integer: half-moves played"),
            FEN,
            ("color", "string: yours"),
            ("opponent", "string"),
            ("opponent_title", "string or null"),
        ],
    },
    Described {
        kind: "GAME_OVER",
        when: "A game of yours has ended.",
        fields: &[
            VERSION,
            ("result", "string"),
            ("reason", "string"),
            ("winner", "string: white, black or null"),
        ],
    },
];

/// What a client may say.
const CLIENT: &[Described] = &[
    Described {
        kind: "CHAT",
        when: "Speaks: to the room, or to the observers only.",
        fields: &[
            ("text", "string: up to 500 characters"),
            ("audience", "string: room or observers"),
        ],
    },
    Described {
        kind: "PING",
        when: "Asks for PONG.",
        fields: &[("id", "anything")],
    },
];

/// Where the description is.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(describe))
}

/// The messages of the streams, as AsyncAPI
#[utoipa::path(
    get,
    path = "/v1/asyncapi.json",
    tag = "streams",
    security(()),
    responses((status = 200, description = "An AsyncAPI 3.0 document", body = Value)),
)]
async fn describe() -> Json<Value> {
    Json(document())
}

fn document() -> Value {
    let channel = |address: &str, what: &str, said: &[&[Described]], from: &str| {
        let of = |prefix: &str, described: &Described| {
            let name = format!("{prefix}{}", described.kind);
            (
                name.clone(),
                json!({ "$ref": format!("#/components/messages/{name}") }),
            )
        };
        let told = said
            .iter()
            .flat_map(|messages| messages.iter())
            .map(|m| of(from, m));
        let heard = CLIENT.iter().map(|m| of("client.", m));
        let messages: Map<String, Value> = told.chain(heard).collect();
        json!({ "address": address, "description": what, "messages": messages })
    };
    let mut messages = Map::new();
    for (prefix, described) in [("", GAME), ("account.", ACCOUNT), ("client.", CLIENT)] {
        for message in described {
            messages.insert(format!("{prefix}{}", message.kind), shape(message));
        }
    }
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Arbiter's streams",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Every message is a JSON object with a type. The same messages come as \
                            server-sent events at /v1/games/{id}/events, where Last-Event-ID is \
                            <version>~<chat id>. Close codes: 1003 binary input, 1007 not UTF-8, 1008 \
                            malformed input or a token that is no longer good, 1009 too long, 1012 the \
                            server restarts, 1013 too slow.",
        },
        "channels": {
            "game": channel("/v1/games/{id}/stream", "A game, for players and those who watch", &[GAME], ""),
            "account": channel("/v1/stream", "An account's own; with ?games= the boards of these games as well", &[ACCOUNT], "account."),
        },
        "components": { "messages": messages },
    })
}

fn shape(described: &Described) -> Value {
    let mut properties = Map::new();
    properties.insert("type".to_owned(), json!({ "const": described.kind }));
    for (name, what) in described.fields.iter().chain([&GAME_ID]) {
        properties.insert((*name).to_owned(), json!({ "description": what }));
    }
    json!({
        "name": described.kind,
        "summary": described.when,
        "payload": { "type": "object", "required": ["type"], "properties": properties },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_that_a_channel_names_is_described() {
        let document = document();
        for channel in ["game", "account"] {
            let messages = &document["channels"][channel]["messages"];
            for reference in messages.as_object().expect("messages").values() {
                let reference = reference["$ref"].as_str().expect("a reference");
                let pointer = reference.strip_prefix('#').expect("in this document");
                assert!(document.pointer(pointer).is_some(), "{reference}");
            }
        }
    }
}
