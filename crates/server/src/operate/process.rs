//! What the process uses, and the limits that the system sets it.

use std::fs;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What the process uses.
pub struct Usage {
    /// Memory, in bytes.
    pub resident_bytes: u64,
    /// Open files and sockets.
    pub open_files: u64,
    /// How many there may be.
    pub open_files_max: u64,
    /// Processor time so far.
    pub cpu_seconds: f64,
}

/// What the process uses now, where the system tells (Linux does).
pub fn usage() -> Option<Usage> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold anything; user and system time are the
    // 12th and 13th number after it.
    let mut numbers = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let user: u64 = numbers.next()?.parse().ok()?;
    let system: u64 = numbers.next()?.parse().ok()?;
    Some(Usage {
        resident_bytes: pages * rustix::param::page_size() as u64,
        open_files: fs::read_dir("/proc/self/fd").ok()?.count() as u64,
        open_files_max: open_files_max(),
        cpu_seconds: (user + system) as f64 / rustix::param::clock_ticks_per_second() as f64,
    })
}

/// How many files and sockets the process may have open.
pub fn open_files_max() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Lets the process open as many files as the system allows; every
/// connection is one. Says how many that are.
pub fn raise_open_files() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let wanted = Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        };
        if let Err(error) = setrlimit(Resource::Nofile, wanted) {
            tracing::warn!(%error, "the limit of open files could not be raised");
        }
    }
    open_files_max()
}

/// Makes a file that may not grow (`ulimit -f`) an error of whoever writes to
/// it. The system sends a signal besides, which ends a process that has not
/// asked for it. To be called inside of the runtime; holds for good.
///
/// # Errors
/// If the signal cannot be asked for.
pub fn outlive_file_size_limit() -> std::io::Result<()> {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}

#[cfg(test)]
mod tests {
    #[test]
    fn this_process_uses_something() {
        let usage = super::usage().expect("Linux tells");
        assert!(usage.resident_bytes > 1 << 20);
        assert!((3..usage.open_files_max).contains(&usage.open_files));
    }
}
