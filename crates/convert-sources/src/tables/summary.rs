use std::collections::BTreeMap;

use sports_domain::{LineColumn, ModelType, Season};

use crate::tables::game::Game;

/// The rows and games of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSummary {
    pub file: String,
    /// The rows, without the header and blank rows.
    pub rows: u64,
    pub games: u64,
}

/// The converted games of a season, and the values that they have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeasonSummary {
    pub season: Season,
    /// The number of games, and of games with each kind of value.
    pub counts: Vec<(&'static str, u64)>,
    /// The number of games with a probability, by market and model.
    pub models: Vec<(ModelType, String, u64)>,
}

/// Counts the games of each season.
pub(crate) fn summaries(games: &[Game], models: &[(ModelType, String)]) -> Vec<SeasonSummary> {
    let mut seasons: BTreeMap<Season, Vec<&Game>> = BTreeMap::new();
    for game in games {
        seasons.entry(game.season).or_default().push(game);
    }
    seasons.into_iter().map(|(season, games)| summary(season, &games, models)).collect()
}

fn summary(season: Season, games: &[&Game], models: &[(ModelType, String)]) -> SeasonSummary {
    let count = |has: &dyn Fn(&Game) -> bool| games.iter().filter(|game| has(game)).count() as u64;
    let priced =
        |one: LineColumn, other: LineColumn| count(&|game| game.price(one).is_some() && game.price(other).is_some());
    let opens = |game: &Game| {
        let line = [LineColumn::OpenHomeMoneyLine, LineColumn::OpenAwayMoneyLine]
            .iter()
            .any(|line| game.price(*line).is_some());
        line || game.spreads.opening.is_some() || game.total(LineColumn::OpenOverUnder).is_some()
    };
    let counts = vec![
        ("games", count(&|_| true)),
        ("postseason", count(&|game| &*game.part == "postseason")),
        ("times", count(&|game| game.time.is_some())),
        ("finals", count(&|game| game.score.is_some())),
        ("money_lines", priced(LineColumn::HomeMoneyLine, LineColumn::AwayMoneyLine)),
        ("spreads", count(&|game| game.spreads.closing.is_some())),
        ("spread_prices", priced(LineColumn::HomePointSpreadLine, LineColumn::AwayPointSpreadLine)),
        ("totals", count(&|game| game.total(LineColumn::OverUnder).is_some())),
        ("total_prices", priced(LineColumn::OverLine, LineColumn::UnderLine)),
        ("openers", count(&opens)),
    ];
    let forecast = |(place, (market, name)): (usize, &(ModelType, String))| {
        (*market, name.clone(), count(&|game| game.models[place].is_some()))
    };
    SeasonSummary { season, counts, models: models.iter().enumerate().map(forecast).collect() }
}
