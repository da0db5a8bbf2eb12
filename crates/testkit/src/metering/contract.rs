//! The contract suites of [`Meter`], [`AddressLimit`] and [`UsageCounts`], one function per promise.
//!
//! Every function takes an empty implementation, and panics if a promise is broken.
#![expect(clippy::missing_panics_doc, reason = "that is how every function here reports")]

use std::net::IpAddr;
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, Tier};
use sports_ports::metering::{
    AddressLimit, Admission, Arrival, CountedCall, Meter, ProcessCount, UncountedAdmission, UsageCount, UsageCounts,
};

/// Returns limits of this many calls per month and per second.
pub fn limits(monthly: u64, per_second: u32) -> Limits {
    Limits {
        monthly: NonZeroU64::new(monthly).expect("above zero"),
        per_second: NonZeroU32::new(per_second).expect("above zero"),
    }
}

/// Returns the arrival of a call at an instant, by a clock that was started a year before `second(0)` and never set.
pub fn arrival(now: DateTime<Utc>) -> Arrival {
    let uptime = now - second(0) + TimeDelta::days(365);
    Arrival { month: CalendarMonth::containing(now), uptime: uptime.to_std().expect("after the start") }
}

/// Runs every check of a meter, each on a new one from `fresh`.
pub async fn meter<M: Meter>(fresh: impl AsyncFn(Limits) -> M) {
    calls_are_counted_up_to_the_month_and_no_further(&fresh(limits(3, 100)).await).await;
    a_month_starts_with_nothing_counted(&fresh(limits(2, 100)).await).await;
    a_second_holds_its_limit_and_slides(&fresh(limits(1_000, 3)).await).await;
    the_second_follows_the_uptime_and_not_the_date(&fresh(limits(1_000, 2)).await).await;
    a_refused_call_leaves_no_trace(&fresh(limits(2, 1)).await).await;
    a_full_month_takes_precedence_over_a_full_second(&fresh(limits(2, 2)).await).await;
    the_second_does_not_start_anew_with_the_month(&fresh(limits(1_000, 2)).await).await;
    a_refunded_call_is_not_counted(&fresh(limits(2, 100)).await).await;
    a_call_is_refunded_in_its_own_month(&fresh(limits(5, 100)).await).await;
    without_a_subscription_only_the_second_limits(&fresh(limits(1, 3)).await).await;
    an_uncounted_call_is_limited_by_the_second_alone(&fresh(limits(2, 3)).await).await;
    one_customers_calls_do_not_affect_another(&fresh(limits(1, 1)).await).await;
    racing_calls_are_admitted_up_to_the_month_exactly(&fresh(limits(40, 1_000)).await).await;
    racing_calls_are_admitted_up_to_the_second_exactly(&fresh(limits(1_000, 40)).await).await;
}

/// Runs every check of several meters that share the month, each on new ones from `fresh`.
pub async fn meters_that_share_the_month<M: Meter>(fresh: impl AsyncFn(Limits) -> Vec<M>) {
    several_meters_admit_one_month_exactly(&fresh(limits(40, 1_000)).await).await;
    a_call_refunded_by_one_meter_is_free_for_the_others(&fresh(limits(2, 100)).await).await;
}

/// Runs every check of several meters that share the second, each on new ones from `fresh`.
pub async fn meters_that_share_the_second<M: Meter>(fresh: impl AsyncFn(Limits) -> Vec<M>) {
    several_meters_admit_one_second_exactly(&fresh(limits(1_000, 40)).await).await;
}

/// Runs every check of an address limit, each on a new one from `fresh`.
pub async fn address_limit<L: AddressLimit>(fresh: impl AsyncFn(u32) -> L) {
    an_address_has_its_limit_in_any_second(&fresh(3).await).await;
    one_address_does_not_affect_another(&fresh(1).await).await;
    racing_calls_of_an_address_stop_at_the_limit(&fresh(20).await).await;
}

/// Runs every check of usage counts, each on new ones from `fresh`.
pub async fn usage_counts<C: UsageCounts>(fresh: impl AsyncFn() -> C) {
    counts_are_read_as_recorded(&fresh().await).await;
    of_the_numbers_of_a_process_the_highest_is_kept(&fresh().await).await;
    processes_that_record_at_once_do_not_affect_each_other(&fresh().await).await;
    a_customers_months_are_listed_newest_first(&fresh().await).await;
    many_counts_are_recorded_at_once(&fresh().await).await;
}

fn address(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

async fn admits(limit: &impl AddressLimit, from: &str, millis: u64) -> bool {
    limit.admits(address(from), Duration::from_millis(millis)).await.expect("admits answers")
}

/// Checks that the limit holds in every second, and refusals are not counted.
pub async fn an_address_has_its_limit_in_any_second(limit: &impl AddressLimit) {
    for (millis, expected) in
        [(0, true), (600, true), (900, true), (901, false), (999, false), (1_000, true), (1_599, false), (1_600, true)]
    {
        assert_eq!(admits(limit, "192.0.2.1", millis).await, expected, "at {millis} ms");
    }
}

/// Checks that each address has a separate limit.
pub async fn one_address_does_not_affect_another(limit: &impl AddressLimit) {
    for from in ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:1::1"] {
        assert!(admits(limit, from, 0).await, "{from}");
        assert!(!admits(limit, from, 1).await, "{from}");
    }
}

/// Checks that the limit holds for concurrent calls.
pub async fn racing_calls_of_an_address_stop_at_the_limit(limit: &impl AddressLimit) {
    let racing = join_all((0..80).map(|_| admits(limit, "192.0.2.1", 0))).await;
    assert_eq!(racing.into_iter().filter(|admitted| *admitted).count(), 20);
}

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

/// Sends calls to all meters at once, in turn; returns the counts of the admitted calls, sorted.
async fn race_in_shared(meters: &[impl Meter], calls: usize) -> Vec<u64> {
    let racing = (0..calls).map(|call| async move {
        let meter = &meters[call % meters.len()];
        meter.admit(a_customer().build().id, Tier::Ai, arrival(second(0))).await.expect("admit answers")
    });
    let mut counts: Vec<_> = join_all(racing)
        .await
        .into_iter()
        .filter_map(|admission| match admission {
            Admission::Admitted(call) => Some(call.used),
            Admission::SecondIsFull { .. } | Admission::MonthIsFull { .. } => None,
        })
        .collect();
    counts.sort_unstable();
    counts
}

/// Checks that the shared quota is admitted exactly, and each call has a different count.
pub async fn several_meters_admit_one_month_exactly(meters: &[impl Meter]) {
    assert_eq!(race_in_shared(meters, 100).await, (1..=40).collect::<Vec<_>>());
    for meter in meters {
        let refused = meter.admit(a_customer().build().id, Tier::Ai, arrival(second(5))).await.expect("admit answers");
        assert_eq!(refused, Admission::MonthIsFull { used: 40 });
    }
}

/// Checks that the shared limit per second is admitted exactly.
pub async fn several_meters_admit_one_second_exactly(meters: &[impl Meter]) {
    assert_eq!(race_in_shared(meters, 100).await, (1..=40).collect::<Vec<_>>());
    for meter in meters {
        let refused = meter.admit(a_customer().build().id, Tier::Ai, arrival(second(0))).await.expect("admit answers");
        assert_eq!(refused, Admission::SecondIsFull { used: 40 });
    }
}

/// Checks that a call that one meter admitted is free for all meters once it is refunded.
pub async fn a_call_refunded_by_one_meter_is_free_for_the_others(meters: &[impl Meter]) {
    let [first, second_meter, ..] = meters else { panic!("at least two meters") };
    let admit =
        async |meter, at| match Meter::admit(meter, a_customer().build().id, Tier::Ai, arrival(second(at))).await {
            Ok(Admission::Admitted(call)) => Ok(call),
            Ok(refused) => Err(refused),
            Err(error) => panic!("{error}"),
        };
    admit(first, 0).await.expect("admitted");
    let call = admit(first, 1).await.expect("admitted");
    assert_eq!(admit(second_meter, 2).await, Err(Admission::MonthIsFull { used: 2 }));
    assert_eq!(first.give_back(call).await.expect("give_back answers"), 1);
    assert_eq!(admit(second_meter, 3).await.map(|call| call.used), Ok(2));
    assert_eq!(admit(first, 4).await, Err(Admission::MonthIsFull { used: 2 }));
}

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
