//! The keys in use, read anew when their file changes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use super::keys::{self, Key};
use crate::lock::lock;
use crate::settings::Settings;

/// Whoever names keys that nobody has makes the file be looked at so often.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Keys, and where they come from.
pub(super) struct Ring {
    keys: RwLock<Arc<Vec<Key>>>,
    source: Source,
    /// When the file was last looked at for a key that is not known, and what
    /// it was then.
    looked: Mutex<(Option<Instant>, Stamp)>,
}

/// What the settings name.
#[derive(Default)]
struct Source {
    key: Option<String>,
    jwks: Option<PathBuf>,
    algorithms: Vec<String>,
}

/// What tells that a file is another: when it was written, and its length.
type Stamp = Option<(SystemTime, u64)>;

impl Ring {
    /// The keys that the settings name; there may be none.
    pub(super) fn new(settings: &Settings) -> Result<Ring, String> {
        let source = Source {
            key: settings.jwt_key.as_deref().map(str::to_owned),
            jwks: settings.jwt_jwks.clone(),
            algorithms: settings.jwt_algorithms.clone(),
        };
        let stamp = source.jwks.as_deref().and_then(stamp);
        Ok(Ring {
            keys: RwLock::new(Arc::new(source.load()?)),
            source,
            looked: Mutex::new((None, stamp)),
        })
    }

    /// The keys as they are now.
    pub(super) fn keys(&self) -> Arc<Vec<Key>> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&keys)
    }

    /// Reads the keys again. What cannot be read leaves them as they are.
    pub(super) fn reload(&self) -> Result<(), String> {
        let stamp = self.source.jwks.as_deref().and_then(stamp);
        let keys = Arc::new(self.source.load()?);
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        lock(&self.looked).1 = stamp;
        Ok(())
    }

    /// Somebody names a key that is not known: reads the file again, if it has
    /// changed. Whether the keys are new ones.
    pub(super) fn look_again(&self) -> bool {
        let Some(path) = &self.source.jwks else {
            return false;
        };
        let mut looked = lock(&self.looked);
        let (last, known) = *looked;
        if last.is_some_and(|last| last.elapsed() < LOOK_EVERY) {
            return false;
        }
        let found = stamp(path);
        *looked = (Some(Instant::now()), known);
        drop(looked);
        if found == known {
            return false;
        }
        match self.reload() {
            Ok(()) => {
                tracing::info!("jwt_jwks has changed and was read again");
                true
            }
            Err(why) => {
                tracing::warn!(
                    why,
                    "jwt_jwks has changed and cannot be used: the keys stay"
                );
                false
            }
        }
    }

    #[cfg(test)]
    pub(super) fn of(keys: Vec<Key>) -> Ring {
        Ring {
            keys: RwLock::new(Arc::new(keys)),
            source: Source::default(),
            looked: Mutex::default(),
        }
    }
}

impl Source {
    fn load(&self) -> Result<Vec<Key>, String> {
        keys::load(self.key.as_deref(), self.jwks.as_deref(), &self.algorithms)
    }
}

fn stamp(path: &Path) -> Stamp {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
