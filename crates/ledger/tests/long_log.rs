//! The ledger of a log with 30,000 entries, on a bucket of which each reply takes 50 ms. Time is the clock's of the test, so the load
//! of the machine does not count.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::TimeDelta;
use sports_domain::Sport;
use sports_ledger::{Ledgers, Sought, is_being_read, write_indexes};
use sports_ports::PortError;
use sports_ports::publication::{Appended, LogEntry, PublicationLog};
use sports_ports::record::{CheckpointFile, RecordFile, RecordFiles, StoredAs};
use sports_publication::{Catalog, Generation};
use sports_testkit::publication::StoreFake;
use sports_testkit::publication::contract::{SPORT, a_catalog};
use sports_transparency::{KeyId, TilePath};
use tokio::time::{Instant, sleep};

const ENTRIES: u64 = 30_000;

/// The time of one reply.
const REPLY: Duration = Duration::from_millis(50);

/// The names in one reply to a listing.
const LISTED: usize = 1_000;

struct Bucket(Arc<StoreFake>);

impl Bucket {
    async fn listed(&self, numbers: Vec<Generation>) -> Vec<Generation> {
        sleep(REPLY * u32::try_from(numbers.len().div_ceil(LISTED).max(1)).expect("few replies")).await;
        numbers
    }
}

#[async_trait]
impl PublicationLog for Bucket {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        Ok(self.listed(self.0.numbers(sport).await?).await)
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        Ok(self.listed(self.0.numbers_after(sport, generation).await?).await)
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        sleep(REPLY).await;
        self.0.entry(sport, generation).await
    }

    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
        self.0.append(catalog).await
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        self.0.honours_put_if_absent().await
    }

    async fn ping(&self) -> Result<(), PortError> {
        self.0.ping().await
    }
}

#[async_trait]
impl RecordFiles for Bucket {
    async fn record_file(&self, file: &RecordFile) -> Result<Option<Bytes>, PortError> {
        sleep(REPLY).await;
        self.0.record_file(file).await
    }

    async fn put_record_file(&self, file: &RecordFile, bytes: Bytes) -> Result<StoredAs, PortError> {
        self.0.put_record_file(file, bytes).await
    }

    async fn checkpoints(&self, sport: Sport, sizes: RangeInclusive<u64>) -> Result<Vec<CheckpointFile>, PortError> {
        self.0.checkpoints(sport, sizes).await
    }

    async fn first_checkpoints(
        &self,
        sport: Sport,
        sizes: RangeInclusive<u64>,
        trees: usize,
    ) -> Result<Vec<CheckpointFile>, PortError> {
        self.0.first_checkpoints(sport, sizes, trees).await
    }

    async fn tiles(&self, sport: Sport) -> Result<Vec<TilePath>, PortError> {
        self.0.tiles(sport).await
    }

    async fn record_keys(&self) -> Result<Vec<KeyId>, PortError> {
        self.0.record_keys().await
    }
}

fn number(number: u64) -> Generation {
    Generation::new(number).expect("not zero")
}

/// Creates a log with an entry for each minute, and its indexes.
async fn long_log() -> Arc<StoreFake> {
    let store = Arc::new(StoreFake::default());
    let (first, mut previous) = (a_catalog(1, "an entry"), None);
    for count in 1..=ENTRIES {
        let published_at = first.published_at + TimeDelta::minutes(count.cast_signed());
        let catalog = Catalog { generation: number(count), previous, published_at, ..first.clone() };
        let Ok(Appended::Committed { digest }) = store.append(&catalog).await else { panic!("{count}") };
        previous = Some(digest);
    }
    let written = write_indexes(&*store, &*store, SPORT, number(ENTRIES)).await.expect("stored");
    assert_eq!(written, ENTRIES / sports_ledger::BLOCK);
    store
}

/// Returns the memory of this process, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("the pages of this process");
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).expect("a number") * 4096
}

#[tokio::test(start_paused = true)]
async fn a_long_log_is_served_in_two_seconds_and_known_in_ten() {
    let bucket = Arc::new(Bucket(long_log().await));
    #[cfg(target_os = "linux")]
    let before = resident();
    let log: Arc<dyn PublicationLog> = Arc::clone(&bucket) as _;
    let ledgers = Ledgers::for_server(&log, &(bucket as _), Duration::from_secs(2));
    let (ledger, begun) = (ledgers.of(SPORT), Instant::now());

    ledger.poll(Some(Duration::ZERO)).await.expect("reads");
    let newest = ledger.newest().expect("an entry").entry.catalog.generation;
    let served = begun.elapsed();
    assert!(newest == number(ENTRIES) && served <= Duration::from_secs(2), "{newest} after {served:?}");

    let oldest = loop {
        match ledger.find(Sought::Number(number(1))).await {
            Err(error) if is_being_read(&error) => {}
            found => break found.expect("reads").expect("an entry"),
        }
    };
    let known = begun.elapsed();
    assert!(known <= Duration::from_secs(10), "{known:?}");
    for count in (1..=ENTRIES).step_by(997) {
        let at = oldest.facts.published_at + TimeDelta::minutes(count.cast_signed() - 1) + TimeDelta::seconds(59);
        let found = ledger.find(Sought::At(at)).await.expect("known").expect("an entry");
        assert_eq!(found.facts.generation, number(count));
    }
    assert_eq!(begun.elapsed(), known, "an instant needs no read");
    #[cfg(target_os = "linux")]
    {
        let memory = resident().saturating_sub(before);
        assert!(memory <= 16 << 20, "{memory} bytes");
        println!("served after {served:?}, known after {known:?}, {} KiB", memory >> 10);
    }
}
