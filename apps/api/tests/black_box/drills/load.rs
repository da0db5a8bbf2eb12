use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::future::join_all;
use reqwest::Client;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::scene::{SOUND, Scene};
use super::{ON_RECORD, SPORTS, at_most};
use crate::service::Service;

/// The paths of the calls. A league that does not exist is answered 400, which does not count.
const CALLS: [&str; 4] =
    [SPORTS, "/api/v1/results/nfl/over_under?limit=25", SOUND, "/api/v1/results/cricket/over_under"];

/// The callers on a server: two for each customer of the scene.
pub struct Load {
    stopping: Arc<AtomicBool>,
    callers: Vec<JoinHandle<Answered>>,
    before: Vec<usize>,
}

/// The answers to one caller.
#[derive(Default)]
struct Answered {
    customer: usize,
    /// The time of each whole answer, and its status.
    answers: Vec<(Instant, u16)>,
    /// Calls without an answer, or with a part of one: they may have been counted.
    unknown: usize,
    cut_short: usize,
    slowest: Duration,
}

/// All answers of a load.
pub struct Calls {
    callers: Vec<Answered>,
    before: Vec<usize>,
}

/// The difference between the answered calls and the record.
#[derive(Debug, Default)]
pub struct Loss {
    pub answered: usize,
    /// Calls that count and are not on record.
    pub calls: usize,
    /// The time of the oldest of them, if they are the last ones.
    pub since: Option<Instant>,
    /// Calls on record that were not made.
    pub twice: usize,
}

impl Load {
    /// Starts the callers, each with `pause` between its calls.
    pub fn start(scene: &Scene, service: &Service, pause: Duration) -> Self {
        let stopping = Arc::new(AtomicBool::new(false));
        let before = (0..scene.customers.len()).map(|customer| scene.on_record(customer).expect("readable")).collect();
        let callers = (0..2 * scene.customers.len()).map(|number| {
            let customer = number / 2;
            let (base, key) = (service.url(""), scene.customers[customer].1.clone());
            tokio::spawn(call(customer, base, key, pause, Arc::clone(&stopping)))
        });
        Self { callers: callers.collect(), stopping, before }
    }

    /// Stops the callers.
    pub async fn end(self) -> Calls {
        self.stopping.store(true, Ordering::Relaxed);
        let callers = join_all(self.callers).await.into_iter().map(|caller| caller.expect("no panic")).collect();
        Calls { callers, before: self.before }
    }
}

/// Sends one call after the other.
async fn call(customer: usize, base: String, key: String, pause: Duration, stopping: Arc<AtomicBool>) -> Answered {
    let client = Client::builder().no_proxy().timeout(Duration::from_secs(15)).build().expect("a client");
    let mut seen = Answered { customer, ..Answered::default() };
    for path in CALLS.into_iter().cycle() {
        if stopping.load(Ordering::Relaxed) {
            break;
        }
        let sent = Instant::now();
        match client.get(format!("{base}{path}")).header("X-API-Key", &key).send().await {
            Ok(answer) => {
                let status = answer.status().as_u16();
                if answer.bytes().await.is_ok() {
                    seen.answers.push((Instant::now(), status));
                    seen.slowest = seen.slowest.max(sent.elapsed());
                } else {
                    (seen.unknown, seen.cut_short) = (seen.unknown + 1, seen.cut_short + 1);
                }
                sleep(pause).await;
            }
            Err(error) => {
                seen.unknown += usize::from(!error.is_connect());
                sleep(Duration::from_millis(20)).await;
            }
        }
    }
    seen
}

/// Returns true if an answer of this status counts, by docs/using-the-api.md.
const fn counts(status: u16) -> bool {
    matches!(status, 200..300)
}

impl Calls {
    fn statuses(&self) -> impl Iterator<Item = u16> {
        self.callers.iter().flat_map(|caller| &caller.answers).map(|(_, status)| *status)
    }

    /// Returns the number of answers with a status for which `is_so` is true.
    pub fn with_status(&self, is_so: impl Fn(u16) -> bool) -> usize {
        self.statuses().filter(|status| is_so(*status)).count()
    }

    /// Returns the number of answers that ended early.
    pub fn cut_short(&self) -> usize {
        self.callers.iter().map(|caller| caller.cut_short).sum()
    }

    /// Returns the longest time until an answer.
    pub fn slowest(&self) -> Duration {
        self.callers.iter().map(|caller| caller.slowest).max().unwrap_or_default()
    }

    /// Compares the answers with the record. All calls count as lost if the record cannot be read.
    pub fn lost(&self, scene: &Scene) -> Loss {
        let mut loss = Loss::default();
        for (customer, before) in self.before.iter().enumerate() {
            let callers = || self.callers.iter().filter(|caller| caller.customer == customer);
            let counted = callers().flat_map(|caller| &caller.answers).filter(|(_, status)| counts(*status));
            let mut counted: Vec<_> = counted.map(|(at, _)| *at).collect();
            counted.sort_unstable();
            let recorded = scene.on_record(customer).map_or(0, |now| now.saturating_sub(*before));
            let missing = counted.len().saturating_sub(recorded);
            loss.answered += counted.len();
            loss.calls += missing;
            if missing > 0 {
                let oldest = counted[counted.len() - missing];
                loss.since = Some(loss.since.map_or(oldest, |since| since.min(oldest)));
            }
            let unknown: usize = callers().map(|caller| caller.unknown).sum();
            loss.twice += recorded.saturating_sub(counted.len() + unknown);
        }
        println!("{} answered calls count", loss.answered);
        loss
    }

    /// Asserts that nothing is lost or counted twice. A running server has some seconds to write its counts.
    pub async fn expect_counted(&self, scene: &Scene) {
        let started = Instant::now();
        let mut loss = self.lost(scene);
        while loss.calls > 0 && started.elapsed() < ON_RECORD {
            sleep(Duration::from_millis(200)).await;
            loss = self.lost(scene);
        }
        assert!(loss.answered > 0, "there was load");
        at_most("calls lost", loss.calls, 0);
        at_most("calls counted twice", loss.twice, 0);
    }

    /// Asserts that every answer was whole and none was 5xx.
    pub fn expect_answered(&self) {
        at_most("answers with 5xx", self.with_status(|status| status >= 500), 0);
        at_most("answers cut short", self.cut_short(), 0);
    }
}
