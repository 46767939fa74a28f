//! The protocol's requests, each answered by what it asks for.

use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};

use super::call::Call;
use super::{resources, tools};
use crate::play::App;

/// What a model is told before anything else.
const INSTRUCTIONS: &str = "\
This server plays chess: it owns the boards, the clocks and the results. \
To play: sign_in_as_guest (unless you were given a token), then play_computer, or join_game \
one that find_games lists, or create_game and pass its join code on. \
Then, until the game is over: look_at_board, choose one of its legal moves, make_move, \
wait_for_opponent (again and again until it is your turn). \
Your clock runs while you think. An error has a code and says what to do next.";

/// The server, as models see it: made for one request.
pub(super) struct Models {
    app: App,
}

impl Models {
    pub(super) fn new(app: App) -> Models {
        Models { app }
    }
}

impl ServerHandler for Models {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        let who = Implementation::new("arbiter", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(can)
            .with_server_info(who)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::described()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = Call::of(&self.app, &context.extensions);
        let arguments = request.arguments.unwrap_or_default();
        let answer = tools::run(call, &request.name, arguments);
        // Whoever hung up waits for nothing more.
        tokio::select! {
            answer = answer => answer.map(CallToolResponse::from),
            () = context.ct.cancelled() => Err(gone()),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let call = Call::of(&self.app, &context.extensions);
        Ok(ListResourcesResult::with_all_items(
            resources::own(&call).await?,
        ))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(
            resources::templates(),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let call = Call::of(&self.app, &context.extensions);
        let read = resources::read(&call, &request.uri).await?;
        Ok(ReadResourceResponse::from(read))
    }
}

fn gone() -> ErrorData {
    ErrorData::internal_error("whoever asked has hung up", None)
}
