use std::error::Error;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::available_parallelism;
use std::time::Duration;
use std::{io, iter};

use sports_ports::PortError;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use sports_telemetry::metrics::{Exposition, Kind};
use sports_telemetry::trace;

/// The queue of expensive computations, which take tens of milliseconds: few of them at once, first come, first served, on
/// threads beside those of requests. So cheap requests stay fast under any load of expensive ones.
///
/// Computations run on a separate runtime with one blocking thread for each turn. So all blocking work of a computation
/// (reading seasons, grading, compressing) is within the bound, too.
#[derive(Debug)]
pub struct ComputeQueue {
    /// Present until the drop.
    runtime: Option<Runtime>,
    turns: Arc<Semaphore>,
    size: usize,
    timeout: Duration,
    waiting: AtomicU64,
    refused: AtomicU64,
}

/// The refusal of a computation whose turn did not come in time.
#[derive(Debug, thiserror::Error)]
#[error("waited for its turn too long")]
struct QueuedTooLong;

/// The niceness of computations: about a tenth of a request's share of a core that both need.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The name of the queue in errors.
const PORT: &str = "computation";

impl ComputeQueue {
    /// Starts a queue with `size` concurrent computations, which refuses a request after `timeout` in the queue.
    ///
    /// # Errors
    ///
    /// An error if the system has no thread left.
    pub fn start(size: NonZeroUsize, timeout: Duration) -> io::Result<Self> {
        let size = size.get();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(size)
            .thread_name("computation")
            .on_thread_start(lower_priority)
            .enable_all()
            .build()?;
        let (turns, waiting, refused) = (Arc::new(Semaphore::new(size)), AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self { runtime: Some(runtime), turns, size, timeout, waiting, refused })
    }

    /// Returns half of the cores, one at least.
    #[must_use]
    pub fn half_of_the_cores() -> NonZeroUsize {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        NonZeroUsize::new(cores / 2).unwrap_or(NonZeroUsize::MIN)
    }

    /// Runs a computation when its turn comes, in the trace of its caller. The time in the queue counts from the call. A dropped
    /// future leaves the queue; a computation that has begun keeps its turn to its end, even without a caller.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if its turn did not come in time ([`Self::refused`]), or the error of the computation. A panic
    /// in it continues in the caller.
    pub fn run<T: Send + 'static>(
        &self,
        computation: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> impl Future<Output = Result<T, PortError>> + Send {
        let deadline = Instant::now() + self.timeout;
        async move {
            let turn = self.turn(deadline).await?;
            let runtime = self.runtime.as_ref().ok_or_else(|| PortError::unavailable(PORT, "the program ends"))?;
            let computation = trace::carried(computation);
            let computed = runtime.spawn(async move {
                let _until_done = turn;
                computation.await
            });
            computed.await.unwrap_or_else(|failed| match failed.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(cancelled) => Err(PortError::unavailable(PORT, cancelled)),
            })
        }
    }

    /// Returns the longest time that a computation is in the queue.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        self.timeout
    }

    async fn turn(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, PortError> {
        let _waiting = Counted::begin(&self.waiting);
        let Ok(turn) = timeout_at(deadline, Arc::clone(&self.turns).acquire_owned()).await else {
            self.refused.fetch_add(1, Relaxed);
            return Err(PortError::unavailable(PORT, QueuedTooLong));
        };
        turn.map_err(|closed| PortError::unavailable(PORT, closed))
    }

    /// Returns true for the error of a request that waited too long, even if several requests share the error.
    #[must_use]
    pub fn refused(error: &PortError) -> bool {
        let mut causes = iter::successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source());
        causes.any(<dyn Error>::is::<QueuedTooLong>)
    }

    /// Writes the numbers of running and queued computations, and of refused requests.
    pub fn expose(&self, exposition: &mut Exposition) {
        let help = "Expensive computations that run.";
        let running = self.size - self.turns.available_permits();
        exposition.family("computations_running", Kind::Gauge, help).sample(&[], running);
        let help = "Expensive computations in the queue.";
        exposition.family("computations_waiting", Kind::Gauge, help).sample(&[], self.waiting.load(Relaxed));
        let help = "Requests refused because their expensive computation was in the queue too long.";
        exposition.family("computations_refused_total", Kind::Counter, help).sample(&[], self.refused.load(Relaxed));
    }
}

/// Lowers the priority of the calling thread, so that requests run first if no core is idle. On other systems it would lower
/// the priority of the whole program.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "expensive computations have the priority of requests");
    }
}

impl Drop for ComputeQueue {
    fn drop(&mut self) {
        // Waiting for its threads would block the runtime that drops it.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A member of a count until the drop.
struct Counted<'a>(&'a AtomicU64);

impl<'a> Counted<'a> {
    fn begin(count: &'a AtomicU64) -> Self {
        count.fetch_add(1, Relaxed);
        Self(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures::future::join_all;
    use tokio::sync::oneshot;
    use tokio::task::{JoinHandle, spawn_blocking, yield_now};

    use super::*;

    fn queue(size: usize, timeout: Duration) -> ComputeQueue {
        ComputeQueue::start(NonZeroUsize::new(size).expect("a size"), timeout).expect("starts")
    }

    const LONG: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn at_most_the_size_is_computed_at_once_and_all_computations_end() {
        let queue = queue(2, LONG);
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let computations = (0..20).map(|number| {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            queue.run(async move {
                // Two pieces of blocking work at once do not take more threads than there are turns.
                let work = |_| {
                    let (running, most) = (Arc::clone(&running), Arc::clone(&most));
                    spawn_blocking(move || {
                        most.fetch_max(running.fetch_add(1, Relaxed) + 1, Relaxed);
                        (0..100).for_each(|_| std::thread::yield_now());
                        running.fetch_sub(1, Relaxed);
                    })
                };
                join_all([0, 1, 2].map(work)).await;
                Ok(number)
            })
        });
        let computed: Vec<_> = join_all(computations).await.into_iter().map(|made| made.expect("computed")).collect();
        assert_eq!(computed, (0..20).collect::<Vec<_>>());
        assert_eq!(most.load(Relaxed), 2);
    }

    /// A computation that ends when the returned sender is dropped.
    fn held(queue: &Arc<ComputeQueue>) -> (oneshot::Sender<()>, JoinHandle<Result<(), PortError>>) {
        let (end, ended) = oneshot::channel();
        let queue = Arc::clone(queue);
        let computation = async move {
            drop(ended.await);
            Ok(())
        };
        (end, tokio::spawn(async move { queue.run(computation).await }))
    }

    fn figures(queue: &ComputeQueue) -> [u64; 3] {
        let mut exposition = Exposition::default();
        queue.expose(&mut exposition);
        let text = exposition.into_text();
        let value = |name: &str| {
            let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).expect(name);
            line.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a number")
        };
        ["computations_running", "computations_waiting", "computations_refused_total"].map(value)
    }

    #[tokio::test]
    async fn a_request_that_waits_too_long_is_refused_and_counted() {
        let queue = Arc::new(queue(1, Duration::from_millis(20)));
        let (end, first) = held(&queue);
        while figures(&queue)[0] == 0 {
            yield_now().await;
        }
        let refused = queue.run(async { Ok(()) }).await;
        assert!(refused.is_err_and(|error| ComputeQueue::refused(&error)));
        assert_eq!(figures(&queue), [1, 0, 1]);
        drop(end);
        first.await.expect("no panic").expect("computed");
        queue.run(async { Ok(()) }).await.expect("its turn at once");
        assert_eq!(figures(&queue), [0, 0, 1]);
    }

    #[tokio::test]
    async fn a_cancelled_request_leaves_the_queue_and_a_begun_one_keeps_its_turn() {
        let queue = Arc::new(queue(1, LONG));
        let (end, first) = held(&queue);
        while figures(&queue)[0] == 0 {
            yield_now().await;
        }
        let (_end, second) = held(&queue);
        while figures(&queue)[1] == 0 {
            yield_now().await;
        }
        second.abort();
        first.abort();
        while figures(&queue)[1] > 0 {
            yield_now().await;
        }
        assert_eq!(figures(&queue), [1, 0, 0], "what was begun is being computed");
        drop(end);
        queue.run(async { Ok(()) }).await.expect("its turn");
    }

    #[tokio::test]
    async fn a_panic_continues_in_the_caller_and_frees_the_turn() {
        let queue = Arc::new(queue(1, LONG));
        let panicking = Arc::clone(&queue);
        let failed = tokio::spawn(async move { panicking.run::<()>(async { panic!("overflow") }).await }).await;
        assert!(failed.expect_err("panicked").is_panic());
        queue.run(async { Ok(()) }).await.expect("its turn");
    }
}
