use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::counts::Count;
use crate::session::Deed;

/// Calls that wait until those of the same count that came before them are carried out. They are carried out together
/// then: under load, one question to Redis is about many calls, and no call waits while none is under way.
#[derive(Debug, Default)]
pub struct WaitingCalls(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    calls: Vec<Call>,
    /// Whether somebody has the turn.
    is_under_way: bool,
}

/// A call, and who waits to hear what becomes of it.
#[derive(Debug)]
pub struct Call {
    pub deed: Deed,
    pub uptime: Duration,
    pub answer: oneshot::Sender<Outcome>,
}

impl Call {
    /// Says what became of it, should anybody still want to know.
    pub fn says(self, outcome: Outcome) {
        let _ = self.answer.send(outcome);
    }
}

/// What came of a call, with the month's count.
#[derive(Debug, Clone, Copy)]
pub enum Outcome {
    Done(u64),
    SecondIsFull(u64),
    MonthIsFull(u64),
}

/// The turn to carry out calls of a count, which one task at a time has.
pub struct Turn {
    count: Arc<Count>,
    is_over: bool,
}

impl WaitingCalls {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// As many calls are carried out together: Lua takes no more than a few thousand values at once.
    const TOGETHER: usize = 1_000;

    /// Adds a call to those that wait; gives the turn where nobody has it.
    pub fn of_call(count: &Arc<Count>, call: Call) -> Option<Self> {
        let mut waiting = count.waiting.waiting();
        waiting.calls.push(call);
        let is_first = !std::mem::replace(&mut waiting.is_under_way, true);
        is_first.then(|| Self { count: Arc::clone(count), is_over: false })
    }

    /// Whose calls.
    pub fn count(&self) -> &Count {
        &self.count
    }

    /// The calls that came meanwhile, in their order. The turn is over where there are none.
    pub fn calls(&mut self) -> Option<Vec<Call>> {
        let mut waiting = self.count.waiting.waiting();
        let together = waiting.calls.len().min(Self::TOGETHER);
        if together == 0 {
            waiting.is_under_way = false;
            self.is_over = true;
            return None;
        }
        Some(waiting.calls.drain(..together).collect())
    }
}

impl Drop for Turn {
    /// A task that is given up must not keep calls waiting: they hear that there is no answer.
    fn drop(&mut self) {
        if !self.is_over {
            *self.count.waiting.waiting() = Waiting::default();
        }
    }
}
