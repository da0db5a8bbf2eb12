use sports_domain::{AmericanPrice, ModelType};

use crate::pick::handicap;
use crate::{Names, SlateGame};

/// Formats a market's current line: `BOS -120 / NYY +105`, `Total 8.5`, `BOS -1.5 (+140)`, or `No line`. The home team
/// comes first.
pub fn market_line(names: Names<'_>, model_type: ModelType, game: &SlateGame) -> String {
    let lines = &game.lines;
    let line = match model_type {
        ModelType::WonOnPoints => {
            let side = |team, price: Option<AmericanPrice>| Some(format!("{} {:+}", names.short(team), price?.get()));
            let sides = [side(&game.key.home, lines.money.positive), side(&game.key.away, lines.money.negative)];
            let posted: Vec<_> = sides.into_iter().flatten().collect();
            (!posted.is_empty()).then(|| posted.join(" / "))
        }
        ModelType::WonOnSpread => lines.spread.map(|spread| {
            let home = format!("{} {}", names.short(&game.key.home), handicap(spread.home()));
            lines.spread_prices.positive.map_or_else(|| home.clone(), |price| format!("{home} ({:+})", price.get()))
        }),
        ModelType::OverUnder => lines.total.map(|total| format!("Total {}", total.get())),
    };
    line.unwrap_or_else(|| "No line".to_owned())
}

#[cfg(test)]
mod tests {
    use sports_domain::{
        Forecasts, GameKey, GameLines, HomeSpread, OwnForecasts, Sport, TeamSlug, Total, TwoWayPrices,
    };

    use super::*;
    use crate::TeamNames;

    fn game(lines: GameLines) -> SlateGame {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let date = "2024-07-05".parse().expect("a date");
        let (away, home) = (team("new_york_yankees"), team("boston_red_sox"));
        let key = GameKey { date, time: None, away, home, game_number: None };
        SlateGame {
            key,
            game_id: None,
            match_id: None,
            lines,
            forecasts: Forecasts::default(),
            own: OwnForecasts::default(),
        }
    }

    #[test]
    fn a_line_is_said_in_a_few_words() {
        let prices = |positive, negative| TwoWayPrices {
            positive: AmericanPrice::new(positive).ok(),
            negative: AmericanPrice::new(negative).ok(),
        };
        let spread = HomeSpread::new(-1.5).ok();
        let table = [
            (
                ModelType::WonOnPoints,
                GameLines { money: prices(-120, 105), ..GameLines::default() },
                "BOS -120 / NYY +105",
            ),
            (ModelType::WonOnPoints, GameLines { money: prices(0, 105), ..GameLines::default() }, "NYY +105"),
            (ModelType::WonOnPoints, GameLines::default(), "No line"),
            (
                ModelType::WonOnSpread,
                GameLines { spread, spread_prices: prices(140, -160), ..GameLines::default() },
                "BOS -1.5 (+140)",
            ),
            (ModelType::WonOnSpread, GameLines { spread, ..GameLines::default() }, "BOS -1.5"),
            (ModelType::WonOnSpread, GameLines { spread: HomeSpread::new(0.0).ok(), ..GameLines::default() }, "BOS PK"),
            (ModelType::OverUnder, GameLines { total: Total::new(8.5).ok(), ..GameLines::default() }, "Total 8.5"),
            (ModelType::OverUnder, GameLines::default(), "No line"),
        ];
        let names = Names { sport: Sport::Mlb, published: &TeamNames::default() };
        for (model_type, lines, expected) in table {
            assert_eq!(market_line(names, model_type, &game(lines)), expected);
        }
    }
}
