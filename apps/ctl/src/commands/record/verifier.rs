//! The verifier in Python, by the hash of its file.

use serde_json::json;
use sports_domain::content::ObjectHash;
use sports_program::settings::Settings;

use crate::report::Report;

/// The file that servers of this version serve.
const VERIFIER: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../api/web/verify/verify.py"));

/// Prints the SHA-256 of the file in the form of `sha256sum`, and where it is served.
pub fn run(settings: &Settings) -> Report {
    let sha256 = ObjectHash::from_bytes(VERIFIER).to_string();
    let base = settings.http.public_url.as_ref().map_or("", |url| url.as_str());
    let served = format!("{base}/verify.py");
    let lines = vec![format!("{sha256}  verify.py"), format!("served: {served}")];
    Report::new(lines, json!({ "sha256": sha256, "served": served }))
}
