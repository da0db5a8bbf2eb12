//! The entry that is found for an instant or a number, in records with gaps and damage.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use sports_domain::content::ObjectHash;
use sports_ports::publication::{Appended, PublicationLog};
use sports_ports::results::{Making, ResultCache};
use sports_ports::{Clock, PortError};
use sports_publication::{Catalog, ClockSource, Exceptions, ReleaseId};
use sports_testkit::clock::ClockFake;
use sports_usecases::moment::{LeagueMoment, MomentError, Moments, RequestedMoment};
use sports_usecases::record::{CurrentGenerations, CurrentSeasons, PastPart};
use tokio::time::Instant;

use crate::following::Opened;
use crate::world::{SPORT, World, games, generation};

/// A cache that keeps nothing.
pub struct Uncached;

#[async_trait]
impl ResultCache<PastPart> for Uncached {
    async fn result(&self, _: ObjectHash, making: Making<'_, PastPart>) -> Result<Arc<PastPart>, PortError> {
        making.await
    }

    async fn cached(&self, _: &ObjectHash) -> Option<Arc<PastPart>> {
        None
    }
}

/// The instant of the first entry.
fn start() -> DateTime<Utc> {
    "2024-01-01T00:00:00Z".parse().expect("an instant")
}

/// Returns the instant that many minutes later.
fn minute(count: i64) -> DateTime<Utc> {
    start() + TimeDelta::minutes(count)
}

fn catalog(number: u64, previous: Option<ObjectHash>, published_at: DateTime<Utc>) -> Catalog {
    Catalog {
        sport: SPORT,
        generation: generation(number),
        previous,
        release_id: ReleaseId::from_log(format!("r{number}")),
        published_at,
        clock: ClockSource::System,
        slate_date: start().date_naive(),
        run: None,
        earlier_run: None,
        frozen_games: std::collections::BTreeSet::new(),
        listed_ahead: std::collections::BTreeSet::new(),
        default_models: std::collections::BTreeMap::new(),
        ended_season: None,
        upload: None,
        exceptions: Exceptions::default(),
        models: None,
        tree: None,
        odds: None,
        predictions: BTreeMap::new(),
        openers: None,
        results: BTreeMap::new(),
    }
}

/// A record whose entries are appended one by one, and a node that serves it.
struct Log {
    world: World,
    previous: Option<ObjectHash>,
    node: Arc<CurrentGenerations>,
    moments: Moments,
}

impl Log {
    fn new() -> Self {
        let world = World::new();
        let node = world.node();
        let moments = Moments::new(world.past(&node), world.clock.clone());
        Self { world, previous: None, node, moments }
    }

    /// Appends entries of the record: each a number and the minute of its publication.
    async fn append(&mut self, entries: impl IntoIterator<Item = (u64, i64)>) {
        for (number, at) in entries {
            let entry = catalog(number, self.previous, minute(at));
            let Ok(Appended::Committed { digest }) = self.world.store.append(&entry).await else { panic!("{number}") };
            self.previous = Some(digest);
        }
    }

    async fn at(&self, instant: DateTime<Utc>) -> Result<u64, String> {
        number(self.moments.at(SPORT, RequestedMoment::At(instant)).await)
    }

    async fn numbered(&self, number_of: u64) -> Result<u64, String> {
        number(self.moments.at(SPORT, RequestedMoment::Generation(generation(number_of))).await)
    }
}

/// Returns the number of a moment's entry, or the kind of the error.
fn number(moment: Result<LeagueMoment, MomentError>) -> Result<u64, String> {
    match moment {
        Ok(moment) => Ok(moment.catalog().expect("published").generation.get()),
        Err(MomentError::Unreadable(_)) => Err("unreadable".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn unreadable() -> Result<u64, String> {
    Err("unreadable".to_owned())
}

#[tokio::test]
async fn every_instant_of_a_long_log_selects_its_entry_with_few_reads() {
    let mut log = Log::new();
    log.append((1..=3000).map(|number: u64| (number, number.cast_signed() * 10))).await;
    log.node.poll().await;
    let mut is_first = true;
    for number in [1, 2, 3, 77, 1024, 1500, 2047, 2998, 2999, 3000] {
        let published = minute(number * 10);
        for (instant, expected) in [
            (published, number),
            (published + TimeDelta::milliseconds(1), number),
            (published - TimeDelta::milliseconds(1), number - 1),
        ] {
            let before = log.world.store.entries_read();
            let found = log.at(instant).await;
            let read = log.world.store.entries_read() - before;
            // The facts of all entries are read once, and then the entry that is opened.
            assert!(read <= if is_first { 3000 } else { 1 }, "{read} entries at {instant}");
            is_first = false;
            if expected > 0 {
                assert_eq!(found, Ok(expected.cast_unsigned()), "{instant}");
            } else {
                assert_eq!(found, Err(format!("the first release of {SPORT} is of {published}")));
            }
        }
    }
    let before = log.world.store.entries_read();
    assert_eq!(log.at(minute(15_000)).await, Ok(1500));
    assert!(log.world.store.entries_read() - before <= 1, "the times that were read once are in memory");
}

#[tokio::test]
async fn only_the_moments_between_the_neighbours_of_a_damaged_entry_are_unreadable() {
    let mut log = Log::new();
    log.append((1..=3000).map(|number: u64| (number, number.cast_signed() * 10))).await;
    log.world.store.spoil_entry(SPORT, generation(1500));
    log.node.poll().await;
    assert_eq!(log.at(minute(14_990)).await, Ok(1499), "the publication before it");
    for instant in [minute(14_990) + TimeDelta::milliseconds(1), minute(15_000), minute(15_009)] {
        assert_eq!(log.at(instant).await, unreadable(), "{instant}");
    }
    assert_eq!(log.at(minute(15_010)).await, Ok(1501));
    assert_eq!(log.at(minute(14_989)).await, Ok(1498));
    assert_eq!(log.numbered(1500).await, unreadable());
    assert_eq!((log.numbered(1499).await, log.numbered(1501).await), (Ok(1499), Ok(1501)));
}

#[tokio::test]
async fn a_number_above_that_does_not_continue_the_record_is_no_part_of_it() {
    let mut log = Log::new();
    log.append([(1, 10), (2, 20)]).await;
    log.world.store.forge_entry(catalog(3, Some(ObjectHash::from_bytes(b"another record")), minute(30)));
    log.node.poll().await;
    assert_eq!((log.at(minute(500)).await, log.numbered(2).await), (Ok(2), Ok(2)));
    assert_eq!(log.numbered(3).await, Err(format!("number 3 of {SPORT} is no part of its record")));
    assert_eq!(log.numbered(4).await, Err(format!("{SPORT} has no generation 4")));
}

#[tokio::test]
async fn a_damaged_number_above_the_newest_entry_leaves_later_instants_to_it() {
    let mut log = Log::new();
    log.append([(1, 10), (2, 20)]).await;
    log.world.store.spoil_entry(SPORT, generation(3));
    log.node.poll().await;
    assert_eq!(log.at(minute(25)).await, Ok(2));
    assert_eq!(log.numbered(3).await, unreadable());
}

#[tokio::test]
async fn a_lost_entry_is_never_replaced_by_its_neighbour() {
    let mut log = Log::new();
    log.append((1..=6).map(|number: u64| (number, number.cast_signed() * 10))).await;
    log.world.store.lose_entry(SPORT, generation(3));
    log.node.poll().await;
    assert_eq!(log.at(minute(20)).await, Ok(2));
    assert_eq!((log.at(minute(25)).await, log.at(minute(30)).await), (unreadable(), unreadable()));
    assert_eq!((log.at(minute(40)).await, log.at(minute(50)).await), (Ok(4), Ok(5)));
    assert_eq!((log.numbered(3).await, log.numbered(4).await), (unreadable(), Ok(4)));
}

#[tokio::test]
async fn a_lost_entry_that_is_put_back_is_found_again() {
    let mut log = Log::new();
    log.append((1..=6).map(|number: u64| (number, number.cast_signed() * 10))).await;
    let lost = log.world.store.entry(SPORT, generation(3)).await.expect("reads").expect("an entry");
    log.world.store.lose_entry(SPORT, generation(3));
    log.node.poll().await;
    assert_eq!((log.numbered(3).await, log.at(minute(35)).await), (unreadable(), unreadable()));
    log.world.store.forge_entry(lost.catalog);
    assert_eq!((log.at(minute(35)).await, log.numbered(3).await), (Ok(3), Ok(3)));
}

#[tokio::test]
async fn an_entry_that_is_lost_after_its_number_was_listed_is_unreadable() {
    let mut log = Log::new();
    log.append((1..=6).map(|number: u64| (number, number.cast_signed() * 10))).await;
    log.node.poll().await;
    assert_eq!(log.at(minute(15)).await, Ok(1));
    log.world.store.lose_entry(SPORT, generation(4));
    assert_eq!((log.numbered(4).await, log.numbered(5).await), (unreadable(), Ok(5)));
}

#[tokio::test]
async fn the_moment_before_an_entry_is_of_a_member_of_the_record() {
    let mut log = Log::new();
    log.append((1..=6).map(|number: u64| (number, number.cast_signed() * 10))).await;
    log.world.store.lose_entry(SPORT, generation(3));
    log.node.poll().await;
    for (number, before) in [(2_u64, 1), (4, 2), (5, 4), (6, 5)] {
        let at = RequestedMoment::At(minute(10 * number.cast_signed()));
        for requested in [RequestedMoment::Generation(generation(number)), at] {
            let found = log.moments.at(SPORT, requested).await.expect("a moment").requested().expect("requested");
            assert_eq!(found.before, Some(generation(before)), "{requested:?}");
        }
    }
}

#[tokio::test]
async fn a_moment_after_the_last_poll_is_answered_after_another_one() {
    let mut log = Log::new();
    log.append([(1, 10)]).await;
    log.node.poll().await;
    let now = log.world.clock.now();
    let minutes = (now - start()).num_minutes();
    log.append([(2, minutes)]).await;
    assert_eq!(log.at(now).await, Ok(2));
    assert_eq!(log.at(minute(minutes - 1)).await, Ok(1));
    let future = log.moments.at(SPORT, RequestedMoment::At(now + TimeDelta::milliseconds(2_001))).await;
    assert!(matches!(future, Err(MomentError::Future { now: at }) if at == now));
    assert_eq!(log.at(now + TimeDelta::seconds(2)).await, Ok(2));
}

#[tokio::test]
async fn a_publishers_clock_that_is_ahead_hides_its_entry_from_the_present_instant() {
    let mut log = Log::new();
    let now = log.world.clock.now();
    let minutes = (now - start()).num_minutes();
    log.append([(1, 10), (2, minutes + 30)]).await;
    log.node.poll().await;
    assert_eq!(log.at(now).await, Ok(1));
    assert_eq!(log.numbered(2).await, Ok(2));
    let found =
        log.moments.at(SPORT, RequestedMoment::At(now)).await.expect("a moment").requested().expect("requested");
    assert_eq!((found.before, found.after), (None, Some(generation(2))));
}

/// A clock that runs with the time of the test, so that each reading is later than the one before.
struct RunningClock {
    world: Arc<ClockFake>,
    begun: Instant,
    readings: AtomicU64,
}

impl Clock for RunningClock {
    fn now(&self) -> DateTime<Utc> {
        self.world.now()
    }

    fn uptime(&self) -> Duration {
        self.begun.elapsed() + Duration::from_nanos(self.readings.fetch_add(1, Relaxed))
    }
}

#[tokio::test(start_paused = true)]
async fn requests_that_need_a_poll_at_the_same_time_share_it() {
    let world = World::new();
    let clock = RunningClock { world: world.clock.clone(), begun: Instant::now(), readings: AtomicU64::new(0) };
    let clock: Arc<dyn Clock> = Arc::new(clock);
    world.publish(games(&["a"])).await;
    let opened = CurrentSeasons::new(Arc::new(Opened(world.archives.clone())));
    let node = CurrentGenerations::new(world.store.clone(), world.slates.clone(), Arc::new(opened), Arc::clone(&clock));
    let moments = Moments::new(world.past(&Arc::new(node)), clock);
    let unread = LeagueMoment::current(SPORT, None, world.clock.now());
    moments.after_a_poll(&unread).await.expect("read");
    let (begun, before) = (Instant::now(), world.store.entries_read());
    let polled = join_all((0..60).map(|_| moments.after_a_poll(&unread))).await;
    assert!(polled.iter().all(Result::is_ok));
    assert_eq!(world.store.entries_read() - before, 1, "one poll for all");
    assert_eq!(begun.elapsed(), Duration::from_millis(100), "the shortest time between two polls");
}
