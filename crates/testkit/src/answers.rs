//! The contract of [`Answers`].

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sports_content::ObjectHash;
use sports_ports::PortError;
use sports_ports::answers::{Answers, Making};
use sports_ports::seasons::Weighed;

/// An answer to keep; it weighs 100 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextAnswer(pub &'static str);

impl Weighed for TextAnswer {
    fn weight(&self) -> usize {
        100
    }
}

/// The name of an answer.
#[must_use]
pub fn name(text: &str) -> ObjectHash {
    ObjectHash::from_bytes(text.as_bytes())
}

/// Makes an answer, counts that it did, and lets others run meanwhile.
#[must_use]
pub fn making<'a>(text: &'static str, made: &'a AtomicUsize) -> Making<'a, TextAnswer> {
    Box::pin(async move {
        made.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        Ok(Arc::new(TextAnswer(text)))
    })
}

/// Holds an implementation that keeps nothing yet, and has room for a handful of answers, to every promise.
///
/// # Panics
///
/// When a promise is broken.
pub async fn contract(answers: &impl Answers<TextAnswer>) {
    readers_who_ask_at_once_share_one_making(answers).await;
    a_kept_answer_is_not_made_again(answers).await;
    a_failure_is_reported_as_it_is_and_not_kept(answers).await;
}

async fn readers_who_ask_at_once_share_one_making(answers: &impl Answers<TextAnswer>) {
    let made = AtomicUsize::new(0);
    let asking = (0..16).map(|_| answers.answer(name("shared"), making("shared", &made)));
    for answer in futures::future::join_all(asking).await {
        assert_eq!(*answer.expect("made"), TextAnswer("shared"));
    }
    assert_eq!(made.load(Ordering::SeqCst), 1);
}

async fn a_kept_answer_is_not_made_again(answers: &impl Answers<TextAnswer>) {
    let made = AtomicUsize::new(0);
    for (asked, text, answered) in [("one", "one", "one"), ("two", "two", "two"), ("one", "other", "one")] {
        let answer = answers.answer(name(asked), making(text, &made)).await.expect("made");
        assert_eq!(*answer, TextAnswer(answered), "names are kept apart");
    }
    assert_eq!(made.load(Ordering::SeqCst), 2);
}

async fn a_failure_is_reported_as_it_is_and_not_kept(answers: &impl Answers<TextAnswer>) {
    let made = AtomicUsize::new(0);
    let failing: Making<'_, TextAnswer> = Box::pin(async { Err(PortError::unavailable("the store", "unavailable")) });
    let failed = answers.answer(name("late"), failing).await;
    assert!(matches!(failed, Err(PortError::Unavailable { port: "the store", .. })), "{failed:?}");
    assert_eq!(*answers.answer(name("late"), making("late", &made)).await.expect("made"), TextAnswer("late"));
}
