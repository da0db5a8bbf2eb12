use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use futures::future::join_all;
use sports_accounts::{Limits, Tier};
use sports_limits_redis::{RedisAddressLimit, RedisMeter, Seconds};
use sports_ports::metering::{AddressLimit, Admission, Meter, ProcessCounts};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::metering::{MeterFake, contract};
use sports_testkit::services::Redis;

use crate::machine;

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

    /// A meter in a database.
    async fn meter(&self, database: u8, record: Arc<dyn ProcessCounts>, limits: Limits) -> RedisMeter {
        let meter = machine::meter(&format!("{}/{database}", self.redis.url()), record, limits).await;
        meter.link().ping().await.expect("it counts in Redis");
        meter
    }
}

#[tokio::test]
async fn the_meter_keeps_the_contract() {
    let Some(databases) = Databases::start().await else { return };
    let fresh = async |limits| databases.meter(databases.fresh(), Arc::new(AccountsFake::new()), limits).await;
    contract::meter(&fresh).await;
    contract::committed_counts(&fresh).await;
}

#[tokio::test]
async fn meters_of_several_machines_keep_the_contract_of_what_they_share() {
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
    let (customer, arrival) = (machine::customer(1), contract::arrival(sports_accounts::testing::second(0)));
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
    let given_back = join_all(counts.into_iter().map(|call| meter.give_back(call))).await;
    let mut left: Vec<_> = given_back.into_iter().map(|used| used.expect("answers")).collect();
    left.sort_unstable();
    assert_eq!(left, (0..150).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_address_limit_keeps_the_contract() {
    let Some(databases) = Databases::start().await else { return };
    let fresh = async |per_second| {
        let limits = contract::limits(1, per_second);
        let meter = databases.meter(databases.fresh(), Arc::new(AccountsFake::new()), limits).await;
        Kept(limit(&meter, limits), meter)
    };
    contract::address_limit(fresh).await;
}

#[tokio::test]
async fn address_limits_of_several_machines_are_one() {
    let Some(databases) = Databases::start().await else { return };
    let (database, record, limits) = (databases.fresh(), Arc::new(AccountsFake::new()), contract::limits(1, 3));
    let first = databases.meter(database, record.clone(), limits).await;
    let second = databases.meter(database, record, limits).await;
    let (here, there) = (limit(&first, limits), limit(&second, limits));
    let uptime = contract::arrival(sports_accounts::testing::second(0)).uptime;
    let mut admitted = Vec::new();
    for limit in [&here, &there, &here, &there, &here] {
        admitted.push(limit.admits([192, 0, 2, 1].into(), uptime).await.expect("answers"));
    }
    assert_eq!(admitted, [true, true, true, false, false]);
}

/// A limit whose meter keeps the session.
struct Kept(RedisAddressLimit, #[expect(dead_code, reason = "it keeps the session")] RedisMeter);

#[async_trait::async_trait]
impl AddressLimit for Kept {
    async fn admits(
        &self,
        address: std::net::IpAddr,
        uptime: std::time::Duration,
    ) -> Result<bool, sports_ports::PortError> {
        self.0.admits(address, uptime).await
    }
}

fn limit(meter: &RedisMeter, limits: Limits) -> RedisAddressLimit {
    let local = Arc::new(MeterFake::new(contract::limits(1, 1)));
    RedisAddressLimit { link: meter.link(), per_second: limits.per_second, seconds: Seconds::OfArrival, local }
}
