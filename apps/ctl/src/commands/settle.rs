use serde_json::json;
use sports_domain::Sport;
use sports_publication::settle::{Permissions, SettleReport};
use sports_publisher_files::{ReadError, ReadFinals, read_finals};
use sports_usecases::publish::{Conditions, Mode, Settled, Settlement};

use crate::cli::Settle;
use crate::commands::{completion, outcome, unused};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::signing;

/// Reads the file, adds its finals to the record and reports their number.
pub async fn run(places: &Places<'_>, settle: &Settle) -> Result<Report, Failure> {
    under(places, settle, &Conditions::default()).await
}

/// Adds finals to the record under conditions.
pub async fn under(places: &Places<'_>, settle: &Settle, conditions: &Conditions) -> Result<Report, Failure> {
    let ReadFinals { rows, warnings, content } = read_finals(&settle.file, settle.sport).map_err(unread)?;
    let permissions = Permissions { correct: settle.correct, allow_unknown: settle.allow_unknown };
    let settlement = Settlement { sport: settle.sport, finals: rows, content, permissions };
    // A key that cannot be used is reported before anything is published.
    let signing = signing::of(places.settings())?;
    let store = places.existing_store().await?;
    let signer = store.signer(places, signing);
    let loss = signer.loss(settle.sport);
    let keys = signer.keys(settle.sport).await.map_err(Failure::other)?;
    let publisher = store.publisher(places).restarting(loss).announcing(keys).under(conditions.clone());
    if settle.dry_run {
        let rehearsed = publisher.settle(&settlement, Mode::DryRun).await?;
        return Ok(report(settle.sport, &rehearsed, warnings));
    }
    let settled = publisher.settle(&settlement, Mode::Commit).await?;
    unused::remove_leftovers(&*store.contents, settle.sport).await;
    let mut report = report(settle.sport, &settled, warnings);
    outcome::note(places, "settle", settle.sport, &settled.outcome, &mut report).await;
    Ok(completion::after_commit(&signer, settle.sport, report).await)
}

/// Returns the failure to read a file of finals, which are compared with the record once all values are right.
fn unread(error: ReadError) -> Failure {
    match error {
        ReadError::Problems(problems) => Failure::Unread(problems),
        error @ ReadError::Io { .. } => error.into(),
    }
}

fn report(sport: Sport, settled: &Settled, warnings: Vec<String>) -> Report {
    let SettleReport { settled: added, called_off, revived, corrected, unchanged, unknown, warnings: likely } =
        &settled.report;
    let called_off_too = if *called_off > 0 { format!("{called_off} called off, ") } else { String::new() };
    let mut lines = vec![format!("{added} settled, {called_off_too}{corrected} corrected, {unchanged} settled before")];
    lines.extend(revived.iter().map(|game| format!("was called off, has a final now: {game}")));
    lines.extend(unknown.iter().map(|game| format!("passed over, not on record: {game}")));
    lines.push(outcome::line(sport, &settled.outcome));
    let mut json = outcome::json(sport, &settled.outcome);
    json["settled"] = json!(added);
    json["called_off"] = json!(called_off);
    json["revived"] = revived.iter().map(ToString::to_string).collect();
    json["corrected"] = json!(corrected);
    json["unchanged"] = json!(unchanged);
    json["unknown"] = unknown.iter().map(ToString::to_string).collect();
    Report::with_warnings(lines, warnings.into_iter().chain(likely.iter().cloned()).collect(), json)
}
