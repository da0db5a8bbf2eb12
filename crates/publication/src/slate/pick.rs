use sports_domain::{HomeSpread, ModelName, ModelType, Probability, Side, TwoWayPrices, expected_value};

use crate::slate::{Names, SlateGame};

/// The side favoured by a model in one market of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pick {
    /// The model's probability of the positive side.
    pub probability: Probability,
    /// The side with a probability above 0.5; `None` at exactly 0.5.
    pub side: Option<Side>,
}

impl Pick {
    /// Returns a model's pick; `None` without its probability.
    pub fn for_game(model_type: ModelType, game: &SlateGame, model: impl Into<ModelName>) -> Option<Self> {
        let probability = game.probability(model_type, model)?;
        Some(Self { probability, side: probability.favoured() })
    }

    /// Returns the probability of the picked side; 0.5 without a pick.
    pub fn confidence(&self) -> Probability {
        if self.side == Some(Side::Negative) { self.probability.complement() } else { self.probability }
    }

    /// Formats the pick, such as `New York Yankees -1.5`, `Over 8.5` or `No pick`.
    pub fn label(&self, names: Names<'_>, model_type: ModelType, game: &SlateGame) -> String {
        let Some(side) = self.side else { return "No pick".to_owned() };
        let team = if side == Side::Positive { &game.key.home } else { &game.key.away };
        let side_with = |rest: Option<String>| {
            rest.map_or_else(|| names.display(team), |rest| format!("{} {rest}", names.display(team)))
        };
        match model_type {
            ModelType::WonOnPoints => side_with(Some("ML".to_owned())),
            ModelType::WonOnSpread => side_with(game.lines.spread.map(|spread| handicap(points_of(spread, side)))),
            ModelType::OverUnder => {
                let word = if side == Side::Positive { "Over" } else { "Under" };
                game.lines.total.map_or_else(|| word.to_owned(), |total| format!("{word} {}", total.get()))
            }
        }
    }
}

fn points_of(spread: HomeSpread, side: Side) -> f64 {
    match side {
        Side::Positive => spread.home(),
        Side::Negative => spread.away(),
    }
}

/// Formats a spread with its sign; a pick'em is `PK`.
pub(crate) fn handicap(points: f64) -> String {
    if points.abs() > 0.0 { format!("{points:+}") } else { "PK".to_owned() }
}

/// The expected values of one unit on each side by a model, in units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExpectedValues {
    /// The expected value on the over or the home side; `None` without a probability or a price.
    pub positive: Option<f64>,
    /// The expected value on the under or the away side; `None` without a probability or a price.
    pub negative: Option<f64>,
}

impl ExpectedValues {
    /// Computes the expected values at these prices; `probability` is the model's, of the positive side.
    pub fn from_prices(probability: Option<Probability>, prices: TwoWayPrices) -> Self {
        let on = |probability: Option<_>, price: Option<_>| Some(expected_value(probability?, price?));
        let complement = probability.map(Probability::complement);
        Self { positive: on(probability, prices.positive), negative: on(complement, prices.negative) }
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::{
        AmericanPrice, Forecasts, GameKey, GameLines, ModelColumn, OwnForecasts, Sport, TeamSlug, Total,
    };

    use super::*;
    use crate::slate::TeamNames;

    fn game(blend: f64, spread: f64, total: f64) -> SlateGame {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        SlateGame {
            key: GameKey {
                date: "2024-07-05".parse().expect("a date"),
                time: "19:10:00".parse().ok(),
                away: team("new_york_yankees"),
                home: team("boston_red_sox"),
                game_number: None,
            },
            game_id: None,
            match_id: None,
            lines: GameLines {
                spread: HomeSpread::new(spread).ok(),
                total: Total::new(total).ok(),
                ..GameLines::default()
            },
            forecasts: Forecasts::default().with(ModelColumn::Blend, Probability::new(blend).expect("valid")),
            own: OwnForecasts::default(),
        }
    }

    #[test]
    fn labels_name_the_side_and_its_line() {
        let table = [
            (ModelType::WonOnPoints, game(0.6, -1.5, 8.5), Some("home"), "Boston Red Sox ML", 0.6),
            (ModelType::WonOnPoints, game(0.4, -1.5, 8.5), Some("away"), "New York Yankees ML", 0.6),
            (ModelType::WonOnSpread, game(0.6, -1.5, 8.5), Some("home"), "Boston Red Sox -1.5", 0.6),
            (ModelType::WonOnSpread, game(0.3, -1.5, 8.5), Some("away"), "New York Yankees +1.5", 0.7),
            (ModelType::WonOnSpread, game(0.6, 0.0, 8.5), Some("home"), "Boston Red Sox PK", 0.6),
            (ModelType::OverUnder, game(0.6, -1.5, 8.5), Some("over"), "Over 8.5", 0.6),
            (ModelType::OverUnder, game(0.4, -1.5, 9.0), Some("under"), "Under 9", 0.6),
            (ModelType::OverUnder, game(0.5, -1.5, 8.5), None, "No pick", 0.5),
        ];
        let names = Names { sport: Sport::Mlb, published: &TeamNames::default() };
        for (model_type, game, word, label, confidence) in table {
            let pick = Pick::for_game(model_type, &game, ModelColumn::Blend).expect("there is a blend");
            assert_eq!(pick.side.map(|side| model_type.side_word(side)), word);
            assert_eq!(pick.label(names, model_type, &game), label);
            assert!((pick.confidence().get() - confidence).abs() < 1e-12, "{label}");
        }
    }

    #[test]
    fn a_game_has_picks_of_the_models_with_a_probability_alone() {
        let elo: ModelName = "ELO".parse().expect("a name");
        let mut game = SlateGame { forecasts: Forecasts::default(), ..game(0.6, -1.5, 8.5) };
        assert_eq!(Pick::for_game(ModelType::OverUnder, &game, ModelColumn::Blend), None);
        assert_eq!(Pick::for_game(ModelType::OverUnder, &game, elo), None);
        game.own.insert(elo, Probability::new(0.3).expect("valid"));
        let pick = Pick::for_game(ModelType::OverUnder, &game, elo).expect("a probability");
        assert_eq!(
            (pick.side, pick.confidence()),
            (Some(Side::Negative), Probability::new(0.3).expect("valid").complement())
        );
    }

    #[test]
    fn a_side_without_a_price_or_a_probability_has_no_expected_value() {
        let blend = Probability::new(0.55).ok();
        let one_sided = TwoWayPrices { positive: AmericanPrice::new(-110).ok(), negative: None };
        let values = ExpectedValues::from_prices(blend, one_sided);
        // 0.55 · 100/110 − 0.45
        assert!(values.positive.is_some_and(|value| (value - 0.05).abs() < 1e-12));
        assert_eq!(values.negative, None);
        assert_eq!(ExpectedValues::from_prices(None, one_sided), ExpectedValues::default());
    }
}
