use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::GameKey;
use sports_publication::season_table::{FORECAST_PUBLISHED_AT, FORECAST_RUN, FORECAST_SOURCE, PROBABILITY_SOURCE};
use sports_publication::{ForecastOrigin, ProbabilitySource, Value};

use crate::findings::Findings;
use crate::game_columns::GameRow;
use crate::layout::Layout;
use crate::table::Row;

/// The first date on which every live forecast must name its release and publication time.
const COMPLETE_SINCE: NaiveDate = match NaiveDate::from_ymd_opt(2026, 10, 3) {
    Some(date) => date,
    None => NaiveDate::MAX,
};

/// The rules for the origin columns of forecasts, which must agree with each other.
#[derive(Debug)]
pub(crate) struct ForecastRules {
    published_at: Option<usize>,
    probability_source: Option<usize>,
}

impl ForecastRules {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self { published_at: layout.find(FORECAST_PUBLISHED_AT), probability_source: layout.find(PROBABILITY_SOURCE) }
    }

    /// Sets the source of a row's forecast if it follows from the other columns, and records contradictions. Without a
    /// key the start time is not checked.
    pub(crate) fn complete(&self, read: &mut GameRow<'_>, key: Option<&GameKey>, row: Row<'_>, found: &mut Findings) {
        let Ok(source) = read.get(FORECAST_SOURCE) else { return };
        let source = source.and_then(Value::text);
        let recorded = read.text(PROBABILITY_SOURCE).map(|made| made == ProbabilitySource::Recorded.word());
        let run = read.text(FORECAST_RUN);
        let published_at = read.get(FORECAST_PUBLISHED_AT).map(|at| at.as_ref().and_then(Value::instant));
        // A forecast recorded before the game is live, even without its source.
        let live = source.map_or(recorded == Some(true), |source| source == ForecastOrigin::LIVE);
        if live {
            if let (Ok(published_at), Some(key)) = (published_at, key) {
                self.check_live(run, published_at, key, row, found);
            }
        } else if published_at.is_ok_and(|at| at.is_some())
            && let Some(column) = self.published_at
        {
            found.cell(row, column, "no publication time unless forecast_source is `live`");
        }
        // A run without a source belongs to a backtest: live rows always have a source.
        let implied = if live { ForecastOrigin::LIVE } else { ForecastOrigin::WALK_FORWARD };
        if live || source.is_some() || run.is_some() {
            self.check_pair(live, recorded, row, found);
            read.complete(FORECAST_SOURCE, implied);
        }
    }

    /// Checks that a live forecast was published before its game started, and that it names its time and release if the
    /// game is from [`COMPLETE_SINCE`] or later.
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
            let missing = if run.is_none() { FORECAST_RUN } else { FORECAST_PUBLISHED_AT };
            let expected = format!("a value: live rows from {COMPLETE_SINCE} on have one");
            found.named_cell(row.number(), missing.name, None, expected);
        }
    }

    /// Checks that the probability source agrees with the forecast source.
    fn check_pair(&self, live: bool, recorded: Option<bool>, row: Row<'_>, found: &mut Findings) {
        let (Some(recorded), Some(column)) = (recorded, self.probability_source) else { return };
        if live && !recorded {
            found.cell(row, column, "`recorded`, as forecast_source is `live`");
        } else if !live && recorded {
            found.cell(row, column, "`walk_forward` or `reconstructed_oos`, as forecast_source is `walk_forward`");
        }
    }
}
