//! Grades a CSV of games against the spread and prints the result of each forecast.
//!
//!     cargo run -p sports-grading --example grade_csv [FILE]
//!
//! Columns: `away_team`, `home_team`, `away_score`, `home_score`, `home_point_spread`, and optionally
//! `home_point_spread_line`, `away_point_spread_line` and one column for each model, with its probability that the
//! home team covers. Without FILE it reads the games.csv beside this program's source.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Display;
use std::str::FromStr;

use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameLines, HomeSpread, ModelColumn, ModelType, Probability, TwoWayPrices,
};
use sports_grading::{MarketGame, RULES_VERSION, Verdict};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games.csv");

/// A row of the file, with its cells by column.
struct Row(HashMap<String, String>);

impl Row {
    fn text(&self, column: &str) -> &str {
        self.0.get(column).map_or("", |cell| cell.trim())
    }

    /// Parses a cell. Returns `None` for an empty cell, and an error with the column's name for an invalid one.
    fn value<T: FromStr<Err: Display>>(&self, column: &str) -> Result<Option<T>, String> {
        let text = self.text(column);
        let read = |text: &str| text.parse().map_err(|error| format!("{column}: `{text}`: {error}"));
        (!text.is_empty()).then(|| read(text)).transpose()
    }

    /// Parses a price. Feeds use zero for a missing price.
    fn price(&self, column: &str) -> Result<Option<AmericanPrice>, Box<dyn Error>> {
        let raw = self.value(column)?.filter(|raw| *raw != 0);
        Ok(raw.map(AmericanPrice::new).transpose()?)
    }

    fn game(&self) -> Result<MarketGame<'static>, Box<dyn Error>> {
        let lines = GameLines {
            spread: self.value("home_point_spread")?.map(HomeSpread::new).transpose()?,
            spread_prices: TwoWayPrices {
                positive: self.price("home_point_spread_line")?,
                negative: self.price("away_point_spread_line")?,
            },
            ..GameLines::default()
        };
        let score = self.value("away_score")?.zip(self.value("home_score")?);
        let mut forecasts = Forecasts::default();
        for model in ModelColumn::FORECASTS {
            if let Some(probability) = self.value(model.name())? {
                forecasts = forecasts.with(model, Probability::new(probability)?);
            }
        }
        let score = score.map(|(away, home)| FinalScore { away, home });
        Ok(MarketGame::new(ModelType::WonOnSpread, &lines, score, forecasts))
    }
}

fn sentence(verdict: Verdict) -> String {
    let graded = match verdict {
        Verdict::Graded(graded) => graded,
        Verdict::Ungraded(reason) => return format!("not graded: {}", reason.code()),
    };
    let picks = ModelColumn::ALL.into_iter().filter_map(|model| {
        let side = ModelType::WonOnSpread.side_word(graded.pick(model)?);
        let outcome = if graded.won(model)? { "won" } else { "lost" };
        Some(format!("{model} took {side} and {outcome}"))
    });
    picks.collect::<Vec<_>>().join(", ")
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| SAMPLE.to_owned());
    println!("grading {path} by rules {RULES_VERSION}");
    let mut reader = csv::Reader::from_path(&path)?;
    for (number, row) in (2..).zip(reader.deserialize()) {
        let row = Row(row?);
        let game = row.game().map_err(|error| format!("{path}, line {number}: {error}"))?;
        println!("{} at {}: {}", row.text("away_team"), row.text("home_team"), sentence(game.verdict()));
    }
    Ok(())
}
