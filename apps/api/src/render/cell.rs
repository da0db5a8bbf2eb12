use std::borrow::Cow;

use sports_domain::escaped_for_spreadsheets;
use sports_publication::ExtraValue;

/// What stands in one column of one result row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// Nothing.
    Null,
    /// A true or false.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// A text.
    Text(Cow<'a, str>),
}

impl<'a> Cell<'a> {
    /// A text that is there already.
    #[must_use]
    pub const fn borrowed(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    /// A text made for this cell.
    #[must_use]
    pub fn owned(text: &impl ToString) -> Self {
        Self::Text(Cow::Owned(text.to_string()))
    }

    /// What `value` becomes, or nothing.
    pub fn from_option<T>(value: Option<T>, cell: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Null, cell)
    }

    /// A cell of the same kind with nothing to say.
    #[must_use]
    pub const fn kind(&self) -> Cell<'static> {
        match self {
            Self::Null => Cell::Null,
            Self::Flag(_) => Cell::Flag(false),
            Self::Integer(_) => Cell::Integer(0),
            Self::Number(_) => Cell::Number(0.0),
            Self::Text(_) => Cell::Text(Cow::Borrowed("")),
        }
    }

    /// Writes the cell as JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let written = match self {
            Self::Null => serde_json::to_writer(out, &()),
            Self::Flag(flag) => serde_json::to_writer(out, flag),
            Self::Integer(number) => serde_json::to_writer(out, number),
            Self::Number(number) => serde_json::to_writer(out, number),
            Self::Text(text) => serde_json::to_writer(out, text),
        };
        debug_assert!(written.is_ok(), "memory takes every byte");
    }

    /// The cell in a CSV file; nothing is an empty text, and no text is a formula.
    #[must_use]
    pub fn to_csv(&self) -> Cow<'_, str> {
        match self {
            Self::Null => Cow::Borrowed(""),
            Self::Flag(flag) => Cow::Owned(flag.to_string()),
            Self::Integer(number) => Cow::Owned(number.to_string()),
            Self::Number(number) => Cow::Owned(number.to_string()),
            Self::Text(text) => escaped_for_spreadsheets(text),
        }
    }
}

impl<'a> From<&'a ExtraValue> for Cell<'a> {
    fn from(value: &'a ExtraValue) -> Self {
        match value {
            ExtraValue::Flag(flag) => Self::Flag(*flag),
            ExtraValue::Integer(number) => Self::Integer(*number),
            ExtraValue::Number(number) => Self::Number(*number),
            ExtraValue::Text(text) => Self::borrowed(text),
        }
    }
}
