use std::panic::catch_unwind;

use arrow_array::cast::AsArray as _;
use arrow_array::temporal_conversions::{as_datetime, as_time};
use arrow_array::types::{
    ArrowPrimitiveType, ArrowTimestampType, Date32Type, Decimal128Type, Float16Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use sports_publication::Value;
use sports_tables::bounded::{Limits, ParquetFile};

use crate::findings::Findings;
use crate::table::{InputCell, LONGEST_NAME, MOST_CELLS, MOST_COLUMNS, MOST_ROWS, Stored, Table};

const LIMITS: Limits = Limits { columns: MOST_COLUMNS, rows: MOST_ROWS, bytes: 64 << 20 };

/// Reads a Parquet file. Rows are numbered as if the file had a header row.
pub(super) fn read(bytes: Bytes, found: &mut Findings) -> Option<Table> {
    // The library asserts some properties of a file, so a damaged file can panic.
    let failure = match catch_unwind(|| decode(bytes)) {
        Ok(Ok(decoded)) => return decoded.into_table(found),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "its metadata is inconsistent".to_owned(),
    };
    found.file(format!("a whole Parquet file; reading it failed: {failure}"));
    None
}

#[derive(Default)]
struct Decoded {
    table: Table,
    /// Columns whose type is not supported in a cell, such as lists.
    unreadable: Vec<(String, DataType)>,
}

fn decode(bytes: Bytes) -> Result<Decoded> {
    // Without the writer's own Arrow schema, dictionaries and long strings are read as plain text.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let file = ParquetFile::open(bytes, options, LIMITS)?;
    check_compression(file.metadata())?;
    let fields = file.schema().fields().clone();
    let taken: Vec<_> = (0..fields.len()).filter(|index| !is_index(fields[*index].name())).collect();
    let columns: Vec<_> = taken.iter().map(|index| fields[*index].name().trim().to_owned()).collect();
    if columns.iter().any(|name| name.len() > LONGEST_NAME) {
        let reason = format!("names of columns have at most {LONGEST_NAME} bytes");
        return Err(ParquetError::General(reason));
    }
    let mut decoded = Decoded { table: Table::with_columns(columns), unreadable: Vec::new() };
    // Lists and structures have no size limit, so they are rejected before they are read.
    let nested = taken.iter().map(|index| &fields[*index]).filter(|field| field.data_type().is_nested());
    decoded.unreadable.extend(nested.map(|field| (field.name().clone(), field.data_type().clone())));
    if !decoded.unreadable.is_empty() {
        return Ok(decoded);
    }
    for batch in file.batches()? {
        let batch = batch?;
        if (decoded.table.numbers.len() + batch.num_rows()) * taken.len() > MOST_CELLS {
            return Err(ParquetError::General(format!("a table has at most {MOST_CELLS} cells")));
        }
        decoded.push(&batch, &taken);
        if !decoded.unreadable.is_empty() {
            break;
        }
    }
    Ok(decoded)
}

/// Rejects an unsupported compression by name; the decoder's own error would name a missing feature.
fn check_compression(metadata: &ParquetMetaData) -> Result<()> {
    let mut columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let is_read = |used| matches!(used, Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_));
    match columns.find(|column| !is_read(column.compression())) {
        None => Ok(()),
        Some(column) => {
            let used = column.compression();
            Err(ParquetError::General(format!("it is compressed with {used}; snappy and zstd can be read")))
        }
    }
}

/// Returns true for the row labels that pandas writes beside the columns.
fn is_index(name: &str) -> bool {
    name.starts_with("__index_level_") && name.ends_with("__")
}

impl Decoded {
    /// Returns the table; records a problem for each unreadable column and returns `None` if there is one.
    fn into_table(self, found: &mut Findings) -> Option<Table> {
        for (name, kind) in &self.unreadable {
            found.column(name, None, format!("text, numbers, flags, dates or times; this column holds {kind}"));
        }
        self.unreadable.is_empty().then_some(self.table)
    }

    fn push(&mut self, batch: &RecordBatch, taken: &[usize]) {
        let mut columns = Vec::with_capacity(taken.len());
        for index in taken {
            let array = batch.column(*index);
            if let Some(column) = cells(array.as_ref(), &mut self.table) {
                columns.push(column);
            } else {
                let name = batch.schema_ref().field(*index).name().clone();
                self.unreadable.push((name, array.data_type().clone()));
            }
        }
        for row in 0..batch.num_rows() {
            self.table.cells.extend(columns.iter().map(|column| column[row]));
            let number = self.table.numbers.len() + 2;
            self.table.numbers.push(number);
        }
    }
}

/// Returns the cells of one column; `None` if its type is not supported in a cell.
fn cells(array: &dyn Array, table: &mut Table) -> Option<Vec<Stored>> {
    let stored = match array.data_type() {
        DataType::Null => vec![Stored::EMPTY; array.len()],
        DataType::Boolean => array.as_boolean().iter().map(|flag| plain(flag.map(Value::Flag))).collect(),
        DataType::Int8 => each::<Int8Type>(array, |number| Value::Integer(number.into())),
        DataType::Int16 => each::<Int16Type>(array, |number| Value::Integer(number.into())),
        DataType::Int32 => each::<Int32Type>(array, |number| Value::Integer(number.into())),
        DataType::Int64 => each::<Int64Type>(array, Value::Integer),
        DataType::UInt8 => each::<UInt8Type>(array, |number| Value::Integer(number.into())),
        DataType::UInt16 => each::<UInt16Type>(array, |number| Value::Integer(number.into())),
        DataType::UInt32 => each::<UInt32Type>(array, |number| Value::Integer(number.into())),
        DataType::UInt64 => large_numbers(array, table),
        DataType::Float16 => numbers::<Float16Type>(array, |number| short_number(number.into())),
        DataType::Float32 => numbers::<Float32Type>(array, short_number),
        DataType::Float64 => numbers::<Float64Type>(array, number),
        DataType::Decimal128(..) => decimals(array, table),
        DataType::Utf8 => texts(array.as_string::<i32>().iter(), table),
        // Some writers store text without marking it as text.
        DataType::Binary => {
            let pieces: std::result::Result<Vec<_>, _> =
                array.as_binary::<i32>().iter().map(|piece| piece.map(std::str::from_utf8).transpose()).collect();
            texts(pieces.ok()?.into_iter(), table)
        }
        _ => return times(array),
    };
    Some(stored)
}

/// Returns the cells of a column of dates, times or moments; `None` for another column.
fn times(array: &dyn Array) -> Option<Vec<Stored>> {
    let stored = match array.data_type() {
        DataType::Date32 => each::<Date32Type>(array, |days| {
            as_datetime::<Date32Type>(days.into())
                .map_or(Value::Integer(days.into()), |moment| Value::Date(moment.date()))
        }),
        DataType::Time32(TimeUnit::Millisecond) => each::<Time32MillisecondType>(array, |count| {
            as_time::<Time32MillisecondType>(count.into()).map_or(Value::Integer(count.into()), Value::Time)
        }),
        DataType::Time64(TimeUnit::Microsecond) => each::<Time64MicrosecondType>(array, |count| {
            as_time::<Time64MicrosecondType>(count).map_or(Value::Integer(count), Value::Time)
        }),
        DataType::Time64(TimeUnit::Nanosecond) => each::<Time64NanosecondType>(array, |count| {
            as_time::<Time64NanosecondType>(count).map_or(Value::Integer(count), Value::Time)
        }),
        DataType::Timestamp(TimeUnit::Millisecond, zone) => moments::<TimestampMillisecondType>(array, zone.is_some()),
        DataType::Timestamp(TimeUnit::Microsecond, zone) => moments::<TimestampMicrosecondType>(array, zone.is_some()),
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => moments::<TimestampNanosecondType>(array, zone.is_some()),
        _ => return None,
    };
    Some(stored)
}

fn plain(value: Option<Value<&'static str>>) -> Stored {
    value.map_or(Stored::EMPTY, |value| Stored::Plain(InputCell::Typed(value)))
}

fn each<T: ArrowPrimitiveType>(array: &dyn Array, cell: impl Fn(T::Native) -> Value<&'static str>) -> Vec<Stored> {
    array.as_primitive::<T>().iter().map(|value| plain(value.map(&cell))).collect()
}

fn numbers<T: ArrowPrimitiveType>(
    array: &dyn Array,
    cell: impl Fn(T::Native) -> Option<Value<&'static str>>,
) -> Vec<Stored> {
    array.as_primitive::<T>().iter().map(|value| plain(value.and_then(&cell))).collect()
}

fn number(number: f64) -> Option<Value<&'static str>> {
    (!number.is_nan()).then_some(Value::Number(number))
}

/// Converts a single-precision number by its shortest decimal form, so that 0.52 does not become 0.519999980926514.
fn short_number(short: f32) -> Option<Value<&'static str>> {
    number(short.to_string().parse().unwrap_or(f64::from(short)))
}

/// Converts unsigned numbers; a number too large for [`Value::Integer`] is kept as text.
fn large_numbers(array: &dyn Array, table: &mut Table) -> Vec<Stored> {
    let mut cell = |value: u64| match i64::try_from(value) {
        Ok(value) => plain(Some(Value::Integer(value))),
        Err(_) => table.text(&value.to_string()),
    };
    array.as_primitive::<UInt64Type>().iter().map(|value| value.map_or(Stored::EMPTY, &mut cell)).collect()
}

/// Converts exact decimals through their text form.
fn decimals(array: &dyn Array, table: &mut Table) -> Vec<Stored> {
    let array = array.as_primitive::<Decimal128Type>();
    let cell = |row| if array.is_null(row) { Stored::EMPTY } else { table.written(&array.value_as_string(row)) };
    (0..array.len()).map(cell).collect()
}

fn texts<'a>(texts: impl Iterator<Item = Option<&'a str>>, table: &mut Table) -> Vec<Stored> {
    texts.map(|text| text.map_or(Stored::EMPTY, |text| table.text(text))).collect()
}

fn moments<T: ArrowTimestampType>(array: &dyn Array, in_utc: bool) -> Vec<Stored> {
    each::<T>(array, |count| match as_datetime::<T>(count) {
        Some(moment) if in_utc => Value::Instant(moment.and_utc()),
        Some(moment) => Value::WallClock(moment),
        None => Value::Integer(count),
    })
}
