//! Lists the built browser client, so that the binary carries it.
//!
//! What Vite left in `web/dist` becomes a table of `include_bytes!`; with
//! nothing there the table is empty and the server says how to build it. So
//! Rust alone builds and tests the server.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    // Cargo can only watch what exists. Where the folder cannot be made,
    // there is nothing to watch, and this runs at every build.
    if fs::create_dir_all(&dist).is_err() {
        println!("cargo::warning=web/dist cannot be made");
    }
    println!("cargo::rerun-if-changed={}", dist.display());

    let mut files = Vec::new();
    collect(&dist, &mut files);
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let is_packed = file.extension().is_some_and(|e| e == "br" || e == "gz");
        if is_packed {
            continue;
        }
        let name = file.strip_prefix(&dist).expect("it was found in there");
        let name = name.to_str().expect("Vite names files in ASCII");
        writeln!(
            table,
            "Embedded {{ path: {:?}, plain: include_bytes!({file:?}), br: {}, gz: {} }},",
            name.replace('\\', "/"),
            packed(file, "br", &files),
            packed(file, "gz", &files),
        )
        .expect("a string can be written to");
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("web_files.rs"), table).expect("OUT_DIR can be written to");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// The same file compressed, if the build made that.
fn packed(file: &Path, ending: &str, files: &[PathBuf]) -> String {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    let path = PathBuf::from(name);
    if files.contains(&path) {
        format!("Some(include_bytes!({path:?}))")
    } else {
        "None".to_owned()
    }
}
