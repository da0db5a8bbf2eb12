use std::ops::Range;

use crate::Limit;

/// The order of a season's rows. Each order is the reverse of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The order of the archive.
    OldestFirst,
    /// The latest game first.
    NewestFirst,
}

/// A page of a list, in the order of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRange {
    /// The rows of the page; empty beyond the end of the list.
    pub rows: Range<usize>,
    /// The offset of the next page; `None` on the last page.
    pub next_offset: Option<usize>,
}

/// Returns the page of a list of `total` rows that starts at row `offset`.
pub fn page(total: usize, offset: usize, limit: Limit) -> PageRange {
    let start = offset.min(total);
    let end = start.saturating_add(limit.get()).min(total);
    PageRange { rows: start..end, next_offset: (end < total).then_some(end) }
}
