//! Metering of calls and enforcement of callers' limits.

use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
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
/// - An admitted call is on record after it was kept, within a second. A call that is refunded never is: what is on
///   record does not fall.
/// - A month starts at zero, and the calls of one customer do not affect another.
#[async_trait]
pub trait Meter: Send + Sync {
    /// Admits a call of a customer, or refuses it.
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError>;

    /// Admits a call that is not counted, or refuses it.
    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError>;

    /// Keeps an admitted call: it will not be refunded.
    fn keep(&self, call: CountedCall);

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
/// A count is the sum of the calls that processes counted, each under a name that no other process ever has. What a
/// process counted in a month only grows, so of two numbers the higher is the newer one, and a recording whose outcome
/// is unknown can be repeated.
///
/// # Contract
///
/// - Of the numbers that a process recorded for a customer and month the highest is kept, in whatever order and however
///   often they are recorded.
/// - The numbers of one process do not affect another's.
/// - Several numbers are recorded together or not at all.
/// - A customer and month without a recording is not listed.
/// - A customer's months are listed newest first.
#[async_trait]
pub trait UsageCounts: Send + Sync {
    /// Lists every count of a month.
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError>;

    /// Lists every count of a customer.
    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError>;

    /// Returns a customer's count of a month without the calls that `process` recorded.
    async fn of_others(&self, customer: CustomerId, month: CalendarMonth, process: ProcessId)
    -> Result<u64, PortError>;

    /// Records what processes counted.
    async fn record(&self, counts: &[ProcessCount]) -> Result<(), PortError>;
}

/// The number of calls that a customer made in a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageCount {
    pub customer: CustomerId,
    pub month: CalendarMonth,
    pub calls: u64,
}

/// The part of a customer's calls in a month that one process counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessCount {
    pub customer: CustomerId,
    pub month: CalendarMonth,
    pub process: ProcessId,
    pub calls: u64,
}
