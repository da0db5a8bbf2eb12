//! Completion of records that are unsigned or unwitnessed.

use serde_json::json;
use sports_domain::Sport;

use crate::commands::completion;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::signing;

/// Completes one league's record or all. What witnesses and servers did not do is a warning; a tree that is not signed is a
/// failure.
pub async fn run(places: &Places<'_>, sport: Option<Sport>) -> Result<Report, Failure> {
    // A missing or unusable key is named before the store.
    signing::key_file(places.settings())?;
    let signing = signing::of(places.settings())?;
    let store = places.existing_store().await?;
    let signer = store.signer(places, signing);
    let sports = sport.map_or_else(|| Sport::ALL.to_vec(), |sport| vec![sport]);
    let (mut lines, mut warnings, mut records, mut unsigned) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for sport in sports {
        let completed = signer.complete(sport).await;
        let is_empty = completed.checkpoint.is_none() && completed.unsigned.is_none() && completed.warnings.is_empty();
        lines.extend(is_empty.then(|| format!("{sport}: no tree to sign")));
        lines.extend(completion::line(sport, &completed));
        records.push(completion::json(sport, &completed));
        unsigned.extend(completed.unsigned);
        warnings.extend(completed.warnings);
    }
    let is_refused = !unsigned.is_empty();
    warnings.extend(unsigned);
    let report = Report::with_warnings(lines, warnings, json!({ "records": records }));
    Ok(if is_refused { report.ending_with(1) } else { report })
}
