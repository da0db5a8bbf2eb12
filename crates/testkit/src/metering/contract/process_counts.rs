use futures::future::join_all;
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId, ProcessId};
use sports_ports::metering::{ProcessCount, ProcessCounts, UsageChange, UsageCount, UsageCounts};

fn customer(seed: u8) -> CustomerId {
    a_customer().seeded(seed).build().id
}

fn month() -> CalendarMonth {
    CalendarMonth::containing(second(0))
}

fn process(seed: u8) -> ProcessId {
    // The highest bit is set, since an id is an unsigned number.
    ProcessId::from_random([0xff, 0, 0, 0, 0, 0, 0, seed])
}

fn count(seed: u8, process: impl Into<Option<ProcessId>>, admitted: u64, given_back: u64) -> ProcessCount {
    ProcessCount { customer: customer(seed), month: month(), process: process.into(), admitted, given_back }
}

fn sorted(mut counts: Vec<ProcessCount>) -> Vec<ProcessCount> {
    counts.retain(|count| count.admitted > 0);
    counts.sort_by_key(|count| (count.customer, count.process));
    counts
}

async fn record(counts: &impl ProcessCounts, recorded: &[ProcessCount]) {
    counts.record_of_processes(recorded).await.expect("record_of_processes answers");
}

/// Records a month's total count, with this many refunds since the last recording.
async fn record_whole(counts: &impl UsageCounts, seed: u8, calls: u64, given_back: u64) {
    let count = UsageCount { customer: customer(seed), month: month(), calls };
    counts.record(&[UsageChange { count, given_back }]).await.expect("record answers");
}

async fn by_process(counts: &impl ProcessCounts, month: CalendarMonth) -> Vec<ProcessCount> {
    sorted(counts.of_month_by_process(month).await.expect("of_month_by_process answers"))
}

/// Returns the month's total, which must be equal in the list of the customer and in the list of the month.
async fn whole(counts: &impl UsageCounts, seed: u8) -> u64 {
    let mut of_customer = counts.of_customer(customer(seed)).await.expect("of_customer answers");
    of_customer.retain(|count| count.month == month());
    let of_month = counts.of_month(month()).await.expect("of_month answers");
    let in_month: Vec<_> = of_month.into_iter().filter(|count| count.customer == customer(seed)).collect();
    assert_eq!(of_customer, in_month, "of customer {seed}");
    in_month.iter().map(|count| count.calls).sum()
}

/// Checks that a month lists its own counts alone, one for each customer and process.
pub async fn counts_of_processes_are_read_as_recorded(counts: &(impl ProcessCounts + UsageCounts)) {
    assert_eq!(by_process(counts, month()).await, []);
    let other = ProcessCount { month: month().next(), ..count(1, process(1), 9, 0) };
    let recorded =
        [count(1, process(1), 7, 2), count(1, process(2), 5, 5), count(2, process(1), u64::from(u32::MAX) + 2, 1)];
    record(counts, &[&recorded[..], &[other]].concat()).await;
    assert_eq!(by_process(counts, month()).await, sorted(recorded.to_vec()));
    assert_eq!(by_process(counts, month().next()).await, [other]);
    assert_eq!(by_process(counts, month().previous()).await, []);
    assert_eq!([whole(counts, 1).await, whole(counts, 2).await], [5, u64::from(u32::MAX) + 1]);
    let months = counts.of_customer(customer(1)).await.expect("of_customer answers");
    assert_eq!(
        months.iter().map(|count| (count.month, count.calls)).collect::<Vec<_>>(),
        [(month().next(), 9), (month(), 5)]
    );
}

/// Checks that for counts recorded late, twice and in any order, each number is the maximum of the recorded ones.
pub async fn of_each_number_the_higher_is_kept(counts: &(impl ProcessCounts + UsageCounts)) {
    for ((admitted, given_back), expected) in
        [((7, 1), (7, 1)), ((5, 0), (7, 1)), ((7, 1), (7, 1)), ((6, 3), (7, 3)), ((9, 2), (9, 3)), ((0, 0), (9, 3))]
    {
        record(counts, &[count(1, process(1), admitted, given_back), count(2, process(1), 4, 0)]).await;
        let expected = [count(1, process(1), expected.0, expected.1), count(2, process(1), 4, 0)];
        assert_eq!(by_process(counts, month()).await, sorted(expected.to_vec()));
    }
    record(counts, &[]).await;
    assert_eq!([whole(counts, 1).await, whole(counts, 2).await], [6, 4]);
}

/// Checks that concurrent recordings have the same effect as sequential ones.
pub async fn processes_that_record_at_once_do_not_affect_each_other(counts: &(impl ProcessCounts + UsageCounts)) {
    let recordings = (1..=4).flat_map(|seed| [30, 10, 20].map(|admitted| (seed, admitted)));
    let recorded = join_all(recordings.map(|(seed, admitted)| async move {
        let of_all = [count(1, process(seed), admitted, admitted / 10), count(2, process(5), admitted, 0)];
        record(counts, &of_all).await;
    }));
    recorded.await;
    let expected = (1..=4).map(|seed| count(1, process(seed), 30, 3)).chain([count(2, process(5), 30, 0)]);
    assert_eq!(by_process(counts, month()).await, sorted(expected.collect()));
    assert_eq!([whole(counts, 1).await, whole(counts, 2).await], [108, 30]);
}

/// Checks that earlier counts of processes that counted alone are part of the month and do not change.
pub async fn counts_without_a_process_are_listed_beside_the_others(counts: &(impl ProcessCounts + UsageCounts)) {
    record_whole(counts, 1, 120, 0).await;
    record_whole(counts, 2, 8, 0).await;
    record(counts, &[count(1, process(1), 7, 2)]).await;
    let expected = [count(1, None, 120, 0), count(1, process(1), 7, 2), count(2, None, 8, 0)];
    assert_eq!(by_process(counts, month()).await, sorted(expected.to_vec()));
    assert_eq!([whole(counts, 1).await, whole(counts, 2).await], [125, 8]);
}

/// Checks that a process that counts alone continues from the total of all processes: its count includes theirs, so
/// they are not added again. Only the difference is stored without a process.
pub async fn a_recorded_total_includes_the_counts_of_processes(counts: &(impl ProcessCounts + UsageCounts)) {
    record(counts, &[count(1, process(1), 7, 2), count(1, process(2), 5, 0)]).await;
    for (calls, given_back, expected) in [(10, 0, 10), (13, 0, 13), (13, 0, 13), (4, 0, 13), (12, 1, 12), (20, 0, 20)] {
        record_whole(counts, 1, calls, given_back).await;
        assert_eq!(whole(counts, 1).await, expected, "{calls}, {given_back} given back");
    }
    let expected = [count(1, None, 10, 0), count(1, process(1), 7, 2), count(1, process(2), 5, 0)];
    assert_eq!(by_process(counts, month()).await, sorted(expected.to_vec()));
    record(counts, &[count(1, process(2), 6, 0)]).await;
    assert_eq!(whole(counts, 1).await, 21);
}

/// Records more counts at once than a statement has parameters.
pub async fn many_counts_of_processes_are_recorded_at_once(counts: &(impl ProcessCounts + UsageCounts)) {
    let many: Vec<_> = (1..=2_000_u16)
        .map(|number| {
            let mut id = [0; 10];
            id[..2].copy_from_slice(&number.to_be_bytes());
            let customer = CustomerId::from_random(id);
            ProcessCount { customer, ..count(1, process(1), u64::from(number), 1) }
        })
        .collect();
    record(counts, &many).await;
    record(counts, &many).await;
    assert_eq!(by_process(counts, month()).await, many);
}

/// Checks an unavailable record: every recording fails during the outage. Afterwards the present counts can be recorded
/// at once, and recorded counts are unchanged.
pub async fn counts_of_processes_outlast_an_unavailable_record(
    counts: &(impl ProcessCounts + UsageCounts),
    becomes_unavailable: impl AsyncFn(),
    comes_back: impl AsyncFn(),
) {
    record(counts, &[count(1, process(1), 7, 0), count(2, process(2), 3, 0)]).await;
    becomes_unavailable().await;
    counts.record_of_processes(&[count(1, process(1), 8, 1)]).await.expect_err("nothing can be written");
    comes_back().await;
    record(counts, &[count(1, process(1), 9, 1)]).await;
    let expected = [count(1, process(1), 9, 1), count(2, process(2), 3, 0)];
    assert_eq!(by_process(counts, month()).await, sorted(expected.to_vec()));
}
