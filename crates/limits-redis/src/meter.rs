use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{CalendarMonth, CustomerId, Tier};
use sports_ports::PortError;
use sports_ports::metering::{Admission, Arrival, CommittedCounts, CountedCall, Meter, UncountedAdmission};
use tokio::runtime::Handle;

use crate::call::{Call, Decision, Operation};
use crate::link::Link;
use crate::meter_state::{MeterState, Setup};
use crate::supervisor;

/// A meter that counts calls in Redis, together with other machines; in memory while Redis is away.
pub struct RedisMeter {
    state: Arc<MeterState>,
    /// The runtime on which calls are carried out, which outlives those of the requests.
    runtime: Handle,
}

impl RedisMeter {
    /// The longest time for the first session to begin, before calls are counted without Redis.
    const FIRST_SESSION: Duration = Duration::from_secs(3);

    /// Starts from the counts on record and in Redis. Without Redis it counts in memory, until Redis is there.
    ///
    /// # Errors
    ///
    /// [`PortError`] when the record cannot be read.
    pub async fn start(setup: Setup) -> Result<Self, PortError> {
        let (address, process) = (setup.address.clone(), setup.process);
        let state = Arc::new(MeterState::new(setup, Self::FIRST_SESSION));
        for month in state.months() {
            state.counts.set_on_record(month, state.on_record(month).await?);
        }
        tokio::spawn(supervisor::run(Arc::downgrade(&state), address, process));
        state.link.session().await;
        Ok(Self { state, runtime: Handle::current() })
    }

    /// Returns the link with Redis, which others share.
    pub fn link(&self) -> Arc<Link> {
        Arc::clone(&self.state.link)
    }

    /// Carries out a call of a customer to its end, even if the request is dropped meanwhile.
    async fn carry_out(
        &self,
        customer: CustomerId,
        month: CalendarMonth,
        call: Call,
    ) -> Result<Decision<u64>, PortError> {
        let (state, count) = (Arc::clone(&self.state), self.state.counts.count_of(customer, month));
        let task = self.runtime.spawn(async move { state.carry_out(&count, call).await });
        task.await.map_err(|error| PortError::unavailable("meter", error))
    }
}

#[async_trait]
impl CommittedCounts for RedisMeter {
    /// Records the calls of this process, and counts of other processes that only Redis had.
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        self.state.commit(now).await
    }

    fn pending(&self) -> u64 {
        self.state.pending()
    }

    /// Returns true if Redis has the counts of this process.
    fn persist_for_restart(&self) -> io::Result<bool> {
        Ok(self.state.link.session_now().is_some())
    }
}

#[async_trait]
impl Meter for RedisMeter {
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError> {
        let Arrival { month, uptime } = arrival;
        let most = self.state.limits.admitted_monthly(tier);
        Ok(match self.carry_out(customer, month, Call { operation: Operation::Admit(most), uptime }).await? {
            Decision::Done(used) => Admission::Admitted(CountedCall { customer, month, used }),
            Decision::SecondIsFull(used) => Admission::SecondIsFull { used },
            Decision::MonthIsFull(used) => Admission::MonthIsFull { used },
        })
    }

    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError> {
        let decision = self
            .carry_out(customer, arrival.month, Call { operation: Operation::AdmitUncounted, uptime: arrival.uptime })
            .await?;
        Ok(match decision {
            Decision::Done(used) => UncountedAdmission::Admitted { used },
            Decision::SecondIsFull(used) | Decision::MonthIsFull(used) => UncountedAdmission::SecondIsFull { used },
        })
    }

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        let decision = self
            .carry_out(call.customer, call.month, Call { operation: Operation::Refund, uptime: Duration::ZERO })
            .await?;
        let (Decision::Done(used) | Decision::SecondIsFull(used) | Decision::MonthIsFull(used)) = decision;
        Ok(used)
    }
}

impl std::fmt::Debug for RedisMeter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisMeter").field("limits", &self.state.limits).finish_non_exhaustive()
    }
}
