use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{
    Array, ArrayAccessor, ArrayRef, BooleanArray, Date32Array, Float64Array, Int32Array, Int64Array, StringArray,
    Time64MicrosecondArray, TimestampMicrosecondArray,
};
use arrow_schema::{DataType, TimeUnit};
use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Timelike as _, Utc};
use sports_domain::{OutOfReach, within_reach};
use sports_publication::season_table::ColumnKind;
use sports_publication::{Value, ValueKind};

use crate::archive::CodecError;

/// The stored type of a column. All conversions between values and stored columns are in this module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    Flags,
    Integers32,
    Integers64,
    Numbers,
    Texts,
    Dates,
    Instants,
    /// Times of day. Archives store these as texts.
    Times,
    /// Dates and times without a time zone. Archives store these as texts.
    WallClocks,
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
    /// Returns the stored type of a column in a table for readers, which is Parquet's own type for the kind.
    pub const fn in_a_table(kind: ValueKind) -> Self {
        match kind {
            ValueKind::Flag => Self::Flags,
            ValueKind::Integer => Self::Integers64,
            ValueKind::Number => Self::Numbers,
            ValueKind::Text => Self::Texts,
            ValueKind::Date => Self::Dates,
            ValueKind::Time => Self::Times,
            ValueKind::WallClock => Self::WallClocks,
            ValueKind::Instant => Self::Instants,
        }
    }

    /// Converts values to a column. A value of another type becomes a missing value; a column of texts has every
    /// value in its written form.
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
            Self::Times => {
                Arc::new(values.map(|value| Some(micros_of_day(value?.time()?))).collect::<Time64MicrosecondArray>())
            }
            Self::WallClocks => {
                let micros = values.map(|value| Some(value?.wall_clock()?.and_utc().timestamp_micros()));
                Arc::new(micros.collect::<TimestampMicrosecondArray>())
            }
        }
    }
}

fn days_since_epoch(date: NaiveDate) -> Option<i32> {
    date.signed_duration_since(NaiveDate::default()).num_days().try_into().ok()
}

/// Returns the microseconds since midnight. A leap second becomes the last microsecond before it.
fn micros_of_day(time: NaiveTime) -> i64 {
    let micros = i64::from(time.nanosecond()).min(999_999_999) / 1_000;
    i64::from(time.num_seconds_from_midnight()) * 1_000_000 + micros
}

/// A column of a batch, by its type.
pub enum Column<'b> {
    Flags(&'b BooleanArray),
    Integers32(&'b Int32Array),
    Integers64(&'b Int64Array),
    Numbers(&'b Float64Array),
    Texts(&'b StringArray),
    Dates(&'b Date32Array),
    Instants(&'b TimestampMicrosecondArray),
    /// A type that no column has.
    Others,
}

impl<'b> Column<'b> {
    pub fn from_array(array: &'b ArrayRef) -> Self {
        match array.data_type() {
            DataType::Boolean => Self::Flags(array.as_boolean()),
            DataType::Int32 => Self::Integers32(array.as_primitive::<Int32Type>()),
            DataType::Int64 => Self::Integers64(array.as_primitive::<Int64Type>()),
            DataType::Float64 => Self::Numbers(array.as_primitive::<Float64Type>()),
            DataType::Utf8 => Self::Texts(array.as_string::<i32>()),
            DataType::Date32 => Self::Dates(array.as_primitive::<Date32Type>()),
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                Self::Instants(array.as_primitive::<TimestampMicrosecondType>())
            }
            _ => Self::Others,
        }
    }

    /// Returns the value of a row; `None` if it is missing.
    pub fn value(&self, row: usize) -> Result<Option<Value<Cow<'b, str>>>, CodecError> {
        Ok(match self {
            Self::Flags(flags) => at(flags, row).map(Value::Flag),
            Self::Integers32(numbers) => at(numbers, row).map(|number| Value::Integer(number.into())),
            Self::Integers64(numbers) => at(numbers, row).map(Value::Integer),
            Self::Numbers(numbers) => match at(numbers, row) {
                Some(number) if !number.is_finite() => return Err(format!("{number} is no number of a season").into()),
                number => number.map(Value::Number),
            },
            Self::Texts(texts) => at(texts, row).map(|text| Value::Text(Cow::Borrowed(text))),
            Self::Dates(days) => at(days, row).map(date).transpose()?.map(Value::Date),
            Self::Instants(instants) => at(instants, row).map(instant).transpose()?.map(Value::Instant),
            Self::Others => None,
        })
    }
}

fn at<A: ArrayAccessor>(array: &A, row: usize) -> Option<A::Item> {
    array.is_valid(row).then(|| array.value(row))
}

fn date(days: i32) -> Result<NaiveDate, OutOfReach> {
    within_reach(NaiveDate::default().checked_add_signed(TimeDelta::days(days.into())).ok_or(OutOfReach)?)
}

fn instant(micros: i64) -> Result<DateTime<Utc>, OutOfReach> {
    within_reach(DateTime::from_timestamp_micros(micros).ok_or(OutOfReach)?)
}
