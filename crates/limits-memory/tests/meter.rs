//! The contracts of the ports, and what is on record when a process ends.

use std::sync::Arc;

use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, Limits, Tier};
use sports_limits_memory::{LocalAddressLimit, LocalMeter};
use sports_ports::metering::{Admission, Meter, UsageCount, UsageCounts};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::metering::contract;

async fn over(record: &Arc<AccountsFake>, limits: Limits) -> LocalMeter {
    LocalMeter::start(record.clone(), limits, second(0)).await.expect("counts can be read")
}

async fn call(meter: &LocalMeter, times: i64) {
    for moment in 0..times {
        let admission = meter.admit(a_customer().build().id, Tier::Ai, second(moment)).await.expect("answers");
        assert!(matches!(admission, Admission::Admitted(_)), "{admission:?}");
    }
}

async fn on_record(record: &AccountsFake, month: CalendarMonth) -> Vec<u64> {
    record.of_month(month).await.expect("answers").iter().map(|count| count.calls).collect()
}

fn month() -> CalendarMonth {
    CalendarMonth::of(second(0))
}

#[tokio::test]
async fn the_meter_keeps_the_contract() {
    contract::meter(async |limits| over(&Arc::new(AccountsFake::new()), limits).await).await;
}

#[tokio::test]
async fn the_address_limit_keeps_the_contract() {
    contract::address_limit(async |per_second| LocalAddressLimit::new(contract::limits(1, per_second).per_second))
        .await;
}

#[tokio::test]
async fn a_restart_goes_on_from_the_last_commit() {
    let record = Arc::new(AccountsFake::new());
    let first = over(&record, contract::limits(10, 10)).await;
    call(&first, 4).await;
    first.commit(second(4)).await.expect("commits");
    call(&first, 2).await;
    assert_eq!(on_record(&record, month()).await, [4], "what was not committed is lost with the process");
    drop(first);

    let next = over(&record, contract::limits(10, 10)).await;
    call(&next, 6).await;
    let refused = next.admit(a_customer().build().id, Tier::Ai, second(9)).await.expect("answers");
    assert_eq!(refused, Admission::MonthIsFull { used: 10 });
}

#[tokio::test]
async fn a_commit_that_failed_is_made_up_for_by_the_next() {
    let record = Arc::new(AccountsFake::new());
    let meter = over(&record, contract::limits(10, 10)).await;
    record.go_away();
    call(&meter, 3).await;
    assert!(meter.commit(second(3)).await.is_err());
    record.come_back();
    assert_eq!(on_record(&record, month()).await, [0; 0]);
    meter.commit(second(3)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [3]);
}

#[tokio::test]
async fn calls_around_the_turn_of_the_month_are_recorded_in_their_own() {
    let record = Arc::new(AccountsFake::new());
    let meter = over(&record, contract::limits(10, 10)).await;
    call(&meter, 3).await;
    let customer = a_customer().build().id;
    let turned = month().ends_at();
    let _ = meter.admit(customer, Tier::Ai, turned).await.expect("answers");
    meter.commit(turned).await.expect("commits");
    assert_eq!((on_record(&record, month()).await, on_record(&record, month().next()).await), (vec![3], vec![1]));

    let months = record.of_customer(customer).await.expect("answers");
    assert_eq!(months.iter().map(|count| count.month).collect::<Vec<_>>(), [month().next(), month()]);
}

#[tokio::test]
async fn only_what_changed_is_written() {
    let record = Arc::new(AccountsFake::new());
    let meter = over(&record, contract::limits(10, 10)).await;
    call(&meter, 1).await;
    meter.commit(second(1)).await.expect("commits");
    let count = UsageCount { customer: a_customer().build().id, month: month(), calls: 99 };
    record.record(&[count]).await.expect("answers");
    meter.commit(second(2)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [99], "nothing was counted, so nothing was written");
    call(&meter, 1).await;
    meter.commit(second(3)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [2]);
}

/// Eight threads call while another commits: in the end the record says what was admitted.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commits_under_load_lose_nothing() {
    let record = Arc::new(AccountsFake::new());
    let meter = Arc::new(over(&record, contract::limits(1_500, 10_000)).await);
    let callers: Vec<_> = (0..8)
        .map(|_| {
            let meter = Arc::clone(&meter);
            tokio::spawn(async move {
                let mut admitted = 0_u64;
                for _ in 0..300 {
                    let outcome = meter.admit(a_customer().build().id, Tier::Ai, second(0)).await.expect("answers");
                    admitted += u64::from(matches!(outcome, Admission::Admitted(_)));
                    tokio::task::yield_now().await;
                }
                admitted
            })
        })
        .collect();
    while !callers.iter().all(tokio::task::JoinHandle::is_finished) {
        meter.commit(second(0)).await.expect("commits");
        tokio::task::yield_now().await;
    }
    let mut admitted = 0;
    for caller in callers {
        admitted += caller.await.expect("no panic");
    }
    meter.commit(second(0)).await.expect("commits");
    assert_eq!(admitted, 1_500);
    assert_eq!(on_record(&record, month()).await, [1_500]);
}
