//! The contract suites of [`Meter`], [`AddressLimit`] and [`UsageCounts`], one function per promise.
//!
//! Every function takes an empty implementation, and panics if a promise is broken.
#![expect(clippy::missing_panics_doc, reason = "that is how every function here reports")]

mod address_limit;
mod meter;
mod shared;
mod usage_counts;

use std::num::{NonZeroU32, NonZeroU64};

pub use address_limit::*;
use chrono::{DateTime, TimeDelta, Utc};
pub use meter::*;
pub use shared::*;
use sports_accounts::testing::second;
use sports_accounts::{CalendarMonth, Limits};
use sports_ports::metering::{AddressLimit, Arrival, Meter, UsageCounts};
pub use usage_counts::*;

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
