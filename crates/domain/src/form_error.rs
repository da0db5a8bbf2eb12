use std::borrow::Cow;

/// The error for a text, or another value, without the form of its type, whose causes nobody tells apart: the message says which
/// form is expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FormError(Cow<'static, str>);

impl FormError {
    /// Creates an error whose message is the same for every value.
    pub const fn fixed(message: &'static str) -> Self {
        Self(Cow::Borrowed(message))
    }

    /// Creates an error whose message is made of the value or of limits.
    pub const fn new(message: String) -> Self {
        Self(Cow::Owned(message))
    }
}
