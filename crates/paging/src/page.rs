use std::ops::Range;

use crate::Limit;

/// The order a season's rows are listed in. Each is the exact reverse of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// As archived.
    OldestFirst,
    /// The latest game first.
    NewestFirst,
}

/// One page of a list, in the list's own order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRange {
    /// The rows of the page; empty past the end.
    pub rows: Range<usize>,
    /// Where the next page starts; `None` on the last.
    pub next_offset: Option<usize>,
}

/// The page of a list of `total` rows that starts at row `offset`.
#[must_use]
pub fn page(total: usize, offset: usize, limit: Limit) -> PageRange {
    let start = offset.min(total);
    let end = start.saturating_add(limit.get()).min(total);
    PageRange { rows: start..end, next_offset: (end < total).then_some(end) }
}
