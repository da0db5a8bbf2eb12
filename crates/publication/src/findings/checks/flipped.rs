use sports_domain::{ModelId, ModelType};

use crate::findings::report::{error, mean};
use crate::findings::season_games::{MarketGames, SeasonGames};
use crate::findings::{Finding, FindingKind, Severity};

/// A model is reported if the complements of its probabilities score better by this much.
const BETTER: f64 = 0.03;
/// The smallest number of decided games in which a model is judged.
const FEWEST: usize = 100;

/// Warns of each model whose probabilities look like those of the other side.
pub(crate) fn of_market(season: &SeasonGames<'_>, model_type: ModelType, market: &MarketGames<'_>) -> Vec<Finding> {
    let graded = market.graded(model_type);
    let other = match model_type {
        ModelType::OverUnder => "the under's probability",
        ModelType::WonOnPoints => "the away team's probability",
        ModelType::WonOnSpread => "the away cover's probability",
    };
    let of_model = |model: ModelId| {
        let errors = graded.iter().filter_map(|game| {
            let probability = game.probability(model)?;
            Some((error(game, probability)?, error(game, probability.complement())?))
        });
        let errors: Vec<_> = errors.collect();
        let (own, flipped) = (mean(errors.iter().map(|it| it.0))?, mean(errors.iter().map(|it| it.1))?);
        if errors.len() < FEWEST || own - flipped < BETTER {
            return None;
        }
        let message = format!(
            "{} of {model_type} looks like {other}: its Brier score over {} games is {own:.4}, and {flipped:.4} with 1 − p",
            market.models.name(model),
            errors.len(),
        );
        let (kind, severity) = (FindingKind::FlippedProbabilities, Severity::Warning);
        Some(Finding { kind, severity, season: season.season, file: season.file.to_owned(), message })
    };
    market.models.forecasts().filter_map(of_model).collect()
}
