use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use sports_bounded_parquet::{Limits, ParquetFile};
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, GameType, HomeSpread, LineColumn, Market, ModelColumn,
    OutOfReach, Probability, Season, TeamSlug, Total, within_reach,
};
use sports_publication::{
    ArchivedGame, ExtraValue, Extras, ForecastOrigin, ForecastRecord, GameFacts, ProbabilitySource, SeasonArchive,
    columns,
};

use crate::EXTRA;
use crate::codec::Reason;

/// What an archive has at most: ten times the games of the longest seasons, and a publisher's own columns.
const LIMITS: Limits = Limits { columns: 1_200, rows: 60_000, bytes: 256 << 20 };

/// Reads an archive; anything that is not one is an error, never a panic.
pub fn archive(market: Market, season: Season, bytes: Bytes) -> Result<SeasonArchive, Reason> {
    let file = ParquetFile::open(bytes, ArrowReaderOptions::new(), LIMITS)?;
    let label = season.to_string();
    let mut games = Vec::new();
    for batch in file.batches()? {
        let batch = Columns::from_batch(&batch?)?;
        for row in 0..batch.rows {
            if batch.season.text(row) != Some(label.as_str()) {
                return Err(format!("a row of another season in the archive of {label}").into());
            }
            games.push(batch.game(row)?);
        }
    }
    Ok(SeasonArchive::new(market, season, games)?)
}

/// A column that may be absent: every value is then missing.
struct Column(Option<ArrayRef>);

impl Column {
    fn text(&self, row: usize) -> Option<&str> {
        let array = self.0.as_ref()?.as_string_opt::<i32>()?;
        array.is_valid(row).then(|| array.value(row))
    }

    fn owned(&self, row: usize) -> Option<String> {
        self.text(row).map(str::to_owned)
    }

    fn integer(&self, row: usize) -> Option<i32> {
        let array = self.0.as_ref()?.as_primitive_opt::<Int32Type>()?;
        array.is_valid(row).then(|| array.value(row))
    }

    fn float(&self, row: usize) -> Option<f64> {
        let array = self.0.as_ref()?.as_primitive_opt::<Float64Type>()?;
        array.is_valid(row).then(|| array.value(row))
    }

    fn date(&self, row: usize) -> Result<Option<NaiveDate>, OutOfReach> {
        let days = self.0.as_ref().and_then(|array| array.as_primitive_opt::<Date32Type>());
        let days = days.filter(|array| array.is_valid(row)).map(|array| array.value(row).into());
        let date = |days| NaiveDate::default().checked_add_signed(TimeDelta::days(days)).ok_or(OutOfReach);
        days.map(|days| within_reach(date(days)?)).transpose()
    }

    fn instant(&self, row: usize) -> Result<Option<DateTime<Utc>>, OutOfReach> {
        let micros = self.0.as_ref().and_then(|array| array.as_primitive_opt::<TimestampMicrosecondType>());
        let micros = micros.filter(|array| array.is_valid(row)).map(|array| array.value(row));
        let instant = |micros| DateTime::from_timestamp_micros(micros).ok_or(OutOfReach);
        micros.map(|micros| within_reach(instant(micros)?)).transpose()
    }

    fn extra(&self, row: usize) -> Result<Option<ExtraValue>, Reason> {
        let Some(array) = self.0.as_ref().filter(|array| array.is_valid(row)) else { return Ok(None) };
        Ok(match array.data_type() {
            DataType::Boolean => Some(ExtraValue::Flag(array.as_boolean().value(row))),
            DataType::Int64 => Some(ExtraValue::Integer(array.as_primitive::<Int64Type>().value(row))),
            DataType::Float64 => match array.as_primitive::<Float64Type>().value(row) {
                number if number.is_finite() => Some(ExtraValue::Number(number)),
                number => return Err(format!("row {row}: a column of the publisher's holds {number}").into()),
            },
            _ => self.owned(row).map(ExtraValue::Text),
        })
    }
}

/// The columns of one batch, each looked up by name once.
struct Columns {
    rows: usize,
    date: Column,
    time: Column,
    season: Column,
    game_type: Column,
    away: Column,
    home: Column,
    game_number: Column,
    match_id: Column,
    away_score: Column,
    home_score: Column,
    settlement_status: Column,
    quote_source: Column,
    lines: [Column; LineColumn::ALL.len()],
    models: [Column; ModelColumn::FORECASTS.len()],
    forecast_source: Column,
    forecast_run: Column,
    forecast_published_at: Column,
    probability_source: Column,
    training_through: Column,
    reconstruction_method: Column,
    extras: Vec<(String, Column)>,
}

impl Columns {
    fn from_batch(batch: &RecordBatch) -> Result<Self, Reason> {
        let column = |name: &str| Column(batch.column_by_name(name).cloned());
        let schema = batch.schema();
        let extras = schema.fields().iter().filter(|field| field.metadata().contains_key(EXTRA));
        for name in [columns::DATE, columns::AWAY_TEAM, columns::HOME_TEAM, columns::SEASON] {
            batch.column_by_name(name).ok_or_else(|| format!("column {name} is missing"))?;
        }
        Ok(Self {
            rows: batch.num_rows(),
            date: column(columns::DATE),
            time: column(columns::TIME),
            season: column(columns::SEASON),
            game_type: column(columns::GAME_TYPE),
            away: column(columns::AWAY_TEAM),
            home: column(columns::HOME_TEAM),
            game_number: column(columns::GAME_NUMBER),
            match_id: column(columns::MATCH_ID),
            away_score: column(columns::AWAY_SCORE),
            home_score: column(columns::HOME_SCORE),
            settlement_status: column(columns::SETTLEMENT_STATUS),
            quote_source: column(columns::QUOTE_SOURCE),
            lines: LineColumn::ALL.map(|line| column(line.name())),
            models: ModelColumn::FORECASTS.map(|model| column(model.name())),
            forecast_source: column(columns::FORECAST_SOURCE),
            forecast_run: column(columns::FORECAST_RUN),
            forecast_published_at: column(columns::FORECAST_PUBLISHED_AT),
            probability_source: column(columns::PROBABILITY_SOURCE),
            training_through: column(columns::TRAINING_THROUGH),
            reconstruction_method: column(columns::RECONSTRUCTION_METHOD),
            extras: extras.map(|field| (field.name().clone(), column(field.name()))).collect(),
        })
    }

    fn game(&self, row: usize) -> Result<ArchivedGame, Reason> {
        let missing = |name: &str| format!("row {row}: {name} is missing");
        let team = |column: &Column, name| {
            Ok::<_, Reason>(TeamSlug::normalise(column.text(row).ok_or_else(|| missing(name))?)?)
        };
        let key = GameKey {
            date: self.date.date(row)?.ok_or_else(|| missing(columns::DATE))?,
            time: self.time.text(row).map(str::parse).transpose()?,
            away: team(&self.away, columns::AWAY_TEAM)?,
            home: team(&self.home, columns::HOME_TEAM)?,
            game_number: self.game_number.integer(row).map(u8::try_from).transpose()?,
        };
        let score = match (self.away_score.integer(row), self.home_score.integer(row)) {
            (Some(away), Some(home)) => Some(FinalScore { away: away.try_into()?, home: home.try_into()? }),
            _ => None,
        };
        let facts = GameFacts {
            key,
            match_id: self.match_id.owned(row),
            game_type: GameType::from_word(self.game_type.text(row).unwrap_or_default()),
            score,
            settlement_status: self.settlement_status.owned(row),
            lines: self.lines(row)?,
            quote_source: self.quote_source.owned(row),
            extras: self.extras(row)?,
        };
        Ok(ArchivedGame { facts, forecast: self.forecast(row)? })
    }

    fn lines(&self, row: usize) -> Result<GameLines, Reason> {
        let mut lines = GameLines::default();
        for (line, column) in LineColumn::ALL.into_iter().zip(&self.lines) {
            if line.holds_prices() {
                lines.set_price(line, column.integer(row).map(AmericanPrice::new).transpose()?);
            } else if let Some(points) = column.float(row) {
                set_points(&mut lines, line, points)?;
            }
        }
        Ok(lines)
    }

    fn forecast(&self, row: usize) -> Result<ForecastRecord, Reason> {
        let mut forecasts = Forecasts::default();
        for (model, column) in ModelColumn::FORECASTS.into_iter().zip(&self.models) {
            if let Some(probability) = column.float(row) {
                forecasts = forecasts.with(model, Probability::new(probability)?);
            }
        }
        let run = self.forecast_run.owned(row);
        let origin = match self.forecast_source.text(row) {
            Some("live") => Some(ForecastOrigin::Live { run, published_at: self.forecast_published_at.instant(row)? }),
            Some("walk_forward") => Some(ForecastOrigin::WalkForward { run }),
            Some(other) => return Err(format!("row {row}: forecast_source is `{other}`").into()),
            None => None,
        };
        let source = self.probability_source.text(row);
        Ok(ForecastRecord {
            forecasts,
            origin,
            probability_source: ProbabilitySource::ALL.into_iter().find(|known| Some(known.word()) == source),
            training_through: self.training_through.owned(row),
            reconstruction_method: self.reconstruction_method.owned(row),
        })
    }

    fn extras(&self, row: usize) -> Result<Extras, Reason> {
        let mut extras = Extras::default();
        for (name, column) in &self.extras {
            if let Some(value) = column.extra(row)? {
                extras.insert(name.clone(), value);
            }
        }
        Ok(extras)
    }
}

/// Home and away spreads are one value under two names; the home one is read.
fn set_points(lines: &mut GameLines, column: LineColumn, points: f64) -> Result<(), Reason> {
    match column {
        LineColumn::HomePointSpread => lines.spread = Some(HomeSpread::new(points)?),
        LineColumn::OpenHomePointSpread => lines.open_spread = Some(HomeSpread::new(points)?),
        LineColumn::OverUnder => lines.total = Some(Total::new(points)?),
        LineColumn::OpenOverUnder => lines.open_total = Some(Total::new(points)?),
        _ => {}
    }
    Ok(())
}
