use futures::TryStreamExt;
use sports_accounts::Dataset;
use sports_content::{ObjectHash, ObjectHasher};
use sports_ports::PortError;
use sports_ports::datasets::{DatasetFiles, Datasets};

use super::Fault;

/// Reads every dataset's file to its end; returns the datasets in the order of the records, each with its fault if it
/// has one.
///
/// # Errors
///
/// [`PortError`] if the records or the store cannot be read.
pub async fn verify_datasets(
    datasets: &dyn Datasets,
    files: &dyn DatasetFiles,
) -> Result<Vec<(Dataset, Result<(), Fault>)>, PortError> {
    let mut verified = Vec::new();
    for dataset in datasets.datasets().await? {
        let found = content_fault(files, &dataset.object, dataset.bytes).await?;
        verified.push((dataset, found));
    }
    Ok(verified)
}

/// Reads a stored file to its end and compares it with its hash and recorded size.
pub(super) async fn content_fault(
    files: &dyn DatasetFiles,
    object: &ObjectHash,
    recorded: u64,
) -> Result<Result<(), Fault>, PortError> {
    if let Err(fault) = Fault::by_size(files.file_size(object).await?, recorded) {
        return Ok(Err(fault));
    }
    let Some(mut pieces) = files.read_file(object, 0..recorded).await? else {
        return Ok(Err(Fault::Missing));
    };
    let mut hasher = ObjectHasher::default();
    while let Some(piece) = pieces.try_next().await? {
        hasher.update(&piece);
    }
    Ok(if hasher.finish() == *object { Ok(()) } else { Err(Fault::Content) })
}
