use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::GameKey;
use sports_publication::{ForecastOrigin, ForecastRecord, ProbabilitySource};

use crate::cells::{self, Reading};
use crate::columns::{FORECAST_SOURCES, Field};
use crate::findings::Findings;
use crate::layout::Layout;
use crate::models::ModelColumns;
use crate::table::{InputCell, Row};

/// Since when every live forecast carries its release and its time.
const COMPLETE_SINCE: NaiveDate = match NaiveDate::from_ymd_opt(2026, 10, 3) {
    Some(date) => date,
    None => NaiveDate::MAX,
};

/// Where a file has its probabilities, and what it says of them.
#[derive(Debug)]
pub(crate) struct ForecastColumns {
    models: ModelColumns,
    source: Option<usize>,
    run: Option<usize>,
    published_at: Option<usize>,
    probability_source: Option<usize>,
    training_through: Option<usize>,
    reconstruction_method: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Live,
    WalkForward,
}

impl ForecastColumns {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self {
            models: ModelColumns::in_layout(layout),
            source: layout.find(Field::ForecastSource),
            run: layout.find(Field::ForecastRun),
            published_at: layout.find(Field::ForecastPublishedAt),
            probability_source: layout.find(Field::ProbabilitySource),
            training_through: layout.find(Field::TrainingThrough),
            reconstruction_method: layout.find(Field::ReconstructionMethod),
        }
    }

    /// Reads what a row says of the forecast of `key`; without a key, only what is wrong matters.
    pub(crate) fn read(&self, key: Option<&GameKey>, row: Row<'_>, found: &mut Findings) -> ForecastRecord {
        let probability_source = found.take(row, self.probability_source, probability_source).ok().flatten();
        let origin = self.origin(probability_source, key, row, found);
        self.check_pair(origin.as_ref(), probability_source, row, found);
        ForecastRecord {
            forecasts: self.models.read(row, found),
            origin,
            probability_source,
            training_through: found.take(row, self.training_through, cells::text).ok().flatten(),
            reconstruction_method: found.take(row, self.reconstruction_method, cells::text).ok().flatten(),
        }
    }

    fn origin(
        &self,
        made: Option<ProbabilitySource>,
        key: Option<&GameKey>,
        row: Row<'_>,
        found: &mut Findings,
    ) -> Option<ForecastOrigin> {
        let source = found.take(row, self.source, source);
        let run = found.take(row, self.run, cells::text).ok().flatten();
        let published_at = found.take(row, self.published_at, cells::instant);
        // What was recorded before the game is live, said or not.
        let source = source.ok()?.or_else(|| (made == Some(ProbabilitySource::Recorded)).then_some(Source::Live));
        match source {
            Some(Source::Live) => {
                if let (Ok(published_at), Some(key)) = (published_at, key) {
                    self.check_live(run.as_deref(), published_at, key, row, found);
                }
                Some(ForecastOrigin::Live { run, published_at: published_at.ok().flatten().and_then(as_archived) })
            }
            stated => {
                self.refuse_time(published_at.ok().flatten(), row, found);
                // A run without a word on its kind is a backtest's: live rows always say so.
                (stated.is_some() || run.is_some()).then_some(ForecastOrigin::WalkForward { run })
            }
        }
    }

    /// A live forecast was published before its game started; since [`COMPLETE_SINCE`] every one says
    /// when, and by which release.
    fn check_live(
        &self,
        run: Option<&str>,
        published_at: Option<DateTime<Utc>>,
        key: &GameKey,
        row: Row<'_>,
        found: &mut Findings,
    ) {
        if published_at.is_some_and(|at| key.has_started(at))
            && let Some(column) = self.published_at
        {
            found.cell(row, column, "a time before the game's start: a live forecast is recorded before play");
        }
        if key.date >= COMPLETE_SINCE && (run.is_none() || published_at.is_none()) {
            let missing = if run.is_none() { "forecast_run" } else { "forecast_published_at" };
            let expected = format!("a value: live rows from {COMPLETE_SINCE} on have one");
            found.named_cell(row.number(), missing, None, expected);
        }
    }

    fn check_pair(
        &self,
        origin: Option<&ForecastOrigin>,
        made: Option<ProbabilitySource>,
        row: Row<'_>,
        found: &mut Findings,
    ) {
        let (Some(origin), Some(made), Some(column)) = (origin, made, self.probability_source) else { return };
        let recorded = made == ProbabilitySource::Recorded;
        match origin {
            ForecastOrigin::Live { .. } if !recorded => {
                found.cell(row, column, "`recorded`, as forecast_source is `live`");
            }
            ForecastOrigin::WalkForward { .. } if recorded => {
                found.cell(row, column, "`walk_forward` or `reconstructed_oos`, as forecast_source is `walk_forward`");
            }
            _ => {}
        }
    }

    fn refuse_time(&self, published_at: Option<DateTime<Utc>>, row: Row<'_>, found: &mut Findings) {
        if let (Some(_), Some(column)) = (published_at, self.published_at) {
            found.cell(row, column, "no publication time unless forecast_source is `live`");
        }
    }
}

/// An archive counts microseconds, and no leap seconds: an instant that says more would differ from its own record.
fn as_archived(instant: DateTime<Utc>) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros(instant.timestamp_micros())
}

fn source(cell: InputCell<'_>) -> Reading<Source> {
    let [live, walk_forward] = FORECAST_SOURCES;
    cells::word(cell, &[(live, Source::Live), (walk_forward, Source::WalkForward)])
}

fn probability_source(cell: InputCell<'_>) -> Reading<ProbabilitySource> {
    cells::word(cell, &ProbabilitySource::ALL.map(|source| (source.word(), source)))
}
