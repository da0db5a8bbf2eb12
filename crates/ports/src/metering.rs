//! Metering of calls and enforcement of callers' limits.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{CalendarMonth, CustomerId, ProcessId, Tier};

use crate::{Clock, PortError};

/// Counts each customer's calls and enforces their limits, which are the same for all customers.
///
/// # Contract
///
/// - A call is refused for the month if the number of calls counted in the calendar month (UTC) of its arrival has
///   reached the tier's monthly limit. Otherwise it is refused for the second if the number admitted within the second
///   of uptime before it has reached the limit per second. Otherwise it is admitted. This holds however many callers
///   race. Meters of machines that share counts use the clock of the shared store, and enforce one month and one second
///   together.
/// - An admitted call counts one, and returns the count including itself. In one month no two calls return the same
///   count, unless a call is refunded between them.
/// - A refused call is not counted, neither for the month nor for the second.
/// - An uncounted call is refused for the second like any other and never for the month. If admitted, it uses its place
///   in the second, changes no count, and returns the present count.
/// - A refunded call is no longer counted in the month in which it was admitted. Its place in the second stays used.
/// - A month starts at zero, and the calls of one customer do not affect another.
#[async_trait]
pub trait Meter: Send + Sync {
    /// Admits a call of a customer, or refuses it.
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError>;

    /// Admits a call that is not counted, or refuses it.
    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError>;

    /// Refunds an admitted call; returns the count without it.
    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError>;
}

/// The arrival time of a call: the month by the date, the position within a second by the uptime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// The month in which the call counts.
    pub month: CalendarMonth,
    /// The clock's uptime at arrival.
    pub uptime: Duration,
}

impl Arrival {
    /// Returns the arrival of a call now.
    pub fn now(clock: &dyn Clock) -> Self {
        Self { month: CalendarMonth::containing(clock.now()), uptime: clock.uptime() }
    }
}

/// The outcome of an admission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Admission {
    /// The call may proceed and is counted.
    Admitted(CountedCall),
    /// The limit per second was reached within the last second.
    SecondIsFull {
        /// Calls counted this month.
        used: u64,
    },
    /// The monthly limit is reached.
    MonthIsFull {
        /// Calls counted this month.
        used: u64,
    },
}

/// The outcome of an admission without counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum UncountedAdmission {
    /// The call may proceed.
    Admitted {
        /// Calls counted this month, without this call.
        used: u64,
    },
    /// The limit per second was reached within the last second.
    SecondIsFull {
        /// Calls counted this month.
        used: u64,
    },
}

/// A call that was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedCall {
    /// The customer who made the call.
    pub customer: CustomerId,
    /// The month in which the call counts.
    pub month: CalendarMonth,
    /// The month's count including this call.
    pub used: u64,
}

/// Counts of a meter in memory, which are committed to the record a little later.
///
/// # Contract
///
/// - After a commit, no call that was counted before it is pending.
/// - A failed commit loses nothing: the next commit makes up for it.
#[async_trait]
pub trait CommittedCounts: Send + Sync {
    /// Commits the pending counts. `now` determines the months that are over and forgotten.
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError>;

    /// Returns the number of counts that are not on record.
    fn pending(&self) -> u64;

    /// Ends the counting, and persists the pending counts for the next process; returns false if they cannot reach it.
    ///
    /// # Errors
    ///
    /// An error if a file cannot be written.
    fn persist_for_restart(&self) -> io::Result<bool>;
}

/// A limit per second and address for callers without a key.
///
/// # Contract
///
/// - A call is admitted if fewer calls than the limit were admitted from the same address within the second of uptime
///   before it, however many callers race. A refused call is not counted.
/// - The calls of one address do not affect another.
#[async_trait]
pub trait AddressLimit: Send + Sync {
    /// Returns true if a call from an address at this uptime is admitted, and counts it.
    async fn admits(&self, address: IpAddr, uptime: Duration) -> Result<bool, PortError>;
}

/// The persistent counts of calls, by customer and calendar month.
///
/// # Contract
///
/// - Recording lowers a count by at most the refunded calls, whatever the new count is: a process that started from
///   zero, or from an older record, removes nothing. Otherwise the new count replaces the recorded one.
/// - Recording the same change again has no effect, so a recording with a lost response may be repeated.
/// - Nothing else changes.
/// - Several counts are recorded together or not at all.
/// - A customer and month without a recording is not listed.
/// - A customer's months are listed newest first.
#[async_trait]
pub trait UsageCounts: Send + Sync {
    /// Lists every count of a month.
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError>;

    /// Lists every count of a customer.
    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError>;

    /// Records counts.
    async fn record(&self, changes: &[UsageChange]) -> Result<(), PortError>;
}

/// A count that is not recorded yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageChange {
    /// The present count.
    pub count: UsageCount,
    /// The number of calls refunded since the last recording.
    pub given_back: u64,
}

/// The number of calls that a customer made in a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageCount {
    pub customer: CustomerId,
    pub month: CalendarMonth,
    pub calls: u64,
}

/// The counts of processes that count calls together, each under a name that no other process ever has.
///
/// Both numbers of a count only grow, so of two counts the higher numbers are newer: counts can be recorded late, twice
/// or in any order, by any process that has them. The month's count of a customer is the sum of the counts of all
/// processes and of the count on record without a process.
///
/// # Contract
///
/// - Of each number the higher is kept: recording an older count, or the same again, has no effect.
/// - The counts of one process do not affect another's, nor the count on record without a process.
/// - Several counts are recorded together or not at all.
/// - `of_month_by_process` lists every count of a month. A count on record without a process has `None`, all its calls
///   as admitted, and none as refunded.
/// - [`UsageCounts`] over the same record reads totals that include these counts. A total that it records includes
///   them, too: only the difference is stored without a process.
#[async_trait]
pub trait ProcessCounts: Send + Sync {
    /// Lists every count of a month, by process.
    async fn of_month_by_process(&self, month: CalendarMonth) -> Result<Vec<ProcessCount>, PortError>;

    async fn record_of_processes(&self, counts: &[ProcessCount]) -> Result<(), PortError>;
}

/// The number of a customer's calls in a month that one process admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessCount {
    pub customer: CustomerId,
    pub month: CalendarMonth,
    /// The process; `None` for calls counted by processes that count alone.
    pub process: Option<ProcessId>,
    /// The number of admitted calls.
    pub admitted: u64,
    /// The number of these calls that were refunded.
    pub given_back: u64,
}
