use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Type;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::ColumnDescPtr;

use crate::bounded::pages::GuardedPages;
use crate::bounded::thrift::{Malformed, Visitor, visit};

/// The limit for the decompressed size of all pages, in bytes, as stated in the footer.
const PAGES: i64 = 64 << 20;

/// The limit for a batch of rows, in bytes, estimated from the sizes of its pages.
const BATCH: i64 = 128 << 20;

/// The maximum number of rows in a batch, and the maximum width of a decimal, in bytes.
const ROWS: i64 = 8192;

const WIDEST: i32 = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of columns.
    pub columns: usize,
    /// The maximum number of rows.
    pub rows: usize,
    /// The maximum size of decoded columns, in bytes.
    pub bytes: usize,
}

/// A Parquet file whose footer was read and checked.
#[derive(Debug)]
pub struct ParquetFile {
    bytes: Bytes,
    metadata: ArrowReaderMetadata,
    limits: Limits,
}

impl ParquetFile {
    /// Reads and checks the footer of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a Parquet file, or if the file exceeds the limits.
    pub fn open(bytes: Bytes, options: ArrowReaderOptions, limits: Limits) -> Result<Self> {
        check_footer(&bytes, limits.columns)?;
        let metadata = ArrowReaderMetadata::load(&bytes, options)?;
        let mut columns = metadata.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns);
        let pages = columns.try_fold(0_i64, |sum, column| {
            Some(column.uncompressed_size()).filter(|size| *size >= 0).and_then(|size| sum.checked_add(size))
        });
        match pages {
            Some(pages) if pages <= PAGES => Ok(Self { bytes, metadata, limits }),
            _ => Err(ParquetError::General(format!(
                "its columns are larger than {} MiB when they are decompressed, the most that is read",
                PAGES >> 20
            ))),
        }
    }

    /// Returns the metadata in the footer.
    pub fn metadata(&self) -> &ParquetMetaData {
        self.metadata.metadata()
    }

    /// Returns the schema of the columns.
    pub fn schema(&self) -> &SchemaRef {
        self.metadata.schema()
    }

    /// Returns the rows in batches.
    ///
    /// # Errors
    ///
    /// Returns an error if a column holds lists, structures or wide binary values, whose decoded size has no bound.
    pub fn batches(self) -> Result<Batches> {
        let columns = self.metadata.parquet_schema().columns();
        if let Some(column) = columns.iter().find(|column| !is_plain(column)) {
            return Err(ParquetError::General(format!("column {} holds no single values", column.path())));
        }
        let growing = self.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns);
        let growing = growing.filter(|column| column.column_type() == Type::BYTE_ARRAY);
        let rows = (BATCH / growing.map(ColumnChunkMetaData::uncompressed_size).sum::<i64>().max(1)).clamp(1, ROWS);
        let pages = GuardedPages::from_file(self.bytes, self.metadata.metadata());
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(pages, self.metadata)
            .with_batch_size(usize::try_from(rows).unwrap_or(1))
            .build()?;
        Ok(Batches { reader, limits: self.limits, left: self.limits })
    }
}

fn is_plain(column: &ColumnDescPtr) -> bool {
    let is_wide = column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY && column.type_length() > WIDEST;
    column.path().parts().len() == 1 && column.max_rep_level() == 0 && !is_wide
}

/// The batches of a file's rows.
#[derive(Debug)]
pub struct Batches {
    reader: ParquetRecordBatchReader,
    limits: Limits,
    left: Limits,
}

impl Batches {
    fn count(&mut self, batch: &RecordBatch) -> Result<()> {
        let too_much =
            |limit: String| ParquetError::General(format!("it has more than {limit}, the most that is read"));
        let Limits { rows, bytes, .. } = self.limits;
        let rows_left = self.left.rows.checked_sub(batch.num_rows());
        self.left.rows = rows_left.ok_or_else(|| too_much(format!("{rows} rows")))?;
        let bytes_left = self.left.bytes.checked_sub(batch.get_array_memory_size());
        self.left.bytes = bytes_left.ok_or_else(|| too_much(format!("{} MiB of values", bytes >> 20)))?;
        Ok(())
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.reader.next()?;
        Some(batch.map_err(ParquetError::from).and_then(|batch| self.count(&batch).map(|()| batch)))
    }
}

/// The limit for a footer, in bytes. A footer with some hundred columns and row groups is smaller.
const LARGEST: usize = 1 << 20;

/// The size of a file's end: the footer's length and the magic bytes.
const TAIL: usize = 8;

/// The path of the list of schema elements in a file's metadata, and of an element's number of children.
const SCHEMA: [i16; 1] = [2];

const CHILDREN: [i16; 2] = [2, 5];

/// Checks a file's footer before it is decoded.
///
/// # Errors
///
/// Returns an error if the footer is malformed, or declares more than `columns` columns, or nested columns.
pub fn check_footer(file: &[u8], columns: usize) -> Result<()> {
    let general = |reason: String| Err(ParquetError::General(reason));
    let Some((before, tail)) = file.len().checked_sub(TAIL).map(|at| file.split_at(at)) else {
        return general("it is too short".to_owned());
    };
    let length = usize::try_from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]])).unwrap_or(usize::MAX);
    if length > LARGEST {
        return general(format!("its footer has {length} bytes, and no more than {LARGEST} are read"));
    }
    let Some(start) = before.len().checked_sub(length) else {
        return general("its footer is larger than the file".to_owned());
    };
    let mut schema = Schema { elements: 0, children: Vec::new(), columns };
    match visit(&before[start..], &mut schema) {
        Err(Malformed) if schema.elements > columns + 1 => {
            general(format!("it has more than {columns} columns, the most that are read"))
        }
        Err(Malformed) => general("its footer cannot be read".to_owned()),
        Ok(_) if !schema.is_consistent() => general("its schema does not add up".to_owned()),
        Ok(_) => Ok(()),
    }
}

/// The schema in a footer, as far as it is checked.
struct Schema {
    elements: usize,
    /// The number of children of each element that has any.
    children: Vec<i64>,
    columns: usize,
}

impl Schema {
    /// Returns `true` if the elements declare no more children than exist: the library allocates memory for the
    /// declared number.
    fn is_consistent(&self) -> bool {
        let declared = self
            .children
            .iter()
            .try_fold(0_i64, |sum, children| if *children < 0 { None } else { sum.checked_add(*children) });
        declared.and_then(|declared| usize::try_from(declared).ok()).is_some_and(|sum| sum < self.elements.max(1))
    }
}

impl Visitor for Schema {
    fn list(&mut self, path: &[i16], size: usize) -> std::result::Result<(), Malformed> {
        if path == SCHEMA {
            self.elements += size;
            // Groups are elements, too. A few are accepted here, and refused later by their names.
            if self.elements > self.columns + 1 {
                return Err(Malformed);
            }
        }
        Ok(())
    }

    fn number(&mut self, path: &[i16], number: i64) {
        if path == CHILDREN {
            self.children.push(number);
        }
    }
}
