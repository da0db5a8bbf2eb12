use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use bytes::buf::Reader;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};

use crate::bounded::thrift::{Visitor, visit};

/// The bytes of a file. The header of each page is checked before the page is decompressed.
#[derive(Debug, Clone)]
pub struct GuardedPages {
    bytes: Bytes,
    /// The byte range of each column's pages, and their total decompressed size in the footer.
    chunks: Arc<[(Range<u64>, i64)]>,
    /// The start of each page's content. A reader may read there again once it has read the header.
    contents: Arc<Mutex<HashSet<u64>>>,
}

impl GuardedPages {
    /// Creates a guard that compares pages with the file's footer.
    pub fn from_file(bytes: Bytes, metadata: &ParquetMetaData) -> Self {
        let columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
        let chunks = columns.map(|column| {
            let (start, length) = column.byte_range();
            (start..start.saturating_add(length), column.uncompressed_size())
        });
        Self { bytes, chunks: chunks.collect(), contents: Arc::default() }
    }

    /// Checks the header of a page.
    fn check(&self, start: u64) -> Result<()> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        if contents.contains(&start) {
            return Ok(());
        }
        let wrong = |reason: &str| ParquetError::General(reason.to_owned());
        let claimed = self.chunks.iter().filter(|(range, _)| range.contains(&start)).map(|(_, size)| *size).max();
        let claimed = claimed.ok_or_else(|| wrong("a page lies outside of its column"))?;
        let at = usize::try_from(start).ok().filter(|at| *at <= self.bytes.len());
        let mut header = Header::default();
        let length = at.and_then(|at| visit(&self.bytes[at..], &mut header).ok());
        let length = length.ok_or_else(|| wrong("the header of a page cannot be read"))?;
        // A dictionary has no more values than bytes, because each value takes at least one byte.
        if header.size > claimed || header.dictionary_values > header.size {
            return Err(wrong("a page claims to be larger than its column"));
        }
        if header.has_counted_texts {
            return Err(wrong(
                "its texts are written in the encoding DELTA_BYTE_ARRAY or DELTA_LENGTH_BYTE_ARRAY; plain ones and \
                 dictionaries can be read",
            ));
        }
        if header.compressed_size > 0 {
            contents.insert(start + length as u64);
        }
        Ok(())
    }
}

/// The fields of a page's header that are checked.
#[derive(Debug, Default)]
struct Header {
    size: i64,
    compressed_size: i64,
    dictionary_values: i64,
    /// `true` if the content itself declares the number of texts: the library allocates memory for that number, and
    /// no header bounds it.
    has_counted_texts: bool,
}

/// The encodings `DELTA_LENGTH_BYTE_ARRAY` and `DELTA_BYTE_ARRAY`, whose content declares the number of texts.
const COUNTED_TEXTS: [i64; 2] = [6, 7];

impl Visitor for Header {
    fn number(&mut self, path: &[i16], number: i64) {
        match path {
            [2] => self.size = self.size.max(number),
            [3] => self.compressed_size = number,
            // The encoding of a page, in version 1 and in version 2.
            [5, 2] | [8, 4] => self.has_counted_texts |= COUNTED_TEXTS.contains(&number),
            [7, 1] => self.dictionary_values = self.dictionary_values.max(number),
            _ => {}
        }
    }
}

impl Length for GuardedPages {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }
}

impl ChunkReader for GuardedPages {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.check(start)?;
        ChunkReader::get_read(&self.bytes, start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.bytes.get_bytes(start, length)
    }
}
