//! Files of real leagues, parsed cell by cell. The code shares nothing with the publisher's reader.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameLines, GameType, HomeSpread, ModelColumn, ModelType, Probability, Sport,
    TeamSlug, Total, TwoWayPrices,
};

/// The identity of a game within its league.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    pub date: String,
    time: String,
    away: TeamSlug,
    home: TeamSlug,
    number: String,
}

/// A game with its lines and its final.
pub struct Game {
    pub key: Key,
    pub lines: GameLines,
    pub score: Option<FinalScore>,
}

/// A row of a file, with its cells by column.
struct Row {
    columns: Rc<csv::StringRecord>,
    cells: csv::StringRecord,
}

impl Row {
    /// Returns the cell of a column; empty if the file has no such column.
    fn cell(&self, column: &str) -> &str {
        self.columns.iter().position(|name| name == column).map_or("", |at| &self.cells[at])
    }

    fn number(&self, column: &str) -> Option<f64> {
        let cell = self.cell(column);
        (!cell.is_empty()).then(|| cell.parse().unwrap_or_else(|_| panic!("{column} is `{cell}`")))
    }

    /// Parses a whole number, which may be written with the fraction `.0`.
    fn whole<T: TryFrom<i64>>(&self, column: &str) -> Option<T> {
        let cell = self.cell(column);
        let digits = cell.strip_suffix(".0").unwrap_or(cell);
        (!cell.is_empty()).then(|| digits.parse::<i64>().ok().and_then(|whole| T::try_from(whole).ok()).expect(column))
    }

    /// Parses a price. Zero is a placeholder for a missing price.
    fn price(&self, column: &str) -> Option<AmericanPrice> {
        let raw = self.whole::<i32>(column).filter(|raw| *raw != 0);
        raw.map(|raw| AmericanPrice::new(raw).expect("a price"))
    }

    fn prices(&self, positive: &str, negative: &str) -> TwoWayPrices {
        TwoWayPrices { positive: self.price(positive), negative: self.price(negative) }
    }

    fn key(&self) -> Key {
        let team = |column| TeamSlug::normalise(self.cell(column)).expect("a team");
        Key {
            date: self.cell("date").to_owned(),
            time: self.cell("time_est").to_owned(),
            away: team("away_team"),
            home: team("home_team"),
            number: self.cell("game_number").to_owned(),
        }
    }

    fn game(&self) -> Game {
        let lines = GameLines {
            money: self.prices("home_money_line", "away_money_line"),
            spread: self.number("home_point_spread").map(|points| HomeSpread::new(points).expect("a spread")),
            spread_prices: self.prices("home_point_spread_line", "away_point_spread_line"),
            total: self.number("over_under").filter(|points| *points > 0.0).and_then(|points| Total::new(points).ok()),
            total_prices: self.prices("over_line", "under_line"),
            ..GameLines::default()
        };
        let score = self.whole("away_score").zip(self.whole("home_score"));
        Game { key: self.key(), lines, score: score.map(|(away, home)| FinalScore { away, home }) }
    }

    fn forecasts(&self) -> Forecasts<'static> {
        ModelColumn::FORECASTS.into_iter().fold(Forecasts::default(), |forecasts, model| {
            let probability =
                self.number(model.name()).map(|probability| Probability::new(probability).expect("a probability"));
            probability.map_or(forecasts, |probability| forecasts.with(model, probability))
        })
    }
}

/// Reads the rows of a file; no rows if it does not exist.
fn rows(path: &Path) -> Vec<Row> {
    if !path.exists() {
        return Vec::new();
    }
    let mut reader = csv::Reader::from_path(path).expect("a file");
    let columns = Rc::new(reader.headers().expect("a header").clone());
    let records = reader.records().map(|record| record.expect("a full row"));
    records.map(|cells| Row { columns: Rc::clone(&columns), cells }).collect()
}

/// Returns the labels of a league's seasons.
pub fn seasons(data: &Path, sport: Sport) -> Vec<String> {
    let files = fs::read_dir(data.join("games").join(sport.code())).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a text"));
    names.filter_map(|name| name.strip_suffix(".csv").map(str::to_owned)).collect()
}

/// Reads the games of a season that belong in the graded record.
pub fn games(data: &Path, sport: Sport, season: &str) -> Vec<Game> {
    let path = data.join("games").join(sport.code()).join(format!("{season}.csv"));
    let kept = rows(&path).into_iter().filter(|row| GameType::from_word(row.cell("game_type")).counts_in(sport));
    kept.map(|row| row.game()).collect()
}

/// Reads a market's forecasts of a season, by game.
pub fn probabilities(
    data: &Path,
    sport: Sport,
    model_type: ModelType,
    season: &str,
) -> HashMap<Key, Forecasts<'static>> {
    let folder = data.join("probabilities").join(sport.code()).join(model_type.code());
    rows(&folder.join(format!("{season}.csv"))).iter().map(|row| (row.key(), row.forecasts())).collect()
}
