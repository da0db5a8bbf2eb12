//! Counting calls and holding callers to their limits.

use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
use sports_accounts::{CalendarMonth, CustomerId, ProcessId, Tier};

use crate::{Clock, PortError};

/// Counts each customer's calls and holds them to their limits, of which a meter has one set for all customers.
///
/// # Contract
///
/// - A call is refused for the month when as many calls as the tier's monthly limit are counted in the calendar month
///   (UTC) of its arrival; else for the second when as many as the limit per second were admitted within the second of
///   uptime before it; else it is admitted. This holds however many callers race.
/// - An admitted call counts one, and is given the count with itself. In one month no two calls are given the same count,
///   unless one is given back in between.
/// - A refused call is not counted, neither for the month nor for the second.
/// - A call that is not to be counted is refused for the second as any other and never for the month. Admitted, it takes
///   its place in the second, changes no count, and is given the count as it is.
/// - A call that is given back is no longer counted in the month it was admitted in. Its place in the second stays taken.
/// - A month starts with nothing counted, and one customer's calls are no other's.
#[async_trait]
pub trait Meter: Send + Sync {
    /// Admits a call of a customer, or refuses it.
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError>;

    /// Admits a call that is not to be counted, or refuses it.
    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError>;

    /// Takes an admitted call back out of the count; gives the count without it.
    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError>;
}

/// When a call came in. Its month is the date's; its place in a second is the uptime's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// In which month it counts.
    pub month: CalendarMonth,
    /// For how long the clock had been running.
    pub uptime: Duration,
}

impl Arrival {
    /// Right now.
    #[must_use]
    pub fn now(clock: &dyn Clock) -> Self {
        Self { month: CalendarMonth::containing(clock.now()), uptime: clock.uptime() }
    }
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Admission {
    /// It may proceed and counts.
    Admitted(CountedCall),
    /// As many calls as a second holds were admitted within the last one.
    SecondIsFull {
        /// Calls counted this month.
        used: u64,
    },
    /// As many calls as the month holds are counted.
    MonthIsFull {
        /// Calls counted this month.
        used: u64,
    },
}

/// What became of a call that is not to be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum UncountedAdmission {
    /// It may proceed.
    Admitted {
        /// Calls counted this month, without it.
        used: u64,
    },
    /// As many calls as a second holds were admitted within the last one.
    SecondIsFull {
        /// Calls counted this month.
        used: u64,
    },
}

/// A call that was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedCall {
    /// Whose it is.
    pub customer: CustomerId,
    /// In which month it counts.
    pub month: CalendarMonth,
    /// How many calls of the month are counted with it.
    pub used: u64,
}

/// Holds callers without a key to a limit per second and address.
///
/// # Contract
///
/// - A call is admitted when fewer than the limit were admitted from the same address within the second of uptime before
///   it, however many callers race. A refused call is not counted.
/// - One address's calls are no other's.
#[async_trait]
pub trait AddressLimit: Send + Sync {
    /// Whether a call from an address is admitted, by a clock that has been running for so long.
    async fn admits(&self, address: IpAddr, uptime: Duration) -> Result<bool, PortError>;
}

/// The counts that outlive a process: how many calls each customer made in each calendar month.
///
/// # Contract
///
/// - A count on record is lowered by no more than the calls that were given back, whatever the new count says: a process
///   that began to count from nothing, or from an older record, takes nothing away. Otherwise the count recorded takes its
///   place.
/// - Recording the same again changes nothing, so a recording whose answer was lost may be repeated.
/// - Nothing else changes.
/// - Several counts are recorded together or not at all.
/// - A customer and month never recorded is in no answer.
/// - A customer's months are given newest first.
#[async_trait]
pub trait UsageCounts: Send + Sync {
    /// Every count of a month.
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError>;

    /// Every count of a customer.
    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError>;

    /// Puts counts on record.
    async fn record(&self, changes: &[UsageChange]) -> Result<(), PortError>;
}

/// A count that is not on record yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageChange {
    /// As it is now.
    pub count: UsageCount,
    /// How many calls were given back since it was recorded.
    pub given_back: u64,
}

/// How many calls a customer made in a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageCount {
    /// Whose.
    pub customer: CustomerId,
    /// When.
    pub month: CalendarMonth,
    /// How many.
    pub calls: u64,
}

/// What processes that count calls together each counted, under a name that no other process ever has.
///
/// Both numbers of a count only grow, so of two counts the higher numbers are the newer ones: counts can be recorded late,
/// twice or in any order, by whoever knows them. What all of a customer's counts of a month come to, and what is on record
/// without a process, is the month's count.
///
/// # Contract
///
/// - Of each number the higher is kept: recording an older count, or the same again, changes nothing.
/// - Counts of one process are no other's, and what is on record without a process is not changed.
/// - Several counts are recorded together or not at all.
/// - `of_month_by_process` is every count of a month, those on record without a process with `None`, admitted as many as
///   they say and given back none.
/// - What [`UsageCounts`] reads of the same record includes these counts, and so does a count that it records: only the
///   rest of it is on record without a process.
#[async_trait]
pub trait ProcessCounts: Send + Sync {
    /// Every count of a month.
    async fn of_month_by_process(&self, month: CalendarMonth) -> Result<Vec<ProcessCount>, PortError>;

    /// Puts counts of processes on record.
    async fn record_of_processes(&self, counts: &[ProcessCount]) -> Result<(), PortError>;
}

/// How many of a customer's calls in a month one process admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessCount {
    /// Whose calls.
    pub customer: CustomerId,
    /// When.
    pub month: CalendarMonth,
    /// The process; `None` for what was counted by processes that count alone.
    pub process: Option<ProcessId>,
    /// Calls that were admitted.
    pub admitted: u64,
    /// Calls of these that were given back.
    pub given_back: u64,
}
