//! What it costs to count a call. `cargo bench -p sports-limits-memory`

use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, Limits, Tier};
use sports_limits_memory::LocalMeter;
use sports_ports::metering::{Admission, Arrival, Meter};
use sports_testkit::accounts::AccountsFake;
use tokio::runtime::Builder;
use tokio::time::Instant;

fn a_call(criterion: &mut Criterion) {
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
    let limits = Limits { monthly: NonZeroU64::MAX, per_second: NonZeroU32::new(100_000).expect("not 0") };
    let meter = LocalMeter::start(Arc::new(AccountsFake::default()), limits, second(0));
    let meter = runtime.block_on(meter).expect("counts are read");
    let (customer, month) = (a_customer().build().id, CalendarMonth::containing(second(0)));
    let mut millis = 0;
    criterion.bench_function("a call is admitted", |bencher| {
        bencher.iter_custom(|times| {
            runtime.block_on(async {
                let began = Instant::now();
                for _ in 0..times {
                    millis += 1;
                    let arrival = Arrival { month, uptime: Duration::from_millis(millis) };
                    let admission = meter.admit(customer, Tier::Ai, arrival).await.expect("answers");
                    assert!(matches!(admission, Admission::Admitted(_)));
                }
                began.elapsed()
            })
        });
    });
}

criterion_group!(benches, a_call);
criterion_main!(benches);
