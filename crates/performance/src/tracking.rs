use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_grading::{UngradedReason, Verdict};

/// Where a game's probabilities come from, in the words the record uses; empty for a game without any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForecastOf<'a> {
    /// Recorded live or reconstructed, such as `live`.
    pub forecast_source: Option<&'a str>,
    /// How they were made, such as `recorded`.
    pub probability_source: Option<&'a str>,
    /// When a live forecast was published.
    pub published_at: Option<DateTime<Utc>>,
}

/// What a season's record is made of: how many games were graded, and where their forecasts come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tracking {
    games: u32,
    graded: u32,
    ungraded: [u32; UngradedReason::ALL.len()],
    forecast_sources: BTreeMap<String, u32>,
    probability_sources: BTreeMap<String, u32>,
    first_forecast: Option<DateTime<Utc>>,
    last_forecast: Option<DateTime<Utc>>,
}

impl Tracking {
    /// Counts one game.
    pub fn add(&mut self, verdict: Verdict, forecast: ForecastOf<'_>) {
        self.games += 1;
        match verdict {
            Verdict::Graded(_) => self.graded += 1,
            Verdict::Ungraded(reason) => self.ungraded[reason as usize] += 1,
        }
        count(&mut self.forecast_sources, forecast.forecast_source);
        count(&mut self.probability_sources, forecast.probability_source);
        let at = forecast.published_at;
        self.first_forecast = [self.first_forecast, at].into_iter().flatten().min();
        self.last_forecast = self.last_forecast.max(at);
    }

    /// Every game of the season, graded or not.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// Games on which at least one model was graded.
    #[must_use]
    pub const fn graded(&self) -> u32 {
        self.graded
    }

    /// Games not graded for one reason.
    #[must_use]
    pub const fn ungraded(&self, reason: UngradedReason) -> u32 {
        self.ungraded[reason as usize]
    }

    /// Games whose probabilities have this `forecast_source`.
    #[must_use]
    pub fn from_source(&self, word: &str) -> u32 {
        self.forecast_sources.get(word).copied().unwrap_or_default()
    }

    /// Games whose probabilities have this `model_probability_source`.
    #[must_use]
    pub fn made_by(&self, word: &str) -> u32 {
        self.probability_sources.get(word).copied().unwrap_or_default()
    }

    /// Games whose probabilities have no stated source, or that have none.
    #[must_use]
    pub fn without_source(&self) -> u32 {
        self.games - self.forecast_sources.values().sum::<u32>()
    }

    /// Games of whose probabilities it is not known how they were made, or that have none.
    #[must_use]
    pub fn made_unknown(&self) -> u32 {
        self.games - self.probability_sources.values().sum::<u32>()
    }

    /// When the first and the last live forecast of the season were published.
    #[must_use]
    pub fn forecast_times(&self) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
        self.first_forecast.zip(self.last_forecast)
    }
}

fn count(sources: &mut BTreeMap<String, u32>, word: Option<&str>) {
    if let Some(word) = word {
        *sources.entry(word.to_owned()).or_default() += 1;
    }
}
