//! Answers as tables.

use std::borrow::Cow;

use sports_publication::{Value, ValueKind};
use sports_row_formats::{Cell, Field};
pub use sports_row_formats::{TableOf, Tabular, columns};

use crate::codes::{Code, Coded};

impl<'a, T: Coded> Cell<'a> for Code<T> {
    const KIND: ValueKind = ValueKind::Text;

    fn value(self) -> Option<Value<Cow<'a, str>>> {
        Some(Value::Text(self.0.text()))
    }
}

impl<T: Coded> Field<'_> for Code<T> {
    type Cell = Self;

    fn cell(&self) -> Self {
        *self
    }
}
