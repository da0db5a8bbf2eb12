use chrono::{DateTime, Utc};
use sports_domain::Forecasts;

/// Where a row's probabilities come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForecastOrigin {
    /// Recorded before the game started.
    Live {
        /// The release that made the forecast; unknown for some rows before 2026-10-03.
        run: Option<String>,
        /// When that release was published; unknown for the same rows.
        published_at: Option<DateTime<Utc>>,
    },
    /// Reconstructed by a backtest trained on earlier seasons.
    WalkForward {
        /// The backtest run.
        run: Option<String>,
    },
}

impl ForecastOrigin {
    /// The word for forecasts recorded before the game started.
    pub const LIVE: &'static str = "live";
    /// The word for forecasts of a backtest.
    pub const WALK_FORWARD: &'static str = "walk_forward";

    /// The word served as `forecast_source`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Live { .. } => Self::LIVE,
            Self::WalkForward { .. } => Self::WALK_FORWARD,
        }
    }

    /// The run or release that made the forecast, where known.
    #[must_use]
    pub fn run(&self) -> Option<&str> {
        match self {
            Self::Live { run, .. } | Self::WalkForward { run } => run.as_deref(),
        }
    }

    /// When the forecast was published; only live ones have such a time.
    #[must_use]
    pub const fn published_at(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::Live { published_at, .. } => *published_at,
            Self::WalkForward { .. } => None,
        }
    }
}

/// How a row's probabilities were made, as served in `model_probability_source`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbabilitySource {
    /// Recorded before the game.
    Recorded,
    /// Reconstructed out of sample by a walk-forward backtest.
    WalkForward,
    /// Reconstructed out of sample after the season.
    ReconstructedOos,
}

impl ProbabilitySource {
    /// Every source.
    pub const ALL: [Self; 3] = [Self::Recorded, Self::WalkForward, Self::ReconstructedOos];

    /// The word, such as `walk_forward`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::WalkForward => "walk_forward",
            Self::ReconstructedOos => "reconstructed_oos",
        }
    }
}

/// The probabilities a row carries and where they come from; empty for a game without a forecast.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ForecastRecord {
    /// The probabilities.
    pub forecasts: Forecasts,
    /// Where they come from; `None` where there are none, or where the publisher does not say.
    pub origin: Option<ForecastOrigin>,
    /// How they were made; `None` likewise.
    pub probability_source: Option<ProbabilitySource>,
    /// The last date or season the models of a reconstruction were trained on, in the publisher's words.
    pub training_through: Option<String>,
    /// How a reconstruction was made, in the publisher's words.
    pub reconstruction_method: Option<String>,
}

impl ForecastRecord {
    /// Whether this is a forecast recorded before play, which no later import may change.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        matches!(self.origin, Some(ForecastOrigin::Live { .. }))
    }

    /// Fills in what a publisher left out: probabilities without a stated origin come from the
    /// folder's backtest run, and how they were made follows from their origin.
    #[must_use]
    pub fn completed(mut self, run: Option<&str>) -> Self {
        if self.forecasts.is_empty() {
            return Self::default();
        }
        let folders_run = || run.map(str::to_owned);
        let origin = match self.origin.take() {
            None | Some(ForecastOrigin::WalkForward { run: None }) => {
                ForecastOrigin::WalkForward { run: folders_run() }
            }
            Some(stated) => stated,
        };
        self.probability_source = self.probability_source.or(Some(match origin {
            ForecastOrigin::Live { .. } => ProbabilitySource::Recorded,
            ForecastOrigin::WalkForward { .. } => ProbabilitySource::WalkForward,
        }));
        self.origin = Some(origin);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_those_of_the_specification() {
        let words = ["recorded", "walk_forward", "reconstructed_oos"];
        assert_eq!(ProbabilitySource::ALL.map(ProbabilitySource::word), words);
    }

    #[test]
    fn an_origin_names_its_run_and_a_live_one_its_time() {
        let at: DateTime<Utc> = "2024-11-24T14:50:00Z".parse().expect("an instant");
        let run = || Some("run-1".to_owned());
        let table = [
            (ForecastOrigin::Live { run: run(), published_at: Some(at) }, "live", Some("run-1"), Some(at)),
            (ForecastOrigin::Live { run: None, published_at: None }, "live", None, None),
            (ForecastOrigin::WalkForward { run: run() }, "walk_forward", Some("run-1"), None),
            (ForecastOrigin::WalkForward { run: None }, "walk_forward", None, None),
        ];
        for (origin, word, run, published_at) in table {
            assert_eq!((origin.word(), origin.run(), origin.published_at()), (word, run, published_at));
        }
    }
}
