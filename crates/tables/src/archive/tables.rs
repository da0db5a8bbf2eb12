use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use sports_ports::PortError;
use sports_ports::tables::{ColumnHead, TableColumn, TableFormat, TableParts};
use sports_publication::{Value, ValueKind};

use crate::archive::arrays::Stored;
use crate::archive::codec::{PORT, field, writer};
use crate::archive::{CodecError, ParquetArchives};

/// A table in the making. Its pages are encoded as parts arrive, in one row group.
struct ParquetParts {
    schema: SchemaRef,
    kinds: Vec<ValueKind>,
    writer: ArrowWriter<Vec<u8>>,
}

impl TableFormat for ParquetArchives {
    fn begin(&self, heads: &[ColumnHead]) -> Result<Box<dyn TableParts>, PortError> {
        let fields = heads.iter().map(|head| field(&head.name, Stored::in_a_table(head.kind).array([].into_iter())).0);
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let writer = writer(Vec::new(), &schema).map_err(|reason| PortError::corrupt(PORT, reason))?;
        Ok(Box::new(ParquetParts { schema, kinds: heads.iter().map(|head| head.kind).collect(), writer }))
    }
}

impl TableParts for ParquetParts {
    fn add(&mut self, columns: Vec<TableColumn<'_>>) -> Result<(), PortError> {
        let failed = |reason: CodecError| PortError::corrupt(PORT, reason);
        let names = self.schema.fields().iter().map(|field| field.name().as_str());
        if !names.eq(columns.iter().map(|column| column.name)) {
            return Err(PortError::corrupt(PORT, "a part with other columns than its table"));
        }
        let arrays = columns.iter().zip(&self.kinds).map(|(column, kind)| {
            Stored::in_a_table(*kind).array(column.values.iter().map(|value| value.as_ref().map(Value::borrowed)))
        });
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays.collect());
        let written = batch.map_err(CodecError::from).and_then(|batch| Ok(self.writer.write(&batch)?));
        written.map_err(failed)
    }

    fn finish(self: Box<Self>) -> Result<Bytes, PortError> {
        self.writer.into_inner().map(Bytes::from).map_err(|reason| PortError::corrupt(PORT, reason))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use arrow_array::Array;
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::{Date32Type, Float64Type, Int64Type, Time64MicrosecondType, TimestampMicrosecondType};
    use arrow_schema::{DataType, TimeUnit};
    use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use sports_publication::ValueKind;
    use sports_testkit::tables::{ReadColumns, contract};

    use super::*;

    #[test]
    fn parquet_keeps_the_contract_of_tables() {
        contract(&ParquetArchives, read);
    }

    fn read(file: &[u8]) -> ReadColumns {
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::copy_from_slice(file)).expect("Parquet");
        let names: Vec<_> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        let mut columns: ReadColumns = names.into_iter().map(|name| (name, Vec::new())).collect();
        for batch in reader.build().expect("a reader") {
            for ((_, values), array) in columns.iter_mut().zip(batch.expect("rows").columns()) {
                let cell = |row| array.is_valid(row).then(|| value(array, row).written().into_owned());
                values.extend((0..array.len()).map(cell));
            }
        }
        columns
    }

    fn value(array: &dyn Array, row: usize) -> Value<&str> {
        let instant = || array.as_primitive::<TimestampMicrosecondType>().value_as_datetime(row).expect("an instant");
        match array.data_type() {
            DataType::Boolean => Value::Flag(array.as_boolean().value(row)),
            DataType::Int64 => Value::Integer(array.as_primitive::<Int64Type>().value(row)),
            DataType::Float64 => Value::Number(array.as_primitive::<Float64Type>().value(row)),
            DataType::Utf8 => Value::Text(array.as_string::<i32>().value(row)),
            DataType::Date32 => Value::Date(array.as_primitive::<Date32Type>().value_as_date(row).expect("a date")),
            DataType::Time64(_) => {
                Value::Time(array.as_primitive::<Time64MicrosecondType>().value_as_time(row).expect("a time"))
            }
            DataType::Timestamp(_, None) => Value::WallClock(instant()),
            DataType::Timestamp(_, Some(_)) => Value::Instant(instant().and_utc()),
            other => panic!("a column of {other}"),
        }
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let table = vec![
            TableColumn { name: "a", kind: ValueKind::Integer, values: vec![Some(Value::Integer(1)), None] },
            TableColumn { name: "b", kind: ValueKind::Text, values: vec![Some(Value::Text("x".into()))] },
        ];
        assert!(matches!(TableFormat::encode(&ParquetArchives, table), Err(PortError::Corrupt { .. })));
    }

    #[test]
    fn each_kind_has_its_own_type_even_in_a_table_without_values() {
        let instant: DateTime<Utc> = "2024-09-08T17:05:00.25Z".parse().expect("an instant");
        let time = NaiveTime::from_hms_milli_opt(23, 59, 59, 1_500).expect("a leap second");
        let date: NaiveDate = "2024-09-08".parse().expect("a date");
        let micros = TimeUnit::Microsecond;
        let table: [(&str, Value<Cow<'_, str>>, DataType, &str); 8] = [
            ("flag", Value::Flag(true), DataType::Boolean, "true"),
            ("integer", Value::Integer(-110), DataType::Int64, "-110"),
            ("number", Value::Number(0.5), DataType::Float64, "0.5"),
            ("text", Value::Text("=1".into()), DataType::Utf8, "=1"),
            ("date", Value::Date(date), DataType::Date32, "2024-09-08"),
            ("time", Value::Time(time), DataType::Time64(micros), "23:59:59.999999"),
            (
                "clock",
                Value::WallClock(instant.naive_utc()),
                DataType::Timestamp(micros, None),
                "2024-09-08T17:05:00.250",
            ),
            (
                "instant",
                Value::Instant(instant),
                DataType::Timestamp(micros, Some("UTC".into())),
                "2024-09-08T17:05:00.250",
            ),
        ];
        for rows in [0, 1] {
            let columns = table.iter().map(|(name, value, ..)| TableColumn {
                name,
                kind: value.kind(),
                values: vec![Some(value.clone()); rows],
            });
            let file = TableFormat::encode(&ParquetArchives, columns.collect()).expect("a table");
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
            let types: Vec<_> = reader.schema().fields().iter().map(|field| field.data_type().clone()).collect();
            assert_eq!(types, table.each_ref().map(|(_, _, data_type, _)| data_type.clone()));
            let batches: Vec<_> = reader.build().expect("a reader").map(|batch| batch.expect("rows")).collect();
            assert_eq!(batches.iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>(), rows);
            for batch in batches {
                for ((name, .., written), array) in table.iter().zip(batch.columns()) {
                    assert!(format!("{array:?}").contains(written), "{name}: {array:?}");
                }
            }
        }
    }
}
