use chrono::NaiveDate;
use sports_domain::{ModelId, ModelName, ModelSet};

use crate::SeasonGame;

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
