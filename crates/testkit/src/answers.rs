//! The contract suite of [`Answers`].

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sports_content::ObjectHash;
use sports_ports::PortError;
use sports_ports::answers::{Answers, Making};
use sports_ports::seasons::Weighed;

/// An answer for the tests, with a weight of 100 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextAnswer(pub &'static str);

impl Weighed for TextAnswer {
    fn weight(&self) -> usize {
        100
    }
}

/// Returns the name of an answer.
pub fn name(text: &str) -> ObjectHash {
    ObjectHash::from_bytes(text.as_bytes())
}

/// Computes an answer, counts the computation, and yields to other tasks in between.
pub fn making<'a>(text: &'static str, made: &'a AtomicUsize) -> Making<'a, TextAnswer> {
    Box::pin(async move {
        made.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        Ok(Arc::new(TextAnswer(text)))
    })
}

/// Runs every check on an implementation that is empty and has room for a handful of answers.
///
/// # Panics
///
/// Panics if a promise is broken.
pub async fn contract(answers: &impl Answers<TextAnswer>) {
    concurrent_readers_share_one_computation(answers).await;
    a_cached_answer_is_not_computed_again(answers).await;
    a_cached_answer_is_found_without_a_computation(answers).await;
    a_failure_is_returned_unchanged_and_not_cached(answers).await;
}

async fn concurrent_readers_share_one_computation(answers: &impl Answers<TextAnswer>) {
    let made = AtomicUsize::new(0);
    let readers = (0..16).map(|_| answers.answer(name("shared"), making("shared", &made)));
    for answer in futures::future::join_all(readers).await {
        assert_eq!(*answer.expect("made"), TextAnswer("shared"));
    }
    assert_eq!(made.load(Ordering::SeqCst), 1);
}

async fn a_cached_answer_is_not_computed_again(answers: &impl Answers<TextAnswer>) {
    let made = AtomicUsize::new(0);
    for (requested, text, expected) in [("one", "one", "one"), ("two", "two", "two"), ("one", "other", "one")] {
        let answer = answers.answer(name(requested), making(text, &made)).await.expect("made");
        assert_eq!(*answer, TextAnswer(expected), "names are kept apart");
    }
    assert_eq!(made.load(Ordering::SeqCst), 2);
}

async fn a_cached_answer_is_found_without_a_computation(answers: &impl Answers<TextAnswer>) {
    assert!(answers.kept(&name("kept")).await.is_none());
    let made = AtomicUsize::new(0);
    answers.answer(name("kept"), making("kept", &made)).await.expect("made");
    assert_eq!(answers.kept(&name("kept")).await.as_deref(), Some(&TextAnswer("kept")));
}

async fn a_failure_is_returned_unchanged_and_not_cached(answers: &impl Answers<TextAnswer>) {
    let made = AtomicUsize::new(0);
    let failing: Making<'_, TextAnswer> = Box::pin(async { Err(PortError::unavailable("the store", "unavailable")) });
    let failed = answers.answer(name("late"), failing).await;
    assert!(matches!(failed, Err(PortError::Unavailable { port: "the store", .. })), "{failed:?}");
    assert_eq!(*answers.answer(name("late"), making("late", &made)).await.expect("made"), TextAnswer("late"));
}
