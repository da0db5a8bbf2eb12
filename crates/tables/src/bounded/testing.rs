//! Small files, such as those that decode to far more than their size.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};

/// Returns files that would exhaust the memory, each with a description.
///
/// # Panics
///
/// Panics if a file cannot be written.
pub fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a long text that a dictionary has once", dictionary()),
        ("rows without number", rows()),
        ("columns without number", columns()),
        ("a column that grows when it is decompressed", pages()),
        ("a schema of billions of children", schema()),
    ]
}

/// Returns a compressed file with one row: a text in the column `name`.
///
/// # Panics
///
/// Panics if the file cannot be written.
pub fn one_text(name: &str, text: &str) -> Vec<u8> {
    let column = Arc::new(StringArray::from(vec![text])) as ArrayRef;
    written(&batch([(name.to_owned(), column)]), 1, compressed().build())
}

fn compressed() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()))
}

fn written(batch: &RecordBatch, times: usize, properties: WriterProperties) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).expect("a writer");
    for _ in 0..times {
        writer.write(batch).expect("written");
    }
    writer.into_inner().expect("closed")
}

fn batch(columns: impl IntoIterator<Item = (String, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).expect("columns of one length")
}

fn texts(length: usize, rows: usize) -> RecordBatch {
    let text = "x".repeat(length);
    batch([("date".to_owned(), Arc::new(StringArray::from(vec![text.as_str(); rows])) as ArrayRef)])
}

fn dictionary() -> Vec<u8> {
    let limit = 2 << 20;
    written(&texts(1 << 20, 100), 40, compressed().set_dictionary_page_size_limit(limit).build())
}

fn rows() -> Vec<u8> {
    let ones = Arc::new(Int64Array::from_value(1, 1 << 20)) as ArrayRef;
    let columns = ["a", "b", "c"].map(|name| (name.to_owned(), Arc::clone(&ones)));
    written(&batch(columns), 64, compressed().build())
}

fn columns() -> Vec<u8> {
    let one = Arc::new(Int64Array::from_value(1, 1)) as ArrayRef;
    written(&batch((0..5000).map(|number| (format!("c{number}"), Arc::clone(&one)))), 1, compressed().build())
}

fn pages() -> Vec<u8> {
    let properties = compressed().set_dictionary_enabled(false).set_data_page_size_limit(1 << 30);
    written(&texts(600 << 10, 100), 20, properties.build())
}

/// Returns a file whose root element declares 2^31 - 1 children and has none.
fn schema() -> Vec<u8> {
    let footer = [
        0x15, 0x02, 0x19, 0x1c, 0x48, 0x01, b'm', 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0x00, 0x16, 0x00, 0x19, 0x0c,
        0x00,
    ];
    let length = u32::try_from(footer.len()).unwrap_or_default().to_le_bytes();
    [b"PAR1".as_slice(), &footer, &length, b"PAR1"].concat()
}
