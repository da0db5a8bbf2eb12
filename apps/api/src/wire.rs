//! Wire types: what answers are made of, in JSON and as rows of tables.
//!
//! [`wire!`] lists each field once: documentation, name, type and value. The kind of a column follows from the type of its field,
//! never from the values, so a table without rows has the same columns.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use sports_domain::{ModelName, ModelType};
use sports_publication::{Value, ValueKind};
use sports_tables::Cell;
pub use sports_tables::{TableOf, Tabular};

use crate::codes::{Code, Coded};

/// Defines a type of answers and its constructor. `as` gives a field another name in JSON and in tables. A `row` has a column for
/// each field as well, or the columns of a field that is a row itself.
macro_rules! wire {
    (
        $(#[$attribute:meta])*
        $visibility:vis row $name:ident($($argument:ident: $of:ty),* $(,)?) {
            $(let $bound:pat_param = $bound_to:expr;)*
            $($(#[$described:meta])+ $field:ident $(as $key:tt)?: $type:ty = $value:expr,)+
        }
    ) => {
        wire! {
            $(#[$attribute])*
            $visibility struct $name($($argument: $of),*) {
                $(let $bound = $bound_to;)*
                $($(#[$described])+ $field $(as $key)?: $type = $value,)+
            }
        }

        impl $crate::wire::Field for $name {
            fn add_to<'a, R: Copy>(
                table: $crate::wire::TableOf<'a, R>,
                _: &'static str,
                subject: $crate::wire::Subject<'a>,
                get: impl Fn(R) -> Option<&'a Self>,
            ) -> $crate::wire::TableOf<'a, R> {
                $(let table = <$type as $crate::wire::Field>::add_to(
                    table, wire!(@key $field $($key)?), subject, |row| get(row).map(|item| &item.$field),
                );)+
                table
            }
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident($($argument:ident: $of:ty),* $(,)?) {
            $(let $bound:pat_param = $bound_to:expr;)*
            $($(#[$described:meta])+ $field:ident $(as $key:tt)?: $type:ty = $value:expr,)+
        }
    ) => {
        #[derive(Debug, ::serde::Serialize, ::utoipa::ToSchema)]
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$described])+ $(#[serde(rename = $key)])? $field: $type,)+
        }

        impl $name {
            $visibility fn new($($argument: $of),*) -> Self {
                $(let $bound = $bound_to;)*
                Self { $($field: $value),+ }
            }
        }
    };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:tt) => { $key };
}

pub(crate) use wire;

/// The subject of a table, on which some of its columns depend.
#[derive(Debug, Clone, Copy, Default)]
pub struct Subject<'a> {
    /// The market, whose lines are columns.
    pub model_type: Option<ModelType>,
    /// The league's own models, each a column where models are.
    pub own: &'a [ModelName],
}

/// A field of a row: one column, several, or none.
pub trait Field: 'static {
    /// Adds the columns; `get` reads the field of a row.
    fn add_to<'a, R: Copy>(
        table: TableOf<'a, R>,
        name: &'static str,
        subject: Subject<'a>,
        get: impl Fn(R) -> Option<&'a Self>,
    ) -> TableOf<'a, R>;
}

/// Adds the columns of the rows.
pub fn with_fields<'a, R: Field>(rows: TableOf<'a, &'a R>) -> TableOf<'a, &'a R> {
    with_fields_about(rows, Subject::default())
}

/// Adds the columns of the rows of a table with this subject.
pub fn with_fields_about<'a, R: Field>(rows: TableOf<'a, &'a R>, subject: Subject<'a>) -> TableOf<'a, &'a R> {
    R::add_to(rows, "", subject, Some)
}

impl<'a, T: Coded> Cell<'a> for Code<T> {
    const KIND: ValueKind = ValueKind::Text;

    fn value(self) -> Option<Value<Cow<'a, str>>> {
        Some(Value::Text(self.0.text()))
    }
}

impl<T: Field> Field for Option<T> {
    fn add_to<'a, R: Copy>(
        table: TableOf<'a, R>,
        name: &'static str,
        subject: Subject<'a>,
        get: impl Fn(R) -> Option<&'a Self>,
    ) -> TableOf<'a, R> {
        T::add_to(table, name, subject, |row| get(row)?.as_ref())
    }
}

/// Implements [`Field`] for types whose values are cells, or are read as cells.
macro_rules! fields {
    ($($field:ty $([$generic:ident: $bound:ident])? => $cell:expr;)*) => {$(
        impl $(<$generic: $bound>)? Field for $field {
            fn add_to<'a, R: Copy>(
                table: TableOf<'a, R>,
                name: &'static str,
                _: Subject<'a>,
                get: impl Fn(R) -> Option<&'a Self>,
            ) -> TableOf<'a, R> {
                table.column(name, |row| get(row).map($cell))
            }
        }
    )*};
}

fields! {
    bool => |flag| *flag;
    u8 => |number| *number;
    u32 => |number| *number;
    u64 => |number| *number;
    usize => |number| *number as u64;
    i32 => |number| *number;
    i64 => |number| *number;
    f64 => |number| *number;
    String => String::as_str;
    NaiveDate => |date| *date;
    NaiveTime => |time| *time;
    NaiveDateTime => |reading| *reading;
    DateTime<Utc> => |instant| *instant;
    Code<T> [T: Coded] => |code| *code;
    Vec<u8> => |list| serde_json::json!(list).to_string();
    Vec<Code<T>> [T: Coded] => |codes| codes.iter().map(|code| code.0.text()).collect::<Vec<_>>().join(",");
}
