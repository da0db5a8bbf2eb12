use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long after a request was given up nothing more is asked. Then one request at a time is a trial, until one is
/// answered: who needs several answers of a store that hangs waits for one of them, and who comes later for none.
const PAUSE: Duration = Duration::from_secs(1);

/// Whether a store answers, as far as its last requests showed.
#[derive(Debug, Default)]
pub struct Answering(Mutex<State>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Answers,
    Hangs {
        /// When the last request was given up.
        since: Instant,
        /// Whether one is tried.
        tried: bool,
    },
}

/// A request that is under way. Dropped before its end, it says nothing about the store.
pub struct Asking<'a> {
    answering: &'a Answering,
    is_trial: bool,
}

impl Answering {
    /// A request, if it makes sense now.
    pub fn ask(&self, now: Instant) -> Option<Asking<'_>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_trial = match &mut *state {
            State::Answers => false,
            State::Hangs { tried, since } if !*tried && now >= *since + PAUSE => {
                *tried = true;
                true
            }
            State::Hangs { .. } => return None,
        };
        Some(Asking { answering: self, is_trial })
    }

    fn becomes(&self, next: State) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

impl Asking<'_> {
    /// The store answered, whatever it said.
    pub fn answered(mut self) {
        self.is_trial = false;
        self.answering.becomes(State::Answers);
    }

    /// The request was given up.
    pub fn gave_up(mut self, now: Instant) {
        self.is_trial = false;
        self.answering.becomes(State::Hangs { since: now, tried: false });
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if !self.is_trial {
            return;
        }
        if let State::Hangs { tried, .. } = &mut *self.answering.0.lock().unwrap_or_else(PoisonError::into_inner) {
            *tried = false;
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
        second.answered();
        assert!(store.ask(later).is_some() && store.ask(later).is_some());
    }
}
