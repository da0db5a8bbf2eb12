//! Files within the limits, and files that would exceed them.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::basic::Encoding;
use parquet::errors::Result;
use parquet::file::properties::{WriterProperties, WriterVersion};
use proptest::prelude::*;
use sports_tables::bounded::testing::bombs;
use sports_tables::bounded::{Limits, ParquetFile};

const LIMITS: Limits = Limits { columns: 100, rows: 10_000, bytes: 64 << 20 };

/// Returns the number of rows in a file, and the size of its largest batch in bytes.
fn read(bytes: Vec<u8>) -> Result<(usize, usize)> {
    let file = ParquetFile::open(Bytes::from(bytes), ArrowReaderOptions::new(), LIMITS)?;
    file.batches()?.try_fold((0, 0), |(rows, most), batch| {
        let batch = batch?;
        Ok((rows + batch.num_rows(), most.max(batch.get_array_memory_size())))
    })
}

fn good() -> Vec<u8> {
    written(WriterProperties::new())
}

fn written(properties: WriterProperties) -> Vec<u8> {
    let numbers = Arc::new(Int64Array::from_iter_values(0..5000)) as ArrayRef;
    let texts = Arc::new(StringArray::from_iter_values((0..5000).map(|number| format!("team {number}")))) as ArrayRef;
    let batch = RecordBatch::try_from_iter([("a", numbers), ("b", texts)]).expect("a batch");
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).expect("a writer");
    writer.write(&batch).expect("written");
    writer.into_inner().expect("closed")
}

#[test]
fn a_file_of_the_usual_size_is_read_whole() {
    assert_eq!(read(good()).expect("reads").0, 5000);
}

#[test]
fn a_file_that_decodes_to_more_than_the_limits_is_refused() {
    for (what, bytes) in bombs() {
        assert!(bytes.len() < 4 << 20, "{what}: {} bytes", bytes.len());
        let refused = read(bytes).expect_err(what).to_string();
        assert!(!refused.is_empty(), "{what}");
    }
}

#[test]
fn a_page_larger_than_its_column_is_refused_before_it_is_decompressed() {
    let bytes = good();
    // The first header: the type, then the decompressed size, which is a number of several bytes.
    let mut spoilt = bytes.clone();
    assert_eq!(spoilt[4..6], [0x15, 0x04], "a dictionary's page");
    let size = 7..7 + spoilt[7..].iter().position(|byte| byte & 0x80 == 0).expect("an end") + 1;
    let mut largest = vec![0xff; size.len()];
    *largest.last_mut().expect("a byte") = 0x7e | 1;
    spoilt.splice(size, largest);
    let refused = read(spoilt).expect_err("too large").to_string();
    assert!(refused.contains("larger than its column"), "{refused}");
}

#[test]
fn texts_counted_only_in_their_pages_are_refused_before_memory_is_allocated() {
    let encoded = |version, encoding| {
        let properties = WriterProperties::builder().set_writer_version(version).set_dictionary_enabled(false);
        written(properties.set_column_encoding("b".into(), encoding).build())
    };
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        for encoding in [Encoding::DELTA_BYTE_ARRAY, Encoding::DELTA_LENGTH_BYTE_ARRAY] {
            let refused = read(encoded(version, encoding)).expect_err("refused").to_string();
            assert!(refused.contains("DELTA_BYTE_ARRAY"), "{refused}");
        }
        assert_eq!(read(encoded(version, Encoding::PLAIN)).expect("reads").0, 5000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A file with some bytes changed decodes within the limits or is refused.
    #[test]
    fn damaged_files_decode_within_the_limits(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = good();
        let length = bytes.len();
        for (index, byte) in changes {
            // Most metadata of a file is at its end.
            bytes[length - 1 - index.index(length.min(2000))] = byte;
        }
        let read = std::panic::catch_unwind(|| read(bytes));
        if let Ok(Ok((rows, most))) = read {
            prop_assert!(rows <= LIMITS.rows && most <= LIMITS.bytes);
        }
    }
}
