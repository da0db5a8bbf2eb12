//! Checks of publishing a release that was read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use sports_domain::paging::{Order, PageRows};
use sports_domain::{Market, ModelType, Season, Sport};
use sports_ports::publication::{Appended, ArchiveCodec, PublicationLog as _};
use sports_ports::tables::TableFormat;
use sports_ports::{PortError, Random};
use sports_program::FixedClock;
use sports_publication::{Generation, MergeCounts, Release, SeasonArchive};
use sports_store::{ArtifactStore, JsonSlates};
use sports_tables::archive::ParquetArchives;
use sports_tables::{RenderedSeason, SeasonTable, TabularSeason};
use sports_usecases::publish::{Mode, PublishError, PublishOutcome, Publisher};
use sports_usecases::record::{Archives, Slates};
use sports_usecases::verify::verify;

use crate::runtime::block_on;
use crate::scratch::Scratch;

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

// The first bytes of an input, which select its interpretation. Every byte selects something; seeds use digits from
// `0`.

/// Splits a choice off the front: the digit is the index in `choices`.
pub fn choice<'b, T: Copy>(choices: &[T], bytes: &'b [u8]) -> Option<(T, &'b [u8])> {
    let (first, rest) = bytes.split_first()?;
    let place = usize::from(first.wrapping_sub(b'0')) % choices.len();
    Some((choices[place], rest))
}

/// Splits a league off the front, in the order of [`Sport::ALL`].
pub fn sport(bytes: &[u8]) -> Option<(Sport, &[u8])> {
    choice(&Sport::ALL, bytes)
}

/// Splits a league and one of its seasons off the front: `7` is the season that begins in 2023.
pub fn season(bytes: &[u8]) -> Option<(Sport, Season, &[u8])> {
    let (sport, rest) = sport(bytes)?;
    let (year, rest) = rest.split_first()?;
    let first_year = 2016 + u16::from(year.wrapping_sub(b'0') % 16);
    Some((sport, Season::starting_in(sport, first_year)?, rest))
}

// Entries of the publication log.

thread_local! {
    static STORE: Scratch = Scratch::new();
}

/// Reads any bytes as a log's first entry: the result is a catalog of this league, or corrupt. A catalog that is
/// appended to another log is read back equal.
pub fn read_catalog(bytes: &[u8]) {
    let Some((sport, bytes)) = sport(bytes) else { return };
    STORE.with(|scratch| {
        scratch.write(&format!("sports/{sport}/log/000000000001.json"), bytes);
        let store = ArtifactStore::open(&format!("file:{}", scratch.path().display())).expect("a store");
        block_on(async {
            let entry = match store.entry(sport, Generation::FIRST).await {
                Ok(entry) => entry.expect("it was written"),
                Err(PortError::Corrupt { .. }) => return,
                Err(error) => panic!("the store is there: {error:?}"),
            };
            let other = ArtifactStore::in_memory();
            let Appended::Committed { .. } = other.append(&entry.catalog).await.expect("it can be written") else {
                panic!("an empty log has room");
            };
            let again = other.entry(sport, Generation::FIRST).await.expect("what was written reads");
            assert_eq!(again.expect("it was appended").catalog, entry.catalog, "read back, it differs");
        });
    });
}

// Season archives.

/// Decodes any bytes as an archive. If this succeeds, the archive encodes to the same bytes each time, these decode
/// to an equal archive, and it can be served.
pub fn decode_archive(bytes: &[u8]) {
    let _ = decoded(bytes);
}

fn decoded(bytes: &[u8]) -> Option<()> {
    let (model_type, rest) = choice(&ModelType::ALL, bytes)?;
    let (sport, season, bytes) = season(rest)?;
    let market = Market::new(sport, model_type);
    let archive = ParquetArchives.decode(market, season, Bytes::copy_from_slice(bytes)).ok()?;
    let encoded = ArchiveCodec::encode(&ParquetArchives, &archive).expect("what decodes encodes");
    assert_eq!(
        ArchiveCodec::encode(&ParquetArchives, &archive).expect("what decodes encodes"),
        encoded,
        "encoded by other bytes"
    );
    let again = ParquetArchives.decode(market, season, encoded).expect("what was encoded decodes");
    assert_eq!(again, archive, "decoded to another archive");
    check_served(archive);
    Some(())
}

/// Checks that its rows can be served as JSON and as a table.
fn check_served(archive: SeasonArchive) {
    let count = archive.games().len();
    let table = TabularSeason::from_archive(archive.clone());
    let season = RenderedSeason::from_archive(archive);
    let rows = [b"[", &season.json(Order::NewestFirst).slice(&(0..count))[..], b"]"].concat();
    let rows: Vec<Map<String, Value>> = serde_json::from_slice(&rows).expect("rows are JSON");
    assert_eq!(rows.len(), count, "a row for each game");
    TableFormat::encode(&ParquetArchives, table.table(Order::OldestFirst, &PageRows::Run(0..count)))
        .expect("a table can be written");
}
