/// The descriptors reserved for the store, the database, logs and workers, and for connections that are not counted yet or
/// not closed yet.
const RESERVED: u64 = 256;

/// The descriptors of a connection: a socket, and the file of a download.
const PER_CONNECTION: u64 = 2;

/// Raises the limit of file descriptors as far as the system permits, and returns the most connections that fit.
pub(crate) fn most_connections() -> usize {
    let descriptors = raised().unwrap_or(u64::MAX);
    let reserved = RESERVED.min(descriptors / 2);
    usize::try_from((descriptors - reserved) / PER_CONNECTION).unwrap_or(usize::MAX).max(1)
}

/// Raises the soft limit to the hard limit, if the system permits it; returns `None` without a limit.
#[cfg(unix)]
fn raised() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::debug!(%error, "the limit of open files stays as it is: {error}");
    }
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn raised() -> Option<u64> {
    None
}
