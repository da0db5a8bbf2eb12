use serde_json::json;
use sports_domain::Sport;
use sports_program::print_error_line;
use sports_store::{ArtifactStore, Copied, CopyError, LocalStore, Step};

use crate::cli::Store as Command;
use crate::commands::verify;
use crate::failure::Failure;
use crate::places::{Places, Store, expect_outside, expect_own, reached};
use crate::report::Report;
use crate::signing;

/// Copies a store into another and verifies the copy.
pub async fn run(places: &Places<'_>, command: Command, json: bool) -> Result<Report, Failure> {
    let Command::Copy { from, to } = command;
    if from.trim_end_matches('/') == to.trim_end_matches('/') {
        return Err(Failure::bad_input("--from and --to are the same store"));
    }
    if let (Ok(source), Ok(target)) = (LocalStore::at(&from), LocalStore::at(&to)) {
        expect_outside(target.folder(), source.folder())?;
    }
    expect_own(&to)?;
    if let Some(folder) = LocalStore::at(&from).ok().filter(|source| !source.folder().exists()) {
        return Err(Failure::bad_input(format!("there is no store folder {}", folder.folder().display())));
    }
    let options = places.retries.options();
    let source = reached(ArtifactStore::open_existing_with(&from, &options)).await?;
    let target = reached(ArtifactStore::open_with(&to, &options)).await?;
    let copied = source
        .copy_into(&target, |step| {
            if !json {
                print_step(&step);
            }
        })
        .await?;
    let mut report =
        verify::of_store(&Store::over(target), &Sport::ALL, &signing::witness_keys(places.settings())).await?;
    let Copied { entries, objects, signed, bytes, present } = copied;
    report.lines.push(format!(
        "copied {entries} log entries and {objects} objects of {bytes} bytes; {present} entries and objects were there"
    ));
    report.json["copied"] =
        json!({ "entries": entries, "objects": objects, "signed": signed, "bytes": bytes, "present": present });
    Ok(report)
}

/// Prints the next step, which may take long.
fn print_step(Step { sport, objects, bytes, present }: &Step) {
    let part = sport.map_or("datasets", |sport| sport.code());
    if *objects > 0 {
        print_error_line!("{part}: copying {objects} objects of {bytes} bytes; {present} are there");
    }
}

impl From<CopyError> for Failure {
    fn from(error: CopyError) -> Self {
        match error {
            CopyError::AnotherRecord { .. } | CopyError::Overwrites | CopyError::EmptySource => Self::bad_input(error),
            error @ (CopyError::Damaged { .. } | CopyError::Port(_)) => Self::other(error),
        }
    }
}
