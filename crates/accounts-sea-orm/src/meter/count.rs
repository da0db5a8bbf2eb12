use std::time::Duration;

/// The calls of one customer in one month: the last count of the database, and the calls counted in memory since.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    last_read: u64,
    local: LocalCalls,
    /// The part of the local calls that is on record.
    recorded: LocalCalls,
    /// The refunds of calls that the database counted, which it has not subtracted yet.
    given_back: u64,
    full_at: Option<Duration>,
}

/// The calls that this process counted without the database. Neither number falls, and refunds do not exceed admissions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LocalCalls {
    pub admitted: u64,
    pub given_back: u64,
}

impl LocalCalls {
    const fn calls(self) -> u64 {
        self.admitted - self.given_back
    }
}

impl Count {
    /// The time for which a full month stays refused without a statement. Another server may refund a call meanwhile.
    const FULL: Duration = Duration::from_secs(1);

    pub fn from_database(calls: u64) -> Self {
        Self { last_read: calls, ..Self::default() }
    }

    pub const fn local(&self) -> LocalCalls {
        self.local
    }

    pub const fn total(&self) -> u64 {
        (self.last_read + self.local.calls()).saturating_sub(self.recorded.calls() + self.given_back)
    }

    /// Returns true if some local calls or refunds are not on record.
    pub fn is_waiting(&self) -> bool {
        self.local != self.recorded || self.given_back > 0
    }

    /// Sets the count of the database, and returns it.
    pub const fn update(&mut self, used: u64) -> u64 {
        self.last_read = used;
        used
    }

    /// Sets the count after an admitted call. Of replies that arrive out of order, the higher is the newer one.
    pub fn update_after_admission(&mut self, used: u64) -> u64 {
        self.last_read = self.last_read.max(used);
        used
    }

    /// Sets the count after a refund, which means that the month is no longer full.
    pub const fn update_after_refund(&mut self, used: u64) -> u64 {
        self.full_at = None;
        self.update(used)
    }

    /// Counts one more call locally, and returns the total with it; `None` if the total is `most` or more.
    pub fn add_local_up_to(&mut self, most: u64) -> Option<u64> {
        (self.total() < most).then(|| {
            self.local.admitted += 1;
            self.total()
        })
    }

    /// Refunds a call locally, and returns the total without it.
    pub const fn take_back_locally(&mut self) -> u64 {
        self.full_at = None;
        if self.local.calls() > 0 {
            self.local.given_back += 1;
        } else {
            self.given_back += 1;
        }
        self.total()
    }

    /// Marks the local calls of `earlier` as recorded.
    pub const fn set_recorded(&mut self, earlier: &Self) {
        self.last_read = (self.last_read + earlier.local.calls()).saturating_sub(self.recorded.calls());
        self.recorded = earlier.local;
    }

    /// Takes the number of refunds that the database has not subtracted, for a statement that subtracts them.
    pub const fn take_given_back(&mut self) -> u64 {
        std::mem::replace(&mut self.given_back, 0)
    }

    pub const fn set_full_at(&mut self, uptime: Duration) {
        self.full_at = Some(uptime);
    }

    /// Returns the total if the month was full a moment ago.
    pub fn was_full(&self, most: u64, uptime: Duration) -> Option<u64> {
        let lately = self.full_at.is_some_and(|at| uptime.saturating_sub(at) < Self::FULL);
        (lately && self.total() >= most).then(|| self.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_call_is_counted_once_before_and_after_it_is_on_record() {
        let mut count = Count::from_database(3);
        assert_eq!(count.add_local_up_to(5), Some(4));
        assert_eq!(count.add_local_up_to(5), Some(5));
        assert_eq!(count.add_local_up_to(5), None);
        let waiting = count;
        assert_eq!((count.take_back_locally(), count.take_back_locally()), (4, 3));
        count.set_recorded(&waiting);
        assert_eq!((count.total(), count.is_waiting()), (3, true));
        let waiting = count;
        count.set_recorded(&waiting);
        assert_eq!((count.total(), count.is_waiting()), (3, false));
        assert_eq!(count.take_back_locally(), 2, "a call that the database counted");
        assert_eq!((count.take_given_back(), count.local()), (1, LocalCalls { admitted: 2, given_back: 2 }));
        assert_eq!(count.update_after_refund(2), 2);
        assert_eq!((count.total(), count.is_waiting()), (2, false));
    }
}
