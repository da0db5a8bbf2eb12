//! Answers behind the cache.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sports_cache_moka::KeptAnswers;
use sports_ports::PortError;
use sports_ports::answers::{Answers, Making};
use sports_ports::seasons::Weighed;
use sports_publication::ObjectHash;

struct Heavy(&'static str);

impl Weighed for Heavy {
    fn weight(&self) -> usize {
        100
    }
}

/// Makes an answer, counting, and takes a moment for it.
fn made<'a>(text: &'static str, times: &'a AtomicUsize) -> Making<'a, Heavy> {
    Box::pin(async move {
        times.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        Ok(Arc::new(Heavy(text)))
    })
}

fn name(text: &str) -> ObjectHash {
    ObjectHash::from_bytes(text.as_bytes())
}

#[tokio::test]
async fn readers_who_ask_at_once_share_one_making_and_names_are_kept_apart() {
    let (kept, times) = (KeptAnswers::new(1_000), AtomicUsize::new(0));
    let asking = (0..16).map(|_| kept.answer(name("one"), made("one", &times)));
    for answer in futures::future::join_all(asking).await {
        assert_eq!(answer.expect("made").0, "one");
    }
    assert_eq!(times.load(Ordering::SeqCst), 1);
    assert_eq!(kept.answer(name("two"), made("two", &times)).await.expect("made").0, "two");
    assert_eq!(kept.answer(name("one"), made("other", &times)).await.expect("kept").0, "one");
    assert_eq!(times.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_failure_is_told_as_it_is_and_not_kept() {
    let (kept, times) = (KeptAnswers::new(1_000), AtomicUsize::new(0));
    let failing: Making<'_, Heavy> = Box::pin(async { Err(PortError::unavailable("the store", "away")) });
    let failed = kept.answer(name("one"), failing).await.err();
    assert!(matches!(failed, Some(PortError::Unavailable { port: "the store", .. })), "{failed:?}");
    assert_eq!(kept.answer(name("one"), made("one", &times)).await.expect("made").0, "one");
}

#[tokio::test]
async fn what_is_kept_weighs_no_more_than_the_capacity() {
    let (kept, times) = (KeptAnswers::new(250), AtomicUsize::new(0));
    for _ in 0..2 {
        for text in ["one", "two", "three", "four"] {
            kept.answer(name(text), made("any", &times)).await.expect("made");
        }
        kept.settle().await;
        assert!(kept.weight() <= 250, "{}", kept.weight());
    }
    assert!(times.load(Ordering::SeqCst) > 4, "four answers of 100 do not fit into 250");
}
