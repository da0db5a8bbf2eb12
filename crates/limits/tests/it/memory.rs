use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, Tier};
use sports_limits::{Commits, LocalMeter};
use sports_ports::PortError;
use sports_ports::metering::{Admission, Arrival, CountedCall, Meter, ProcessCount, UsageCount, UsageCounts};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::clock::ClockFake;
use sports_testkit::metering::contract;

use crate::machine::{a_process, month, put_on_record};

async fn over(record: &Arc<AccountsFake>, limits: Limits) -> LocalMeter {
    LocalMeter::start(record.clone(), a_process(), limits, second(0)).await.expect("counts can be read")
}

/// Admits a call at an instant.
async fn counted(meter: &LocalMeter, now: DateTime<Utc>) -> CountedCall {
    let admission = meter.admit(a_customer().build().id, Tier::Ai, contract::arrival(now)).await.expect("answers");
    let Admission::Admitted(call) = admission else { panic!("{admission:?}") };
    call
}

/// Admits a call at an instant and keeps it; returns the month's count with it.
async fn kept(meter: &LocalMeter, now: DateTime<Utc>) -> u64 {
    let call = counted(meter, now).await;
    meter.keep(call);
    call.used
}

async fn call(meter: &LocalMeter, times: i64) {
    for moment in 0..times {
        kept(meter, second(moment)).await;
    }
}

async fn on_record(record: &AccountsFake, month: CalendarMonth) -> Vec<u64> {
    record.of_month(month).await.expect("answers").iter().map(|count| count.calls).collect()
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
    let refused = next.admit(a_customer().build().id, Tier::Ai, contract::arrival(second(9))).await.expect("answers");
    assert_eq!(refused, Admission::MonthIsFull { used: 10 });
}

#[tokio::test]
async fn a_commit_that_failed_is_made_up_for_by_the_next() {
    let record = Arc::new(AccountsFake::new());
    let meter = over(&record, contract::limits(10, 10)).await;
    record.become_unavailable();
    call(&meter, 3).await;
    assert!(meter.commit(second(3)).await.is_err());
    assert_eq!(meter.pending(), 1);
    record.come_back();
    assert_eq!(on_record(&record, month()).await, [0; 0]);
    meter.commit(second(3)).await.expect("commits");
    assert_eq!((on_record(&record, month()).await, meter.pending()), (vec![3], 0));
}

#[tokio::test]
async fn counts_outlast_an_unavailable_record() {
    let record = AccountsFake::new();
    let (becomes_unavailable, comes_back) = (async || record.become_unavailable(), async || record.come_back());
    contract::counts_outlast_an_unavailable_record(&record, becomes_unavailable, comes_back).await;
}

/// A record that commits each write, and loses the reply while it is silent.
#[derive(Default)]
struct SilentRecord {
    record: AccountsFake,
    is_silent: AtomicBool,
}

#[async_trait::async_trait]
impl UsageCounts for SilentRecord {
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError> {
        self.record.of_month(month).await
    }

    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError> {
        self.record.of_customer(customer).await
    }

    async fn of_others(
        &self,
        customer: CustomerId,
        month: CalendarMonth,
        process: ProcessId,
    ) -> Result<u64, PortError> {
        self.record.of_others(customer, month, process).await
    }

    async fn record(&self, counts: &[ProcessCount]) -> Result<(), PortError> {
        self.record.record(counts).await?;
        let is_silent = self.is_silent.load(Ordering::Relaxed);
        if is_silent { Err(PortError::unavailable("usage counts", "there was no reply")) } else { Ok(()) }
    }
}

#[tokio::test]
async fn a_commit_whose_reply_was_lost_counts_nothing_twice() {
    let record = Arc::new(SilentRecord::default());
    let limits = contract::limits(10, 10);
    let meter = LocalMeter::start(record.clone(), a_process(), limits, second(0)).await.expect("starts");
    record.is_silent.store(true, Ordering::Relaxed);
    for calls in 1..=3 {
        assert_eq!(kept(&meter, second(calls)).await, calls.unsigned_abs());
        assert!(meter.commit(second(calls)).await.is_err());
        assert_eq!(on_record(&record.record, month()).await, [calls.unsigned_abs()]);
    }
    record.is_silent.store(false, Ordering::Relaxed);
    meter.commit(second(4)).await.expect("commits");
    assert_eq!((on_record(&record.record, month()).await, meter.pending()), (vec![3], 0));
    assert_eq!(kept(&meter, second(4)).await, 4);
}

#[tokio::test]
async fn calls_around_the_turn_of_the_month_are_recorded_in_their_own() {
    let record = Arc::new(AccountsFake::new());
    let meter = over(&record, contract::limits(10, 10)).await;
    call(&meter, 3).await;
    let turned = month().ends_at();
    kept(&meter, turned).await;
    meter.commit(turned).await.expect("commits");
    assert_eq!((on_record(&record, month()).await, on_record(&record, month().next()).await), (vec![3], vec![1]));

    let months = record.of_customer(a_customer().build().id).await.expect("answers");
    assert_eq!(months.iter().map(|count| count.month).collect::<Vec<_>>(), [month().next(), month()]);
}

#[tokio::test]
async fn only_what_changed_is_written() {
    let record = Arc::new(AccountsFake::new());
    let meter = over(&record, contract::limits(10, 10)).await;
    call(&meter, 1).await;
    meter.commit(second(1)).await.expect("commits");
    record.become_unavailable();
    meter.commit(second(2)).await.expect("nothing was counted, so nothing is written");
    call(&meter, 1).await;
    assert!(meter.commit(second(3)).await.is_err());
}

async fn with_on_record(counts: &[(CalendarMonth, u64)]) -> Arc<AccountsFake> {
    let record = Arc::new(AccountsFake::new());
    let (customer, process) = (a_customer().build().id, ProcessId::from_random([0xff; 8]));
    let counts = counts.iter().map(|(month, calls)| ProcessCount { customer, month: *month, process, calls: *calls });
    record.record(&counts.collect::<Vec<_>>()).await.expect("recorded");
    record
}

/// A server starts with its clock a few days behind, in the month before, and is then set right.
#[tokio::test]
async fn a_month_is_read_before_it_begins() {
    let record = with_on_record(&[(month(), 120)]).await;
    let before = month().starts_at() - TimeDelta::days(3);
    let limits = contract::limits(200, 10);
    let meter = LocalMeter::start(record.clone(), a_process(), limits, before).await.expect("starts");
    assert_eq!(kept(&meter, before).await, 1);
    assert_eq!(kept(&meter, second(0)).await, 121);
    meter.commit(second(0)).await.expect("commits");
    assert_eq!((on_record(&record, month()).await, on_record(&record, month().previous()).await), (vec![121], vec![1]));
}

/// A clock that was months behind, and a database that was unavailable when it was set right.
#[tokio::test]
async fn calls_counted_before_the_record_was_read_are_added_to_it() {
    let record = with_on_record(&[(month(), 120)]).await;
    let before = month().starts_at() - TimeDelta::days(90);
    let limits = contract::limits(200, 10);
    let meter = LocalMeter::start(record.clone(), a_process(), limits, before).await.expect("starts");
    record.become_unavailable();
    assert_eq!((kept(&meter, second(0)).await, kept(&meter, second(1)).await), (1, 2));
    assert!(meter.commit(second(1)).await.is_err());
    record.come_back();
    assert_eq!(on_record(&record, month()).await, [120]);
    meter.commit(second(2)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [122]);
    assert_eq!(kept(&meter, second(3)).await, 123);
}

/// Months that were left are forgotten, and their calls are counted on when the clock is back in them.
#[tokio::test]
async fn a_clock_that_is_set_to_and_fro_between_months_loses_no_call() {
    let months = [month(), "2024-02".parse().expect("a month"), "2026-09".parse().expect("a month")];
    let record = with_on_record(&[(months[0], 10), (months[1], 20), (months[2], 30)]).await;
    let meter = over(&record, contract::limits(200, 10)).await;
    for round in 1..=3 {
        for (month, before) in months.into_iter().zip([10, 20, 30]) {
            let uptime = Duration::from_secs(round);
            let call =
                meter.admit(a_customer().build().id, Tier::Ai, Arrival { month, uptime }).await.expect("answers");
            let Admission::Admitted(call) = call else { panic!("{call:?}") };
            meter.keep(call);
            meter.commit(month.starts_at()).await.expect("commits");
            assert_eq!(on_record(&record, month).await, [before + round], "{month}");
        }
    }
}

#[tokio::test]
async fn only_kept_calls_are_recorded_and_no_refund_lowers_the_record() {
    let record = with_on_record(&[(month(), 120)]).await;
    let meter = over(&record, contract::limits(200, 10)).await;
    let refunded = counted(&meter, second(0)).await;
    let call = counted(&meter, second(0)).await;
    assert_eq!((refunded.used, call.used), (121, 122));
    meter.commit(second(0)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [120]);
    meter.keep(call);
    assert_eq!(meter.give_back(refunded).await.expect("answers"), 121);
    meter.commit(second(1)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [121]);
}

#[tokio::test(start_paused = true)]
async fn servers_on_one_record_read_each_others_calls_once_a_minute() {
    let record = Arc::new(AccountsFake::new());
    put_on_record(&record, 1, 5).await;
    let (one, other) =
        (over(&record, contract::limits(100, 100)).await, over(&record, contract::limits(100, 100)).await);
    call(&one, 3).await;
    call(&other, 4).await;
    assert_eq!((kept(&one, second(9)).await, kept(&other, second(9)).await), (9, 10));
    for meter in [&one, &other] {
        meter.commit(second(9)).await.expect("commits");
    }
    assert_eq!(on_record(&record, month()).await, [14], "each has a number of its own");
    tokio::time::advance(Duration::from_mins(1)).await;
    for meter in [&one, &other] {
        meter.commit(second(9)).await.expect("commits");
        assert_eq!(kept(meter, second(10)).await, 15);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_is_on_record_within_a_second_of_being_kept_and_at_the_end_at_once() {
    let record = Arc::new(AccountsFake::new());
    let meter = Arc::new(over(&record, contract::limits(100, 100)).await);
    let clock = Arc::new(ClockFake::at(&second(0).to_rfc3339()));
    let commits = Commits::new(Arc::clone(&meter), clock);
    tokio::spawn(commits.clone().run(|| ()));
    call(&meter, 3).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!((on_record(&record, month()).await, commits.pending()), (vec![3], 0));
    record.become_unavailable();
    call(&meter, 1).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(commits.expect_on_record().is_err());
    record.come_back();
    commits.finish().await;
    assert_eq!(on_record(&record, month()).await, [4]);
    commits.expect_on_record().expect("on record");
}

/// Eight threads call while another commits: in the end the record has every admitted call.
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
                    let now = contract::arrival(second(0));
                    let outcome = meter.admit(a_customer().build().id, Tier::Ai, now).await.expect("answers");
                    if let Admission::Admitted(call) = outcome {
                        meter.keep(call);
                        admitted += 1;
                    }
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
