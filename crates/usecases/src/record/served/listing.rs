use std::sync::Arc;
use std::time::Duration;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, RecordFiles, of_each_size};
use tokio::time::Instant;

/// The time after which all files are listed again. Before, only those of the newest tree and above it are.
const WHOLE_AFTER: Duration = Duration::from_mins(1);

/// The files about a league's checkpoints. Cosignatures of an older checkpoint are found within a minute, new checkpoints and
/// cosignatures of the newest one at once.
#[derive(Clone)]
pub(super) struct Listing {
    files: Arc<Vec<CheckpointFile>>,
    whole_at: Instant,
}

impl Listing {
    /// Lists the files, those below the newest known size from `before` if that is recent enough.
    pub(super) async fn read(files: &dyn RecordFiles, sport: Sport, before: Option<Self>) -> Result<Self, PortError> {
        let newest = before
            .filter(|before| before.whole_at.elapsed() < WHOLE_AFTER)
            .and_then(|before| Some((before.files.last()?.size, before)));
        let Some((newest, before)) = newest else {
            let whole_at = Instant::now();
            return Ok(Self { files: Arc::new(files.checkpoints(sport, 0..=u64::MAX).await?), whole_at });
        };
        let above = files.checkpoints(sport, newest..=u64::MAX).await?;
        let below = before.files.partition_point(|file| file.size < newest);
        if before.files[below..] == above {
            return Ok(before);
        }
        let files = before.files[..below].iter().copied().chain(above).collect();
        Ok(Self { files: Arc::new(files), whole_at: before.whole_at })
    }

    /// Returns the files about trees of `from` leaves and more, those of one size together, smallest tree first.
    pub(super) fn of_size_and_above(&self, from: u64) -> impl Iterator<Item = &[CheckpointFile]> {
        let first = self.files.partition_point(|file| file.size < from);
        of_each_size(&self.files[first..])
    }

    /// Returns the files about trees of this size.
    pub(super) fn of_size(&self, size: u64) -> &[CheckpointFile] {
        self.of_size_and_above(size)
            .next()
            .filter(|files| files.iter().all(|file| file.size == size))
            .unwrap_or_default()
    }
}
