use serde_json::json;
use sports_domain::Sport;
use sports_publication::Generation;
use sports_usecases::repair::{NotRepaired, Repair};

use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Moves the numbers aside that do not continue a league's record; without `yes`, lists them.
pub async fn run(places: &Places<'_>, sport: Sport, yes: bool) -> Result<Report, Failure> {
    let store = places.existing_store().await?;
    let repair = Repair::of(&*store.log, sport).await.map_err(|error| match error {
        NotRepaired::Port(error) => Failure::other(error),
        error => Failure::bad_input(error),
    })?;
    let newest = repair.newest.map_or_else(|| "no entry".to_owned(), |newest| format!("entry {newest}"));
    let reasons = repair
        .moved
        .iter()
        .map(|beyond| json!({ "generation": beyond.generation.get(), "reason": beyond.reason.to_string() }));
    let mut report = json!({ "sport": sport.code(), "newest": repair.newest.map(Generation::get), "numbers": reasons.collect::<Vec<_>>() });
    if repair.moved.is_empty() {
        report["set_aside"] = json!([]);
        return Ok(Report::new(vec![format!("{sport}: every number continues the record; nothing to do")], report));
    }
    let mut lines: Vec<_> = repair
        .moved
        .iter()
        .map(|beyond| format!("{sport}: number {} continues nothing: {}", beyond.generation, beyond.reason))
        .collect();
    if !yes {
        lines.push(format!(
            "{sport}: the record would end with {newest}; repeat the command with --yes to move them aside"
        ));
        return Ok(Report::new(lines, report).ending_with(1));
    }
    let moved = repair.run(&*store.repairs).await.map_err(Failure::other)?;
    lines.extend(
        moved.iter().map(|moved| format!("{sport}: number {} was moved to set-aside/{}", moved.generation, moved.name)),
    );
    lines.push(format!("{sport}: the record ends with {newest}"));
    report["set_aside"] =
        moved.iter().map(|moved| json!({ "generation": moved.generation.get(), "name": moved.name })).collect();
    Ok(Report::new(lines, report))
}
