use arrow_array::RecordBatch;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use sports_bounded_parquet::{Limits, ParquetFile};
use sports_domain::{Market, ModelName, ModelSet, Probability, Season};
use sports_publication::season_table::{GAME_ID, RowValues, SEASON, SEASON_COLUMNS, SeasonColumn};
use sports_publication::{ArchivedGame, SeasonArchive, Value};

use crate::arrays::Column;
use crate::{CodecError, EXTRA, MODEL};

/// The limits of an archive: ten times the games of the longest seasons, and many extra columns.
const LIMITS: Limits = Limits { columns: 1_200, rows: 60_000, bytes: 256 << 20 };

/// The columns of every archive that a table of a release may lack.
const ALWAYS_STORED: [&str; 2] = [GAME_ID.name, "former_starts"];

/// Decodes an archive. Any other bytes are an error, never a panic.
pub fn archive(market: Market, season: Season, bytes: Bytes) -> Result<SeasonArchive, CodecError> {
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
        Ok(Self { known, own, extras })
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
