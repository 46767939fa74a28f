//! The client from a folder: whoever works at the page sees it without
//! building the server again. Only in builds for development.

use std::fs;
use std::path::Path;

use super::Embedded;

/// What names the folder, as `npm run build` leaves it.
const FOLDER: &str = "WEB_FOLDER";

/// The files of the folder that is named, if one is; they are kept for as
/// long as the program runs.
pub(super) fn read() -> Option<Vec<Embedded>> {
    let root = std::env::var_os(FOLDER)?;
    let mut files = Vec::new();
    collect(Path::new(&root), "", &mut files);
    Some(files)
}

fn collect(folder: &Path, below: &str, files: &mut Vec<Embedded>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{below}{name}");
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
        } else if !name.ends_with(".br") && !name.ends_with(".gz") {
            let kept = |ending: &str| {
                let bytes = fs::read(folder.join(format!("{name}{ending}"))).ok()?;
                Some(&*bytes.leak())
            };
            files.push(Embedded {
                path: path.leak(),
                plain: kept("").unwrap_or_default(),
                br: kept(".br"),
                gz: kept(".gz"),
            });
        }
    }
}
