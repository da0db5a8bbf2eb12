//! The public keys in the forms in which a publisher announces them away from the service.

use serde_json::json;
use sports_domain::Sport;
use sports_program::settings::Settings;

use crate::failure::Failure;
use crate::report::Report;
use crate::signing;

/// The longest string of a TXT record, in bytes.
const TXT: usize = 255;

/// Prints the origin, and for each league the key as it is, as a DNS record and as a line of a page.
pub fn run(settings: &Settings, sport: Option<Sport>) -> Result<Report, Failure> {
    let (file, origin) = (signing::read(signing::key_file(settings)?)?, signing::origin(settings)?);
    let text = origin.to_string();
    let host = text.split(['/', ':']).next().unwrap_or_default();
    let (mut lines, mut keys) = (vec![format!("origin: {origin}")], Vec::new());
    for sport in sport.map_or_else(|| Sport::ALL.to_vec(), |sport| vec![sport]) {
        let vkey = file.newest(origin.log(sport)).map_err(Failure::bad_input)?.verifier().to_string();
        let strings = vkey.as_bytes().chunks(TXT).map(|part| format!("\"{}\"", String::from_utf8_lossy(part)));
        let dns = format!("_sports-record.{host}. 86400 IN TXT {}", strings.collect::<Vec<_>>().join(" "));
        let readme = format!("- Key of our log of {sport} forecasts: `{vkey}`");
        lines.extend([format!("vkey: {vkey}"), format!("dns: {dns}"), format!("readme: {readme}")]);
        keys.push(json!({ "sport": sport.code(), "vkey": vkey, "dns": dns, "readme": readme }));
    }
    Ok(Report::new(lines, json!({ "origin": text, "keys": keys })))
}
