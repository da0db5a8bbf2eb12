use futures::TryStreamExt;
use sports_accounts::Dataset;
use sports_content::ObjectHasher;
use sports_ports::PortError;
use sports_ports::datasets::{DatasetFiles, Datasets};

use super::Fault;

/// Reads every dataset's file to its end, and gives each in the order of the records with what is wrong with it.
///
/// # Errors
///
/// [`PortError`] when the records or the store cannot be read.
pub async fn verify_datasets(
    datasets: &dyn Datasets,
    files: &dyn DatasetFiles,
) -> Result<Vec<(Dataset, Result<(), Fault>)>, PortError> {
    let mut verified = Vec::new();
    for dataset in datasets.datasets().await? {
        let found = verify(&dataset, files).await?;
        verified.push((dataset, found));
    }
    Ok(verified)
}

async fn verify(dataset: &Dataset, files: &dyn DatasetFiles) -> Result<Result<(), Fault>, PortError> {
    let size = files.file_size(&dataset.object).await?;
    if let Err(fault) = Fault::by_size(size, dataset.bytes) {
        return Ok(Err(fault));
    }
    let Some(mut pieces) = files.read_file(&dataset.object, 0..dataset.bytes).await? else {
        return Ok(Err(Fault::Missing));
    };
    let mut hasher = ObjectHasher::default();
    while let Some(piece) = pieces.try_next().await? {
        hasher.update(&piece);
    }
    Ok(if hasher.finish() == dataset.object { Ok(()) } else { Err(Fault::Content) })
}
