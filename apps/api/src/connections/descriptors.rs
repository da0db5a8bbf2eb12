//! How many connections the process's file descriptors allow.

/// What is kept back: for the store, the database, logs and workers, and for connections that were accepted and not
/// counted yet, or to be closed and not closed yet.
const KEPT_BACK: u64 = 256;

/// A socket, and the file that a download is read from.
const PER_CONNECTION: u64 = 2;

/// The most connections there can be, once as many descriptors are asked for as the process may have.
pub(crate) fn most_connections() -> usize {
    let descriptors = raised().unwrap_or(u64::MAX);
    let kept_back = KEPT_BACK.min(descriptors / 2);
    usize::try_from((descriptors - kept_back) / PER_CONNECTION).unwrap_or(usize::MAX).max(1)
}

/// Raises the soft limit to the hard one, where the system lets it; none where there is no limit.
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
