//! The contracts of the ports, and what is on record when a process ends.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, Limits, Tier};
use sports_limits_memory::{CrashFile, LocalAddressLimit, LocalMeter};
use sports_ports::metering::{
    Admission, Arrival, CommittedCounts, CountedCall, Meter, UsageChange, UsageCount, UsageCounts,
};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::metering::contract;

async fn over(record: &Arc<AccountsFake>, limits: Limits) -> LocalMeter {
    LocalMeter::start(record.clone(), limits, second(0)).await.expect("counts can be read")
}

async fn call(meter: &LocalMeter, times: i64) {
    for moment in 0..times {
        let admission =
            meter.admit(a_customer().build().id, Tier::Ai, contract::arrival(second(moment))).await.expect("answers");
        assert!(matches!(admission, Admission::Admitted(_)), "{admission:?}");
    }
}

async fn on_record(record: &AccountsFake, month: CalendarMonth) -> Vec<u64> {
    record.of_month(month).await.expect("answers").iter().map(|count| count.calls).collect()
}

fn month() -> CalendarMonth {
    CalendarMonth::containing(second(0))
}

#[tokio::test]
async fn the_meter_keeps_the_contract() {
    contract::meter(async |limits| over(&Arc::new(AccountsFake::new()), limits).await).await;
    contract::committed_counts(async |limits| over(&Arc::new(AccountsFake::new()), limits).await).await;
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
    record.come_back();
    assert_eq!(on_record(&record, month()).await, [0; 0]);
    meter.commit(second(3)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [3]);
}

#[tokio::test]
async fn counts_outlast_an_unavailable_record() {
    let record = AccountsFake::new();
    let (becomes_unavailable, comes_back) = (async || record.become_unavailable(), async || record.come_back());
    contract::counts_outlast_an_unavailable_record(&record, becomes_unavailable, comes_back).await;
}

/// A meter over a record, with what the last one left in a file and what it cannot put on record in the same.
async fn meter_with_crash_file(record: &Arc<AccountsFake>, file: &Path) -> LocalMeter {
    let mut kept = CrashFile::open(file.to_owned()).expect("opens");
    kept.recover(record.as_ref()).await.expect("recovered");
    over(record, contract::limits(100, 100)).await.with_crash_file(kept)
}

#[tokio::test]
async fn counts_kept_by_a_killed_process_are_recorded_by_the_next_and_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.db-counts");
    let record = Arc::new(AccountsFake::new());
    let killed = meter_with_crash_file(&record, &file).await;
    call(&killed, 4).await;
    killed.commit(second(4)).await.expect("commits");
    call(&killed, 3).await;
    let free = counted(&killed, second(5)).await;
    killed.write_crash_file().expect("written");
    killed.give_back(free).await.expect("answers");
    call(&killed, 1).await;
    record.become_unavailable();
    assert!(killed.commit(second(6)).await.is_err());
    killed.write_crash_file().expect("written");
    call(&killed, 1).await;
    drop(killed);
    record.come_back();
    assert_eq!(on_record(&record, month()).await, [4]);

    let next = meter_with_crash_file(&record, &file).await;
    assert_eq!(on_record(&record, month()).await, [8], "all but the last, which was not kept");
    call(&next, 2).await;
    next.commit(second(7)).await.expect("commits");
    drop(next);
    let last = meter_with_crash_file(&record, &file).await;
    assert_eq!(on_record(&record, month()).await, [10], "nothing is handed over twice");
    last.persist_for_restart().expect("stops");
    assert!(!file.exists(), "everything is on record");
}

/// The record has more than the file: the process was killed after the write and before its reply.
#[tokio::test]
async fn a_crash_file_takes_nothing_away_from_a_newer_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.db-counts");
    let record = Arc::new(AccountsFake::new());
    let killed = meter_with_crash_file(&record, &file).await;
    call(&killed, 4).await;
    killed.write_crash_file().expect("written");
    let count = UsageCount { customer: a_customer().build().id, month: month(), calls: 9 };
    record.record(&[UsageChange { count, given_back: 0 }]).await.expect("recorded");
    drop(killed);
    meter_with_crash_file(&record, &file).await;
    assert_eq!(on_record(&record, month()).await, [9]);
}

#[tokio::test]
async fn a_process_that_ends_with_its_record_unavailable_leaves_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.db-counts");
    let record = Arc::new(AccountsFake::new());
    let meter = meter_with_crash_file(&record, &file).await;
    record.become_unavailable();
    call(&meter, 4).await;
    assert!(meter.commit(second(4)).await.is_err());
    meter.persist_for_restart().expect("kept");
    drop(meter);
    record.come_back();
    meter_with_crash_file(&record, &file).await;
    assert_eq!(on_record(&record, month()).await, [4]);
}

#[tokio::test]
async fn calls_around_the_turn_of_the_month_are_recorded_in_their_own() {
    let record = Arc::new(AccountsFake::new());
    let meter = over(&record, contract::limits(10, 10)).await;
    call(&meter, 3).await;
    let customer = a_customer().build().id;
    let turned = month().ends_at();
    let _ = meter.admit(customer, Tier::Ai, contract::arrival(turned)).await.expect("answers");
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
    record.become_unavailable();
    meter.commit(second(2)).await.expect("nothing was counted, so nothing is written");
    call(&meter, 1).await;
    assert!(meter.commit(second(3)).await.is_err());
}

/// Counts of other processes, or those that a restored database brought back.
async fn with_on_record(counts: &[(CalendarMonth, u64)]) -> Arc<AccountsFake> {
    let record = Arc::new(AccountsFake::new());
    let customer = a_customer().build().id;
    let counts = counts.iter().map(|(month, calls)| UsageCount { customer, month: *month, calls: *calls });
    let changes: Vec<_> = counts.map(|count| UsageChange { count, given_back: 0 }).collect();
    record.record(&changes).await.expect("recorded");
    record
}

/// Returns the count of its month after a call at this instant.
async fn number_of_a_call(meter: &LocalMeter, now: DateTime<Utc>) -> u64 {
    counted(meter, now).await.used
}

async fn counted(meter: &LocalMeter, now: DateTime<Utc>) -> CountedCall {
    let admission = meter.admit(a_customer().build().id, Tier::Ai, contract::arrival(now)).await.expect("answers");
    let Admission::Admitted(call) = admission else { panic!("{admission:?}") };
    call
}

/// A machine starts with its clock a few days behind, in the month before, and is then set right.
#[tokio::test]
async fn a_month_is_read_before_it_begins() {
    let record = with_on_record(&[(month(), 120)]).await;
    let before = month().starts_at() - TimeDelta::days(3);
    let meter = LocalMeter::start(record.clone(), contract::limits(200, 10), before).await.expect("starts");
    assert_eq!(number_of_a_call(&meter, before).await, 1);
    assert_eq!(number_of_a_call(&meter, second(0)).await, 121);
    meter.commit(second(0)).await.expect("commits");
    assert_eq!((on_record(&record, month()).await, on_record(&record, month().previous()).await), (vec![121], vec![1]));
}

/// A clock that was months behind, and a database that was unavailable when it was set right.
#[tokio::test]
async fn calls_counted_before_the_record_was_read_are_added_to_it() {
    let record = with_on_record(&[(month(), 120)]).await;
    let before = month().starts_at() - TimeDelta::days(90);
    let meter = LocalMeter::start(record.clone(), contract::limits(200, 10), before).await.expect("starts");
    record.become_unavailable();
    assert_eq!((number_of_a_call(&meter, second(0)).await, number_of_a_call(&meter, second(1)).await), (1, 2));
    assert!(meter.commit(second(1)).await.is_err());
    record.come_back();
    assert_eq!(on_record(&record, month()).await, [120]);
    meter.commit(second(2)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [122]);
    assert_eq!(number_of_a_call(&meter, second(3)).await, 123);
}

/// Months that were left and forgotten are read again, and only once.
#[tokio::test]
async fn a_clock_that_is_set_to_and_fro_between_months_lowers_no_count() {
    let months = [month(), "2024-02".parse().expect("a month"), "2026-09".parse().expect("a month")];
    let record = with_on_record(&[(months[0], 10), (months[1], 20), (months[2], 30)]).await;
    let meter = over(&record, contract::limits(200, 10)).await;
    for round in 1..=3 {
        for (month, before) in months.into_iter().zip([10, 20, 30]) {
            let uptime = Duration::from_secs(round);
            let call =
                meter.admit(a_customer().build().id, Tier::Ai, Arrival { month, uptime }).await.expect("answers");
            assert!(matches!(call, Admission::Admitted(_)), "{call:?}");
            meter.commit(month.starts_at()).await.expect("commits");
            assert_eq!(on_record(&record, month).await, [before + round], "{month}");
        }
    }
}

/// A refund lowers the record, too.
#[tokio::test]
async fn a_call_given_back_lowers_the_count_on_record() {
    let record = with_on_record(&[(month(), 120)]).await;
    let meter = over(&record, contract::limits(200, 10)).await;
    let call = counted(&meter, second(0)).await;
    meter.commit(second(0)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [121]);
    assert_eq!(meter.give_back(call).await.expect("answers"), 120);
    meter.commit(second(1)).await.expect("commits");
    assert_eq!(on_record(&record, month()).await, [120]);
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
