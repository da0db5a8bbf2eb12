use std::str::FromStr;

use chrono::{DateTime, Utc};
use sports_domain::{Forecasts, OwnForecasts};

/// The two kinds of forecasts: recorded before their games started, or reconstructed. Figures never pool the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ForecastSource {
    /// Recorded before the game started.
    Live,
    /// Reconstructed by a backtest trained on earlier seasons.
    WalkForward,
}

/// The error for a word that is not a forecast source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no source of forecasts; there are {known}", known = ForecastSource::ALL.map(ForecastSource::word).join(" and "))]
pub struct UnknownForecastSource(pub String);

impl ForecastSource {
    /// Both sources.
    pub const ALL: [Self; 2] = [Self::Live, Self::WalkForward];

    /// Returns the word served as `forecast_source`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Live => ForecastOrigin::LIVE,
            Self::WalkForward => ForecastOrigin::WALK_FORWARD,
        }
    }
}

impl FromStr for ForecastSource {
    type Err = UnknownForecastSource;

    /// Parses a word, ignoring case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|source| source.word().eq_ignore_ascii_case(raw));
        named.ok_or_else(|| UnknownForecastSource(raw.to_owned()))
    }
}

/// The origin of a row's probabilities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForecastOrigin {
    /// Recorded before the game started.
    Live {
        /// The release that made the forecast; unknown for some rows before 2026-10-03.
        run: Option<String>,
        /// The publication instant of that release; unknown for the same rows.
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

    /// Returns the forecast source of this origin.
    pub const fn source(&self) -> ForecastSource {
        match self {
            Self::Live { .. } => ForecastSource::Live,
            Self::WalkForward { .. } => ForecastSource::WalkForward,
        }
    }

    /// Returns the word served as `forecast_source`.
    pub const fn word(&self) -> &'static str {
        self.source().word()
    }

    /// Returns the run or release that made the forecast, if known.
    pub fn run(&self) -> Option<&str> {
        match self {
            Self::Live { run, .. } | Self::WalkForward { run } => run.as_deref(),
        }
    }

    /// Returns the publication instant of a live forecast; `None` for others.
    pub const fn published_at(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::Live { published_at, .. } => *published_at,
            Self::WalkForward { .. } => None,
        }
    }
}

/// The method behind a row's probabilities, served as `model_probability_source`.
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

    /// Returns the word, such as `walk_forward`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::WalkForward => "walk_forward",
            Self::ReconstructedOos => "reconstructed_oos",
        }
    }
}

/// A row's probabilities and their origin; empty for a game without a forecast.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ForecastRecord {
    /// The probabilities of the specification's models.
    pub forecasts: Forecasts<'static>,
    /// The probabilities of the publisher's own models.
    pub own: OwnForecasts,
    /// Their origin; `None` without probabilities, or if the publisher does not state it.
    pub origin: Option<ForecastOrigin>,
    /// The method that made them; `None` in the same cases.
    pub probability_source: Option<ProbabilitySource>,
    /// The last date or season the models of a reconstruction were trained on, in the publisher's words.
    pub training_through: Option<String>,
    /// The method of a reconstruction, in the publisher's words.
    pub reconstruction_method: Option<String>,
}

impl ForecastRecord {
    /// Returns true for a forecast recorded before play, which no later import may change.
    pub const fn is_live(&self) -> bool {
        matches!(self.origin, Some(ForecastOrigin::Live { .. }))
    }

    /// Fills in fields that the publisher omitted: probabilities without a stated origin come from the folder's
    /// backtest run, and their source follows from their origin.
    pub fn completed(mut self, run: Option<&str>) -> Self {
        if self.forecasts.is_empty() && self.own.is_empty() {
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
    fn a_source_is_read_in_any_letter_case_and_no_other_word_is_one() {
        assert_eq!("Walk_Forward".parse(), Ok(ForecastSource::WalkForward));
        assert_eq!("live".parse(), Ok(ForecastSource::Live));
        let refused = "backtest".parse::<ForecastSource>().map_err(|reason| reason.to_string());
        assert_eq!(refused, Err("`backtest` is no source of forecasts; there are live and walk_forward".to_owned()));
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
