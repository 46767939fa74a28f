//! Which engine to run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A UCI program and how it is set up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineConfig {
    /// The program.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Options that are set before it plays. `Hash`, `Threads` and the variant are set by the pool.
    pub options: Vec<(String, String)>,
}

impl EngineConfig {
    /// A program without arguments or options.
    pub fn new(path: impl Into<PathBuf>) -> EngineConfig {
        EngineConfig {
            path: path.into(),
            ..EngineConfig::default()
        }
    }
}

/// Debian has games in a directory of their own, which services do not have in their path.
const GAMES: &str = "/usr/games";
/// In the order of preference: the first plays standard chess better, the second plays the variants.
const KNOWN: [&str; 2] = ["stockfish", "fairy-stockfish"];

/// The engines that the system's packages brought, looked for in `path` (as the variable `PATH` has it).
pub fn installed(path: Option<&OsStr>) -> Vec<EngineConfig> {
    let mut places: Vec<PathBuf> =
        path.map_or_else(Vec::new, |p| std::env::split_paths(p).collect());
    places.push(GAMES.into());
    found_in(&places)
}

fn found_in(places: &[PathBuf]) -> Vec<EngineConfig> {
    KNOWN
        .iter()
        .filter_map(|name| {
            let mut programs = places.iter().map(|place| place.join(name));
            programs.find(|program| is_program(program))
        })
        .map(EngineConfig::new)
        .collect()
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn programs_are_found_and_other_files_are_not() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("stockfish");
        std::fs::write(&file, "").expect("a file");
        let places = [dir.path().to_owned()];
        assert_eq!(found_in(&places), []);
        let run = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&file, run).expect("permissions");
        assert_eq!(found_in(&places), [EngineConfig::new(file)]);
    }
}
