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
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Run(run) => run.len(),
            Self::Each(rows) => rows.len(),
        }
    }

    /// Returns `true` if there are no rows.
    #[must_use]
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
}
