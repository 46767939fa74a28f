//! What models can do: a list of tools, each a function of its arguments.
//!
//! A tool is a name, a description for the model and a function; its arguments are a
//! type, which describes itself. To add one, write the function and add a line to the
//! list. Every tool takes a `token` besides.

mod finding;
mod identity;
mod playing;
mod talking;
mod view;
mod waiting;

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};

use rmcp::ErrorData;
use rmcp::handler::server::tool::schema_for_input;
use rmcp::model::{CallToolResult, JsonObject, Tool as Description, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::answer::{Said, refusal};
use super::call::Call;
use crate::http::extract::unreadable;
use crate::problem::Problem;

type Answer = Pin<Box<dyn Future<Output = Result<Said, Problem>> + Send>>;

/// Something that models can do.
struct Tool {
    description: Description,
    run: Box<dyn Fn(Call, JsonObject) -> Answer + Send + Sync>,
}

/// What it does to the world.
#[derive(Clone, Copy)]
enum Effect {
    /// Nothing.
    Reads,
    /// Something that others see, and that can be gone on from.
    Acts,
    /// Something that cannot be taken back.
    Ends,
}

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    use Effect::{Acts, Ends, Reads};
    vec![
        tool("sign_in_as_guest", Acts, identity::GUEST, identity::guest),
        tool("whoami", Reads, identity::WHOAMI, identity::whoami),
        tool("find_games", Reads, finding::FIND, finding::find),
        tool("my_games", Reads, finding::MINE, finding::mine),
        tool("play_computer", Acts, finding::COMPUTER, finding::computer),
        tool("create_game", Acts, finding::CREATE, finding::create),
        tool("join_game", Acts, finding::JOIN, finding::join),
        tool("call_off", Ends, finding::CALL_OFF, finding::call_off),
        tool("look_at_board", Reads, playing::LOOK, playing::look_at),
        tool("legal_moves", Reads, playing::LEGAL, playing::legal_moves),
        tool("make_move", Acts, playing::MOVE, playing::make_move),
        tool("wait_for_opponent", Reads, waiting::WAIT, waiting::wait),
        tool("draw", Acts, playing::DRAW, playing::draw),
        tool("resign", Ends, playing::RESIGN, playing::resign),
        tool("say", Acts, talking::SAY, talking::say),
        tool("read_chat", Reads, talking::READ, talking::read),
    ]
});

/// All tools, as models are told of them.
pub(super) fn described() -> Vec<Description> {
    TOOLS.iter().map(|tool| tool.description.clone()).collect()
}

/// Does what is asked for. What goes wrong with it is an answer like any other.
///
/// # Errors
/// There is no such tool: the one mistake for which the protocol wants an error of its own.
pub(super) async fn run(
    call: Call,
    name: &str,
    arguments: JsonObject,
) -> Result<CallToolResult, ErrorData> {
    let Some(tool) = TOOLS.iter().find(|tool| tool.description.name == name) else {
        let names: Vec<&str> = TOOLS.iter().map(|tool| &*tool.description.name).collect();
        let detail = format!(
            "unknown_tool: there is no tool {name:?}, but {}",
            names.join(", ")
        );
        return Err(ErrorData::invalid_params(detail, None));
    };
    Ok(match (tool.run)(call, arguments).await {
        Ok(said) => said.into(),
        Err(problem) => refusal(&problem),
    })
}

fn tool<A, F>(
    name: &'static str,
    effect: Effect,
    description: &'static str,
    run: impl Fn(Call, A) -> F + Send + Sync + 'static,
) -> Tool
where
    A: DeserializeOwned + JsonSchema + 'static,
    F: Future<Output = Result<Said, Problem>> + Send + 'static,
{
    let hints = ToolAnnotations::new()
        .read_only(matches!(effect, Effect::Reads))
        .destructive(matches!(effect, Effect::Ends))
        .open_world(false);
    Tool {
        description: Description::new(name, description, schema::<A>()).with_annotations(hints),
        run: Box::new(move |call, arguments| match read::<A>(arguments) {
            Ok((token, arguments)) => Box::pin(run(call.with_token(token), arguments)),
            Err(problem) => Box::pin(ready(Err(problem))),
        }),
    }
}

/// What a tool takes, and the token that every one does.
fn schema<A: JsonSchema + 'static>() -> Arc<JsonObject> {
    let schema = schema_for_input::<A>().expect("arguments are objects");
    let mut schema = Arc::unwrap_or_clone(schema);
    schema.remove("$schema");
    schema.remove("title");
    let about = "Who you are: what sign_in_as_guest returned. Leave it out if the client was given a token.";
    let token = json!({ "type": "string", "description": about });
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        properties.insert("token".to_owned(), token);
    }
    Arc::new(schema)
}

/// The arguments, and the token among them.
fn read<A: DeserializeOwned>(mut arguments: JsonObject) -> Result<(Option<String>, A), Problem> {
    let token = match arguments.remove("token") {
        None | Some(Value::Null) => None,
        Some(Value::String(token)) => Some(token),
        Some(_) => {
            return Err(Problem::bad_request("token: it is a text").with("field", "token"));
        }
    };
    // A client that fills in what was left out means the same.
    arguments.retain(|_, value| !value.is_null());
    let read = serde_path_to_error::deserialize(Value::Object(arguments));
    Ok((token, read.map_err(|error| unreadable(&error))?))
}

#[cfg(test)]
mod tests;
