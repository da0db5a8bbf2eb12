use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError, error_chain};

use crate::source::{PORT, Unreachable};

/// The number of consecutive failures that open a circuit.
const FAILURES: u32 = 3;

/// The minimum number of leagues among these failures that opens the host's circuit.
const LEAGUES: usize = 2;

/// The time for which an open circuit sends no requests.
const PAUSE: Duration = Duration::from_secs(30);

/// A circuit breaker around a source of prices.
///
/// Each league has its own circuit: after three consecutive failures its requests fail at once for 30 seconds. An
/// [`Unreachable`] host affects all leagues, but a single league does not prove it: three consecutive failures of
/// this kind, in at least two leagues, open a circuit that all leagues share. Any other failure, such as a refusal or
/// a timeout, comes from a host that is reachable, and counts for its league only.
///
/// After the pause one trial request is sent: its success closes the open circuits, its failure opens them for
/// another 30 seconds. Each failure of the source is logged here, once.
pub struct CircuitBreaker {
    inner: Arc<dyn GamePrices>,
    clock: Arc<dyn Clock>,
    circuits: Mutex<Circuits>,
}

#[derive(Debug, Default)]
struct Circuits {
    host: Circuit,
    /// The leagues whose requests could not reach the host.
    failing: HashSet<Sport>,
    leagues: HashMap<Sport, Circuit>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Circuit {
    failures: u32,
    open_until: Option<Duration>,
}

/// The host's and a league's circuit before a request.
type CircuitsBefore = [Circuit; 2];

impl Circuit {
    /// Makes the next request a trial if the circuit was open: the circuit stays open for other requests meanwhile.
    fn begin_trial(&mut self, now: Duration) {
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

    /// Admits a request, or describes the open circuit, with the time until the next request.
    fn admit(&mut self, sport: Sport, now: Duration) -> Result<CircuitsBefore, String> {
        let before = [self.host, *self.league(sport)];
        let open = before.iter().filter_map(|circuit| circuit.open_until).max().filter(|until| now < *until);
        if let Some(until) = open {
            let seconds = until.saturating_sub(now).as_secs();
            return Err(format!("it failed {FAILURES} times in a row, and the next request is sent in {seconds} s"));
        }
        self.host.begin_trial(now);
        self.league(sport).begin_trial(now);
        Ok(before)
    }

    /// Undoes [`Self::admit`]: no request was sent, so the trial is not used up.
    fn restore(&mut self, sport: Sport, [host, league]: CircuitsBefore) {
        self.host.open_until = host.open_until;
        self.league(sport).open_until = league.open_until;
    }

    fn reset_host(&mut self) {
        self.host = Circuit::default();
        self.failing.clear();
    }

    fn failed(&mut self, sport: Sport, error: &PortError, now: Duration) {
        self.league(sport).failed(now, true);
        if is_unreachable(error) {
            self.failing.insert(sport);
            self.host.failed(now, self.failing.len() >= LEAGUES);
        } else {
            self.reset_host();
        }
    }
}

fn is_unreachable(error: &PortError) -> bool {
    matches!(error, PortError::Unavailable { source, .. } if source.is::<Unreachable>())
}

impl CircuitBreaker {
    /// Creates a circuit breaker around `inner`.
    pub fn new(inner: Arc<dyn GamePrices>, clock: Arc<dyn Clock>) -> Self {
        Self { inner, clock, circuits: Mutex::default() }
    }

    fn circuits(&self) -> MutexGuard<'_, Circuits> {
        self.circuits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, sport: Sport, before: CircuitsBefore, answer: &Result<Option<Arc<PriceList>>, PortError>) {
        let (now, mut circuits) = (self.clock.uptime(), self.circuits());
        match answer {
            Ok(Some(_)) => {
                circuits.reset_host();
                *circuits.league(sport) = Circuit::default();
            }
            Ok(None) => circuits.restore(sport, before),
            Err(error) => {
                tracing::warn!(%sport, error = error_chain(error), "the prediction market could not be read");
                circuits.failed(sport, error, now);
            }
        }
    }
}

#[async_trait]
impl GamePrices for CircuitBreaker {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        let admitted = self.circuits().admit(sport, self.clock.uptime());
        let before = admitted.map_err(|open| PortError::unavailable(PORT, open))?;
        let answer = self.inner.prices(sport).await;
        self.record(sport, before, &answer);
        answer
    }
}
