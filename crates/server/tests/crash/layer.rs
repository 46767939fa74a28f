//! Builds the file layer that forgets what was not synced.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// The layer, as a library to load before all others.
pub(crate) struct Layer {
    directory: TempDir,
}

impl Layer {
    /// Compiles it; `None`, with a word about it, where there is no C compiler.
    pub(crate) fn build() -> Option<Layer> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let layer = Layer { directory };
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/crash/unsynced.c");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(layer.path())
            .args([source, "-ldl"])
            .output();
        match built {
            Ok(output) if output.status.success() => Some(layer),
            _ if cfg!(not(target_os = "linux")) || std::env::var("CI").is_err() => {
                eprintln!(
                    "skipped: the file layer that forgets needs Linux and a C compiler, `cc`"
                );
                None
            }
            other => panic!("the file layer cannot be built: {other:?}"),
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("unsynced.so")
    }
}
