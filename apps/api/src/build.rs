//! The version and the commit of the program.

use sports_telemetry::metrics::{Exposition, Kind};

/// The version of the service. It changes with the forms of what is stored: `docs/upgrading.md` has the table.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that the program was built from, or `unknown`.
pub const COMMIT: &str = match option_env!("SPORTS_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

/// Writes version and commit as labels of a metric.
pub(crate) fn expose(exposition: &mut Exposition<'_>) {
    exposition
        .family("sports_api_build_info", Kind::Gauge, "The version and commit of this build; always 1.")
        .sample(&[("version", VERSION), ("commit", COMMIT)], 1_u32);
}
