//! Which build this is.

/// The version of the service. It changes with the forms of what is stored: `docs/upgrading.md` has the table.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit it was built from, or `unknown`.
pub const COMMIT: &str = match option_env!("SPORTS_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};
