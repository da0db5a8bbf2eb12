use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The time after a timed-out request during which no further request is sent. Then trial requests are sent, one at a
/// time, until the store responds. So several reads of a store that hangs wait for one timeout, and later reads fail at
/// once.
const PAUSE: Duration = Duration::from_secs(1);

/// A circuit breaker for a store: its state follows from the store's last responses and timeouts.
#[derive(Debug, Default)]
pub struct CircuitBreaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last_response: Option<Instant>,
    hang: Option<Hang>,
}

/// A store that did not respond in time, and has not responded since.
#[derive(Debug)]
struct Hang {
    /// The time of the last timeout.
    since: Instant,
    has_trial: bool,
}

/// A request in progress. If dropped before its end, it does not change the state of the store.
pub struct Attempt<'a> {
    breaker: &'a CircuitBreaker,
    begun: Instant,
    is_trial: bool,
}

impl CircuitBreaker {
    /// Begins a request. Returns `None` while the store hangs, except for a trial.
    pub fn begin(&self, now: Instant) -> Option<Attempt<'_>> {
        let is_trial = match &mut self.state().hang {
            None => false,
            Some(Hang { has_trial, since }) if !*has_trial && now >= *since + PAUSE => {
                *has_trial = true;
                true
            }
            Some(_) => return None,
        };
        Some(Attempt { breaker: self, begun: now, is_trial })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempt<'_> {
    /// Records a response of the store, which may be an error.
    pub fn record_response(mut self, now: Instant) {
        self.is_trial = false;
        *self.breaker.state() = State { last_response: Some(now), hang: None };
    }

    /// Records that the request timed out. If another request was answered since this one began, the store is healthy
    /// and its state stays.
    pub fn record_timeout(mut self, now: Instant) {
        let mut state = self.breaker.state();
        if state.last_response.is_none_or(|responded| responded < self.begun) {
            self.is_trial = false;
            state.hang = Some(Hang { since: now, has_trial: false });
        }
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.is_trial {
            return;
        }
        if let Some(hang) = &mut self.breaker.state().hang {
            hang.has_trial = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_hangs_gets_one_trial_request_at_a_time_until_it_responds() {
        let (store, start) = (CircuitBreaker::default(), Instant::now());
        let [first, second] = [(); 2].map(|()| store.begin(start).expect("no timeout so far"));
        first.record_timeout(start);
        assert!(store.begin(start).is_none(), "not right after");
        let later = start + PAUSE;
        let trial = store.begin(later).expect("a trial");
        assert!(store.begin(later).is_none(), "one at a time");
        drop(trial);
        store.begin(later).expect("the last trial was not finished").record_timeout(later);
        assert!(store.begin(later).is_none());
        let _trial = store.begin(later + PAUSE).expect("a trial");
        second.record_response(later);
        assert!(store.begin(later).is_some() && store.begin(later).is_some());
    }

    #[test]
    fn a_timeout_does_not_count_if_a_later_request_was_answered() {
        let (store, start) = (CircuitBreaker::default(), Instant::now());
        let lost = store.begin(start).expect("no timeout so far");
        let later = start + PAUSE;
        store.begin(later).expect("no timeout so far").record_response(later);
        lost.record_timeout(later + PAUSE);
        let next = store.begin(later + PAUSE).expect("the store responds");
        next.record_timeout(later + PAUSE);
        assert!(store.begin(later + PAUSE).is_none(), "the last response is older than that request");
    }
}
