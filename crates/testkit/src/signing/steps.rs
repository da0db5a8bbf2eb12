use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};

use sports_ports::PortError;
use tokio::sync::Notify;

/// A fault of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepFault {
    /// The step fails without an effect.
    Fails,
    /// The step is done, and its answer is lost.
    LosesAnswer,
    /// The step has no effect and never ends. A step that blocks its thread fails instead.
    Hangs,
    /// The process is killed before the step: neither it nor a later one has an effect.
    Kills,
    /// The process is killed behind the step: no later one has an effect.
    KillsBehind,
}

impl StepFault {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Fails, Self::LosesAnswer, Self::Hangs, Self::Kills, Self::KillsBehind];
}

/// The steps of a piece of work, counted from 0, of which one may have a fault.
#[derive(Debug, Default)]
pub struct Steps {
    taken: AtomicUsize,
    fault: Option<(usize, StepFault)>,
    hangs: Notify,
}

/// The way in which a step goes.
enum Course {
    Done,
    Undone,
    AnswerLost,
    Endless,
}

impl Steps {
    /// Creates steps of which one has a fault.
    pub fn disturbed(step: usize, fault: StepFault) -> Self {
        Self { fault: Some((step, fault)), ..Self::default() }
    }

    /// Returns the number of steps so far.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::SeqCst)
    }

    /// Waits until a step hangs.
    pub async fn hung(&self) {
        self.hangs.notified().await;
    }

    pub(super) async fn take<T>(&self, step: impl Future<Output = Result<T, PortError>>) -> Result<T, PortError> {
        match self.next() {
            Course::Done => step.await,
            Course::Undone => Err(disturbance()),
            Course::AnswerLost => step.await.and(Err(disturbance())),
            Course::Endless => {
                self.hangs.notify_one();
                pending().await
            }
        }
    }

    /// Takes a step that blocks its thread.
    pub(super) fn take_at_once<T>(&self, step: impl FnOnce() -> Result<T, PortError>) -> Result<T, PortError> {
        match self.next() {
            Course::Done => step(),
            Course::Undone | Course::Endless => Err(disturbance()),
            Course::AnswerLost => step().and(Err(disturbance())),
        }
    }

    fn next(&self) -> Course {
        let step = self.taken.fetch_add(1, Ordering::SeqCst);
        let Some((at, fault)) = self.fault.filter(|(at, _)| *at <= step) else { return Course::Done };
        match fault {
            StepFault::Kills | StepFault::KillsBehind if step > at => Course::Undone,
            _ if step > at => Course::Done,
            StepFault::Fails | StepFault::Kills => Course::Undone,
            StepFault::LosesAnswer | StepFault::KillsBehind => Course::AnswerLost,
            StepFault::Hangs => Course::Endless,
        }
    }
}

fn disturbance() -> PortError {
    PortError::unavailable("a disturbed step", "it was disturbed")
}
