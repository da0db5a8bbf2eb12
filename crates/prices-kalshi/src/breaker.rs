use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError, in_one_line};

use crate::failure::{PORT, Unreachable};

/// Failures in a row that open a circuit.
const FAILURES: u32 = 3;

/// Leagues among those failures that make them the host's.
const LEAGUES: usize = 2;

/// How long an open circuit does not ask.
const PAUSE: Duration = Duration::from_secs(30);

/// Stops asking a source that keeps failing.
///
/// Each league has a circuit of its own: after three failures in a row its questions fail at once for half
/// a minute. A source that is [`Unreachable`] is all leagues' trouble, but one league alone does not prove
/// it: three such failures in a row, of at least two leagues, open the circuit that all share. Any other
/// failure, a refusal or an answer that takes too long, is one of a source that is there, and counts for its
/// league only. After the pause one question goes through: its answer closes what was open, its failure
/// opens it for another half minute. Each failure of the source is logged here, once.
pub struct CircuitBreaker {
    inner: Arc<dyn GamePrices>,
    clock: Arc<dyn Clock>,
    circuits: Mutex<Circuits>,
}

#[derive(Debug, Default)]
struct Circuits {
    host: Circuit,
    /// The leagues for which it could not be reached.
    failing: HashSet<Sport>,
    leagues: HashMap<Sport, Circuit>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Circuit {
    failures: u32,
    open_until: Option<Duration>,
}

/// Why the source was not asked.
#[derive(Debug, thiserror::Error)]
#[error("it failed {FAILURES} times in a row and is asked again in {} s", .0.as_secs())]
struct Open(Duration);

/// The host's circuit and a league's, as they were before a question.
type Before = [Circuit; 2];

impl Circuit {
    /// Makes the next question a trial: until it is answered the others wait.
    fn let_one_try(&mut self, now: Duration) {
        self.open_until = self.open_until.map(|_| now + PAUSE);
    }

    fn failed(&mut self, now: Duration, may_open: bool) {
        self.failures += 1;
        if may_open && self.failures >= FAILURES {
            self.open_until = Some(now + PAUSE);
        }
    }
}

impl Circuits {
    fn league(&mut self, sport: Sport) -> &mut Circuit {
        self.leagues.entry(sport).or_default()
    }

    /// Lets a question pass, or not.
    fn enter(&mut self, sport: Sport, now: Duration) -> Result<Before, Open> {
        let before = [self.host, *self.league(sport)];
        let open = before.iter().filter_map(|circuit| circuit.open_until).max().filter(|until| now < *until);
        if let Some(until) = open {
            return Err(Open(until.saturating_sub(now)));
        }
        self.host.let_one_try(now);
        self.league(sport).let_one_try(now);
        Ok(before)
    }

    /// The source was not asked after all, so a trial is still to come.
    fn restore(&mut self, sport: Sport, [host, league]: Before) {
        self.host.open_until = host.open_until;
        self.league(sport).open_until = league.open_until;
    }

    fn host_is_there(&mut self) {
        self.host = Circuit::default();
        self.failing.clear();
    }

    fn failed(&mut self, sport: Sport, error: &PortError, now: Duration) {
        self.league(sport).failed(now, true);
        if is_unreachable(error) {
            self.failing.insert(sport);
            self.host.failed(now, self.failing.len() >= LEAGUES);
        } else {
            self.host_is_there();
        }
    }
}

fn is_unreachable(error: &PortError) -> bool {
    matches!(error, PortError::Unavailable { source, .. } if source.is::<Unreachable>())
}

impl CircuitBreaker {
    /// Guards `inner`.
    #[must_use]
    pub fn new(inner: Arc<dyn GamePrices>, clock: Arc<dyn Clock>) -> Self {
        Self { inner, clock, circuits: Mutex::default() }
    }

    fn circuits(&self) -> MutexGuard<'_, Circuits> {
        self.circuits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, sport: Sport, before: Before, answer: &Result<Option<Arc<PriceList>>, PortError>) {
        let (now, mut circuits) = (self.clock.uptime(), self.circuits());
        match answer {
            Ok(Some(_)) => {
                circuits.host_is_there();
                *circuits.league(sport) = Circuit::default();
            }
            Ok(None) => circuits.restore(sport, before),
            Err(error) => {
                tracing::warn!(%sport, error = in_one_line(error), "the prediction market could not be read");
                circuits.failed(sport, error, now);
            }
        }
    }
}

#[async_trait]
impl GamePrices for CircuitBreaker {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        let entered = self.circuits().enter(sport, self.clock.uptime());
        let before = entered.map_err(|open| PortError::unavailable(PORT, open))?;
        let answer = self.inner.prices(sport).await;
        self.note(sport, before, &answer);
        answer
    }
}
