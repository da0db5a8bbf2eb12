//! Walks over a log that is slow to answer, on a clock that jumps to the next timer.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use sports_domain::Sport;
use sports_ports::publication::{Appended, LogEntry, PublicationLog};
use sports_ports::{Clock as _, PortError};
use sports_publication::testing::season;
use sports_publication::{Catalog, CorrectionPage, Generation};
use sports_testkit::publication::StoreFake;
use sports_usecases::correction_walks::CorrectionWalks;
use sports_usecases::moment::{LeagueMoment, Moments};
use sports_usecases::record::{CurrentGenerations, Inline, Ledgers};
use sports_usecases::season_walk::{NeededParts, SeasonWalks, WalkError};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::season_walk::{LABEL, release};
use crate::world::{SPORT, World, generation};

/// The time for which a request waits for a walk.
const WALK_TIMEOUT: Duration = Duration::from_secs(10);

/// A log whose entries arrive once it is open.
struct SlowLog {
    store: Arc<StoreFake>,
    gate: Semaphore,
    read: AtomicUsize,
}

#[async_trait]
impl PublicationLog for SlowLog {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        self.store.numbers(sport).await
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        self.store.numbers_after(sport, generation).await
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        self.read.fetch_add(1, SeqCst);
        let _open = self.gate.acquire().await.expect("never closed");
        self.store.entry(sport, generation).await
    }

    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
        self.store.append(catalog).await
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        self.store.honours_put_if_absent().await
    }

    async fn ping(&self) -> Result<(), PortError> {
        self.store.ping().await
    }
}

impl SlowLog {
    fn of(world: &World, permits: usize) -> Arc<Self> {
        let gate = Semaphore::new(permits);
        Arc::new(Self { store: world.store.clone(), gate, read: AtomicUsize::new(0) })
    }
}

/// A record of some entries, and walks over it by slow logs.
struct Slow {
    world: World,
    /// The log of the node, which is open until it is closed.
    node_log: Arc<SlowLog>,
    /// The log of corrections.
    log: Arc<SlowLog>,
    node: Arc<CurrentGenerations>,
    moments: Moments,
    seasons: Arc<SeasonWalks>,
    corrections: Arc<CorrectionWalks>,
}

impl Slow {
    async fn with_entries(count: u16) -> Self {
        let world = World::new();
        let (node_log, log) = (SlowLog::of(&world, 16), SlowLog::of(&world, 0));
        let node = world.node_over(node_log.clone());
        let (slates, archives) = (world.slates.clone(), world.archives.clone());
        let seasons = SeasonWalks::new(slates, archives, world.past(&node), 1 << 20, WALK_TIMEOUT);
        let ledgers = Arc::new(Ledgers::new(&(log.clone() as _)));
        let corrections = CorrectionWalks::new(ledgers, world.slates.clone(), Arc::new(Inline), 1 << 20, WALK_TIMEOUT);
        let moments = Moments::new(world.past(&node), world.clock.clone());
        let slow =
            Self { world, node_log, log, node, moments, seasons: seasons.into(), corrections: corrections.into() };
        for number in 0..count {
            slow.publish(number).await;
        }
        slow
    }

    async fn publish(&self, number: u16) {
        self.world.clock.advance(TimeDelta::minutes(1));
        let mut release = release(number.into(), 100 + i32::from(number), None);
        release.source_as_of.odds = Some(self.world.clock.now());
        self.world.try_publish(&release).await.expect("publishes");
        self.node.poll().await;
    }

    fn now(&self) -> LeagueMoment {
        self.moments.now(SPORT).expect("read")
    }

    fn open(&self) {
        self.log.gate.add_permits(16);
    }

    fn read(&self) -> usize {
        self.log.read.load(SeqCst)
    }

    async fn corrections(&self) -> Result<CorrectionPage, WalkError> {
        self.corrections.page(&self.now(), Generation::FIRST, 100).await
    }

    /// Returns the number of entries of the season.
    async fn season(&self) -> Result<usize, WalkError> {
        let walked = self.seasons.season(&self.now(), season(SPORT, LABEL), NeededParts::Odds).await;
        walked.map(|movement| movement.entries().len())
    }
}

#[tokio::test(start_paused = true)]
async fn a_season_that_takes_longer_than_a_request_waits_is_refused_and_read_once() {
    let slow = Slow::with_entries(40).await;
    slow.node_log.gate.forget_permits(16);
    let before = slow.node_log.read.load(SeqCst);
    for _ in 0..2 {
        let begun = Instant::now();
        assert!(matches!(slow.season().await, Err(WalkError::Underway { .. })));
        assert_eq!(begun.elapsed(), WALK_TIMEOUT);
    }
    slow.node_log.gate.add_permits(16);
    let walked = slow.season().await.expect("walked");
    assert_eq!((walked, slow.node_log.read.load(SeqCst) - before), (40, 40), "the first walk went on");
}

#[tokio::test(start_paused = true)]
async fn corrections_that_take_longer_than_a_request_waits_are_refused_and_read_once() {
    let slow = Slow::with_entries(40).await;
    for _ in 0..2 {
        let begun = Instant::now();
        assert!(matches!(slow.corrections().await, Err(WalkError::CorrectionsUnderway { sport: SPORT })));
        assert_eq!(begun.elapsed(), WALK_TIMEOUT);
    }
    slow.open();
    let nothing = CorrectionPage { complete_since: Some(generation(1)), ..CorrectionPage::default() };
    assert_eq!(
        (slow.corrections().await.expect("walked"), slow.read()),
        (nothing.clone(), 40),
        "the first walk went on"
    );
    slow.publish(40).await;
    assert_eq!((slow.corrections().await.expect("walked"), slow.read()), (nothing.clone(), 41));
    assert_eq!((slow.corrections().await.expect("walked"), slow.read()), (nothing, 41), "it is in memory");
}

#[tokio::test]
async fn corrections_of_a_store_that_was_away_are_read_once_it_is_back() {
    let slow = Slow::with_entries(3).await;
    slow.open();
    slow.world.store.set_unavailable(true);
    assert!(matches!(slow.corrections().await, Err(WalkError::Unreadable(_))));
    slow.world.store.set_unavailable(false);
    assert_eq!(slow.corrections().await.expect("walked").complete_since, Some(generation(1)));
}
