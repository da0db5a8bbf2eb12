use std::panic::AssertUnwindSafe;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use sports_ports::{Clock, LEAD_TIMEOUT, Lead};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::metrics::{Exposition, Kind};

/// The tasks in the background of the service. One that panics is restarted; until each works again, the service is not ready.
#[derive(Debug, Default)]
pub struct BackgroundTasks(Mutex<Vec<Arc<Task>>>);

/// A task: a loop without an end.
#[derive(Debug)]
struct Task {
    name: &'static str,
    /// The longest time between two rounds of a task that works.
    silence: Option<Duration>,
    panics: AtomicU64,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
struct Progress {
    /// The end of the last round, or the first start.
    last: Instant,
    /// True from a panic to the end of the next round.
    is_down: bool,
}

/// The pulse of a task, by which it reports its rounds.
#[derive(Debug, Clone)]
pub struct Pulse(Arc<Task>);

impl Pulse {
    /// Reports the end of a round.
    pub fn beat(&self) {
        *self.0.progress() = Progress { last: Instant::now(), is_down: false };
    }
}

impl BackgroundTasks {
    /// The pause before a restart, at first and at most.
    const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(30));

    /// The time without a panic after which the pause is as at first.
    const WELL: Duration = Duration::from_mins(1);

    /// Runs the future of `start`, and runs it anew after a panic.
    pub fn supervise<F: Future<Output = ()> + Send + 'static>(
        &self,
        name: &'static str,
        start: impl FnMut(Pulse) -> F + Send + 'static,
    ) -> JoinHandle<()> {
        self.spawn(name, None, start)
    }

    /// Runs a task like [`supervise`](Self::supervise). The service is not ready either while its last round is longer ago
    /// than `silence`.
    pub fn supervise_within<F: Future<Output = ()> + Send + 'static>(
        &self,
        name: &'static str,
        silence: Duration,
        start: impl FnMut(Pulse) -> F + Send + 'static,
    ) -> JoinHandle<()> {
        self.spawn(name, Some(silence), start)
    }

    fn spawn<F: Future<Output = ()> + Send + 'static>(
        &self,
        name: &'static str,
        silence: Option<Duration>,
        mut start: impl FnMut(Pulse) -> F + Send + 'static,
    ) -> JoinHandle<()> {
        let progress = Mutex::new(Progress { last: Instant::now(), is_down: false });
        let task = Arc::new(Task { name, silence, panics: AtomicU64::new(0), progress });
        self.tasks().push(Arc::clone(&task));
        tokio::spawn(async move {
            let mut pause = Self::PAUSE.0;
            loop {
                let begun = Instant::now();
                let pulse = Pulse(Arc::clone(&task));
                // Shared state is behind locks and atomics, whose users accept one that a panic left.
                if AssertUnwindSafe(async { start(pulse).await }).catch_unwind().await.is_ok() {
                    return;
                }
                if begun.elapsed() > Self::WELL {
                    pause = Self::PAUSE.0;
                }
                task.log_panic(pause);
                sleep(pause).await;
                pause = (2 * pause).min(Self::PAUSE.1);
            }
        })
    }

    /// Returns true if every task works.
    pub fn all_work(&self) -> bool {
        self.tasks().iter().all(|task| task.works())
    }

    /// Writes the number of panics of each task.
    pub fn expose(&self, exposition: &mut Exposition<'_>) {
        let help = "Panics of tasks in the background, each of which was restarted.";
        let mut family = exposition.family("background_task_panics_total", Kind::Counter, help);
        for task in self.tasks().iter() {
            family.sample(&[("task", task.name)], task.panics.load(Relaxed));
        }
    }

    fn tasks(&self) -> MutexGuard<'_, Vec<Arc<Task>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Task {
    fn works(&self) -> bool {
        let Progress { last, is_down } = *self.progress();
        !is_down && self.silence.is_none_or(|silence| last.elapsed() <= silence)
    }

    fn log_panic(&self, pause: Duration) {
        self.panics.fetch_add(1, Relaxed);
        self.progress().is_down = true;
        let (name, seconds) = (self.name, pause.as_secs_f64());
        tracing::error!(task = name, "the task `{name}` panicked and is restarted in {seconds} s");
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A watch on the clock of the service. It reports a date that does not advance because the machine's clock was set back: in the
/// log, in health and as metrics.
#[derive(Clone)]
pub struct ClockWatch {
    clock: Arc<dyn Clock>,
    set_back: Arc<AtomicU64>,
}

impl ClockWatch {
    /// The time between two readings.
    const INTERVAL: Duration = Duration::from_secs(1);

    /// Watches a clock for as long as the runtime lives.
    pub fn start(clock: Arc<dyn Clock>, tasks: &BackgroundTasks) -> Self {
        let watch = Self { clock, set_back: Arc::default() };
        let watching = watch.clone();
        drop(tasks.supervise("clock", move |pulse| watching.clone().run(pulse)));
        watch
    }

    async fn run(self, pulse: Pulse) {
        let mut before = None;
        loop {
            before = self.log_transition(before);
            pulse.beat();
            tokio::time::sleep(Self::INTERVAL).await;
        }
    }

    /// Logs a lead that begins or ends, and counts those that begin; returns the current one.
    fn log_transition(&self, before: Option<Lead>) -> Option<Lead> {
        let lead = self.clock.lead();
        match (&before, &lead) {
            (None, Some(lead)) => {
                self.set_back.fetch_add(1, Relaxed);
                tracing::warn!("{}", sentence(lead));
            }
            (Some(_), None) => {
                let now = self.clock.now().to_rfc3339();
                tracing::warn!(now, "the service date follows the system clock again: it is {now}");
            }
            _ => {}
        }
        lead
    }

    /// Returns the check of the clock for the health routes.
    pub fn restriction_check(&self) -> impl Fn() -> Option<String> + Send + Sync + use<> {
        let clock = Arc::clone(&self.clock);
        move || clock.lead().as_ref().map(sentence)
    }

    /// Writes the metrics.
    pub fn expose(&self, exposition: &mut Exposition<'_>) {
        let help = "Seconds by which the service date is ahead of the system clock, which was set back.";
        let ahead = self.clock.lead().map_or(0.0, |lead| lead.ahead.as_secs_f64());
        exposition.family("clock_ahead_seconds", Kind::Gauge, help).sample(&[], ahead);
        let help = "Times that the system clock was found behind the service date.";
        exposition.family("clock_set_back_total", Kind::Counter, help).sample(&[], self.set_back.load(Relaxed));
    }
}

fn sentence(lead: &Lead) -> String {
    let (ahead, left) = (lead.ahead.as_secs(), LEAD_TIMEOUT.saturating_sub(lead.lasting).as_secs());
    format!(
        "The system clock is {ahead} s behind the service date, which stands still; if it stays behind, the date goes \
         back to it in {left} s"
    )
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn panics(tasks: &Arc<BackgroundTasks>) -> String {
        let tasks = Arc::clone(tasks);
        let text = Exposition::text_of(move |exposition| tasks.expose(exposition));
        text.lines().last().expect("a sample").to_owned()
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_is_restarted_counted_and_does_not_work_until_its_next_round() {
        let (tasks, starts) = (Arc::<BackgroundTasks>::default(), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&starts);
        let task = tasks.supervise("polls", move |pulse| {
            let start = counted.fetch_add(1, Relaxed);
            async move {
                for round in 0.. {
                    sleep(Duration::from_secs(1)).await;
                    assert!(start == 3 || round < 1, "a fault");
                    pulse.beat();
                }
            }
        });
        sleep(Duration::from_millis(1_500)).await;
        assert!(tasks.all_work(), "the first round is done");
        sleep(Duration::from_millis(550)).await;
        assert!(!tasks.all_work() && panics(&tasks).ends_with("{task=\"polls\"} 1"), "{}", panics(&tasks));
        sleep(Duration::from_millis(1_100)).await;
        assert!(tasks.all_work(), "the first round after the restart is done");
        sleep(Duration::from_mins(1)).await;
        assert!(tasks.all_work() && !task.is_finished());
        assert_eq!((starts.load(Relaxed), panics(&tasks).rsplit(' ').next()), (4, Some("3")));
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_before_restarts_grow_up_to_half_a_minute() {
        let (tasks, starts) = (BackgroundTasks::default(), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&starts);
        drop(tasks.supervise("broken", move |_| {
            counted.fetch_add(1, Relaxed);
            async { panic!("at once") }
        }));
        sleep(Duration::from_secs(1)).await;
        assert_eq!(starts.load(Relaxed), 4, "after 0, 0.1, 0.3 and 0.7 s");
        sleep(Duration::from_hours(1)).await;
        assert!((120..130).contains(&starts.load(Relaxed)), "{starts:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_whose_round_does_not_end_does_not_work_until_it_ends() {
        let tasks = BackgroundTasks::default();
        drop(tasks.supervise_within("polls", Duration::from_secs(10), |pulse| async move {
            for seconds in [1, 30, 1, 3_600] {
                sleep(Duration::from_secs(seconds)).await;
                pulse.beat();
            }
        }));
        for (wait, works) in [(5, true), (10, false), (17, true), (12, false)] {
            sleep(Duration::from_secs(wait)).await;
            assert_eq!(tasks.all_work(), works);
        }
    }

    #[test]
    fn a_lead_is_described_by_its_size_and_the_time_that_is_left() {
        let lead = Lead { ahead: Duration::from_millis(3_600_900), lasting: Duration::from_secs(90) };
        let expected = "The system clock is 3600 s behind the service date, which stands still; if it stays behind, the \
                        date goes back to it in 510 s";
        assert_eq!(sentence(&lead), expected);
    }
}
