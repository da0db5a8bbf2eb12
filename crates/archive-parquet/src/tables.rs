use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{Field, Schema};
use bytes::Bytes;
use sports_ports::PortError;
use sports_ports::tables::{ColumnValues, TableColumn, TableFormat};

use crate::ParquetArchives;
use crate::codec::PORT;
use crate::encode::write;

impl TableFormat for ParquetArchives {
    fn encode(&self, columns: Vec<TableColumn>) -> Result<Bytes, PortError> {
        let (fields, arrays): (Vec<_>, Vec<_>) = columns.into_iter().map(column).unzip();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
        let written = batch.map_err(Into::into).and_then(|batch| write(&batch));
        written.map(Bytes::from).map_err(|reason| PortError::corrupt(PORT, reason))
    }
}

fn column(column: TableColumn) -> (Field, ArrayRef) {
    let array: ArrayRef = match column.values {
        ColumnValues::Flags(values) => Arc::new(BooleanArray::from(values)),
        ColumnValues::Integers(values) => Arc::new(Int64Array::from(values)),
        ColumnValues::Numbers(values) => Arc::new(Float64Array::from(values)),
        ColumnValues::Texts(values) => Arc::new(StringArray::from(values)),
    };
    (Field::new(column.name, array.data_type().clone(), true), array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let column = |name: &str, values| TableColumn { name: name.to_owned(), values };
        let table = vec![
            column("a", ColumnValues::Integers(vec![Some(1), None])),
            column("b", ColumnValues::Texts(vec![Some("x".to_owned())])),
        ];
        assert!(matches!(TableFormat::encode(&ParquetArchives, table), Err(PortError::Corrupt { .. })));
    }
}
