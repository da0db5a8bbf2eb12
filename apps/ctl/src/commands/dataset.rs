use std::path::Path;

use serde_json::{Value, json};
use sports_accounts::{Dataset as Record, FileName, Product, expect_no_key};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_domain::Sport;
use sports_ports::datasets::Datasets;
use sports_usecases::datasets::{Addition, add_dataset, verify_datasets};

use crate::cli::Dataset;
use crate::failure::Failure;
use crate::places::Places;
use crate::report;
use crate::report::Report;

/// Adds, lists, checks or removes files that customers buy.
pub async fn run(places: &Places<'_>, command: Dataset) -> Result<Report, Failure> {
    let accounts = places.accounts().await?;
    match command {
        Dataset::Add { product, sport, file } => add(places, &accounts, product, sport, &file).await,
        Dataset::List => {
            let all = accounts.datasets().await.map_err(Failure::other)?;
            Ok(Report::new(all.iter().map(line).collect(), json!({ "datasets": list(&all) })))
        }
        Dataset::Verify => verify(places, &accounts).await,
        Dataset::Remove { product, sport, name } => remove(&accounts, (&product, sport, name.as_ref())).await,
    }
}

async fn add(
    places: &Places<'_>,
    accounts: &AccountsDatabase,
    product: Product,
    sport: Sport,
    file: &Path,
) -> Result<Report, Failure> {
    let file_name = name_of(file)?;
    check(file)?;
    let (files, named) = (places.dataset_files().await?, (product, sport, file_name));
    let addition = add_dataset(accounts, &*files, file, named, places.clock.now()).await;
    Ok(added(&addition.map_err(Failure::other)?))
}

fn added(addition: &Addition) -> Report {
    let (remark, replaced) = match addition {
        Addition::New(_) => (None, None),
        Addition::Replaced { previous, .. } => {
            (Some(format!("it takes the place of {}", previous.object.short(12))), Some(previous))
        }
        Addition::Repaired(_) => {
            let repaired = "repaired: the store had lost or damaged this content, and it was written again";
            (Some(repaired.to_owned()), None)
        }
        Addition::Unchanged(_) => (Some("unchanged: the dataset already has this content".to_owned()), None),
    };
    let dataset = addition.dataset();
    let mut json = dataset_json(dataset);
    json["replaced_sha256"] = replaced.map(|old| old.object.to_string()).into();
    json["changed"] = (!matches!(addition, Addition::Unchanged(_) | Addition::Repaired(_))).into();
    json["repaired"] = matches!(addition, Addition::Repaired(_)).into();
    Report::new([line(dataset)].into_iter().chain(remark).collect(), json)
}

async fn verify(places: &Places<'_>, accounts: &AccountsDatabase) -> Result<Report, Failure> {
    let files = places.existing_dataset_files().await?;
    let verified = verify_datasets(accounts, &*files).await.map_err(Failure::other)?;
    let differing: Vec<_> = verified.iter().filter_map(|(dataset, found)| Some((dataset, found.err()?))).collect();
    if differing.is_empty() {
        let bytes: u64 = verified.iter().map(|(dataset, _)| dataset.bytes).sum();
        let lines = vec![format!("{} datasets verified, {bytes} bytes in all", verified.len())];
        return Ok(Report::new(lines, json!({ "datasets": verified.len(), "bytes": bytes })));
    }
    let faults = differing.iter().map(|(dataset, fault)| {
        let Record { product, sport, file_name, object, .. } = dataset;
        format!("{file_name} of {product} for {sport}: the object {object} {fault}")
    });
    Err(Failure::other(faults.collect::<Vec<_>>().join("; ")))
}

async fn remove(
    accounts: &AccountsDatabase,
    (product, sport, name): (&Product, Sport, Option<&FileName>),
) -> Result<Report, Failure> {
    let removed = accounts.remove_dataset(product, sport, name).await.map_err(Failure::other)?;
    if removed.is_empty() {
        let name = name.map_or(String::new(), |name| format!(" called {name}"));
        return Err(Failure::bad_input(format!("there is no dataset of {product} for {sport}{name}")));
    }
    let lines = removed.iter().map(|dataset| format!("removed {}", line(dataset)));
    Ok(Report::new(lines.collect(), json!({ "removed": list(&removed) })))
}

/// Returns the name under which customers save the file: its name on this machine.
fn name_of(file: &Path) -> Result<FileName, Failure> {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    expect_no_key(name).map_err(Failure::bad_input)?.parse().map_err(Failure::bad_input)
}

/// Refuses a path that is not a readable file, or an empty file: it was given by mistake.
fn check(file: &Path) -> Result<(), Failure> {
    let metadata = file.metadata();
    let metadata = metadata.map_err(|error| Failure::bad_input(format!("cannot read {}: {error}", file.display())))?;
    match (metadata.is_file(), metadata.len()) {
        (true, 1..) => Ok(()),
        (true, 0) => Err(Failure::bad_input(format!("{} is empty", file.display()))),
        (false, _) => Err(Failure::bad_input(format!("{} is not a file", file.display()))),
    }
}

fn line(dataset: &Record) -> String {
    let Record { product, sport, file_name, object, bytes, .. } = dataset;
    format!("{product}  {sport}  {file_name}  {bytes} bytes  sha256 {}", object.short(12))
}

fn list(datasets: &[Record]) -> Vec<Value> {
    datasets.iter().map(dataset_json).collect()
}

fn dataset_json(dataset: &Record) -> Value {
    json!({
        "product": dataset.product.as_str(),
        "sport": dataset.sport.code(),
        "filename": dataset.file_name.as_str(),
        "sha256": dataset.object.to_string(),
        "bytes": dataset.bytes,
        "added_at": report::written_instant(dataset.added_at),
    })
}
