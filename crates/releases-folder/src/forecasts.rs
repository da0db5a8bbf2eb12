use chrono::{DateTime, Utc};
use sports_domain::{Forecasts, ModelColumn};
use sports_publication::{ForecastOrigin, ForecastRecord, ProbabilitySource};

use crate::cells::{self, Reading};
use crate::columns::{FORECAST_SOURCES, Field};
use crate::findings::Findings;
use crate::layout::Layout;
use crate::table::{Cell, Row};

/// Where a file has its probabilities, and what it says of them.
#[derive(Debug)]
pub(crate) struct ForecastColumns {
    models: Vec<(ModelColumn, usize)>,
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
    pub(crate) fn of(layout: &Layout) -> Self {
        Self {
            models: layout.models().collect(),
            source: layout.find(Field::ForecastSource),
            run: layout.find(Field::ForecastRun),
            published_at: layout.find(Field::ForecastPublishedAt),
            probability_source: layout.find(Field::ProbabilitySource),
            training_through: layout.find(Field::TrainingThrough),
            reconstruction_method: layout.find(Field::ReconstructionMethod),
        }
    }

    pub(crate) fn read(&self, row: Row<'_>, found: &mut Findings) -> ForecastRecord {
        ForecastRecord {
            forecasts: self.forecasts(row, found),
            origin: self.origin(row, found),
            probability_source: found.take(row, self.probability_source, probability_source).ok().flatten(),
            training_through: found.take(row, self.training_through, cells::text).ok().flatten(),
            reconstruction_method: found.take(row, self.reconstruction_method, cells::text).ok().flatten(),
        }
    }

    fn forecasts(&self, row: Row<'_>, found: &mut Findings) -> Forecasts {
        let read = |all: Forecasts, (model, column): &(ModelColumn, usize)| match found.take(
            row,
            Some(*column),
            cells::probability,
        ) {
            Ok(Some(chance)) => all.with(*model, chance),
            _ => all,
        };
        self.models.iter().fold(Forecasts::default(), read)
    }

    fn origin(&self, row: Row<'_>, found: &mut Findings) -> Option<ForecastOrigin> {
        let source = found.take(row, self.source, source);
        let run = found.take(row, self.run, cells::text).ok().flatten();
        let published_at = found.take(row, self.published_at, cells::instant);
        match source.ok()? {
            Some(Source::Live) => Some(ForecastOrigin::Live { run, published_at: published_at.ok().flatten() }),
            stated => {
                self.refuse_time(published_at.ok().flatten(), row, found);
                // A run without a word on its kind is a backtest's: live rows always say so.
                (stated.is_some() || run.is_some()).then_some(ForecastOrigin::WalkForward { run })
            }
        }
    }

    fn refuse_time(&self, published_at: Option<DateTime<Utc>>, row: Row<'_>, found: &mut Findings) {
        if let (Some(_), Some(column)) = (published_at, self.published_at) {
            found.cell(row, column, "no publication time unless forecast_source is `live`");
        }
    }
}

fn source(cell: Cell<'_>) -> Reading<Source> {
    let [live, walk_forward] = FORECAST_SOURCES;
    cells::word(cell, &[(live, Source::Live), (walk_forward, Source::WalkForward)])
}

fn probability_source(cell: Cell<'_>) -> Reading<ProbabilitySource> {
    cells::word(cell, &ProbabilitySource::ALL.map(|source| (source.word(), source)))
}
