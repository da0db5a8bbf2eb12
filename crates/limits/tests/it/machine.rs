use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, Tier};
use sports_limits::{Link, LocalMeter, RedisAddress, RedisMeter, Seconds};
use sports_ports::calls::CallObserver;
use sports_ports::metering::{Admission, CountedCall, Meter, ProcessCount, UncountedAdmission, UsageCounts};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::metering::contract;
use sports_testkit::services::{Condition, Network};
use tokio::time::sleep;

/// A server that counts, with a network of its own between it and Redis.
pub struct Machine {
    pub counting: Counting,
    pub network: Network,
}

/// The parts of a server that counts in Redis.
pub struct Counting {
    pub local: Arc<LocalMeter>,
    pub link: Arc<Link>,
    pub meter: RedisMeter,
}

/// Returns the id of a process that never was.
pub fn a_process() -> ProcessId {
    static STARTED: AtomicU8 = AtomicU8::new(0);
    ProcessId::from_random([STARTED.fetch_add(1, Ordering::Relaxed), 0, 0, 0, 0, 0, 0, 0])
}

impl Counting {
    pub async fn start(address: &str, record: Arc<dyn UsageCounts>, limits: Limits) -> Self {
        let (address, process) = (RedisAddress::new(address).expect("an address"), a_process());
        let local = LocalMeter::start(record, process, limits, second(0)).await.expect("the record can be read");
        let local = Arc::new(local);
        let link = Arc::new(Link::new(address, process, CallObserver::ignoring()));
        tokio::spawn(Link::run(Arc::downgrade(&link), || {}));
        link.connected().await;
        let meter = RedisMeter::new(Arc::clone(&local), Arc::clone(&link), Seconds::OfArrival);
        tokio::spawn(meter.catching_up(|| {}));
        Self { local, link, meter }
    }
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
        let counting = Counting::start(&format!("redis://{}", network.address()), record.clone(), limits).await;
        Self { counting, network }
    }

    /// Makes a call of a customer.
    pub async fn admit(&self, seed: u8) -> Admission {
        self.counting.meter.admit(customer(seed), Tier::Ai, contract::arrival(second(0))).await.expect("answers")
    }

    /// Makes a call that is admitted, and neither kept nor refunded yet.
    pub async fn open_call(&self, seed: u8) -> CountedCall {
        match self.admit(seed).await {
            Admission::Admitted(call) => call,
            refused => panic!("{refused:?}"),
        }
    }

    /// Makes a call that is admitted and kept; returns the count with it.
    pub async fn call(&self, seed: u8) -> u64 {
        let call = self.open_call(seed).await;
        self.counting.meter.keep(call);
        call.used
    }

    pub async fn refund(&self, call: CountedCall) -> u64 {
        self.counting.meter.give_back(call).await.expect("answers")
    }

    /// Returns the month's count, as the customer sees it.
    pub async fn used(&self, seed: u8) -> u64 {
        let arrival = contract::arrival(second(0));
        match self.counting.meter.admit_uncounted(customer(seed), arrival).await.expect("answers") {
            UncountedAdmission::Admitted { used } | UncountedAdmission::SecondIsFull { used } => used,
        }
    }

    pub async fn commit(&self) {
        self.counting.local.commit(second(0)).await.expect("commits");
    }

    pub async fn is_together(&self) -> bool {
        self.counting.link.ping().await.is_ok()
    }

    /// Waits until servers count together, or do not.
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

/// Puts calls on record that a process of long ago counted.
pub async fn put_on_record(record: &AccountsFake, seed: u8, calls: u64) {
    let process = ProcessId::from_random([0xff; 8]);
    let count = ProcessCount { customer: customer(seed), month: month(), process, calls };
    record.record(&[count]).await.expect("records");
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
