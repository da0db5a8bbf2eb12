use bytes::Bytes;
use sports_ports::PortError;
use sports_ports::tables::{TableColumn, TableFormat};

use crate::ParquetArchives;
use crate::arrays::Stored;
use crate::codec::PORT;
use crate::encode::{field, write};

impl TableFormat for ParquetArchives {
    fn encode(&self, columns: Vec<TableColumn<'_>>) -> Result<Bytes, PortError> {
        let columns = columns
            .into_iter()
            .map(|column| field(column.name, Stored::from(column.kind).array(column.values.into_iter())));
        write(columns.collect()).map(Bytes::from).map_err(|reason| PortError::corrupt(PORT, reason))
    }
}

#[cfg(test)]
mod tests {
    use sports_publication::{Value, ValueKind};

    use super::*;

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let table = vec![
            TableColumn { name: "a", kind: ValueKind::Integer, values: vec![Some(Value::Integer(1)), None] },
            TableColumn { name: "b", kind: ValueKind::Text, values: vec![Some(Value::Text("x"))] },
        ];
        assert!(matches!(TableFormat::encode(&ParquetArchives, table), Err(PortError::Corrupt { .. })));
    }
}
