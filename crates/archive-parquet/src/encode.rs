use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use sports_publication::SeasonArchive;
use sports_publication::season_table::{ArchiveColumn, GAME_ID};

use crate::CodecError;
use crate::arrays::Stored;
use crate::{EXTRA, MODEL};

/// Encodes an archive. Equal archives have equal bytes.
pub fn archive(archive: &SeasonArchive) -> Result<Vec<u8>, CodecError> {
    let season = archive.season().to_string();
    let columns = ArchiveColumn::stored(archive).into_iter().map(|column| {
        let values = archive.games().iter().map(|game| column.stored_value(game, &season));
        match &column {
            ArchiveColumn::Known(known) => field(column.name(), Stored::from(known.kind).array(values)),
            ArchiveColumn::Own(model) => marked(MODEL, field(model.as_str(), Stored::Numbers.array(values))),
            ArchiveColumn::Extra { name, kind } => marked(EXTRA, field(name, Stored::from(*kind).array(values))),
        }
    });
    write(columns.collect())
}

fn marked(key: &str, (field, array): (Field, ArrayRef)) -> (Field, ArrayRef) {
    (field.with_metadata(HashMap::from([(key.into(), "true".into())])), array)
}

/// Returns a column with its name.
pub fn field(name: &str, array: ArrayRef) -> (Field, ArrayRef) {
    (Field::new(name, array.data_type().clone(), true), array)
}

/// Encodes columns as a Parquet file.
fn write(columns: Vec<(Field, ArrayRef)>) -> Result<Vec<u8>, CodecError> {
    let (fields, arrays): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?;
    let mut writer = writer(Vec::new(), &batch.schema())?;
    writer.write(&batch)?;
    Ok(writer.into_inner()?)
}

/// Returns a writer of a Parquet file.
pub fn writer(bytes: Vec<u8>, schema: &SchemaRef) -> Result<ArrowWriter<Vec<u8>>, CodecError> {
    let properties = WriterProperties::builder()
        // Zstandard saves a sixth of the bytes, and its contexts, one a column, cost a sixth of a publish.
        .set_compression(Compression::SNAPPY)
        // Each game has its own: a dictionary would repeat the column.
        .set_column_dictionary_enabled(ColumnPath::from(GAME_ID.name), false)
        .set_created_by("sports-archive-parquet".to_owned())
        .build();
    Ok(ArrowWriter::try_new(bytes, Arc::clone(schema), Some(properties))?)
}
