//! What a model may read of a game besides what tools tell: the game as PGN, and
//! pictures of its board.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chess::table::State;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use super::answer::told;
use super::call::Call;
use crate::picture::gallery::subject;
use crate::picture::{self, BoardView};
use crate::play::lists::{self, Wanted};
use crate::play::look::{look, table_id};
use crate::play::pgn::Remarks;
use crate::play::{Sight, pgn};
use crate::problem::{Kind, Problem};

/// Where they begin.
const GAMES: &str = "arbiter://games/";
/// Games whose resources are listed.
const LISTED: u32 = 20;

/// The forms a game has: the end of the address, the kind, and what it is.
const FORMS: [(&str, &str, &str); 3] = [
    (
        "pgn",
        "application/x-chess-pgn",
        "The game as PGN, with clock comments",
    ),
    ("board.svg", "image/svg+xml", "A picture of the board"),
    ("board.png", "image/png", "A picture of the board"),
];

/// How all games are read.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |(form, kind, what)| {
        ResourceTemplate::new(format!("{GAMES}{{game_id}}/{form}"), form)
            .with_description(what)
            .with_mime_type(kind)
    };
    FORMS.map(template).into()
}

/// The caller's own games that run; none for nobody in particular.
///
/// # Errors
/// Those of the door, as an error of the protocol: no tool was called.
pub(super) async fn own(call: &Call) -> Result<Vec<Resource>, ErrorData> {
    let caller = call.reader().await.map_err(|problem| wrong(&problem))?;
    let Some(caller) = caller else {
        return Ok(Vec::new());
    };
    let wanted = Wanted {
        state: Some(State::Active),
        player: Some(caller.person.id.clone()),
        variant: None,
        after: None,
        only: Default::default(),
        oldest_first: false,
        limit: LISTED,
    };
    let page = lists::page(&call.app, Some(&caller), wanted).await;
    let games = page.map_err(|problem| wrong(&problem))?.games;
    let each = |sight: &Sight| {
        let id = sight.id;
        FORMS.map(|(form, kind, what)| {
            Resource::new(format!("{GAMES}{id}/{form}"), format!("{id} {form}"))
                .with_description(what)
                .with_mime_type(kind)
        })
    };
    Ok(games.iter().flat_map(each).collect())
}

/// Reads one.
///
/// # Errors
/// As [`own`]; also if there is no such game or form.
pub(super) async fn read(call: &Call, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let read = contents(call, uri).await;
    read.map(|contents| ReadResourceResult::new(vec![contents]))
        .map_err(|problem| wrong(&problem))
}

async fn contents(call: &Call, uri: &str) -> Result<ResourceContents, Problem> {
    let nothing = || Problem::not_found("there is no such resource: see the templates");
    let named = uri
        .strip_prefix(GAMES)
        .and_then(|rest| rest.split_once('/'));
    let (id, form) = named.ok_or_else(nothing)?;
    let known = FORMS.iter().find(|(name, ..)| *name == form);
    let (_, kind, _) = known.ok_or_else(nothing)?;
    let caller = call.reader().await?;
    let sight = look(&call.app, table_id(id)?, caller.as_ref()).await?;
    let contents = match form {
        "pgn" => ResourceContents::text(pgn::pgn(&call.app, &sight, Remarks::USUAL).await?, uri),
        "board.svg" => ResourceContents::text(picture::svg(&BoardView::of_game(&sight.game)), uri),
        _ => ResourceContents::blob(png(call, sight).await?, uri),
    };
    Ok(contents.with_mime_type(*kind))
}

async fn png(call: &Call, sight: Sight) -> Result<String, Problem> {
    let subject = subject("png", &picture::svg(&BoardView::of_game(&sight.game)));
    let draw = move || picture::png(&BoardView::of_game(&sight.game));
    let png = call.app.gallery.picture(subject, draw).await?;
    Ok(STANDARD.encode(png))
}

fn wrong(problem: &Problem) -> ErrorData {
    let (sentence, data) = (
        format!("{}: {}", problem.code, problem.detail),
        told(problem),
    );
    match problem.kind {
        Kind::Missing => ErrorData::resource_not_found(sentence, Some(data)),
        Kind::Unavailable | Kind::Broken => ErrorData::internal_error(sentence, Some(data)),
        _ => ErrorData::invalid_request(sentence, Some(data)),
    }
}
