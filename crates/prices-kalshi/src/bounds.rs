//! Limits on the data that is read from the exchange, and on the time for it.

use std::time::Duration;

/// The time limit for reading a league, including delays and retries.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum number of pages. A league has a few dozen open games, so a longer listing repeats itself.
pub(crate) const MOST_PAGES: usize = 20;

/// The maximum size of a page in bytes, ten times a full page of markets.
pub(crate) const LARGEST_PAGE: usize = 16 << 20;
