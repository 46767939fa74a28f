//! A board to be laid over a video: names, clocks and the position, live, on
//! a transparent background. For broadcasters.

use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use chess::Color;
use serde::Deserialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::{Caller, Names};
use crate::http::{ClientAddress, MaybeCaller, Path, Query};
use crate::picture::{self, BoardView};
use crate::play::look::{look, table_id};
use crate::play::{App, room};
use crate::problem::Problem;
use crate::rooms::Visit;
use crate::stream::{Out, Position, Source, events};

/// The routes of this door.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(overlay))
}

const PAGE: &str = r#"<!doctype html><meta charset="utf-8"><title>Arbiter</title>
<script defer src="?part=script"></script>
<p id="black"><b></b><time></time></p><img alt="The board"><p id="white"><b></b><time></time></p>"#;
const SCRIPT: &str = r#"const style = new CSSStyleSheet();
style.replaceSync(`body { background: transparent; margin: 0; width: 480px; font: bold 24px sans-serif }
p { display: flex; justify-content: space-between; margin: 4px; color: #fff; text-shadow: 0 0 4px #000 }
img { display: block; width: 100% } .turn time { color: #ffd54f }`);
document.adoptedStyleSheets = [style];
new EventSource('?part=events').onmessage = ({ data }) => {
  const shown = JSON.parse(data);
  document.querySelector('img').src = 'data:image/svg+xml,' + encodeURIComponent(shown.board);
  for (const color of ['white', 'black']) {
    const side = document.getElementById(color);
    side.className = shown[color].is_turn ? 'turn' : '';
    side.querySelector('b').textContent = shown[color].name;
    side.querySelector('time').textContent = shown[color].clock;
  }
};"#;
const POLICY: &str = "default-src 'none'; script-src 'self'; img-src data:; connect-src 'self'; frame-ancestors 'none'";

/// What of the page is wanted.
#[derive(Deserialize, IntoParams)]
struct Wanted {
    /// Left out: the page itself. `script` and `events` are for the page.
    #[param(inline)]
    part: Option<Part>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Part {
    Script,
    Events,
}

/// Lay a game over a video
///
/// A page with a transparent background: the board, names and clocks, live.
#[utoipa::path(get, path = "/v1/games/{id}/overlay", tag = "streams",
    params(("id" = String, Path, description = "The game"), Wanted), security((), ("token" = [])),
    responses((status = 200, description = "The page", content((String = "text/html"),
                   (String = "text/javascript"), (String = "text/event-stream"))),
              (status = 404, description = "`game_not_found`"),
              (status = 429, description = "`too_many_streams`")))]
async fn overlay(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    address: ClientAddress,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Problem> {
    let (id, who) = (table_id(&id)?, caller.as_ref());
    look(&app, id, who).await?;
    let (kind, text) = match wanted.part {
        None => ("text/html; charset=utf-8", PAGE),
        Some(Part::Script) => ("text/javascript", SCRIPT),
        Some(Part::Events) => {
            let place = app.rooms.place(who.map(Caller::number), address.0)?;
            let visit = room::visit(&app, id, who).await?;
            let overlay = Overlay {
                app,
                caller,
                visit,
                is_stale: true,
            };
            return Ok(events::serve(overlay, place));
        }
    };
    let policy = (header::CONTENT_SECURITY_POLICY, POLICY);
    Ok(([(header::CONTENT_TYPE, kind), policy], text).into_response())
}

/// One page: whatever happens, it is shown the game anew.
struct Overlay {
    app: App,
    caller: Option<Caller>,
    visit: Visit,
    is_stale: bool,
}

impl Overlay {
    async fn show(&self) -> Result<Utf8Bytes, Problem> {
        let sight = look(&self.app, self.visit.table(), self.caller.as_ref()).await?;
        let game = &sight.game;
        let clocks = game.clocks(sight.clock_at());
        let names = Names::of(&self.app, game.seats().iter().flatten().copied()).await?;
        let side = |color: Color| {
            let player = game.seats().get(color).and_then(|player| names.get(player));
            let name = player.map(|p| Names::titled(p.title.as_deref(), &p.name));
            let seconds = clocks.as_ref().map(|clocks| clocks.get(color).as_secs());
            let clock = seconds.map(|all| format!("{}:{:02}", all / 60, all % 60));
            let is_turn = game.turn() == color && game.ending().is_none();
            json!({ "name": name, "clock": clock, "is_turn": is_turn })
        };
        let board = picture::svg(&BoardView::of_game(game));
        let [white, black] = [Color::White, Color::Black].map(side);
        let shown = json!({ "board": board, "white": white, "black": black });
        Ok(shown.to_string().into())
    }
}

impl Source for Overlay {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    async fn next(&mut self) -> Out {
        if !self.is_stale && !self.visit.is_stirred().await {
            return Out::BYE;
        }
        self.is_stale = true;
        let shown = self.show().await;
        self.is_stale = false;
        shown.map_or(Out::BYE, |text| Out::Text(text, Position::default()))
    }
}
