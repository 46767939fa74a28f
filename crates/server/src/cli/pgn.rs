//! `arbiter import` and `arbiter export`.

use std::fs::OpenOptions;
use std::io::{BufWriter, Write, stdout};
use std::path::{PathBuf, absolute};
use std::process::ExitCode;

use axum::http::Method;
use clap::Args;
use serde_json::{Value, json};

use super::admin::escaped;
use super::reach::{database, reach};
use super::say::say;
use super::{Outcome, progress};
use crate::settings::Settings;

#[derive(Args)]
pub(super) struct ImportArguments {
    /// The PGN file
    file: PathBuf,
}

#[derive(Args)]
pub(super) struct ExportArguments {
    /// Only this player's games
    #[arg(long)]
    player: Option<String>,
    /// Only games made on that day or later, such as 2026-01-31
    #[arg(long)]
    since: Option<String>,
    /// Where to write to, instead of standard output
    #[arg(long, short)]
    output: Option<PathBuf>,
}

pub(super) async fn import(settings: Settings, arguments: ImportArguments) -> Outcome {
    let file = absolute(&arguments.file).map_err(|error| error.to_string())?;
    let bar = progress::bar(0, "taking in games");
    let mut last = Value::Null;
    let tell = |line: Value| {
        if let Some(problem) = line["problem"].as_str() {
            bar.suspend(|| eprintln!("{problem}"));
        } else if let (Some(done), Some(total)) = (line["done"].as_u64(), line["total"].as_u64()) {
            bar.set_length(total);
            bar.set_position(done);
        } else {
            last = line;
        }
    };
    let reach = reach(&settings).await?;
    let body = Some(json!({ "path": file }));
    let done = reach
        .each_line(Method::POST, "/v1/admin/import", body, tell)
        .await;
    reach.leave().await;
    bar.finish_and_clear();
    done?;
    if last["ok"] != true {
        return Err("the import broke off; it can be done again".into());
    }
    let (imported, known, left_out) = (&last["imported"], &last["known"], &last["left_out"]);
    say!("{imported} games taken in, {known} were there already, {left_out} left out");
    Ok(if *left_out == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

pub(super) async fn export(settings: Settings, arguments: ExportArguments) -> Outcome {
    database(&settings)?;
    let mut out: Box<dyn Write + Send> = match &arguments.output {
        None => Box::new(BufWriter::new(stdout())),
        Some(path) => {
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
            Box::new(BufWriter::new(file))
        }
    };
    let filters = [("player", arguments.player), ("since", arguments.since)];
    let query: Vec<String> = filters
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}={}", escaped(&value?))))
        .collect();
    let url = format!("/v1/admin/export?{}", query.join("&"));
    let spinner = progress::spinner("writing games");
    let reach = reach(&settings).await?;
    let done = reach
        .each_piece(Method::GET, &url, |piece| {
            spinner.tick();
            out.write_all(piece)
        })
        .await;
    reach.leave().await;
    spinner.finish_and_clear();
    done?;
    out.flush().map_err(|error| error.to_string())?;
    Ok(ExitCode::SUCCESS)
}
