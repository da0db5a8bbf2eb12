use std::time::Duration;

/// A call of a customer, by its arrival.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    pub operation: Operation,
    pub uptime: Duration,
}

/// The operation on a customer's counts that a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Admits a call that counts, up to so many in the month.
    Admit(u64),
    /// Admits a call that does not count.
    AdmitUncounted,
    /// Refunds an admitted call.
    Refund,
}

/// The decision on a call, with the month's count after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision<T> {
    /// The operation was carried out.
    Done(T),
    SecondIsFull(T),
    MonthIsFull(T),
}

/// A count of a month in Redis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Calls of the month, by all processes.
    pub total: u64,
    /// The part that this process counted.
    pub own: u64,
}
