//! Season views behind the cache.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use sports_cache::{CachedResults, CachedSeasonViews, ContentCache};
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::{ArchiveCodec, ObjectKind, Objects};
use sports_ports::results::ResultCache as _;
use sports_ports::seasons::{SeasonRef, SeasonViews, Weighed};
use sports_publication::SeasonArchive;
use sports_testkit::results::{making, name};
use sports_testkit::seasons;

struct Heavy(usize);

impl Weighed for Heavy {
    fn weight(&self) -> usize {
        self.0
    }
}

/// A source of views that counts its loads and takes a moment for each.
#[derive(Default)]
struct Slow {
    loads: AtomicUsize,
    unavailable: AtomicBool,
}

#[async_trait]
impl SeasonViews<Heavy> for Slow {
    async fn view(&self, _: &SeasonRef) -> Result<Arc<Heavy>, PortError> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        if self.unavailable.load(Ordering::SeqCst) {
            return Err(PortError::unavailable("the slow store", "unavailable"));
        }
        Ok(Arc::new(Heavy(100)))
    }
}

/// Views that are the archives themselves.
struct Opened(Arc<dyn Objects>, Arc<dyn ArchiveCodec>);

#[derive(Debug, PartialEq)]
struct Archive(SeasonArchive);

impl Weighed for Archive {
    fn weight(&self) -> usize {
        100
    }
}

#[async_trait]
impl SeasonViews<Archive> for Opened {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<Archive>, PortError> {
        let bytes = self.0.get(season.market.sport, ObjectKind::Parquet, &season.object).await?;
        let bytes = bytes.ok_or_else(|| PortError::corrupt("the store", "no such object"))?;
        Ok(Arc::new(Archive(self.1.decode(season.market, season.season, bytes)?)))
    }
}

#[tokio::test]
async fn cached_views_keep_the_contract() {
    seasons::contract(|objects, codec| {
        CachedSeasonViews::new(Arc::new(Opened(objects, codec)), &ContentCache::new(1_000))
    })
    .await;
}

fn season(name: &str) -> SeasonRef {
    let market = Market::new(Sport::Nfl, ModelType::OverUnder);
    let season = Season::parse(Sport::Nfl, "2023-24").expect("a season");
    SeasonRef { market, season, object: ObjectHash::from_bytes(name.as_bytes()), bytes: 0, public_in: None }
}

#[tokio::test]
async fn concurrent_readers_share_one_load() {
    let slow = Arc::new(Slow::default());
    let cached = Arc::new(CachedSeasonViews::new(slow.clone(), &ContentCache::new(1_000)));
    let readers: Vec<_> = (0..16)
        .map(|_| {
            let cached = Arc::clone(&cached);
            tokio::spawn(async move { cached.view(&season("one")).await.expect("loads").0 })
        })
        .collect();
    for reader in readers {
        assert_eq!(reader.await.expect("no panic"), 100);
    }
    assert_eq!(slow.loads.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_failed_load_is_returned_and_not_kept() {
    let slow = Arc::new(Slow::default());
    let cached = CachedSeasonViews::new(slow.clone(), &ContentCache::new(1_000));
    slow.unavailable.store(true, Ordering::SeqCst);
    let failed = cached.view(&season("one")).await.err();
    assert!(matches!(failed, Some(PortError::Unavailable { port: "the slow store", .. })), "{failed:?}");
    slow.unavailable.store(false, Ordering::SeqCst);
    assert_eq!(cached.view(&season("one")).await.expect("loads").0, 100);
}

#[tokio::test]
async fn a_view_that_was_loaded_outlives_the_store() {
    let slow = Arc::new(Slow::default());
    let cached = CachedSeasonViews::new(slow.clone(), &ContentCache::new(1_000));
    cached.view(&season("one")).await.expect("loads");
    slow.unavailable.store(true, Ordering::SeqCst);
    cached.view(&season("one")).await.expect("kept");
    cached.cached(&season("one")).await.expect("kept");
    let lookups = cached.lookups();
    assert_eq!((lookups.hits(), lookups.misses()), (2, 1));
}

#[tokio::test]
async fn kept_entries_weigh_no_more_than_the_capacity() {
    let slow = Arc::new(Slow::default());
    let cache = ContentCache::new(250);
    let cached = CachedSeasonViews::new(slow.clone(), &cache);
    for _ in 0..2 {
        for name in ["one", "two", "three", "four"] {
            cached.view(&season(name)).await.expect("loads");
        }
        cache.settle().await;
        assert!(cache.weight() <= 250, "{}", cache.weight());
    }
    assert!(slow.loads.load(Ordering::SeqCst) > 4, "four views of 100 do not fit into 250");
}

/// A season that was published anew is never requested under its old name again, however often it was before.
#[tokio::test]
async fn a_new_view_evicts_one_that_was_read_a_thousand_times() {
    let slow = Arc::new(Slow::default());
    let cache = ContentCache::new(100);
    let cached = CachedSeasonViews::new(slow.clone(), &cache);
    for _ in 0..1_000 {
        cached.view(&season("replaced")).await.expect("loads");
    }
    for _ in 0..3 {
        cached.view(&season("current")).await.expect("loads");
        cache.settle().await;
    }
    assert_eq!(slow.loads.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_view_that_is_held_is_not_loaded_again() {
    let slow = Arc::new(Slow::default());
    let cache = ContentCache::new(250);
    let cached = CachedSeasonViews::new(slow.clone(), &cache);
    let pinned = cached.view(&season("current")).await.expect("loads");
    for round in 0..50 {
        cached.view(&season(&format!("earlier {round}"))).await.expect("loads");
        cache.settle().await;
    }
    assert!(Arc::ptr_eq(&cached.cached(&season("current")).await.expect("held"), &pinned));
    assert!(Arc::ptr_eq(&cached.view(&season("current")).await.expect("held"), &pinned));
    assert_eq!((slow.loads.load(Ordering::SeqCst), cached.lookups().misses()), (51, 51));
    drop(pinned);
    // An evicted entry may hold the view for a moment longer: the cache frees entries once no thread of the process reads one.
    for round in 50.. {
        cached.view(&season(&format!("earlier {round}"))).await.expect("loads");
        cache.settle().await;
        if round % 50 == 0 && cached.cached(&season("current")).await.is_none() {
            break;
        }
        assert!(round < 50_000, "nobody holds it anymore");
    }
}

#[tokio::test]
async fn values_of_all_types_share_one_bound() {
    let slow = Arc::new(Slow::default());
    let cache = ContentCache::new(250);
    let (views, results) = (CachedSeasonViews::new(slow.clone(), &cache), CachedResults::new(&cache));
    let times = AtomicUsize::new(0);
    for round in 0..10 {
        let text = format!("round {round}");
        views.view(&season(&text)).await.expect("loads");
        results.result(name(&text), making("any", &times)).await.expect("made");
        cache.settle().await;
        assert!(cache.weight() <= 250, "{}", cache.weight());
    }
    assert_eq!((slow.loads.load(Ordering::SeqCst), times.load(Ordering::SeqCst)), (10, 10));
}
