use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::metering::{UsageCount, UsageCounts};

fn customer(seed: u8) -> CustomerId {
    a_customer().seeded(seed).build().id
}

fn month() -> CalendarMonth {
    CalendarMonth::of(second(0))
}

fn count(seed: u8, month: CalendarMonth, calls: u64) -> UsageCount {
    UsageCount { customer: customer(seed), month, calls }
}

async fn of_month(counts: &impl UsageCounts, month: CalendarMonth) -> Vec<UsageCount> {
    let mut found = counts.of_month(month).await.expect("of_month answers");
    found.sort_by_key(|count| count.customer);
    found
}

/// A month holds its own counts and no others.
pub async fn counts_are_read_as_recorded(counts: &impl UsageCounts) {
    assert_eq!(of_month(counts, month()).await, []);
    let recorded = [count(1, month(), 7), count(2, month(), u64::from(u32::MAX) + 1), count(1, month().next(), 3)];
    counts.record(&recorded).await.expect("record answers");
    let mut expected = recorded[..2].to_vec();
    expected.sort_by_key(|count| count.customer);
    assert_eq!(of_month(counts, month()).await, expected);
    assert_eq!(of_month(counts, month().next()).await, recorded[2..]);
    assert_eq!(of_month(counts, month().previous()).await, []);
}

/// A count may go down, too: a call was given back.
pub async fn a_count_replaces_the_one_before(counts: &impl UsageCounts) {
    counts.record(&[count(1, month(), 7), count(2, month(), 5)]).await.expect("record answers");
    for calls in [9, 9, 8, 0] {
        counts.record(&[count(1, month(), calls)]).await.expect("record answers");
        let mut expected = vec![count(1, month(), calls), count(2, month(), 5)];
        expected.sort_by_key(|count| count.customer);
        assert_eq!(of_month(counts, month()).await, expected);
    }
    counts.record(&[]).await.expect("nothing to record is no failure");
}

/// Across years as well.
pub async fn a_customers_months_come_newest_first(counts: &impl UsageCounts) {
    let months = ["2024-12", "2025-01", "2025-11", "2025-02"].map(|month| month.parse().expect("a month"));
    for (calls, month) in (1..).zip(months) {
        counts.record(&[count(1, month, calls), count(2, month, 100)]).await.expect("record answers");
    }
    let found = counts.of_customer(customer(1)).await.expect("of_customer answers");
    let expected = [(months[2], 3), (months[3], 4), (months[1], 2), (months[0], 1)];
    assert_eq!(found, expected.map(|(month, calls)| count(1, month, calls)));
    assert_eq!(counts.of_customer(customer(3)).await.expect("of_customer answers"), []);
}

/// A busy service has more customers than a statement has parameters.
pub async fn many_counts_are_recorded_at_once(counts: &impl UsageCounts) {
    let many: Vec<_> = (0..2_000_u16)
        .map(|number| {
            let mut id = [0; 10];
            id[..2].copy_from_slice(&number.to_be_bytes());
            UsageCount { customer: CustomerId::from_random(id), month: month(), calls: u64::from(number) }
        })
        .collect();
    counts.record(&many).await.expect("record answers");
    assert_eq!(of_month(counts, month()).await, many);
}
