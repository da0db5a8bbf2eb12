//! The identity of this build.

/// The version of the service. It changes with the formats of stored data: `docs/upgrading.md` has the table.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit of the build, or `unknown`.
pub const COMMIT: &str = match option_env!("SPORTS_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};
