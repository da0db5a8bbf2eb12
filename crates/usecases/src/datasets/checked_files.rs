use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sports_accounts::Download;
use sports_content::ObjectHash;
use sports_ports::datasets::DatasetFiles;
use sports_ports::{Clock, PortError};
use tokio::sync::OwnedMutexGuard;

use super::verify::content_fault;
use super::{FILES, Fault};

/// The outcomes of verifying stored files against their hashes.
///
/// An intact file is read once per process. Concurrent requests share one read, which continues if they are cancelled.
#[derive(Debug, Default)]
pub struct CheckedFiles(Mutex<HashMap<ObjectHash, Arc<tokio::sync::Mutex<Option<Check>>>>>);

#[derive(Debug, Clone, Copy)]
struct Check {
    found: Result<(), Fault>,
    /// The end of the read, by the clock's uptime.
    at: Duration,
}

impl CheckedFiles {
    /// Verifies the file of a download.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read.
    pub(super) async fn check(
        &self,
        files: &Arc<dyn DatasetFiles>,
        clock: &Arc<dyn Clock>,
        download: &Download,
    ) -> Result<Result<(), Fault>, PortError> {
        let requested_at = clock.uptime();
        let known = self.slot(download.object).lock_owned().await;
        match *known {
            Some(Check { found, at }) if found.is_ok() || requested_at < at => return Ok(found),
            _ => {}
        }
        let reading = read(known, Arc::clone(files), Arc::clone(clock), (download.object, download.bytes));
        tokio::spawn(reading).await.map_err(|failed| match failed.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(cancelled) => PortError::unavailable(FILES, cancelled),
        })?
    }

    /// Returns the slot of an object, which holds its last check.
    fn slot(&self, object: ObjectHash) -> Arc<tokio::sync::Mutex<Option<Check>>> {
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(object).or_default())
    }
}

async fn read(
    mut known: OwnedMutexGuard<Option<Check>>,
    files: Arc<dyn DatasetFiles>,
    clock: Arc<dyn Clock>,
    (object, bytes): (ObjectHash, u64),
) -> Result<Result<(), Fault>, PortError> {
    let found = content_fault(&*files, &object, bytes).await?;
    *known = Some(Check { found, at: clock.uptime() });
    Ok(found)
}
