mod line;

use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::Poll;
use std::thread::available_parallelism;
use std::time::Duration;
use std::{io, iter};

use futures::poll;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{Instant, timeout, timeout_at};

use sports_telemetry::metrics::{Exposition, Kind};
use sports_telemetry::trace;

use line::{Line, Request, Work};

pub use line::QueueClient;

tokio::task_local! {
    /// The request of this task.
    static REQUEST: QueuedRequest;
}

/// The queue of expensive computations, which take tens of milliseconds: few of them at once, on threads beside those of requests.
/// So cheap requests stay fast under any load of expensive ones.
///
/// Each client has a line, and clients take turns: one with many requests delays the others by no more than one computation. At
/// most half of the turns are of one client, so that the others find a free one.
///
/// Computations run on a separate runtime with one blocking thread for each turn. So all blocking work of a computation
/// (reading seasons, grading, compressing) is within the bound, too.
#[derive(Debug)]
pub struct ComputeQueue {
    /// Present until the drop.
    runtime: Option<Runtime>,
    line: Line,
    turns: usize,
    timeout: Duration,
    works: AtomicU64,
    refused: AtomicU64,
}

/// The request that computations are for: whose it is, since when, and which.
#[derive(Debug, Clone, Copy)]
struct QueuedRequest {
    client: QueueClient,
    arrived: Instant,
    request: Request,
}

/// The reason that the queue refused a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QueueRefusal {
    /// Its turn did not come in time.
    #[error("waited for its turn too long")]
    TooLong,
    /// [`ComputeQueue::MOST_OF_ONE`] other requests of its client wait.
    #[error("too many requests of its client wait")]
    TooMany,
}

/// The niceness of computations: about a tenth of a request's share of a core that both need.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The time that a request waits for a place in the line of its client before it is refused: a page that requests a few answers at
/// once gets them, and clients that repeat a refused request at once do not take the processor from the computations, whose
/// priority is lower.
const HELD: Duration = Duration::from_secs(1);

/// The time between two looks at a line.
const ANOTHER_LOOK: Duration = Duration::from_millis(50);

/// The name of the queue in errors.
const PORT: &str = "computation";

impl QueueClient {
    /// Awaits the answer to this client's request for an address, which arrived at an instant.
    pub async fn requests<T>(self, address: impl Hash, arrived: Instant, answer: impl Future<Output = T>) -> T {
        let mut hasher = DefaultHasher::new();
        address.hash(&mut hasher);
        REQUEST.scope(QueuedRequest { client: self, arrived, request: hasher.finish() }, answer).await
    }
}

impl ComputeQueue {
    /// The number of requests of one client that may wait at a time. Equal ones count as one.
    pub const MOST_OF_ONE: usize = 4;

    /// Starts a queue with `turns` concurrent computations, half of them for one client, which refuses a request after `timeout` in
    /// the queue.
    ///
    /// # Errors
    ///
    /// An error if the system has no thread left.
    pub fn start(turns: NonZeroUsize, timeout: Duration) -> io::Result<Self> {
        let turns = turns.get();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(turns)
            .thread_name("computation")
            .on_thread_start(lower_priority)
            .enable_all()
            .build()?;
        let (works, refused) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self { runtime: Some(runtime), line: Line::new(turns, turns.div_ceil(2)), turns, timeout, works, refused })
    }

    /// Returns the number of cores, one at least.
    pub fn cores() -> NonZeroUsize {
        available_parallelism().unwrap_or(NonZeroUsize::MIN)
    }

    /// Runs a computation when its turn comes, in the trace of its caller. The time in the queue counts from the arrival of the
    /// request of this task. A dropped future leaves the queue; a computation that has begun keeps its turn to its end, even without
    /// a caller.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the queue refuses it ([`Self::refusal`]), or the error of the computation. A panic in it
    /// continues in the caller.
    pub async fn run<T: Send + 'static>(
        &self,
        computation: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<T, PortError> {
        let work = self.work();
        self.in_line(work, Box::pin(self.begun(work, computation))).await
    }

    /// Runs a computation that other requests may need as well, as [`Self::run`] does: the number of the client's requests is no
    /// reason to refuse it, since that would refuse the others, too.
    ///
    /// # Errors
    ///
    /// Those of [`Self::run`].
    pub async fn run_shared<T: Send + 'static>(
        &self,
        computation: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<T, PortError> {
        let work = self.work();
        let answer = Box::pin(self.begun(work, computation));
        self.placed(Self::request(work), work, usize::MAX, answer).await
    }

    /// Runs the computation of an answer when the turn of one of the requests comes that wait for it in [`Self::answer`].
    ///
    /// # Errors
    ///
    /// The error of the computation. A panic in it continues in the caller.
    pub async fn making<T: Send + 'static>(
        &self,
        name: ObjectHash,
        computation: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<T, PortError> {
        self.begun(Work::Answer(name), computation).await
    }

    /// Awaits an answer that is made in [`Self::making`] if it is not there already: then the request waits in the line of its client
    /// until the computation begins, whichever request began to wait for it first.
    ///
    /// # Errors
    ///
    /// Those of [`Self::run`].
    pub async fn answer<T>(
        &self,
        name: ObjectHash,
        answer: impl Future<Output = Result<T, PortError>>,
    ) -> Result<T, PortError> {
        self.in_line(Work::Answer(name), answer).await
    }

    /// Returns the longest time that a computation is in the queue.
    pub const fn timeout(&self) -> Duration {
        self.timeout
    }

    fn work(&self) -> Work {
        Work::Numbered(self.works.fetch_add(1, Relaxed))
    }

    /// Returns the request of this task; without one, `work` is the service's own.
    fn request(work: Work) -> QueuedRequest {
        REQUEST.try_with(|request| *request).unwrap_or_else(|_| {
            let request = if let Work::Numbered(number) = work { number } else { 0 };
            QueuedRequest { client: QueueClient::Service, arrived: Instant::now(), request }
        })
    }

    async fn in_line<T>(&self, work: Work, answer: impl Future<Output = Result<T, PortError>>) -> Result<T, PortError> {
        let request = Self::request(work);
        let most = if request.client == QueueClient::Service { usize::MAX } else { Self::MOST_OF_ONE };
        self.placed(request, work, most, answer).await
    }

    /// Awaits an answer, in the line of its client if it is not there already.
    async fn placed<T>(
        &self,
        QueuedRequest { client, arrived, request }: QueuedRequest,
        work: Work,
        most: usize,
        answer: impl Future<Output = Result<T, PortError>>,
    ) -> Result<T, PortError> {
        let mut answer = pin!(answer);
        if let Poll::Ready(answer) = poll!(&mut answer) {
            return answer;
        }
        let held_until = Instant::now() + HELD;
        let _place = loop {
            if let Some(place) = self.line.enter(client, (work, request), most) {
                break place;
            }
            if Instant::now() >= held_until {
                return Err(self.refuse(QueueRefusal::TooMany));
            }
            // It may be what another client waits for, whose turn begins it.
            if let Ok(answer) = timeout(ANOTHER_LOOK, &mut answer).await {
                return answer;
            }
        };
        self.waited(work, arrived + self.timeout, answer).await
    }

    /// Awaits an answer, if its computation begins in time.
    async fn waited<T>(
        &self,
        work: Work,
        deadline: Instant,
        mut answer: Pin<&mut impl Future<Output = Result<T, PortError>>>,
    ) -> Result<T, PortError> {
        let mut until = deadline;
        loop {
            match timeout_at(until, &mut answer).await {
                Ok(answer) => return answer,
                Err(_) if self.line.has_waiting(work) => return Err(self.refuse(QueueRefusal::TooLong)),
                // The request that makes it may end, and this one would wait anew.
                Err(_) => until = Instant::now() + ANOTHER_LOOK,
            }
        }
    }

    fn refuse(&self, refusal: QueueRefusal) -> PortError {
        self.refused.fetch_add(1, Relaxed);
        PortError::unavailable(PORT, refusal)
    }

    async fn begun<T: Send + 'static>(
        &self,
        work: Work,
        computation: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<T, PortError> {
        let turn = self.line.turn(work).await.map_err(|closed| PortError::unavailable(PORT, closed))?;
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

    /// Returns the reason that the queue refused a request, even if several requests share the error.
    pub fn refusal(error: &PortError) -> Option<QueueRefusal> {
        let mut causes = iter::successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source());
        causes.find_map(<dyn Error>::downcast_ref).copied()
    }

    /// Writes the numbers of running and queued computations, and of refused requests.
    pub fn expose(&self, exposition: &mut Exposition<'_>) {
        let (free, waiting) = self.line.counts();
        let help = "Expensive computations that run.";
        exposition.family("computations_running", Kind::Gauge, help).sample(&[], self.turns - free);
        let help = "Expensive computations in the queue.";
        exposition.family("computations_waiting", Kind::Gauge, help).sample(&[], waiting);
        let help = "Requests refused because their expensive computation was in the queue too long, or their client had too many there.";
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

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;
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
    async fn half_of_the_turns_are_of_one_client_and_all_computations_end() {
        let queue = queue(4, LONG);
        let counts = [(); 4].map(|()| Arc::new(AtomicUsize::new(0)));
        let computations = (0..20).map(|number| {
            let [computing, most, working, most_working] = counts.clone();
            queue.run(async move {
                most.fetch_max(computing.fetch_add(1, Relaxed) + 1, Relaxed);
                // Pieces of blocking work at once do not take more threads than there are turns.
                let work = |_| {
                    let (working, most) = (Arc::clone(&working), Arc::clone(&most_working));
                    spawn_blocking(move || {
                        most.fetch_max(working.fetch_add(1, Relaxed) + 1, Relaxed);
                        (0..100).for_each(|_| std::thread::yield_now());
                        working.fetch_sub(1, Relaxed);
                    })
                };
                join_all([0, 1, 2].map(work)).await;
                computing.fetch_sub(1, Relaxed);
                Ok(number)
            })
        });
        let computed: Vec<_> = join_all(computations).await.into_iter().map(|made| made.expect("computed")).collect();
        assert_eq!(computed, (0..20).collect::<Vec<_>>());
        assert_eq!(counts[1].load(Relaxed), 2);
        assert!(counts[3].load(Relaxed) <= 4);
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

    fn figures(queue: &Arc<ComputeQueue>) -> [u64; 3] {
        let queue = Arc::clone(queue);
        let text = Exposition::text_of(move |exposition| queue.expose(exposition));
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
        assert!(refused.is_err_and(|error| ComputeQueue::refusal(&error) == Some(QueueRefusal::TooLong)));
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

    /// Awaits an answer as a request of a client for an address.
    async fn requested<T>(of: u8, address: &str, answer: impl Future<Output = T>) -> T {
        let client = QueueClient::Network(IpAddr::from(Ipv4Addr::new(192, 0, 2, of)).into());
        client.requests(address, Instant::now(), answer).await
    }

    /// Fills the line of a client with four requests, while the only turn is held.
    async fn four_waiting(queue: &Arc<ComputeQueue>) -> Vec<JoinHandle<Result<(), PortError>>> {
        let waiting = (1..=4).map(|number| {
            let queue = Arc::clone(queue);
            tokio::spawn(async move { requested(1, &number.to_string(), queue.run(async { Ok(()) })).await })
        });
        let waiting = waiting.collect();
        while figures(queue)[1] < 4 {
            yield_now().await;
        }
        waiting
    }

    #[tokio::test]
    async fn a_fifth_request_waits_for_a_place_and_is_refused_if_none_is_free_in_time() {
        let queue = Arc::new(queue(1, LONG));
        let (end, first) = held(&queue);
        let waiting = four_waiting(&queue).await;
        let refused = requested(1, "fifth", queue.run(async { Ok(()) })).await.expect_err("four others wait");
        assert_eq!(ComputeQueue::refusal(&refused), Some(QueueRefusal::TooMany));
        let fifth = requested(1, "fifth", queue.run(async { Ok(()) }));
        let (fifth, ()) = tokio::join!(fifth, async { drop(end) });
        fifth.expect("a place in time");
        for one in waiting.into_iter().chain([first]) {
            one.await.expect("no panic").expect("computed");
        }
    }

    #[tokio::test]
    async fn an_answer_that_a_request_without_a_place_began_is_made_at_the_turn_of_others() {
        let queue = Arc::new(queue(1, LONG));
        let (end, first) = held(&queue);
        let waiting = four_waiting(&queue).await;
        let cache = Arc::new(tokio::sync::Mutex::new(()));
        let answer = |of| {
            let (queue, cache) = (Arc::clone(&queue), Arc::clone(&cache));
            let name = ObjectHash::from_bytes(b"an answer");
            tokio::spawn(async move {
                let making = async {
                    let _alone = cache.lock().await;
                    queue.making(name, async { Ok(()) }).await
                };
                requested(of, "both", queue.answer(name, making)).await
            })
        };
        let without_place = answer(1);
        while figures(&queue)[1] < 5 {
            yield_now().await;
        }
        let given = answer(2);
        yield_now().await;
        drop(end);
        for one in waiting.into_iter().chain([first, without_place, given]) {
            one.await.expect("no panic").expect("computed");
        }
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
