use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError, in_one_line};

use crate::PORT;

/// Failures in a row that open the circuit.
const FAILURES: u32 = 3;

/// For how long an open circuit asks nobody.
const PAUSE: Duration = Duration::from_secs(30);

/// Stops asking a source that keeps failing.
///
/// After three failures in a row, whichever leagues they were about, every question fails at once for
/// half a minute. Then one question goes through: its answer closes the circuit, its failure opens it for
/// another half minute. Each failure of the source is logged here, once.
pub struct CircuitBreaker {
    inner: Arc<dyn GamePrices>,
    clock: Arc<dyn Clock>,
    circuit: Mutex<Circuit>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Circuit {
    failures: u32,
    open_until: Option<Duration>,
}

/// Why nobody was asked.
#[derive(Debug, thiserror::Error)]
#[error("it failed {FAILURES} times in a row and is asked again in {} s", .0.as_secs())]
struct Open(Duration);

impl CircuitBreaker {
    /// Guards `inner`.
    #[must_use]
    pub fn new(inner: Arc<dyn GamePrices>, clock: Arc<dyn Clock>) -> Self {
        Self { inner, clock, circuit: Mutex::default() }
    }

    fn circuit(&self) -> MutexGuard<'_, Circuit> {
        self.circuit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a question pass, or not; gives the circuit as it stood.
    fn enter(&self) -> Result<Circuit, Open> {
        let (now, mut circuit) = (self.clock.uptime(), self.circuit());
        let before = *circuit;
        if let Some(until) = circuit.open_until {
            if now < until {
                return Err(Open(until.saturating_sub(now)));
            }
            // This question is the trial; the others wait for how it ends.
            circuit.open_until = Some(now + PAUSE);
        }
        Ok(before)
    }

    fn failed(&self, error: &PortError) {
        tracing::warn!(error = in_one_line(error), "the prediction market could not be read");
        let (now, mut circuit) = (self.clock.uptime(), self.circuit());
        circuit.failures += 1;
        if circuit.failures >= FAILURES {
            circuit.open_until = Some(now + PAUSE);
        }
    }
}

#[async_trait]
impl GamePrices for CircuitBreaker {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        let before = self.enter().map_err(|open| PortError::unavailable(PORT, open))?;
        let answer = self.inner.prices(sport).await;
        match &answer {
            Ok(Some(_)) => *self.circuit() = Circuit::default(),
            // Nobody was asked, so the trial is still to come.
            Ok(None) if before.open_until.is_some() => self.circuit().open_until = before.open_until,
            Ok(None) => {}
            Err(error) => self.failed(error),
        }
        answer
    }
}
