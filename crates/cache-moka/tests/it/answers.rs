//! Answers behind the cache.

use std::sync::atomic::{AtomicUsize, Ordering};

use sports_cache_moka::KeptAnswers;
use sports_ports::answers::Answers as _;
use sports_testkit::answers::{contract, making, name};

#[tokio::test]
async fn kept_answers_keep_the_contract() {
    contract(&KeptAnswers::new(1_000)).await;
}

#[tokio::test]
async fn kept_entries_weigh_no_more_than_the_capacity() {
    let (kept, times) = (KeptAnswers::new(250), AtomicUsize::new(0));
    for _ in 0..2 {
        for text in ["one", "two", "three", "four"] {
            kept.answer(name(text), making("any", &times)).await.expect("made");
        }
        kept.settle().await;
        assert!(kept.weight() <= 250, "{}", kept.weight());
    }
    assert!(times.load(Ordering::SeqCst) > 4, "four answers of 100 do not fit into 250");
}
