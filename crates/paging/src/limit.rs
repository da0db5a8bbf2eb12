/// The maximum number of rows on a page: from 1 to [`Limit::LARGEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(usize);

/// A number that is not a valid limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a page limit: limits are from 1 to {largest}", largest = Limit::LARGEST)]
pub struct NotALimit(pub usize);

impl Limit {
    pub const LARGEST: usize = 100_000;
    pub const DEFAULT: Self = Self(100);
    /// The largest limit, as a [`Limit`].
    pub const MOST: Self = Self(Self::LARGEST);

    /// Checks a limit.
    ///
    /// # Errors
    ///
    /// [`NotALimit`] for zero and for more than [`Limit::LARGEST`].
    pub const fn new(rows: usize) -> Result<Self, NotALimit> {
        if rows >= 1 && rows <= Self::LARGEST { Ok(Self(rows)) } else { Err(NotALimit(rows)) }
    }

    /// Returns the number of rows.
    pub const fn get(self) -> usize {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_from_1_to_100000_and_100_by_default() {
        assert_eq!(Limit::DEFAULT.get(), 100);
        for rows in [1, 100, 100_000] {
            assert_eq!(Limit::new(rows).map(Limit::get), Ok(rows));
        }
        for rows in [0, 100_001, usize::MAX] {
            assert_eq!(Limit::new(rows), Err(NotALimit(rows)));
        }
    }
}
