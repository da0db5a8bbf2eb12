use std::ops::Range;

/// The rows of a page, as indices in the order of its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageRows {
    /// Consecutive rows.
    Run(Range<usize>),
    /// The rows at these indices.
    Each(Box<[usize]>),
}

impl PageRows {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Run(run) => run.len(),
            Self::Each(rows) => rows.len(),
        }
    }

    /// Returns `true` if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the index of each row.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let (run, rows) = match self {
            Self::Run(run) => (run.clone(), &[][..]),
            Self::Each(rows) => (0..0, &rows[..]),
        };
        run.chain(rows.iter().copied())
    }

    /// Returns the rows in pieces of at most `size`, in their order.
    ///
    /// # Panics
    ///
    /// Panics if `size` is 0.
    pub fn pieces(&self, size: usize) -> Vec<Self> {
        match self {
            Self::Run(run) => {
                run.clone().step_by(size).map(|from| Self::Run(from..from.saturating_add(size).min(run.end))).collect()
            }
            Self::Each(rows) => rows.chunks(size).map(|rows| Self::Each(rows.into())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_a_page_have_its_rows_in_their_order() {
        for page in [PageRows::Run(3..10), PageRows::Each([1, 4, 9, 16, 25].into()), PageRows::Run(2..2)] {
            for size in [1, 2, 5, 100] {
                let pieces = page.pieces(size);
                assert!(pieces.iter().all(|piece| (1..=size).contains(&piece.len())), "{pieces:?}");
                let rows: Vec<_> = pieces.iter().flat_map(PageRows::iter).collect();
                assert_eq!(rows, page.iter().collect::<Vec<_>>());
                assert_eq!(pieces.len(), page.len().div_ceil(size));
            }
        }
    }
}
