//! How much of the exchange is read, and for how long.

use std::time::Duration;

/// How long reading a league may take, waits and further tries included.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// A league has a few dozen open games; a listing this long is going round in circles.
pub(crate) const MOST_PAGES: usize = 20;

/// Ten times what a full page of markets takes.
pub(crate) const LARGEST_PAGE: usize = 16 << 20;
