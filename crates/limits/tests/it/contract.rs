use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use futures::future::join_all;
use sports_accounts::testing::second;
use sports_accounts::{Limits, Tier};
use sports_limits::{LocalAddressLimit, LocalMeter, RedisAddressLimit, RedisMeter, Seconds};
use sports_ports::metering::{AddressLimit, Admission, Meter, UsageCounts};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::metering::contract;
use sports_testkit::services::Redis;

use crate::machine::{self, Counting};

/// Databases of one Redis, each of which is used once.
struct Databases {
    redis: Redis,
    used: AtomicU8,
}

impl Databases {
    async fn start() -> Option<Self> {
        let redis = Redis::start_with(&["--databases", "200"]).await?;
        Some(Self { redis, used: AtomicU8::new(0) })
    }

    fn fresh(&self) -> u8 {
        self.used.fetch_add(1, Ordering::Relaxed)
    }

    /// A server that counts in a database.
    async fn counting(&self, database: u8, record: Arc<dyn UsageCounts>, limits: Limits) -> Counting {
        let counting = Counting::start(&format!("{}/{database}", self.redis.url()), record, limits).await;
        counting.link.ping().await.expect("it counts in Redis");
        counting
    }

    async fn meter(&self, database: u8, record: Arc<dyn UsageCounts>, limits: Limits) -> RedisMeter {
        self.counting(database, record, limits).await.meter
    }
}

#[tokio::test]
async fn the_meter_in_memory_keeps_the_contract() {
    let fresh = async |limits| {
        let record = Arc::new(AccountsFake::new());
        LocalMeter::start(record, machine::a_process(), limits, second(0)).await.expect("starts")
    };
    contract::meter(fresh).await;
}

#[tokio::test]
async fn the_meter_in_redis_keeps_the_contract() {
    let Some(databases) = Databases::start().await else { return };
    let fresh = async |limits| databases.meter(databases.fresh(), Arc::new(AccountsFake::new()), limits).await;
    contract::meter(&fresh).await;
}

#[tokio::test]
async fn meters_of_several_servers_keep_the_contract_of_what_they_share() {
    let Some(databases) = Databases::start().await else { return };
    let fresh = async |limits| {
        let (database, record) = (databases.fresh(), Arc::new(AccountsFake::new()));
        let mut meters = Vec::new();
        for _ in 0..3 {
            meters.push(databases.meter(database, record.clone(), limits).await);
        }
        meters
    };
    contract::meters_that_share_the_month(&fresh).await;
    contract::meters_that_share_the_second(&fresh).await;
}

/// They are pipelined on one connection, and each has its own reply.
#[tokio::test]
async fn concurrent_calls_of_a_customer_are_counted_refunded_and_refused_one_by_one() {
    let Some(databases) = Databases::start().await else { return };
    let limits = contract::limits(150, 1_000);
    let meter = databases.meter(databases.fresh(), Arc::new(AccountsFake::new()), limits).await;
    let (customer, arrival) = (machine::customer(1), contract::arrival(second(0)));
    let admissions = join_all((0..200).map(|_| meter.admit(customer, Tier::Ai, arrival))).await;
    let (mut counts, mut refused) = (Vec::new(), 0);
    for admission in admissions {
        match admission.expect("answers") {
            Admission::Admitted(call) => counts.push(call),
            Admission::MonthIsFull { used: 150 } => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    counts.sort_by_key(|call| call.used);
    assert_eq!(counts.iter().map(|call| call.used).collect::<Vec<_>>(), (1..=150).collect::<Vec<_>>());
    assert_eq!(refused, 50);
    let refunded = join_all(counts.into_iter().map(|call| meter.give_back(call))).await;
    let mut left: Vec<_> = refunded.into_iter().map(|used| used.expect("answers")).collect();
    left.sort_unstable();
    assert_eq!(left, (0..150).collect::<Vec<_>>());
}

#[tokio::test]
async fn either_address_limit_keeps_the_contract() {
    contract::address_limit(async |per_second| LocalAddressLimit::new(contract::limits(1, per_second).per_second))
        .await;
    let Some(databases) = Databases::start().await else { return };
    let fresh = async |per_second| {
        let limits = contract::limits(1, per_second);
        limit(&databases.counting(databases.fresh(), Arc::new(AccountsFake::new()), limits).await, limits)
    };
    contract::address_limit(fresh).await;
}

#[tokio::test]
async fn address_limits_of_several_servers_are_one() {
    let Some(databases) = Databases::start().await else { return };
    let (database, record, limits) = (databases.fresh(), Arc::new(AccountsFake::new()), contract::limits(1, 3));
    let first = databases.counting(database, record.clone(), limits).await;
    let other = databases.counting(database, record, limits).await;
    let (here, there) = (limit(&first, limits), limit(&other, limits));
    let uptime = contract::arrival(second(0)).uptime;
    let mut admitted = Vec::new();
    for limit in [&here, &there, &here, &there, &here] {
        admitted.push(limit.admits([192, 0, 2, 1].into(), uptime).await.expect("answers"));
    }
    assert_eq!(admitted, [true, true, true, false, false]);
}

fn limit(counting: &Counting, limits: Limits) -> RedisAddressLimit {
    let local = LocalAddressLimit::new(contract::limits(1, 1).per_second);
    let (link, per_second) = (Arc::clone(&counting.link), limits.per_second);
    RedisAddressLimit { link, per_second, seconds: Seconds::OfArrival, local }
}
