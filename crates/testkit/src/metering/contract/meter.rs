use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId, Tier};
use sports_ports::metering::{Admission, Arrival, CountedCall, Meter, UncountedAdmission};

use super::arrival;

fn a_caller() -> CustomerId {
    a_customer().build().id
}

async fn admit(meter: &impl Meter, now: DateTime<Utc>) -> Admission {
    meter.admit(a_caller(), Tier::Ai, arrival(now)).await.expect("admit answers")
}

async fn admit_uncounted(meter: &impl Meter, now: DateTime<Utc>) -> UncountedAdmission {
    meter.admit_uncounted(a_caller(), arrival(now)).await.expect("admit_uncounted answers")
}

/// Admits a call and checks its count.
async fn admitted(meter: &impl Meter, now: DateTime<Utc>, used: u64) -> CountedCall {
    let call = CountedCall { customer: a_caller(), month: CalendarMonth::containing(now), used };
    assert_eq!(admit(meter, now).await, Admission::Admitted(call));
    call
}

fn late(millis: i64) -> DateTime<Utc> {
    second(0) + TimeDelta::milliseconds(millis)
}

/// Checks that every call past the quota is refused.
pub async fn calls_are_counted_up_to_the_month_and_no_further(meter: &impl Meter) {
    for call in 1..=3 {
        admitted(meter, second(call), call.unsigned_abs()).await;
    }
    for call in 4..=6 {
        assert_eq!(admit(meter, second(call)).await, Admission::MonthIsFull { used: 3 });
    }
}

/// Checks that a new quota starts with the month in UTC.
pub async fn a_month_starts_with_nothing_counted(meter: &impl Meter) {
    let end = CalendarMonth::containing(second(0)).ends_at();
    let before = |millis| end - TimeDelta::milliseconds(millis);
    admitted(meter, before(2_000), 1).await;
    admitted(meter, before(1_500), 2).await;
    assert_eq!(admit(meter, before(1)).await, Admission::MonthIsFull { used: 2 });
    admitted(meter, end, 1).await;
    admitted(meter, end, 2).await;
    assert_eq!(admit(meter, end).await, Admission::MonthIsFull { used: 2 });
}

/// Checks that no second holds more calls than the limit, wherever it begins.
pub async fn a_second_holds_its_limit_and_slides(meter: &impl Meter) {
    for (millis, used) in [(0, 1), (600, 2), (900, 3)] {
        admitted(meter, late(millis), used).await;
    }
    assert_eq!(admit(meter, late(999)).await, Admission::SecondIsFull { used: 3 });
    admitted(meter, late(1_000), 4).await;
    assert_eq!(admit(meter, late(1_599)).await, Admission::SecondIsFull { used: 4 });
    admitted(meter, late(1_600), 5).await;
}

/// Checks that setting the date backwards, even into another month, or forwards does not affect the second.
pub async fn the_second_follows_the_uptime_and_not_the_date(meter: &impl Meter) {
    let calls =
        [("2025-05", 0, Some(1)), ("2025-04", 10, Some(1)), ("2025-06", 999, None), ("2025-04", 1_000, Some(2))];
    for (month, millis, used) in calls {
        let arrival = Arrival { month: month.parse().expect("a month"), uptime: Duration::from_millis(millis) };
        let admission = meter.admit(a_caller(), Tier::Ai, arrival).await.expect("admit answers");
        let admitted = match admission {
            Admission::Admitted(call) => Some(call.used),
            Admission::SecondIsFull { .. } | Admission::MonthIsFull { .. } => None,
        };
        assert_eq!(admitted, used, "{month} at {millis} ms: {admission:?}");
    }
}

/// Checks that refused calls use neither the month nor the second.
pub async fn a_refused_call_leaves_no_trace(meter: &impl Meter) {
    admitted(meter, late(0), 1).await;
    for millis in [100, 500, 999] {
        assert_eq!(admit(meter, late(millis)).await, Admission::SecondIsFull { used: 1 });
    }
    admitted(meter, late(1_000), 2).await;
    assert_eq!(admit(meter, late(5_000)).await, Admission::MonthIsFull { used: 2 });
}

/// Checks that a retry after a second does not help if the month is full.
pub async fn a_full_month_takes_precedence_over_a_full_second(meter: &impl Meter) {
    admitted(meter, late(0), 1).await;
    admitted(meter, late(0), 2).await;
    assert_eq!(admit(meter, late(0)).await, Admission::MonthIsFull { used: 2 });
}

/// Checks that a second may span two months.
pub async fn the_second_does_not_start_anew_with_the_month(meter: &impl Meter) {
    let end = CalendarMonth::containing(second(0)).ends_at();
    admitted(meter, end - TimeDelta::milliseconds(10), 1).await;
    admitted(meter, end - TimeDelta::milliseconds(5), 2).await;
    assert_eq!(admit(meter, end).await, Admission::SecondIsFull { used: 0 });
    admitted(meter, end + TimeDelta::milliseconds(990), 1).await;
}

/// Checks that a refunded call can be used again.
pub async fn a_refunded_call_is_not_counted(meter: &impl Meter) {
    let first = admitted(meter, late(0), 1).await;
    admitted(meter, late(1), 2).await;
    assert_eq!(meter.give_back(first).await.expect("give_back answers"), 1);
    admitted(meter, late(2), 2).await;
    assert_eq!(admit(meter, late(3)).await, Admission::MonthIsFull { used: 2 });
}

/// Checks that a refund after the end of the month does not affect the new month.
pub async fn a_call_is_refunded_in_its_own_month(meter: &impl Meter) {
    let end = CalendarMonth::containing(second(0)).ends_at();
    let before = end - TimeDelta::milliseconds(1);
    admitted(meter, before, 1).await;
    let slow = admitted(meter, before, 2).await;
    admitted(meter, end, 1).await;
    assert_eq!(meter.give_back(slow).await.expect("give_back answers"), 1);
    admitted(meter, end, 2).await;
}

/// Checks that customers without a subscription have no monthly limit, and that their calls are counted.
pub async fn without_a_subscription_only_the_second_limits(meter: &impl Meter) {
    for used in 1..=3 {
        let admission = meter.admit(a_caller(), Tier::Free, arrival(late(0))).await.expect("admit answers");
        assert!(matches!(admission, Admission::Admitted(call) if call.used == used), "{admission:?}");
    }
    let full = meter.admit(a_caller(), Tier::Free, arrival(late(999))).await.expect("admit answers");
    assert_eq!(full, Admission::SecondIsFull { used: 3 });
}

/// Checks that an uncounted call is admitted even if the month is full, and changes no count, but it uses a place in
/// the second.
pub async fn an_uncounted_call_is_limited_by_the_second_alone(meter: &impl Meter) {
    assert_eq!(admit_uncounted(meter, late(0)).await, UncountedAdmission::Admitted { used: 0 });
    admitted(meter, late(0), 1).await;
    admitted(meter, late(0), 2).await;
    assert_eq!(admit_uncounted(meter, late(999)).await, UncountedAdmission::SecondIsFull { used: 2 });
    for _ in 0..3 {
        assert_eq!(admit_uncounted(meter, late(1_000)).await, UncountedAdmission::Admitted { used: 2 });
    }
    assert_eq!(admit(meter, late(2_000)).await, Admission::MonthIsFull { used: 2 });
}

/// Checks that each customer has a separate count.
pub async fn one_customers_calls_do_not_affect_another(meter: &impl Meter) {
    for seed in 1..=3 {
        let customer = a_customer().seeded(seed).build().id;
        let admission = meter.admit(customer, Tier::Ai, arrival(late(0))).await.expect("admit answers");
        assert!(matches!(admission, Admission::Admitted(call) if call.used == 1), "{admission:?}");
    }
}

async fn race(meter: &impl Meter, callers: usize) -> Vec<u64> {
    let admissions = join_all((0..callers).map(|_| admit(meter, late(0)))).await;
    let counts = admissions.into_iter().filter_map(|admission| match admission {
        Admission::Admitted(call) => Some(call.used),
        Admission::SecondIsFull { .. } | Admission::MonthIsFull { .. } => None,
    });
    let mut counts: Vec<_> = counts.collect();
    counts.sort_unstable();
    counts
}

/// Checks that of racing calls, exactly as many are admitted as the month has room for, each with a different count.
pub async fn racing_calls_are_admitted_up_to_the_month_exactly(meter: &impl Meter) {
    assert_eq!(race(meter, 100).await, (1..=40).collect::<Vec<_>>());
}

/// Checks that of racing calls, exactly as many are admitted as the second has room for.
pub async fn racing_calls_are_admitted_up_to_the_second_exactly(meter: &impl Meter) {
    assert_eq!(race(meter, 100).await, (1..=40).collect::<Vec<_>>());
    assert!(matches!(admit(meter, late(999)).await, Admission::SecondIsFull { used: 40 }));
}
