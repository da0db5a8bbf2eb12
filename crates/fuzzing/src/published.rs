//! Checks of publishing a release that was read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Utc};
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::{ArtifactStore, JsonSlates};
use sports_ports::{PortError, Random};
use sports_publication::{MergeCounts, Release};
use sports_system::FixedClock;
use sports_usecases::publish::{Mode, PublishError, PublishOutcome, Publisher};
use sports_usecases::record::{Archives, Slates};
use sports_usecases::verify::verify;

/// A source of bytes that count its draws, so that a finding is found again.
#[derive(Default)]
struct CountedDraws(AtomicU64);

impl Random for CountedDraws {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        let draw = self.0.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        bytes.iter_mut().zip(draw.iter().cycle()).for_each(|(byte, of)| *byte = *of);
        Ok(())
    }
}

/// A store with what publishing needs.
pub struct Stores {
    pub store: ArtifactStore,
    pub archives: Archives,
    pub slates: Slates,
}

impl Stores {
    pub fn over(store: ArtifactStore) -> Self {
        let objects = Arc::new(store.clone());
        let archives = Archives::new(objects.clone(), Arc::new(ParquetArchives));
        Self { store, archives, slates: Slates::new(objects, Arc::new(JsonSlates)) }
    }

    pub fn publisher(&self, now: DateTime<Utc>) -> Publisher {
        let (archives, slates) = (self.archives.clone(), self.slates.clone());
        let random = Arc::new(CountedDraws::default());
        Publisher::new(Arc::new(self.store.clone()), archives, slates, Arc::new(FixedClock(now)), random)
    }
}

/// Publishes a release: it is refused for its rows, or the record verifies afterwards. Publishing it again changes
/// nothing.
pub async fn publishes(release: &Release, now: DateTime<Utc>) {
    let place = Stores::over(ArtifactStore::in_memory());
    let publisher = place.publisher(now);
    match publisher.publish(release, Mode::Commit).await {
        Err(PublishError::Problems(problems)) => return assert!(!problems.is_empty()),
        Err(error) => panic!("a release that reads cannot be published: {error:?}"),
        Ok(done) if matches!(done.outcome, PublishOutcome::AlreadyPublished { .. }) => return,
        Ok(_) => {}
    }
    let again = publisher.publish(release, Mode::Commit).await.expect("what was published can be published again");
    assert!(
        matches!(again.outcome, PublishOutcome::AlreadyPublished { .. }),
        "published again it changes something: {again:?}"
    );
    for change in &again.seasons {
        let counts = MergeCounts { left_out: change.counts.left_out, ..MergeCounts::default() };
        assert_eq!(change.counts, counts, "published again it would change something");
    }
    if let Err(error) = verify(&place.store, &place.archives, &place.slates, release.sport).await {
        panic!("what was published does not verify: {error:?}");
    }
}
