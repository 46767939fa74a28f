//! File layers written in C: one forgets what was not synced, one fails.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A layer, as a library to load before all others.
pub(crate) struct Layer {
    directory: TempDir,
}

impl Layer {
    /// The one that forgets what was not synced.
    pub(crate) fn unsynced() -> Option<Layer> {
        Layer::build("unsynced.c")
    }

    /// The one that fails while it is told to.
    pub(crate) fn failing() -> Option<Layer> {
        Layer::build("failing.c")
    }

    /// Compiles it; `None`, with a word about it, where there is no C compiler.
    fn build(source: &str) -> Option<Layer> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let layer = Layer { directory };
        let sources = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/crash"));
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(layer.path())
            .arg(sources.join(source))
            .arg("-ldl")
            .output();
        match built {
            Ok(output) if output.status.success() => Some(layer),
            _ if cfg!(not(target_os = "linux")) || std::env::var("CI").is_err() => {
                eprintln!("skipped: the file layer {source} needs Linux and a C compiler, `cc`");
                None
            }
            other => panic!("the file layer {source} cannot be built: {other:?}"),
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("layer.so")
    }
}

/// What the failing layer does to calls: bits that can be put together.
pub(crate) mod what {
    pub(crate) const EIO: u8 = 1;
    pub(crate) const ENOSPC: u8 = 2;
    pub(crate) const SHORT: u8 = 4;
}

/// Which calls it does that to.
pub(crate) mod whom {
    pub(crate) const WRITES: u8 = 1;
    pub(crate) const SYNCS: u8 = 2;
    pub(crate) const ALL: u8 = 7;
}

/// In how many of a hundred cases threads stand aside.
const ASIDE: u8 = 90;

/// Tells the failing layer when to fail.
pub(crate) struct Control(File);

impl Control {
    /// A control file that says that nothing fails.
    pub(crate) fn new(path: &Path) -> Control {
        fs::write(path, [0; 4]).expect("a control file");
        let file = File::options().write(true).open(path);
        Control(file.expect("the control file"))
    }

    /// From now on so many of a hundred calls fail.
    pub(crate) fn fail(&self, share: u8, what: u8, whom: u8) {
        // The share comes last, so that nothing fails in a way that was not asked for.
        self.set(1, &[what, whom]);
        self.set(0, &[share]);
    }

    /// From now on threads that wake others often let those go first.
    pub(crate) fn stand_aside(&self) {
        self.set(3, &[ASIDE]);
    }

    /// From now on everything works.
    pub(crate) fn work(&self) {
        self.set(0, &[0; 4]);
    }

    fn set(&self, at: u64, bytes: &[u8]) {
        self.0
            .write_all_at(bytes, at)
            .expect("it can be written to");
    }
}
