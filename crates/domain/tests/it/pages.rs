//! Properties of pages of lists of any length.

use proptest::prelude::*;
use sports_domain::paging::{Limit, page};

proptest! {
    /// The chain of `next_offset` from zero visits every row once, in order.
    #[test]
    fn pages_tile_the_list(total in 0..400_usize, limit in 1..500_usize) {
        let limit = Limit::new(limit).expect("a limit");
        let mut seen = Vec::new();
        let (mut next, mut pages) = (Some(0), 0);
        while let Some(offset) = next {
            prop_assert!(pages <= total, "a page without rows was announced");
            pages += 1;
            let page = page(total, offset, limit);
            prop_assert!(page.rows.len() <= limit.get());
            seen.extend(page.rows);
            next = page.next_offset;
        }
        prop_assert_eq!(seen, (0..total).collect::<Vec<_>>());
    }

    /// A page beyond the end is empty and the last.
    #[test]
    fn a_page_beyond_the_end_is_empty(total in 0..400_usize, beyond in 0..usize::MAX / 2) {
        let page = page(total, total.saturating_add(beyond), Limit::DEFAULT);
        prop_assert!(page.rows.is_empty());
        prop_assert_eq!(page.next_offset, None);
    }
}
