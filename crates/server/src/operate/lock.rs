//! Whether a server uses a database, without disturbing it.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// The lock of a database that nobody else uses, as long as it is held;
/// `None` if a server does.
///
/// # Errors
/// If the lock's file, which the store keeps beside the database, cannot be used.
pub fn hold(database: &Path) -> std::io::Result<Option<File>> {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(name)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether a server uses the database.
pub fn is_in_use(database: &Path) -> bool {
    database.exists() && matches!(hold(database), Ok(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_the_one_the_store_holds() {
        let directory = tempfile::tempdir().unwrap();
        let database = directory.path().join("a.db");
        assert!(!is_in_use(&database));
        let store = store::Store::open(&format!("sqlite:{}", database.display())).unwrap();
        assert!(is_in_use(&database));
        store.close();
        assert!(!is_in_use(&database));
    }
}
