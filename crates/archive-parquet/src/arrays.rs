use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float64Array, Int32Array, Int64Array, StringArray,
    TimestampMicrosecondArray,
};
use arrow_schema::{DataType, TimeUnit};
use chrono::{DateTime, NaiveDate, TimeDelta};
use sports_domain::{OutOfReach, within_reach};
use sports_publication::season_table::ColumnKind;
use sports_publication::{Value, ValueKind};

use crate::CodecError;

/// How a column is stored: the one place that says what values become in a file, and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    Flags,
    Integers32,
    Integers64,
    Numbers,
    Texts,
    Dates,
    Instants,
}

impl From<ColumnKind> for Stored {
    fn from(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Date => Self::Dates,
            ColumnKind::Instant => Self::Instants,
            ColumnKind::GameNumber | ColumnKind::Score | ColumnKind::Price | ColumnKind::Outcome => Self::Integers32,
            ColumnKind::Points | ColumnKind::Total | ColumnKind::Probability => Self::Numbers,
            ColumnKind::Flag => Self::Flags,
            ColumnKind::Time
            | ColumnKind::WallClock
            | ColumnKind::Season
            | ColumnKind::Team
            | ColumnKind::Word(_)
            | ColumnKind::Text => Self::Texts,
        }
    }
}

impl From<ValueKind> for Stored {
    fn from(kind: ValueKind) -> Self {
        match kind {
            ValueKind::Flag => Self::Flags,
            ValueKind::Integer => Self::Integers64,
            ValueKind::Number => Self::Numbers,
            ValueKind::Text | ValueKind::Time | ValueKind::WallClock => Self::Texts,
            ValueKind::Date => Self::Dates,
            ValueKind::Instant => Self::Instants,
        }
    }
}

impl Stored {
    /// Values as a column of a file. A value that does not fit is a missing one; a column of texts has any value
    /// as it is written.
    pub fn array<'a>(self, values: impl Iterator<Item = Option<Value<&'a str>>>) -> ArrayRef {
        match self {
            Self::Flags => Arc::new(
                values
                    .map(|value| if let Value::Flag(flag) = value? { Some(flag) } else { None })
                    .collect::<BooleanArray>(),
            ),
            Self::Integers32 => Arc::new(values.map(|value| value?.integer()?.try_into().ok()).collect::<Int32Array>()),
            Self::Integers64 => Arc::new(values.map(|value| value?.integer()).collect::<Int64Array>()),
            Self::Numbers => Arc::new(values.map(|value| value?.number()).collect::<Float64Array>()),
            Self::Texts => Arc::new(values.map(|value| value.map(Value::written)).collect::<StringArray>()),
            Self::Dates => Arc::new(values.map(|value| days_since_epoch(value?.date()?)).collect::<Date32Array>()),
            Self::Instants => {
                let micros = values.map(|value| Some(value?.instant()?.timestamp_micros()));
                Arc::new(micros.collect::<TimestampMicrosecondArray>().with_timezone("UTC"))
            }
        }
    }
}

fn days_since_epoch(date: NaiveDate) -> Option<i32> {
    date.signed_duration_since(NaiveDate::default()).num_days().try_into().ok()
}

/// The value of a row; `None` where it is missing or of a type that no column has.
pub fn value(array: &dyn Array, row: usize) -> Result<Option<Value<Cow<'_, str>>>, CodecError> {
    if array.is_null(row) {
        return Ok(None);
    }
    Ok(Some(match array.data_type() {
        DataType::Boolean => Value::Flag(array.as_boolean().value(row)),
        DataType::Int32 => Value::Integer(array.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int64 => Value::Integer(array.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => match array.as_primitive::<Float64Type>().value(row) {
            number if number.is_finite() => Value::Number(number),
            number => return Err(format!("{number} is no number of a season").into()),
        },
        DataType::Utf8 => Value::Text(Cow::Borrowed(array.as_string::<i32>().value(row))),
        DataType::Date32 => {
            let days = TimeDelta::days(array.as_primitive::<Date32Type>().value(row).into());
            Value::Date(within_reach(NaiveDate::default().checked_add_signed(days).ok_or(OutOfReach)?)?)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            Value::Instant(within_reach(DateTime::from_timestamp_micros(micros).ok_or(OutOfReach)?)?)
        }
        _ => return Ok(None),
    }))
}
