use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, Tier};
use sports_limits_redis::{RedisAddress, RedisMeter, Seconds, Setup};
use sports_ports::metering::{
    Admission, CommittedCounts, CountedCall, Meter, ProcessCounts, UncountedAdmission, UsageChange, UsageCount,
    UsageCounts,
};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::clock::ClockFake;
use sports_testkit::metering::contract;
use sports_testkit::services::{Condition, Network};
use tokio::time::sleep;

/// A process that counts, with a network of its own between it and Redis.
pub struct Machine {
    pub meter: RedisMeter,
    pub network: Network,
}

/// A meter over a Redis, that counts in an own database of it; the process is one that never was.
pub async fn meter(address: &str, record: Arc<dyn ProcessCounts>, limits: Limits) -> RedisMeter {
    static STARTED: AtomicU8 = AtomicU8::new(0);
    let address = RedisAddress::new(address).expect("an address");
    let process = ProcessId::from_random([STARTED.fetch_add(1, Ordering::Relaxed); 8]);
    let clock = Arc::new(ClockFake::at(&second(0).to_rfc3339()));
    let seconds = Seconds::OfArrival;
    let meter =
        RedisMeter::start(Setup { address, process, record, limits, clock, on_failure: Arc::new(|| {}), seconds })
            .await;
    meter.expect("the record can be read")
}

pub fn customer(seed: u8) -> CustomerId {
    a_customer().seeded(seed).build().id
}

pub fn month() -> CalendarMonth {
    CalendarMonth::containing(second(0))
}

impl Machine {
    pub async fn start(redis: std::net::SocketAddr, record: &Arc<AccountsFake>, limits: Limits) -> Self {
        let network = Network::to(redis);
        let meter = meter(&format!("redis://{}", network.address()), record.clone(), limits).await;
        Self { meter, network }
    }

    /// A call of a customer.
    pub async fn admit(&self, seed: u8) -> Admission {
        self.meter.admit(customer(seed), Tier::Ai, contract::arrival(second(0))).await.expect("answers")
    }

    /// A call that is admitted.
    pub async fn call(&self, seed: u8) -> CountedCall {
        match self.admit(seed).await {
            Admission::Admitted(call) => call,
            refused => panic!("{refused:?}"),
        }
    }

    /// The month's count, as the customer sees it.
    pub async fn used(&self, seed: u8) -> u64 {
        let arrival = contract::arrival(second(0));
        match self.meter.admit_uncounted(customer(seed), arrival).await.expect("answers") {
            UncountedAdmission::Admitted { used } | UncountedAdmission::SecondIsFull { used } => used,
        }
    }

    pub async fn commit(&self) {
        self.meter.commit(second(0)).await.expect("commits");
    }

    pub async fn is_together(&self) -> bool {
        self.meter.link().ping().await.is_ok()
    }

    /// Waits until machines count together, or do not.
    pub async fn becomes(&self, together: bool) {
        eventually(async || self.is_together().await == together).await;
    }

    /// Cuts it off, and waits until it knows.
    pub async fn cut(&self, condition: Condition) {
        self.network.becomes(condition);
        self.becomes(false).await;
    }

    pub async fn mend(&self) {
        self.network.becomes(Condition::Well);
        self.becomes(true).await;
    }
}

/// Puts a count on record as the month's whole, without a process.
pub async fn record_whole(record: &AccountsFake, seed: u8, calls: u64) {
    let count = UsageCount { customer: customer(seed), month: month(), calls };
    record.record(&[UsageChange { count, given_back: 0 }]).await.expect("records");
}

/// Returns the recorded count of the month.
pub async fn on_record(record: &AccountsFake, seed: u8) -> u64 {
    let counts = record.of_customer(customer(seed)).await.expect("answers");
    counts.iter().map(|count| count.calls).sum()
}

/// Waits until that is so.
pub async fn eventually(so: impl AsyncFn() -> bool) {
    for _ in 0..1_500 {
        if so().await {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("not within half a minute");
}
