use std::collections::HashMap;
use std::panic::catch_unwind;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use sports_domain::{Market, ModelName, ModelSet, Probability, Season};
use sports_ports::PortError;
use sports_ports::publication::ArchiveCodec;
use sports_publication::season_table::{
    ArchiveColumn, GAME_ID, OPEN_SPREAD_PLACEHOLDER, RECORDED, RowValues, SEASON, SEASON_COLUMNS, SeasonColumn,
};
use sports_publication::{ArchivedGame, ForecastOrigin, ReleaseId, SeasonArchive, Value};

use crate::archive::arrays::{Column, Stored};
use crate::archive::{CodecError, EXTRA, MODEL};
use crate::bounded::{Limits, ParquetFile};

pub(crate) const PORT: &str = "the season archive format";

/// The Parquet format of season archives.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParquetArchives;

impl ArchiveCodec for ParquetArchives {
    fn encode(&self, archive: &SeasonArchive) -> Result<Bytes, PortError> {
        encode(archive).map(Bytes::from).map_err(|reason| PortError::corrupt(PORT, reason))
    }

    fn decode(&self, market: Market, season: Season, bytes: Bytes) -> Result<SeasonArchive, PortError> {
        // The parquet crate panics on damaged lengths in a file, because it uses them to slice.
        let decoded = catch_unwind(|| decode(market, season, bytes))
            .unwrap_or_else(|_| Err("the file's lengths do not fit its content".into()));
        decoded.map_err(|reason| PortError::corrupt(PORT, reason))
    }
}

/// Encodes an archive. Equal archives have equal bytes.
pub fn encode(archive: &SeasonArchive) -> Result<Vec<u8>, CodecError> {
    let season = archive.season().to_string();
    let columns = ArchiveColumn::stored(archive).into_iter();
    // Where it follows from the rest, the bytes stay those of archives from before the column.
    let follows = |game: &ArchivedGame| game.forecast.recorded == names_its_release(game.forecast.origin.as_ref());
    let is_left_out = archive.games().iter().all(follows);
    let has_placeholders = archive.games().iter().any(|game| game.facts.lines.open_spread_placeholder.0);
    let is_kept = |column: &ArchiveColumn| match column.name() {
        name if name == RECORDED.name => !is_left_out,
        name if name == OPEN_SPREAD_PLACEHOLDER.name => has_placeholders,
        _ => true,
    };
    let columns = columns.filter(is_kept).map(|column| {
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
        // Part of the bytes, so that a season that does not change keeps its name.
        .set_created_by("sports-archive-parquet".to_owned())
        .build();
    Ok(ArrowWriter::try_new(bytes, Arc::clone(schema), Some(properties))?)
}

/// The limits of an archive: ten times the games of the longest seasons, and many extra columns.
const LIMITS: Limits = Limits { columns: 1_200, rows: 60_000, bytes: 256 << 20 };

/// The columns of every archive that a table of a release may lack.
const ALWAYS_STORED: [&str; 2] = [GAME_ID.name, "former_starts"];

/// Decodes an archive. Any other bytes are an error, never a panic.
pub fn decode(market: Market, season: Season, bytes: Bytes) -> Result<SeasonArchive, CodecError> {
    let file = ParquetFile::open(bytes, ArrowReaderOptions::new(), LIMITS)?;
    let label = season.to_string();
    let (mut games, mut models) = (Vec::new(), ModelSet::default());
    for batch in file.batches()? {
        let batch = batch?;
        let columns = Columns::from_batch(&batch)?;
        games.reserve(batch.num_rows());
        models = columns.models()?;
        for row in 0..batch.num_rows() {
            games.push(columns.game(&label, row).map_err(|reason| format!("row {row}: {reason}"))?);
        }
    }
    let mut archive = SeasonArchive::new(market, season, games)?;
    archive.arrange(models.own().iter().copied())?;
    Ok(archive)
}

/// The columns of a batch, each looked up by name once.
struct Columns<'b> {
    known: Vec<(&'static SeasonColumn, Column<'b>)>,
    own: Vec<(ModelName, Column<'b>)>,
    extras: Vec<(&'b str, Column<'b>)>,
    /// False in an archive whose column `recorded` follows from the rest.
    has_recorded: bool,
}

impl<'b> Columns<'b> {
    fn from_batch(batch: &'b RecordBatch) -> Result<Self, CodecError> {
        let mut known = Vec::new();
        for column in SEASON_COLUMNS.iter().filter(|column| column.is_stored()) {
            match batch.column_by_name(column.name) {
                Some(array) => known.push((column, Column::from_array(array))),
                None if column.is_required() || ALWAYS_STORED.contains(&column.name) => {
                    return Err(format!("column {} is missing", column.name).into());
                }
                None => {}
            }
        }
        let is_known = |name: &str| known.iter().any(|(column, _): &(&SeasonColumn, _)| column.name == name);
        let marked = |key: &'static str| {
            let fields = batch.schema_ref().fields().iter().zip(batch.columns());
            // A publisher's column with the name of a later column of the season table is decoded as that column only.
            let marked = fields.filter(move |(field, _)| field.metadata().contains_key(key));
            marked.filter(|(field, _)| !is_known(field.name()))
        };
        let own = marked(MODEL).map(|(field, array)| Ok((field.name().parse()?, Column::from_array(array))));
        let own = own.collect::<Result<_, CodecError>>()?;
        let extras = marked(EXTRA).map(|(field, array)| (field.name().as_str(), Column::from_array(array))).collect();
        let has_recorded = is_known(RECORDED.name);
        Ok(Self { known, own, extras, has_recorded })
    }

    /// Returns the publisher's own models, in the order of their columns.
    fn models(&self) -> Result<ModelSet, CodecError> {
        Ok(ModelSet::new(self.own.iter().map(|(model, _)| *model))?)
    }

    fn game(&self, season: &str, row: usize) -> Result<ArchivedGame, CodecError> {
        let mut values = RowValues::default();
        for (column, array) in &self.known {
            if let Some(value) = array.value(row)? {
                values.put(column, value);
            }
        }
        if values.get(SEASON) != Some(Value::Text(season)) {
            return Err(format!("a game of another season in the archive of {season}").into());
        }
        if values.get(GAME_ID).is_none() {
            return Err("a game has no game_id".into());
        }
        let mut game = values.game(values.key()?)?;
        if !self.has_recorded {
            game.forecast.recorded = names_its_release(game.forecast.origin.as_ref());
        }
        for (model, array) in &self.own {
            match array.value(row)? {
                Some(Value::Number(probability)) => game.forecast.own.insert(*model, Probability::new(probability)?),
                Some(_) => return Err(format!("{model} has a value that is no number").into()),
                None => {}
            }
        }
        for (name, array) in &self.extras {
            if let Some(value) = array.value(row)? {
                game.facts.extras.insert(*name, value.map_text(Into::into));
            }
        }
        Ok(game)
    }
}

/// Returns true if the run of a live forecast is the name of a release of its instant: where an archive has no column of it, these are
/// the forecasts that a log recorded.
fn names_its_release(origin: Option<&ForecastOrigin>) -> bool {
    let Some(ForecastOrigin::Live { run: Some(run), published_at: Some(at) }) = origin else { return false };
    ReleaseId::is_name_at(run, *at)
}
