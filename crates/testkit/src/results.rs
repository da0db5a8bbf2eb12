//! The contract suite of [`ResultCache`].

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::results::{Making, ResultCache};
use sports_ports::seasons::Weighed;

/// A result for the tests, with a weight of 100 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextResult(pub &'static str);

impl Weighed for TextResult {
    fn weight(&self) -> usize {
        100
    }
}

/// Returns the name of a result.
pub fn name(text: &str) -> ObjectHash {
    ObjectHash::from_bytes(text.as_bytes())
}

/// Computes a result, counts the computation, and yields to other tasks in between.
pub fn making<'a>(text: &'static str, made: &'a AtomicUsize) -> Making<'a, TextResult> {
    Box::pin(async move {
        made.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        Ok(Arc::new(TextResult(text)))
    })
}

/// Runs every check on an implementation that is empty and has room for a handful of results.
///
/// # Panics
///
/// Panics if a promise is broken.
pub async fn contract(results: &impl ResultCache<TextResult>) {
    concurrent_readers_share_one_computation(results).await;
    a_cached_result_is_not_computed_again(results).await;
    a_cached_result_is_found_without_a_computation(results).await;
    a_failure_is_returned_unchanged_and_not_cached(results).await;
}

async fn concurrent_readers_share_one_computation(results: &impl ResultCache<TextResult>) {
    let made = AtomicUsize::new(0);
    let readers = (0..16).map(|_| results.result(name("shared"), making("shared", &made)));
    for result in futures::future::join_all(readers).await {
        assert_eq!(*result.expect("made"), TextResult("shared"));
    }
    assert_eq!(made.load(Ordering::SeqCst), 1);
}

async fn a_cached_result_is_not_computed_again(results: &impl ResultCache<TextResult>) {
    let made = AtomicUsize::new(0);
    for (requested, text, expected) in [("one", "one", "one"), ("two", "two", "two"), ("one", "other", "one")] {
        let result = results.result(name(requested), making(text, &made)).await.expect("made");
        assert_eq!(*result, TextResult(expected), "names are kept apart");
    }
    assert_eq!(made.load(Ordering::SeqCst), 2);
}

async fn a_cached_result_is_found_without_a_computation(results: &impl ResultCache<TextResult>) {
    assert!(results.cached(&name("kept")).await.is_none());
    let made = AtomicUsize::new(0);
    results.result(name("kept"), making("kept", &made)).await.expect("made");
    assert_eq!(results.cached(&name("kept")).await.as_deref(), Some(&TextResult("kept")));
}

async fn a_failure_is_returned_unchanged_and_not_cached(results: &impl ResultCache<TextResult>) {
    let made = AtomicUsize::new(0);
    let failing: Making<'_, TextResult> = Box::pin(async { Err(PortError::unavailable("the store", "unavailable")) });
    let failed = results.result(name("late"), failing).await;
    assert!(matches!(failed, Err(PortError::Unavailable { port: "the store", .. })), "{failed:?}");
    assert_eq!(*results.result(name("late"), making("late", &made)).await.expect("made"), TextResult("late"));
}
