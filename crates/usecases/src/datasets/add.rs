use std::path::Path;

use chrono::{DateTime, Utc};
use sports_accounts::{Dataset, FileName, Product};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::datasets::{DatasetFiles, Datasets};

/// The outcome of adding a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addition {
    /// The dataset is new: none had its product, league and file name.
    New(Dataset),
    /// The dataset replaced one with other content.
    Replaced {
        /// The dataset that is on record now.
        dataset: Dataset,
        /// The dataset that was on record before.
        previous: Dataset,
    },
    /// The record has the same content under the same name; nothing changed.
    Unchanged(Dataset),
    /// The record has the same content under the same name, but the store had lost or damaged the file, which was
    /// written again.
    Repaired(Dataset),
}

impl Addition {
    /// Returns the dataset that is on record now.
    pub const fn dataset(&self) -> &Dataset {
        match self {
            Self::New(dataset)
            | Self::Replaced { dataset, .. }
            | Self::Unchanged(dataset)
            | Self::Repaired(dataset) => dataset,
        }
    }
}

/// Stores a local file and records it as a dataset, unless the record has the same content already. Rewrites the file
/// if the store has lost or damaged it.
///
/// # Errors
///
/// [`PortError`] if the file, the store or the records cannot be read or written.
pub async fn add_dataset(
    datasets: &dyn Datasets,
    files: &dyn DatasetFiles,
    file: &Path,
    (product, sport, file_name): (Product, Sport, FileName),
    now: DateTime<Utc>,
) -> Result<Addition, PortError> {
    let stored = files.put_file(file).await?;
    let dataset = Dataset { product, sport, file_name, object: stored.object, bytes: stored.bytes, added_at: now };
    let same = |known: &Dataset| known.has_place_of(&dataset) && known.object == dataset.object;
    if let Some(known) = datasets.datasets().await?.into_iter().find(same) {
        return Ok(if stored.written { Addition::Repaired(known) } else { Addition::Unchanged(known) });
    }
    Ok(match datasets.add_dataset(&dataset).await? {
        Some(previous) => Addition::Replaced { dataset, previous },
        None => Addition::New(dataset),
    })
}
