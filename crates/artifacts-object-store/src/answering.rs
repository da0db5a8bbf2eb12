use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long after a request was given up nothing more is asked. Then one request at a time is a trial, until one is
/// answered: who needs several answers of a store that hangs waits for one of them, and who comes later for none.
const PAUSE: Duration = Duration::from_secs(1);

/// Whether a store answers, as far as its last requests showed.
#[derive(Debug, Default)]
pub struct Answering(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// When the last answer came.
    answered: Option<Instant>,
    hangs: Option<Hang>,
}

#[derive(Debug)]
struct Hang {
    /// When the last request was given up.
    since: Instant,
    /// Whether one is tried.
    tried: bool,
}

/// A request that is under way. Dropped before its end, it says nothing about the store.
pub struct Asking<'a> {
    answering: &'a Answering,
    begun: Instant,
    is_trial: bool,
}

impl Answering {
    /// A request, if it makes sense now.
    pub fn ask(&self, now: Instant) -> Option<Asking<'_>> {
        let is_trial = match &mut self.state().hangs {
            None => false,
            Some(Hang { tried, since }) if !*tried && now >= *since + PAUSE => {
                *tried = true;
                true
            }
            Some(_) => return None,
        };
        Some(Asking { answering: self, begun: now, is_trial })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asking<'_> {
    /// The store answered, whatever it said.
    pub fn answered(mut self, now: Instant) {
        self.is_trial = false;
        *self.answering.state() = State { answered: Some(now), hangs: None };
    }

    /// The request was given up. Where another was answered since this one began, the store is well: this one was lost.
    pub fn gave_up(mut self, now: Instant) {
        let mut state = self.answering.state();
        if state.answered.is_none_or(|answered| answered < self.begun) {
            self.is_trial = false;
            state.hangs = Some(Hang { since: now, tried: false });
        }
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if !self.is_trial {
            return;
        }
        if let Some(hang) = &mut self.answering.state().hangs {
            hang.tried = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_hangs_is_tried_by_one_request_at_a_time_until_it_answers() {
        let (store, start) = (Answering::default(), Instant::now());
        let [first, second] = [(); 2].map(|()| store.ask(start).expect("it answers so far"));
        first.gave_up(start);
        assert!(store.ask(start).is_none(), "not right after");
        let later = start + PAUSE;
        let trial = store.ask(later).expect("a trial");
        assert!(store.ask(later).is_none(), "one at a time");
        drop(trial);
        store.ask(later).expect("the last trial was not finished").gave_up(later);
        assert!(store.ask(later).is_none());
        let _trial = store.ask(later + PAUSE).expect("a trial");
        second.answered(later);
        assert!(store.ask(later).is_some() && store.ask(later).is_some());
    }

    #[test]
    fn a_request_given_up_after_a_later_one_was_answered_says_nothing_of_the_store() {
        let (store, start) = (Answering::default(), Instant::now());
        let lost = store.ask(start).expect("it answers so far");
        let later = start + PAUSE;
        store.ask(later).expect("it answers so far").answered(later);
        lost.gave_up(later + PAUSE);
        let next = store.ask(later + PAUSE).expect("it answers");
        next.gave_up(later + PAUSE);
        assert!(store.ask(later + PAUSE).is_none(), "the last answer is older than that request");
    }
}
