use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::metering::{UsageChange, UsageCount, UsageCounts};

fn customer(seed: u8) -> CustomerId {
    a_customer().seeded(seed).build().id
}

fn month() -> CalendarMonth {
    CalendarMonth::containing(second(0))
}

fn count(seed: u8, month: CalendarMonth, calls: u64) -> UsageCount {
    UsageCount { customer: customer(seed), month, calls }
}

/// Records counts, each with this many refunds.
async fn record(counts: &impl UsageCounts, recorded: &[(UsageCount, u64)]) {
    let changes: Vec<_> =
        recorded.iter().map(|(count, given_back)| UsageChange { count: *count, given_back: *given_back }).collect();
    counts.record(&changes).await.expect("record answers");
}

async fn of_month(counts: &impl UsageCounts, month: CalendarMonth) -> Vec<UsageCount> {
    let mut found = counts.of_month(month).await.expect("of_month answers");
    found.sort_by_key(|count| count.customer);
    found
}

/// Checks that a month lists its own counts alone.
pub async fn counts_are_read_as_recorded(counts: &impl UsageCounts) {
    assert_eq!(of_month(counts, month()).await, []);
    let recorded = [count(1, month(), 7), count(2, month(), u64::from(u32::MAX) + 1), count(1, month().next(), 3)];
    record(counts, &recorded.map(|count| (count, 0))).await;
    let mut expected = recorded[..2].to_vec();
    expected.sort_by_key(|count| count.customer);
    assert_eq!(of_month(counts, month()).await, expected);
    assert_eq!(of_month(counts, month().next()).await, recorded[2..]);
    assert_eq!(of_month(counts, month().previous()).await, []);
}

/// Checks that a count also decreases if calls were refunded.
pub async fn a_count_replaces_the_previous_one(counts: &impl UsageCounts) {
    record(counts, &[(count(1, month(), 7), 0), (count(2, month(), 5), 0)]).await;
    for (calls, given_back) in [(9, 0), (9, 0), (8, 1), (8, 1), (10, 3), (0, 10), (0, 10)] {
        record(counts, &[(count(1, month(), calls), given_back)]).await;
        let mut expected = vec![count(1, month(), calls), count(2, month(), 5)];
        expected.sort_by_key(|count| count.customer);
        assert_eq!(of_month(counts, month()).await, expected);
    }
    counts.record(&[]).await.expect("nothing to record is no failure");
}

/// Records the counts of a process that started from zero over a larger count on record.
pub async fn a_recorded_count_is_lowered_by_refunds_alone(counts: &impl UsageCounts) {
    record(counts, &[(count(1, month(), 120), 0)]).await;
    for (calls, given_back, expected) in [(1, 0, 120), (119, 0, 120), (3, 2, 118), (118, 0, 118), (121, 0, 121)] {
        record(counts, &[(count(1, month(), calls), given_back)]).await;
        assert_eq!(of_month(counts, month()).await, [count(1, month(), expected)], "{calls}, {given_back} given back");
    }
    record(counts, &[(count(1, month(), 0), 500)]).await;
    assert_eq!(of_month(counts, month()).await, [count(1, month(), 0)]);
}

/// Checks the order of months across years.
pub async fn a_customers_months_are_listed_newest_first(counts: &impl UsageCounts) {
    let months = ["2024-12", "2025-01", "2025-11", "2025-02"].map(|month| month.parse().expect("a month"));
    for (calls, month) in (1..).zip(months) {
        record(counts, &[(count(1, month, calls), 0), (count(2, month, 100), 0)]).await;
    }
    let found = counts.of_customer(customer(1)).await.expect("of_customer answers");
    let expected = [(months[2], 3), (months[3], 4), (months[1], 2), (months[0], 1)];
    assert_eq!(found, expected.map(|(month, calls)| count(1, month, calls)));
    assert_eq!(counts.of_customer(customer(3)).await.expect("of_customer answers"), []);
}

/// Records more counts at once than a statement has parameters.
pub async fn many_counts_are_recorded_at_once(counts: &impl UsageCounts) {
    let many: Vec<UsageCount> = (0..2_000_u16)
        .map(|number| {
            let mut id = [0; 10];
            id[..2].copy_from_slice(&number.to_be_bytes());
            UsageCount { customer: CustomerId::from_random(id), month: month(), calls: u64::from(number) }
        })
        .collect();
    record(counts, &many.iter().map(|count| (*count, 0)).collect::<Vec<_>>()).await;
    assert_eq!(of_month(counts, month()).await, many);
}

/// Checks an unavailable record: every write fails during the outage. Afterwards the present counts can be recorded at
/// once, however often a write failed, and recorded counts are unchanged.
pub async fn counts_outlast_an_unavailable_record(
    counts: &impl UsageCounts,
    becomes_unavailable: impl AsyncFn(),
    comes_back: impl AsyncFn(),
) {
    record(counts, &[(count(1, month(), 7), 0)]).await;
    for round in 1..=2_u64 {
        becomes_unavailable().await;
        for calls in [10 * round + 1, 10 * round + 2] {
            let change = UsageChange { count: count(1, month(), calls), given_back: 0 };
            counts.record(&[change]).await.expect_err("nothing can be written");
        }
        comes_back().await;
        let now = [count(1, month(), 10 * round + 3), count(2, month().next(), round)];
        record(counts, &now.map(|count| (count, 0))).await;
        assert_eq!(of_month(counts, month()).await, now[..1]);
        assert_eq!(of_month(counts, month().next()).await, now[1..]);
    }
}
