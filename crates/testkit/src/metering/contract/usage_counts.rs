use futures::future::join_all;
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId, ProcessId};
use sports_ports::metering::{ProcessCount, UsageCount, UsageCounts};

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

/// Returns the number of a customer's calls that a process counted in the month.
fn count(customer_seed: u8, process_seed: u8, calls: u64) -> ProcessCount {
    ProcessCount { customer: customer(customer_seed), month: month(), process: process(process_seed), calls }
}

async fn record(counts: &impl UsageCounts, recorded: &[ProcessCount]) {
    counts.record(recorded).await.expect("record answers");
}

/// Returns the counts of a month by customer, without their order. Each must be equal in the list of its customer.
async fn of_month(counts: &impl UsageCounts, month: CalendarMonth) -> Vec<(CustomerId, u64)> {
    let mut found = counts.of_month(month).await.expect("of_month answers");
    found.sort_by_key(|count| count.customer);
    for count in found.iter().take(10) {
        assert_eq!(count.month, month);
        let mut of_customer = counts.of_customer(count.customer).await.expect("of_customer answers");
        of_customer.retain(|other| other.month == month);
        assert_eq!(of_customer, [*count]);
    }
    found.into_iter().map(|count| (count.customer, count.calls)).collect()
}

fn totals(of_customers: &[(u8, u64)]) -> Vec<(CustomerId, u64)> {
    let mut totals: Vec<_> = of_customers.iter().map(|(seed, calls)| (customer(*seed), *calls)).collect();
    totals.sort_unstable();
    totals
}

/// Checks that a month lists its own counts alone, one for each customer, and that each process can be left out.
pub async fn counts_are_read_as_recorded(counts: &impl UsageCounts) {
    assert_eq!(of_month(counts, month()).await, []);
    let large = u64::from(u32::MAX) + 1;
    let next = ProcessCount { month: month().next(), ..count(1, 1, 9) };
    record(counts, &[count(1, 1, 7), count(1, 2, 5), count(2, 1, large), next]).await;
    assert_eq!(of_month(counts, month()).await, totals(&[(1, 12), (2, large)]));
    assert_eq!(of_month(counts, month().next()).await, totals(&[(1, 9)]));
    assert_eq!(of_month(counts, month().previous()).await, []);
    for (left_out, expected) in [(1, 5), (2, 7), (3, 12)] {
        let others = counts.of_others(customer(1), month(), process(left_out)).await.expect("of_others answers");
        assert_eq!(others, expected, "without {left_out}");
    }
    let unknown = counts.of_others(customer(3), month(), process(1)).await.expect("of_others answers");
    assert_eq!(unknown, 0);
}

/// Checks numbers recorded late, twice and in any order.
pub async fn of_the_numbers_of_a_process_the_highest_is_kept(counts: &impl UsageCounts) {
    for (recorded, expected) in [(7, 7), (5, 7), (7, 7), (9, 9), (0, 9)] {
        record(counts, &[count(1, 1, recorded), count(2, 1, 4)]).await;
        assert_eq!(of_month(counts, month()).await, totals(&[(1, expected), (2, 4)]));
    }
    record(counts, &[]).await;
    record(counts, &[count(1, 2, 3)]).await;
    assert_eq!(of_month(counts, month()).await, totals(&[(1, 12), (2, 4)]));
}

/// Checks that concurrent recordings have the same effect as sequential ones.
pub async fn processes_that_record_at_once_do_not_affect_each_other(counts: &impl UsageCounts) {
    let recordings = (1..=4).flat_map(|seed| [30, 10, 20].map(|calls| (seed, calls)));
    let recorded = join_all(recordings.map(|(seed, calls)| async move {
        record(counts, &[count(1, seed, calls), count(2, 5, calls)]).await;
    }));
    recorded.await;
    assert_eq!(of_month(counts, month()).await, totals(&[(1, 120), (2, 30)]));
}

/// Checks the order of months across years.
pub async fn a_customers_months_are_listed_newest_first(counts: &impl UsageCounts) {
    let months = ["2024-12", "2025-01", "2025-11", "2025-02"].map(|month| month.parse().expect("a month"));
    for (calls, month) in (1..).zip(months) {
        let of_month = [count(1, 1, calls), count(2, 1, 100)].map(|count| ProcessCount { month, ..count });
        record(counts, &of_month).await;
    }
    let found = counts.of_customer(customer(1)).await.expect("of_customer answers");
    let expected = [(months[2], 3), (months[3], 4), (months[1], 2), (months[0], 1)];
    assert_eq!(found, expected.map(|(month, calls)| UsageCount { customer: customer(1), month, calls }));
    assert_eq!(counts.of_customer(customer(3)).await.expect("of_customer answers"), []);
}

/// Records more counts at once than a statement has parameters, twice.
pub async fn many_counts_are_recorded_at_once(counts: &impl UsageCounts) {
    let many: Vec<_> = (1..=2_000_u16)
        .map(|number| {
            let mut id = [0; 10];
            id[..2].copy_from_slice(&number.to_be_bytes());
            ProcessCount { customer: CustomerId::from_random(id), ..count(1, 1, u64::from(number)) }
        })
        .collect();
    record(counts, &many).await;
    record(counts, &many).await;
    let expected: Vec<_> = many.iter().map(|count| (count.customer, count.calls)).collect();
    assert_eq!(of_month(counts, month()).await, expected);
}

/// Checks an unavailable record: every write fails during the outage. Afterwards the present counts can be recorded at
/// once, however often a write failed, and recorded counts are unchanged.
pub async fn counts_outlast_an_unavailable_record(
    counts: &impl UsageCounts,
    becomes_unavailable: impl AsyncFn(),
    comes_back: impl AsyncFn(),
) {
    record(counts, &[count(1, 1, 7), count(2, 2, 3)]).await;
    for round in 1..=2_u64 {
        becomes_unavailable().await;
        for calls in [10 * round + 1, 10 * round + 2] {
            counts.record(&[count(1, 1, calls)]).await.expect_err("nothing can be written");
        }
        comes_back().await;
        record(counts, &[count(1, 1, 10 * round + 3)]).await;
        assert_eq!(of_month(counts, month()).await, totals(&[(1, 10 * round + 3), (2, 3)]));
    }
}
