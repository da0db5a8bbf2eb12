//! Real seasons as input of the strategies, read cell by cell.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, HomeSpread, ModelColumn, ModelType, Probability, Sport,
    TeamSlug, Total, TwoWayPrices,
};
use sports_strategies::{Finality, StrategyGame};

/// A row of a file, with its cells by column.
struct Row(HashMap<String, String>);

impl Row {
    fn cell(&self, column: &str) -> &str {
        self.0.get(column).map_or("", String::as_str)
    }

    fn number(&self, column: &str) -> Option<f64> {
        self.cell(column).parse().ok()
    }

    /// Parses a price, which may be written with the fraction `.0`; zero is none.
    fn price(&self, column: &str) -> Option<AmericanPrice> {
        AmericanPrice::new(self.cell(column).trim_end_matches(".0").parse().ok()?).ok()
    }

    fn prices(&self, positive: &str, negative: &str) -> TwoWayPrices {
        TwoWayPrices { positive: self.price(positive), negative: self.price(negative) }
    }

    fn points(&self, column: &str) -> Option<u16> {
        self.cell(column).trim_end_matches(".0").parse().ok()
    }

    fn key(&self) -> GameKey {
        let team = |column| TeamSlug::normalise(self.cell(column)).expect("a team");
        GameKey {
            date: self.cell("date").parse().expect("a date"),
            time: self.cell("time_est").parse().ok(),
            away: team("away_team"),
            home: team("home_team"),
            game_number: self.cell("game_number").parse().ok(),
        }
    }

    fn lines(&self) -> GameLines {
        GameLines {
            money: self.prices("home_money_line", "away_money_line"),
            open_money: self.prices("open_home_money_line", "open_away_money_line"),
            spread: self.number("home_point_spread").and_then(|points| HomeSpread::new(points).ok()),
            open_spread: self.number("open_home_point_spread").and_then(|points| HomeSpread::new(points).ok()),
            spread_prices: self.prices("home_point_spread_line", "away_point_spread_line"),
            total: self.number("over_under").and_then(|points| Total::new(points).ok()),
            open_total: self.number("open_over_under").and_then(|points| Total::new(points).ok()),
            total_prices: self.prices("over_line", "under_line"),
            ..GameLines::default()
        }
    }
}

/// Reads a file; no rows if it does not exist. No cell has a comma.
fn rows(path: &Path) -> Vec<Row> {
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let Some(header) = lines.next() else { return Vec::new() };
    lines.map(|cells| Row(header.clone().zip(cells).collect())).collect()
}

/// Reads every market of every season of a folder: the keys of its games in their order, and the games with BLEND's edge.
pub fn all(data: &Path) -> Vec<(ModelType, Vec<GameKey>, Vec<StrategyGame<'static>>)> {
    let mut seasons = Vec::new();
    for sport in Sport::ALL {
        let Ok(files) = fs::read_dir(data.join("games").join(sport.code())) else { continue };
        for file in files.map(|file| file.expect("a file")) {
            let mut games: Vec<_> = rows(&file.path())
                .iter()
                .map(|row| (row.key(), row.lines(), row.points("away_score").zip(row.points("home_score"))))
                .collect();
            games.sort_by(|one, other| one.0.cmp(&other.0));
            for model_type in ModelType::ALL {
                let folder = data.join("probabilities").join(sport.code()).join(model_type.code());
                let blend = |row: &Row| Some((row.key(), Probability::new(row.number("BLEND")?).ok()?));
                let blend: HashMap<_, _> = rows(&folder.join(file.file_name())).iter().filter_map(blend).collect();
                let game = |(key, lines, score): &(GameKey, GameLines, Option<(u16, u16)>)| {
                    let score = score.map(|(away, home)| FinalScore { away, home });
                    let forecasts = Forecasts::default();
                    let forecasts =
                        blend.get(key).map_or(forecasts, |blend| forecasts.with(ModelColumn::Blend, *blend));
                    StrategyGame::new(model_type, lines, score, forecasts, Finality::Verified, ModelColumn::Blend)
                };
                let keys = games.iter().map(|(key, ..)| key.clone()).collect();
                seasons.push((model_type, keys, games.iter().map(game).collect()));
            }
        }
    }
    seasons
}
