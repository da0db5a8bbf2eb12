//! Reading of season archives: bytes from the store, rows from the codec.

use std::panic::resume_unwind;
use std::sync::Arc;

use async_trait::async_trait;
use sports_ports::PortError;
use sports_ports::publication::{ArchiveCodec, ObjectKind, Objects};
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_publication::SeasonArchive;
use tokio::task::spawn_blocking;

/// The name of the port in errors about objects.
const PORT: &str = "the object store";

/// Checks that an object has the size recorded in its catalog.
pub(super) fn expect_size(bytes: &[u8], named: u64) -> Result<(), PortError> {
    match bytes.len() as u64 {
        size if size == named => Ok(()),
        size => Err(PortError::corrupt(PORT, format!("the object has {size} bytes, but its entry records {named}"))),
    }
}

/// The season archives of one store.
#[derive(Clone)]
pub struct Archives {
    pub(crate) objects: Arc<dyn Objects>,
    pub(crate) codec: Arc<dyn ArchiveCodec>,
}

impl Archives {
    /// Creates a reader of archives stored in `objects` and encoded by `codec`.
    pub fn new(objects: Arc<dyn Objects>, codec: Arc<dyn ArchiveCodec>) -> Self {
        Self { objects, codec }
    }

    /// Reads one archive.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read; [`PortError::Corrupt`] if the archive is missing or
    /// differs from the catalog.
    pub async fn read(&self, season: &SeasonRef) -> Result<SeasonArchive, PortError> {
        let bytes = self.objects.get(season.market.sport, ObjectKind::Parquet, &season.object).await?;
        let Some(bytes) = bytes else {
            let missing = format!("the archive {} of {} {} is missing", season.object, season.market, season.season);
            return Err(PortError::corrupt(PORT, missing));
        };
        expect_size(&bytes, season.bytes)?;
        let (codec, market, label) = (Arc::clone(&self.codec), season.market, season.season);
        off_thread("the season archive format", move || codec.decode(market, label, bytes)).await?
    }
}

#[async_trait]
impl SeasonViews<SeasonArchive> for Archives {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<SeasonArchive>, PortError> {
        self.read(season).await.map(Arc::new)
    }
}

// CPU-bound work off the threads that serve requests.

/// Runs work of milliseconds or more on a blocking thread and returns its result.
///
/// A panic of the work resumes in the caller: it is a fault of the program, not of the data.
///
/// # Errors
///
/// [`PortError::Unavailable`] of `port` if the program ends before the work starts.
pub async fn off_thread<T: Send + 'static>(
    port: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PortError> {
    spawn_blocking(work).await.map_err(|failed| match failed.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(cancelled) => PortError::unavailable(port, cancelled),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_returns_its_result_and_its_panic_resumes_in_the_caller() {
        assert_eq!(off_thread("a sum", || 1 + 1).await.expect("done"), 2);
        let waiting = tokio::spawn(off_thread("a sum", || panic!("overflow")));
        let panic = waiting.await.expect_err("panicked").into_panic();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"overflow"));
    }
}
