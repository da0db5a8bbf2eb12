use std::ops::Range;

/// The rows of a page, counted in the order that it is listed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageRows {
    /// Rows that follow each other.
    Run(Range<usize>),
    /// These rows.
    Each(Box<[usize]>),
}

impl PageRows {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Run(run) => run.len(),
            Self::Each(rows) => rows.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let (run, rows) = match self {
            Self::Run(run) => (run.clone(), &[][..]),
            Self::Each(rows) => (0..0, &rows[..]),
        };
        run.chain(rows.iter().copied())
    }
}
