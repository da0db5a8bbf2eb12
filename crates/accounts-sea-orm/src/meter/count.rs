use std::time::Duration;

/// The calls of one customer in one month: the last count of the database, and the calls counted in memory since.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    last_read: u64,
    alone: Alone,
    /// The part of those that is on record.
    recorded: Alone,
    /// Calls given back that the database counted, and does not know of yet.
    given_back: u64,
    full_at: Option<Duration>,
}

/// The calls counted without the database, ever: both numbers only grow, the second not beyond the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Alone {
    pub admitted: u64,
    pub given_back: u64,
}

impl Alone {
    const fn calls(self) -> u64 {
        self.admitted - self.given_back
    }
}

impl Count {
    /// For how long it is remembered that a month is full. Another server may give a call back meanwhile.
    const FULL: Duration = Duration::from_secs(1);

    pub fn from_database(calls: u64) -> Self {
        Self { last_read: calls, ..Self::default() }
    }

    pub const fn alone(&self) -> Alone {
        self.alone
    }

    pub const fn known(&self) -> u64 {
        (self.last_read + self.alone.calls()).saturating_sub(self.recorded.calls() + self.given_back)
    }

    /// Returns true if some of it is not on record.
    pub fn is_waiting(&self) -> bool {
        self.alone != self.recorded || self.given_back > 0
    }

    /// Sets the count of the database; returns the whole count.
    pub const fn update(&mut self, used: u64) -> u64 {
        self.last_read = used;
        used
    }

    /// Sets the count after an admitted call. Of replies that arrive out of order, the higher is the newer one.
    pub fn hear_more(&mut self, used: u64) -> u64 {
        self.last_read = self.last_read.max(used);
        used
    }

    /// Sets the count after a refund, which means that the month is no longer full.
    pub const fn hear_less(&mut self, used: u64) -> u64 {
        self.full_at = None;
        self.update(used)
    }

    /// Counts one more call, unless `most` are known of; gives the count with it.
    pub fn add_alone_up_to(&mut self, most: u64) -> Option<u64> {
        (self.known() < most).then(|| {
            self.alone.admitted += 1;
            self.known()
        })
    }

    /// Counts one call less; gives the count without it.
    pub const fn take_back_alone(&mut self) -> u64 {
        self.full_at = None;
        if self.alone.calls() > 0 {
            self.alone.given_back += 1;
        } else {
            self.given_back += 1;
        }
        self.known()
    }

    /// Notes that what `earlier` had counted alone is on record.
    pub const fn set_recorded(&mut self, earlier: &Self) {
        self.last_read = (self.last_read + earlier.alone.calls()).saturating_sub(self.recorded.calls());
        self.recorded = earlier.alone;
    }

    /// Takes the calls given back that the database does not know of, to let it know.
    pub const fn take_given_back(&mut self) -> u64 {
        std::mem::replace(&mut self.given_back, 0)
    }

    pub const fn set_full_at(&mut self, uptime: Duration) {
        self.full_at = Some(uptime);
    }

    /// Returns the count, if the month was full a moment ago.
    pub fn was_full(&self, most: u64, uptime: Duration) -> Option<u64> {
        let lately = self.full_at.is_some_and(|at| uptime.saturating_sub(at) < Self::FULL);
        (lately && self.known() >= most).then(|| self.known())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_in_memory_is_counted_once_before_and_after_it_is_on_record() {
        let mut count = Count::from_database(3);
        assert_eq!(count.add_alone_up_to(5), Some(4));
        assert_eq!(count.add_alone_up_to(5), Some(5));
        assert_eq!(count.add_alone_up_to(5), None);
        let waiting = count;
        assert_eq!((count.take_back_alone(), count.take_back_alone()), (4, 3));
        count.set_recorded(&waiting);
        assert_eq!((count.known(), count.is_waiting()), (3, true));
        let waiting = count;
        count.set_recorded(&waiting);
        assert_eq!((count.known(), count.is_waiting()), (3, false));
        assert_eq!(count.take_back_alone(), 2, "a call that the database counted");
        assert_eq!((count.take_given_back(), count.alone()), (1, Alone { admitted: 2, given_back: 2 }));
        assert_eq!(count.hear_less(2), 2);
        assert_eq!((count.known(), count.is_waiting()), (2, false));
    }
}
