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

async fn ask(meter: &impl Meter, now: DateTime<Utc>) -> Admission {
    meter.admit(a_caller(), Tier::Ai, arrival(now)).await.expect("admit answers")
}

async fn ask_uncounted(meter: &impl Meter, now: DateTime<Utc>) -> UncountedAdmission {
    meter.admit_uncounted(a_caller(), arrival(now)).await.expect("admit_uncounted answers")
}

/// A call that must be admitted, as the one with this number in its month.
async fn admitted(meter: &impl Meter, now: DateTime<Utc>, used: u64) -> CountedCall {
    let call = CountedCall { customer: a_caller(), month: CalendarMonth::containing(now), used };
    assert_eq!(ask(meter, now).await, Admission::Admitted(call));
    call
}

fn late(millis: i64) -> DateTime<Utc> {
    second(0) + TimeDelta::milliseconds(millis)
}

/// The call past the quota is refused, and so is every one after it.
pub async fn calls_are_counted_up_to_the_month_and_no_further(meter: &impl Meter) {
    for call in 1..=3 {
        admitted(meter, second(call), call.unsigned_abs()).await;
    }
    for call in 4..=6 {
        assert_eq!(ask(meter, second(call)).await, Admission::MonthIsFull { used: 3 });
    }
}

/// The turn of the month in UTC opens a full quota, by itself.
pub async fn a_month_starts_with_nothing_counted(meter: &impl Meter) {
    let end = CalendarMonth::containing(second(0)).ends_at();
    let before = |millis| end - TimeDelta::milliseconds(millis);
    admitted(meter, before(2_000), 1).await;
    admitted(meter, before(1_500), 2).await;
    assert_eq!(ask(meter, before(1)).await, Admission::MonthIsFull { used: 2 });
    admitted(meter, end, 1).await;
    admitted(meter, end, 2).await;
    assert_eq!(ask(meter, end).await, Admission::MonthIsFull { used: 2 });
}

/// No second holds more than the limit, wherever it begins.
pub async fn a_second_holds_its_limit_and_slides(meter: &impl Meter) {
    for (millis, used) in [(0, 1), (600, 2), (900, 3)] {
        admitted(meter, late(millis), used).await;
    }
    assert_eq!(ask(meter, late(999)).await, Admission::SecondIsFull { used: 3 });
    admitted(meter, late(1_000), 4).await;
    assert_eq!(ask(meter, late(1_599)).await, Admission::SecondIsFull { used: 4 });
    admitted(meter, late(1_600), 5).await;
}

/// A date that is set back, even into another month, or ahead changes nothing about the second.
pub async fn the_second_is_the_uptimes_whatever_the_date_says(meter: &impl Meter) {
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

/// Refusals take nothing of the month and nothing of the second.
pub async fn a_refused_call_leaves_no_trace(meter: &impl Meter) {
    admitted(meter, late(0), 1).await;
    for millis in [100, 500, 999] {
        assert_eq!(ask(meter, late(millis)).await, Admission::SecondIsFull { used: 1 });
    }
    admitted(meter, late(1_000), 2).await;
    assert_eq!(ask(meter, late(5_000)).await, Admission::MonthIsFull { used: 2 });
}

/// Waiting a second does not help where the month is full.
pub async fn a_full_month_is_said_before_a_full_second(meter: &impl Meter) {
    admitted(meter, late(0), 1).await;
    admitted(meter, late(0), 2).await;
    assert_eq!(ask(meter, late(0)).await, Admission::MonthIsFull { used: 2 });
}

/// A second that spans the turn of the month is a second.
pub async fn the_second_does_not_start_anew_with_the_month(meter: &impl Meter) {
    let end = CalendarMonth::containing(second(0)).ends_at();
    admitted(meter, end - TimeDelta::milliseconds(10), 1).await;
    admitted(meter, end - TimeDelta::milliseconds(5), 2).await;
    assert_eq!(ask(meter, end).await, Admission::SecondIsFull { used: 0 });
    admitted(meter, end + TimeDelta::milliseconds(990), 1).await;
}

/// What was given back can be used again.
pub async fn a_call_given_back_is_not_counted(meter: &impl Meter) {
    let first = admitted(meter, late(0), 1).await;
    admitted(meter, late(1), 2).await;
    assert_eq!(meter.give_back(first).await.expect("give_back answers"), 1);
    admitted(meter, late(2), 2).await;
    assert_eq!(ask(meter, late(3)).await, Admission::MonthIsFull { used: 2 });
}

/// A call that is answered after the turn of the month leaves the new month alone.
pub async fn a_call_is_given_back_to_its_own_month(meter: &impl Meter) {
    let end = CalendarMonth::containing(second(0)).ends_at();
    let before = end - TimeDelta::milliseconds(1);
    admitted(meter, before, 1).await;
    let slow = admitted(meter, before, 2).await;
    admitted(meter, end, 1).await;
    assert_eq!(meter.give_back(slow).await.expect("give_back answers"), 1);
    admitted(meter, end, 2).await;
}

/// The month has no limit for those who have bought none; calls count all the same.
pub async fn without_a_subscription_only_the_second_limits(meter: &impl Meter) {
    for used in 1..=3 {
        let admission = meter.admit(a_caller(), Tier::Free, arrival(late(0))).await.expect("admit answers");
        assert!(matches!(admission, Admission::Admitted(call) if call.used == used), "{admission:?}");
    }
    let full = meter.admit(a_caller(), Tier::Free, arrival(late(999))).await.expect("admit answers");
    assert_eq!(full, Admission::SecondIsFull { used: 3 });
}

/// Not even a month that is used up refuses it, and it leaves the count as it is; but the second has no other places.
pub async fn an_uncounted_call_is_held_to_the_second_alone(meter: &impl Meter) {
    assert_eq!(ask_uncounted(meter, late(0)).await, UncountedAdmission::Admitted { used: 0 });
    admitted(meter, late(0), 1).await;
    admitted(meter, late(0), 2).await;
    assert_eq!(ask_uncounted(meter, late(999)).await, UncountedAdmission::SecondIsFull { used: 2 });
    for _ in 0..3 {
        assert_eq!(ask_uncounted(meter, late(1_000)).await, UncountedAdmission::Admitted { used: 2 });
    }
    assert_eq!(ask(meter, late(2_000)).await, Admission::MonthIsFull { used: 2 });
}

/// What one customer uses up is there for the next.
pub async fn one_customers_calls_are_no_others(meter: &impl Meter) {
    for seed in 1..=3 {
        let customer = a_customer().seeded(seed).build().id;
        let admission = meter.admit(customer, Tier::Ai, arrival(late(0))).await.expect("admit answers");
        assert!(matches!(admission, Admission::Admitted(call) if call.used == 1), "{admission:?}");
    }
}

async fn race(meter: &impl Meter, callers: usize) -> Vec<u64> {
    let admissions = join_all((0..callers).map(|_| ask(meter, late(0)))).await;
    let counts = admissions.into_iter().filter_map(|admission| match admission {
        Admission::Admitted(call) => Some(call.used),
        Admission::SecondIsFull { .. } | Admission::MonthIsFull { .. } => None,
    });
    let mut counts: Vec<_> = counts.collect();
    counts.sort_unstable();
    counts
}

/// Of callers who race for the rest of the month, as many win as there is room for, each with a count of its own.
pub async fn racing_calls_are_admitted_up_to_the_month_exactly(meter: &impl Meter) {
    assert_eq!(race(meter, 100).await, (1..=40).collect::<Vec<_>>());
}

/// The same for the second.
pub async fn racing_calls_are_admitted_up_to_the_second_exactly(meter: &impl Meter) {
    assert_eq!(race(meter, 100).await, (1..=40).collect::<Vec<_>>());
    assert!(matches!(ask(meter, late(999)).await, Admission::SecondIsFull { used: 40 }));
}
