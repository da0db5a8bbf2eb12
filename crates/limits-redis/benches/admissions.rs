//! What the node computes for an admission through Redis, with so many requests of one customer under way at a time: its CPU
//! time, not what it waits. Needs a `redis-server`. `cargo bench -p sports-limits-redis`

use std::fs;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use futures::future::join_all;
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, Tier};
use sports_limits_redis::{RedisAddress, RedisMeter, Seconds, Setup};
use sports_ports::metering::{Admission, Arrival, Meter};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::clock::ClockFake;
use sports_testkit::services::Redis;
use tokio::runtime::Builder;

/// What this process has computed, on all its threads.
fn computed() -> Duration {
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    let (_, fields) = stat.rsplit_once(") ").expect("fields");
    fields.split(' ').skip(11).take(2).map(|ticks| TICK * ticks.parse::<u32>().expect("ticks")).sum()
}

async fn meter(redis: &Redis) -> RedisMeter {
    let per_second = NonZeroU32::new(100_000).expect("not 0");
    let setup = Setup {
        address: RedisAddress::new(&redis.url()).expect("an address"),
        process: ProcessId::from_random([1; 8]),
        record: Arc::new(AccountsFake::new()),
        limits: Limits { monthly: NonZeroU64::MAX, per_second },
        clock: Arc::new(ClockFake::at(&second(0).to_rfc3339())),
        on_failure: Arc::new(|| {}),
        seconds: Seconds::OfRedis,
    };
    RedisMeter::start(setup).await.expect("the record can be read")
}

async fn admit(meter: &RedisMeter, customer: CustomerId, times: u64) {
    let arrival = Arrival { month: CalendarMonth::containing(second(0)), uptime: Duration::ZERO };
    for _ in 0..times {
        let admission = meter.admit(customer, Tier::Ai, arrival).await.expect("answers");
        assert!(!matches!(admission, Admission::MonthIsFull { .. }));
    }
}

fn admissions(criterion: &mut Criterion) {
    let shared = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let Some(redis) = shared.block_on(Redis::start_with(&[])) else { return };
    let meter = shared.block_on(meter(&redis));
    // As a worker of the server has one.
    let worker = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let one = vec![a_customer().build().id; 32];
    let many: Vec<_> = (1..=32).map(|seed| a_customer().seeded(seed).build().id).collect();
    for (name, customers) in [("one at a time", &one[..1]), ("32 of one customer", &one), ("32 of 32 customers", &many)]
    {
        criterion.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                let (before, each) = (computed(), times.div_ceil(customers.len() as u64));
                worker.block_on(join_all(customers.iter().map(|customer| admit(&meter, *customer, each))));
                computed().saturating_sub(before)
            });
        });
    }
}

criterion_group!(benches, admissions);
criterion_main!(benches);
