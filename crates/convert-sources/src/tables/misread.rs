use std::borrow::Cow;

/// The error for a cell that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misread {
    /// The expected form; the same for every cell with this problem.
    pub(crate) expected: Cow<'static, str>,
    /// A remedy that depends on the value.
    pub(crate) hint: Option<String>,
}

/// The value of a cell; `None` if the cell is empty.
pub(crate) type Reading<T> = Result<Option<T>, Misread>;

impl Misread {
    pub(crate) fn new(expected: impl Into<Cow<'static, str>>) -> Self {
        Self { expected: expected.into(), hint: None }
    }

    pub(crate) fn with_hint(self, hint: Option<impl Into<String>>) -> Self {
        Self { hint: hint.map(Into::into), ..self }
    }
}
