use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use async_trait::async_trait;
use sports_accounts::{CustomerId, Tier};
use sports_ports::PortError;
use sports_ports::metering::{Admission, Arrival, CountedCall, Meter, UncountedAdmission};

use super::connection::{Call, Connection, Correction, Decision, Operation, Reply, SecondLimit, Seconds};
use super::link::{Ending, Link};
use crate::counts::Count;
use crate::memory::LocalMeter;

/// A meter that counts calls in Redis, together with other servers; in memory while Redis is away.
///
/// Redis decides about calls, and each server records those that it kept. Each call raises the count in Redis to what its
/// server knows of the record, and the first one of a customer on a connection to the record as it is then: so Redis gets
/// back what it lost, and what was counted without it.
#[derive(Debug)]
pub struct RedisMeter {
    local: Arc<LocalMeter>,
    link: Arc<Link>,
    seconds: Seconds,
}

impl RedisMeter {
    /// Creates a meter beside `local`, which counts the calls of this server for the record, and decides while Redis is away.
    /// `seconds` is the clock that measures a second.
    pub const fn new(local: Arc<LocalMeter>, link: Arc<Link>, seconds: Seconds) -> Self {
        Self { local, link, seconds }
    }

    /// Corrects counts in Redis whenever Redis is back, by the calls that this server admitted alone and those that it owes, for
    /// as long as the meter is used; calls `caught_up` after each time. The customers may make their next calls to other
    /// servers.
    pub fn catching_up<C: Fn()>(&self, caught_up: C) -> impl Future<Output = ()> + use<C> {
        let (local, link) = (Arc::downgrade(&self.local), Arc::downgrade(&self.link));
        let (mut changes, seconds) = (self.link.changes(), self.seconds);
        // Redis may be back already.
        changes.mark_changed();
        async move {
            while changes.changed().await.is_ok() {
                let (Some(local), Some(link)) = (local.upgrade(), link.upgrade()) else { return };
                Self { local, link, seconds }.catch_up().await;
                caught_up();
            }
        }
    }

    async fn catch_up(&self) {
        if self.link.connection().is_none() {
            return;
        }
        for count in self.local.counts() {
            if count.shared.is_missed.swap(false, Relaxed) || count.shared.owed.load(Relaxed) > 0 {
                // A correction takes no place in a second.
                let is_corrected = self.shared(&count, Call::CORRECTION).await.is_some();
                count.shared.is_missed.fetch_or(!is_corrected, Relaxed);
            }
        }
    }

    /// Admits a call that Redis gave no decision on.
    async fn admit_alone(&self, count: &Count, tier: Tier, arrival: Arrival) -> Result<Admission, PortError> {
        count.shared.is_missed.store(true, Relaxed);
        self.local.admit(count.customer, tier, arrival).await
    }

    /// Returns the decision of Redis on a call; `None` if the server decides by itself.
    async fn shared(&self, count: &Count, call: Call) -> Option<Decision> {
        let decision = self.decide(&*self.link.connection()?, count, call).await?;
        if let (Operation::Admit(_), Decision::Done(_)) = (call.operation, decision) {
            count.add();
        }
        let (Decision::Done(total) | Decision::SecondIsFull(total) | Decision::MonthIsFull(total)) = decision;
        count.update(total);
        Some(decision)
    }

    async fn decide(&self, connection: &Connection, count: &Count, call: Call) -> Option<Decision> {
        if connection.has_seeded(count)
            && let Reply::Decided(decision) = self.ask(connection, count, call, None).await?
        {
            return Some(decision);
        }
        let _turn = count.shared.seeding.lock().await;
        // Another call of the customer may have seeded the month meanwhile, or found that Redis does not reply.
        if !self.link.is_current(connection) {
            return None;
        }
        if connection.has_seeded(count)
            && let Reply::Decided(decision) = self.ask(connection, count, call, None).await?
        {
            return Some(decision);
        }
        let seed = self.local.seed_of(count).await;
        match self.ask(connection, count, call, Some(seed)).await? {
            Reply::Decided(decision) => {
                count.shared.seeded_on.store(connection.number(), Relaxed);
                Some(decision)
            }
            Reply::NotSeeded | Reply::MarkLost => None,
        }
    }

    /// Sends a call to Redis; `None` without a usable reply, which ends the connection.
    async fn ask(&self, connection: &Connection, count: &Count, call: Call, seed: Option<u64>) -> Option<Reply> {
        let mut debt = Debt::of(count);
        let least = seed.unwrap_or_else(|| count.least());
        let correction = Correction { owed: debt.calls, least, is_seed: seed.is_some() };
        debt.calls += u64::from(matches!(call.operation, Operation::Admit(_)));
        let limit = SecondLimit { per_second: self.local.limits().per_second, seconds: self.seconds };
        let reply = match connection.carry_out(count, call, correction, limit).await {
            Ok(reply) => reply,
            Err(error) => {
                self.link.end(connection, error.into());
                return None;
            }
        };
        debt.calls = if let Reply::Decided(_) = reply { 0 } else { correction.owed };
        if reply == Reply::MarkLost {
            self.link.end(connection, Ending::Emptied);
            return None;
        }
        Some(reply)
    }
}

/// Calls that Redis may have counted and has to subtract, while a script is under way that subtracts them. Where its outcome
/// stays unknown, also because the request was abandoned, they are owed again, and the call of the script as well.
struct Debt<'a> {
    count: &'a Count,
    calls: u64,
}

impl<'a> Debt<'a> {
    fn of(count: &'a Count) -> Self {
        Self { count, calls: count.shared.owed.swap(0, Relaxed) }
    }
}

impl Drop for Debt<'_> {
    fn drop(&mut self) {
        self.count.shared.owed.fetch_add(self.calls, Relaxed);
    }
}

#[async_trait]
impl Meter for RedisMeter {
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError> {
        let Arrival { month, uptime } = arrival;
        let (count, most) = (self.local.count_of(customer, month), self.local.limits().admitted_monthly(tier));
        match self.shared(&count, Call { operation: Operation::Admit(most), uptime }).await {
            Some(Decision::Done(used)) => {
                // A decision without Redis within the second takes this call into account.
                self.local.second_of(customer).admit(uptime);
                Ok(Admission::Admitted(CountedCall { customer, month, used }))
            }
            Some(Decision::SecondIsFull(used)) => Ok(Admission::SecondIsFull { used }),
            Some(Decision::MonthIsFull(used)) => Ok(Admission::MonthIsFull { used }),
            None => self.admit_alone(&count, tier, arrival).await,
        }
    }

    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError> {
        let count = self.local.count_of(customer, arrival.month);
        let call = Call { operation: Operation::AdmitUncounted, uptime: arrival.uptime };
        match self.shared(&count, call).await {
            Some(Decision::Done(used)) => {
                self.local.second_of(customer).admit(arrival.uptime);
                Ok(UncountedAdmission::Admitted { used })
            }
            Some(Decision::SecondIsFull(used) | Decision::MonthIsFull(used)) => {
                Ok(UncountedAdmission::SecondIsFull { used })
            }
            None => self.local.admit_uncounted(customer, arrival).await,
        }
    }

    fn keep(&self, call: CountedCall) {
        self.local.keep(call);
    }

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        let count = self.local.count_of(call.customer, call.month);
        count.refund();
        count.shared.owed.fetch_add(1, Relaxed);
        let decision = self.shared(&count, Call::CORRECTION).await;
        Ok(match decision {
            Some(Decision::Done(used) | Decision::SecondIsFull(used) | Decision::MonthIsFull(used)) => used,
            None => count.total(),
        })
    }
}
