//! The files among which the checkpoint of a proof is chosen.

use std::ops::RangeInclusive;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, RecordFiles, of_each_size};

/// The number of sizes, from the first that has the leaf, in which a cosigned checkpoint is looked for. A later one would
/// prove little.
const SIZES: usize = 64;

/// The files about the first trees of some sizes. No file is ever replaced, so the choice among the same files is the same.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidates {
    sizes: RangeInclusive<u64>,
    files: Vec<CheckpointFile>,
}

impl Candidates {
    /// Lists the files about trees of these sizes.
    pub(super) async fn read(
        files: &dyn RecordFiles,
        sport: Sport,
        sizes: RangeInclusive<u64>,
    ) -> Result<Self, PortError> {
        let files = files.first_checkpoints(sport, sizes.clone(), SIZES).await?;
        Ok(Self { sizes, files })
    }

    /// Returns the files about each tree, the smallest tree first.
    pub(super) fn by_size(&self) -> impl Iterator<Item = &[CheckpointFile]> {
        of_each_size(&self.files)
    }

    /// Returns the files about trees up to a size.
    pub(super) fn up_to(self, size: u64) -> Self {
        let files = self.files.into_iter().take_while(|file| file.size <= size);
        Self { sizes: *self.sizes.start()..=size, files: files.collect() }
    }

    /// Lists the files again; returns true if they are the same.
    pub(super) async fn are_current(&self, files: &dyn RecordFiles, sport: Sport) -> Result<bool, PortError> {
        Ok(Self::read(files, sport, self.sizes.clone()).await? == *self)
    }

    /// Returns the bytes of memory that the list takes.
    pub(super) fn weight(&self) -> usize {
        size_of_val(&*self.files)
    }
}
