use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{ModelId, ModelName, ModelSet};
use sports_grading::{UngradedReason, Verdict};

use crate::SeasonGame;

/// The source of a game's probabilities, in the words of the record; empty for a game without probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForecastOf<'a> {
    /// The value of `forecast_source`: recorded live or reconstructed, such as `live`.
    pub forecast_source: Option<&'a str>,
    /// The value of `model_probability_source`: the method, such as `recorded`.
    pub probability_source: Option<&'a str>,
    /// The time at which a live forecast was published.
    pub published_at: Option<DateTime<Utc>>,
}

/// The composition of a season's record: counts of graded games and of the sources of their forecasts.
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

    /// Returns the number of games of the season, graded or not.
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// Returns the number of graded games: at least one model other than IMPLIED picked a side.
    pub const fn graded(&self) -> u32 {
        self.graded
    }

    /// Returns the number of games that are ungraded for this reason.
    pub const fn ungraded(&self, reason: UngradedReason) -> u32 {
        self.ungraded[reason as usize]
    }

    /// Returns the number of games whose probabilities have this `forecast_source`.
    pub fn from_source(&self, word: &str) -> u32 {
        self.forecast_sources.get(word).copied().unwrap_or_default()
    }

    /// Returns the number of games whose probabilities have this `model_probability_source`.
    pub fn made_by(&self, word: &str) -> u32 {
        self.probability_sources.get(word).copied().unwrap_or_default()
    }

    /// Returns the number of games without a `forecast_source`, including games without probabilities.
    pub fn without_source(&self) -> u32 {
        self.games - self.forecast_sources.values().sum::<u32>()
    }

    /// Returns the number of games without a `model_probability_source`, including games without probabilities.
    pub fn made_unknown(&self) -> u32 {
        self.games - self.probability_sources.values().sum::<u32>()
    }

    /// Returns the times at which the first and the last live forecast of the season were published.
    pub fn forecast_times(&self) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
        self.first_forecast.zip(self.last_forecast)
    }
}

fn count(sources: &mut BTreeMap<String, u32>, word: Option<&str>) {
    if let Some(word) = word {
        *sources.entry(word.to_owned()).or_default() += 1;
    }
}

/// The games of a season for which a model has a probability, at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelCoverage {
    /// The model.
    pub model: ModelName,
    /// The number of games.
    pub games: u32,
    /// The date of the first game.
    pub first_date: NaiveDate,
    /// The date of the last game.
    pub last_date: NaiveDate,
}

/// Returns the coverage of each model with a probability in a season, played or not, in the order of models. IMPLIED,
/// which is computed from prices, is left out.
pub fn model_coverage(games: &[SeasonGame<'_>], models: &ModelSet) -> Vec<ModelCoverage> {
    let coverage = |model: ModelId| {
        let covered = games.iter().filter(|game| game.market().probability(model).is_some());
        let (mut games, mut span) = (0, None);
        for date in covered.map(SeasonGame::date) {
            let (first, last) = span.unwrap_or((date, date));
            (games, span) = (games + 1, Some((date.min(first), date.max(last))));
        }
        let (first_date, last_date) = span?;
        Some(ModelCoverage { model: models.name(model), games, first_date, last_date })
    };
    models.forecasts().filter_map(coverage).collect()
}

#[cfg(test)]
mod tests {
    use sports_domain::{
        AmericanPrice, FinalScore, Forecasts, GameLines, ModelColumn, ModelType, Probability, TwoWayPrices,
    };
    use sports_grading::MarketGame;

    use super::*;

    fn graded() -> Verdict {
        let money = TwoWayPrices { positive: AmericanPrice::new(-110).ok(), negative: None };
        let lines = GameLines { money, ..GameLines::default() };
        let blend = Forecasts::default().with(ModelColumn::Blend, Probability::new(0.6).expect("valid"));
        let score = Some(FinalScore { away: 1, home: 2 });
        MarketGame::new(ModelType::WonOnPoints, &lines, score, blend).verdict()
    }

    fn at(instant: &str) -> DateTime<Utc> {
        instant.parse().expect("an instant")
    }

    fn tracked(games: &[(Verdict, ForecastOf<'_>)]) -> Tracking {
        let mut tracking = Tracking::default();
        for (verdict, forecast) in games {
            tracking.add(*verdict, *forecast);
        }
        tracking
    }

    #[test]
    fn every_game_is_graded_or_has_one_reason() {
        let reasons = UngradedReason::ALL.into_iter().zip(3..);
        let ungraded = reasons.flat_map(|(reason, games)| vec![Verdict::Ungraded(reason); games]);
        let games = std::iter::repeat_n(graded(), 2).chain(ungraded);
        let tracking = tracked(&games.map(|verdict| (verdict, ForecastOf::default())).collect::<Vec<_>>());
        assert_eq!((tracking.games(), tracking.graded()), (20, 2));
        assert_eq!(UngradedReason::ALL.map(|reason| tracking.ungraded(reason)), [3, 4, 5, 6]);
    }

    #[test]
    fn games_are_counted_by_both_sources_of_their_forecasts() {
        let from = |forecast_source, probability_source| {
            (graded(), ForecastOf { forecast_source, probability_source, published_at: None })
        };
        let live = from(Some("live"), Some("recorded"));
        let without_method = from(Some("live"), None);
        let backtest = from(Some("walk_forward"), Some("reconstructed_oos"));
        let tracking =
            tracked(&[live, live, live, without_method, without_method, backtest, from(None, None), from(None, None)]);
        assert_eq!(["live", "walk_forward", "recorded"].map(|word| tracking.from_source(word)), [5, 1, 0]);
        assert_eq!(["recorded", "reconstructed_oos", "live"].map(|word| tracking.made_by(word)), [3, 1, 0]);
        assert_eq!((tracking.without_source(), tracking.made_unknown()), (2, 4));
    }

    #[test]
    fn the_first_and_the_last_publication_do_not_depend_on_the_order_of_games() {
        let published = |published_at| (graded(), ForecastOf { published_at, ..ForecastOf::default() });
        let [early, middle, late] = ["2024-11-03T12:00:00Z", "2024-11-10T12:00:00Z", "2024-11-17T12:00:00Z"].map(at);
        let tracking = tracked(&[Some(middle), Some(late), None, Some(early)].map(published));
        assert_eq!(tracking.forecast_times(), Some((early, late)));
        assert_eq!(tracked(&[Some(middle), None].map(published)).forecast_times(), Some((middle, middle)));
        assert_eq!(tracked(&[published(None)]).forecast_times(), None);
    }
}
