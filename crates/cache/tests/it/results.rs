//! Results in the cache.

use std::sync::atomic::{AtomicUsize, Ordering};

use sports_cache::{CachedResults, ContentCache};
use sports_ports::results::ResultCache as _;
use sports_testkit::results::{contract, making, name};

#[tokio::test]
async fn cached_results_keep_the_contract() {
    contract(&CachedResults::new(&ContentCache::new(1_000))).await;
}

#[tokio::test]
async fn kept_entries_weigh_no_more_than_the_capacity() {
    let (cache, times) = (ContentCache::new(250), AtomicUsize::new(0));
    let results = CachedResults::new(&cache);
    for _ in 0..2 {
        for text in ["one", "two", "three", "four"] {
            results.result(name(text), making("any", &times)).await.expect("made");
        }
        cache.settle().await;
        assert!(cache.weight() <= 250, "{}", cache.weight());
    }
    assert!(times.load(Ordering::SeqCst) > 4, "four answers of 100 do not fit into 250");
}
