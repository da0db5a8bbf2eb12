use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray,
};
use arrow_schema::{Field, Schema};
use chrono::{NaiveDate, NaiveTime};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use sports_domain::{LineColumn, LineValue, ModelColumn, Probability, Season};
use sports_publication::{ArchivedGame, ExtraValue, SeasonArchive, columns};

use crate::EXTRA;
use crate::codec::Reason;

/// Writes an archive; equal archives give equal bytes.
pub fn archive(archive: &SeasonArchive) -> Result<Vec<u8>, Reason> {
    let table = Table::from_archive(archive);
    write(&RecordBatch::try_new(Arc::new(Schema::new(table.fields)), table.arrays)?)
}

/// Writes a table as a Parquet file.
pub fn write(batch: &RecordBatch) -> Result<Vec<u8>, Reason> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_created_by("sports-archive-parquet".to_owned())
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties))?;
    writer.write(batch)?;
    writer.close()?;
    Ok(bytes)
}

/// The fields and arrays of an archive, in the order of its columns.
struct Table<'a> {
    games: &'a [ArchivedGame],
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl<'a> Table<'a> {
    fn from_archive(archive: &'a SeasonArchive) -> Self {
        let mut table = Self { games: archive.games(), fields: Vec::new(), arrays: Vec::new() };
        table.key(archive.season());
        table.facts();
        for column in LineColumn::ALL {
            table.line(column);
        }
        for model in ModelColumn::FORECASTS {
            let probability = |game: &ArchivedGame| game.forecast.forecasts.get(model).map(Probability::get);
            table.floats(model.name(), probability);
        }
        table.provenance();
        table.extras();
        table
    }

    fn key(&mut self, season: Season) {
        let dates: Date32Array = self.games.iter().map(|game| Some(days_since_epoch(game.facts.key.date))).collect();
        self.push(columns::DATE, Arc::new(dates));
        self.owned_texts(columns::TIME, |game| game.facts.key.time.map(clock_reading));
        self.owned_texts(columns::SEASON, |_| Some(season.to_string()));
        self.texts(columns::GAME_TYPE, |game| Some(game.facts.game_type.word()));
        self.texts(columns::AWAY_TEAM, |game| Some(game.facts.key.away.as_str()));
        self.texts(columns::HOME_TEAM, |game| Some(game.facts.key.home.as_str()));
        self.integers(columns::GAME_NUMBER, |game| game.facts.key.game_number.map(i32::from));
    }

    fn facts(&mut self) {
        self.texts(columns::MATCH_ID, |game| game.facts.match_id.as_deref());
        self.integers(columns::AWAY_SCORE, |game| game.facts.score.map(|score| i32::from(score.away)));
        self.integers(columns::HOME_SCORE, |game| game.facts.score.map(|score| i32::from(score.home)));
        self.texts(columns::SETTLEMENT_STATUS, |game| game.facts.settlement_status.as_deref());
        self.texts(columns::QUOTE_SOURCE, |game| game.facts.quote_source.as_deref());
    }

    fn line(&mut self, column: LineColumn) {
        if column.holds_prices() {
            self.integers(column.name(), |game| match game.facts.lines.value(column) {
                Some(LineValue::Price(price)) => Some(price.get()),
                Some(LineValue::Points(_)) | None => None,
            });
        } else {
            self.floats(column.name(), |game| match game.facts.lines.value(column) {
                Some(LineValue::Points(points)) => Some(points),
                Some(LineValue::Price(_)) | None => None,
            });
        }
    }

    fn provenance(&mut self) {
        self.texts(columns::FORECAST_SOURCE, |game| Some(game.forecast.origin.as_ref()?.word()));
        self.texts(columns::FORECAST_RUN, |game| game.forecast.origin.as_ref()?.run());
        let published = self.games.iter().map(|game| game.forecast.origin.as_ref()?.published_at());
        let published: TimestampMicrosecondArray = published.map(|at| Some(at?.timestamp_micros())).collect();
        self.push(columns::FORECAST_PUBLISHED_AT, Arc::new(published.with_timezone("UTC")));
        self.texts(columns::PROBABILITY_SOURCE, |game| Some(game.forecast.probability_source?.word()));
        self.texts(columns::TRAINING_THROUGH, |game| game.forecast.training_through.as_deref());
        self.texts(columns::RECONSTRUCTION_METHOD, |game| game.forecast.reconstruction_method.as_deref());
    }

    fn extras(&mut self) {
        let mut names: BTreeMap<&'a str, &'a ExtraValue> = BTreeMap::new();
        for (name, value) in self.games.iter().flat_map(|game| game.facts.extras.iter()) {
            names.entry(name).or_insert(value);
        }
        for (name, sample) in names {
            let values = self.games.iter().map(|game| game.facts.extras.get(name));
            self.push(name, extra_array(sample, values));
            if let Some(field) = self.fields.pop() {
                self.fields.push(field.with_metadata(HashMap::from([(EXTRA.into(), "true".into())])));
            }
        }
    }

    fn push(&mut self, name: &str, array: ArrayRef) {
        self.fields.push(Field::new(name, array.data_type().clone(), true));
        self.arrays.push(array);
    }

    fn texts(&mut self, name: &str, text: impl Fn(&'a ArchivedGame) -> Option<&'a str>) {
        let array: StringArray = self.games.iter().map(text).collect();
        self.push(name, Arc::new(array));
    }

    fn owned_texts(&mut self, name: &str, text: impl Fn(&ArchivedGame) -> Option<String>) {
        let array: StringArray = self.games.iter().map(text).collect();
        self.push(name, Arc::new(array));
    }

    fn integers(&mut self, name: &str, number: impl Fn(&ArchivedGame) -> Option<i32>) {
        let array: Int32Array = self.games.iter().map(number).collect();
        self.push(name, Arc::new(array));
    }

    fn floats(&mut self, name: &str, number: impl Fn(&ArchivedGame) -> Option<f64>) {
        let array: Float64Array = self.games.iter().map(number).collect();
        self.push(name, Arc::new(array));
    }
}

/// An archive gives each extra column one kind, so the first value tells it for all.
fn extra_array<'a>(sample: &ExtraValue, values: impl Iterator<Item = Option<&'a ExtraValue>>) -> ArrayRef {
    match sample {
        ExtraValue::Flag(_) => Arc::new(
            values
                .map(|value| if let Some(ExtraValue::Flag(flag)) = value { Some(*flag) } else { None })
                .collect::<BooleanArray>(),
        ),
        ExtraValue::Integer(_) => Arc::new(
            values
                .map(|value| if let Some(ExtraValue::Integer(n)) = value { Some(*n) } else { None })
                .collect::<Int64Array>(),
        ),
        ExtraValue::Number(_) => Arc::new(
            values
                .map(|value| if let Some(ExtraValue::Number(n)) = value { Some(*n) } else { None })
                .collect::<Float64Array>(),
        ),
        ExtraValue::Text(_) => Arc::new(
            values
                .map(|value| if let Some(ExtraValue::Text(text)) = value { Some(text.as_str()) } else { None })
                .collect::<StringArray>(),
        ),
    }
}

fn days_since_epoch(date: NaiveDate) -> i32 {
    let days = date.signed_duration_since(NaiveDate::default()).num_days();
    i32::try_from(days).unwrap_or(i32::MAX)
}

fn clock_reading(time: NaiveTime) -> String {
    time.format("%H:%M:%S").to_string()
}
