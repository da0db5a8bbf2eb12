//! The keys of the record: made, listed.

use std::time::Duration;

use chrono::TimeDelta;
use serde_json::{Value, json};
use sports_domain::Sport;
use sports_program::SystemRandom;
use sports_program::settings::Settings;
use sports_record_signing::keys::{KeyFile, MemoryFiles};
use sports_transparency::Origin;
use sports_usecases::signing::locked;

use super::sign;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::{report, signing};

/// Makes the key file and prints the vkeys of all leagues.
pub fn init(settings: &Settings) -> Result<Report, Failure> {
    let (path, origin) = (signing::key_file(settings)?, signing::origin(settings)?);
    let file = KeyFile::create(path, &SystemRandom).map_err(|error| Failure::bad_input(signing::InSetting(error)))?;
    MemoryFiles::beside(path).begin(Sport::ALL.map(|sport| origin.log(sport))).map_err(Failure::other)?;
    let mut report = report(&file, &origin)?;
    report.lines.insert(0, format!("made: {}; back it up, and keep it where servers cannot read it", path.display()));
    Ok(report)
}

/// Adds a key, which takes the place of the newest one; both sign for a while.
pub async fn add(places: &Places<'_>, overlap: Duration) -> Result<Report, Failure> {
    let settings = places.settings();
    let (path, origin) = (signing::key_file(settings)?, signing::origin(settings)?);
    let memories = MemoryFiles::beside(path);
    // The key before signs the last checkpoints without an announcement of the new one. A machine without a store has none.
    let signed = sign::run(places, None).await.ok();
    // No other process signs with a key that is being replaced.
    let _lock = locked(&memories).await.map_err(Failure::other)?;
    let file = signing::read(path)?;
    let until = TimeDelta::from_std(overlap).ok().and_then(|overlap| places.clock.now().checked_add_signed(overlap));
    let until = until.ok_or_else(|| Failure::bad_input("`--overlap` is too long: expected a time such as 30d"))?;
    let rotated = file.rotate(path, until, &SystemRandom);
    let mut report = report(&rotated.map_err(|error| Failure::bad_input(signing::InSetting(error)))?, &origin)?;
    report.lines.insert(0, format!("added to {}; announce the new keys, and back the file up", path.display()));
    report.warn(signed.map(|signed| signed.warnings).unwrap_or_default());
    Ok(report)
}

/// Prints the vkeys of all leagues.
pub fn list(settings: &Settings) -> Result<Report, Failure> {
    report(&signing::read(signing::key_file(settings)?)?, &signing::origin(settings)?)
}

fn report(file: &KeyFile, origin: &Origin) -> Result<Report, Failure> {
    let (mut lines, mut keys): (Vec<String>, Vec<Value>) = (Vec::new(), Vec::new());
    for sport in Sport::ALL {
        let of_log = signing::keys_of(file, &origin.log(sport))?;
        let newest = of_log.newest.verifier();
        lines.push(newest.to_string());
        keys.push(json!({ "sport": sport.code(), "vkey": newest.to_string(), "until": null }));
        for earlier in &of_log.earlier {
            let (vkey, until) = (earlier.key.verifier(), report::written_instant(earlier.until));
            lines.push(format!("{vkey} until {until}"));
            keys.push(json!({ "sport": sport.code(), "vkey": vkey.to_string(), "until": until }));
        }
    }
    Ok(Report::new(lines, json!({ "origin": origin.to_string(), "keys": keys })))
}
