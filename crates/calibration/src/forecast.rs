use chrono::NaiveDate;
use sports_domain::{AmericanPrice, ModelColumn, ModelId, Probability, Side};
use sports_grading::{MarketGame, Outcome};

/// A model's forecast of a decided game, with the market's probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SettledForecast {
    /// The game's date.
    pub date: NaiveDate,
    /// The model's probability of the positive side (over, home).
    pub probability: Probability,
    /// The market's no-vig probability of the positive side; `None` unless both sides have a price.
    pub market: Option<Probability>,
    /// The side that won.
    pub winner: Side,
    /// The recorded price of the side that the model favours, if any.
    pub price: Option<AmericanPrice>,
}

impl SettledForecast {
    /// Returns a model's forecast of a game; `None` for a push, and without a final, a line or that model's
    /// probability.
    pub fn from_game(date: NaiveDate, game: &MarketGame<'_>, model: impl Into<ModelId>) -> Option<Self> {
        let probability = game.probability(model)?;
        let Outcome::Decided(winner) = game.outcome()? else { return None };
        let price = probability.favoured().and_then(|side| game.prices().on(side));
        Some(Self { date, probability, market: game.probability(ModelColumn::Implied), winner, price })
    }

    /// Returns `true` if the positive side won.
    pub(crate) fn positive_won(&self) -> bool {
        self.winner == Side::Positive
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::{FinalScore, Forecasts, GameLines, ModelType, TwoWayPrices};

    use super::*;

    fn forecast(prices: [i32; 2], blend: Option<f64>, score: Option<(u16, u16)>) -> Option<SettledForecast> {
        let [positive, negative] = prices.map(|price| AmericanPrice::new(price).ok());
        let lines = GameLines { money: TwoWayPrices { positive, negative }, ..GameLines::default() };
        let forecasts = blend.map_or_else(Forecasts::default, |blend| {
            Forecasts::default().with(ModelColumn::Blend, Probability::new(blend).expect("valid"))
        });
        let score = score.map(|(away, home)| FinalScore { away, home });
        let game = MarketGame::new(ModelType::WonOnPoints, &lines, score, forecasts);
        SettledForecast::from_game("2024-01-06".parse().expect("a date"), &game, ModelColumn::Blend)
    }

    #[test]
    fn a_forecast_is_settled_by_a_final_and_a_line_without_a_push() {
        let both = [-200, 170];
        assert!(forecast(both, Some(0.6), Some((1, 2))).is_some());
        for (prices, blend, score) in [
            (both, Some(0.6), None),
            (both, Some(0.6), Some((2, 2))),
            (both, None, Some((1, 2))),
            ([0, 0], Some(0.6), Some((1, 2))),
        ] {
            assert_eq!(forecast(prices, blend, score), None);
        }
    }

    #[test]
    fn a_forecast_has_the_price_of_the_side_it_favours_and_none_at_one_half() {
        let price = |blend| forecast([-200, 170], Some(blend), Some((1, 2))).expect("settled").price;
        let posted = |raw| AmericanPrice::new(raw).ok();
        assert_eq!([0.6, 0.4, 0.5].map(price), [posted(-200), posted(170), None]);
        // One price is a line, but not a probability of the market.
        let one_sided = forecast([-200, 0], Some(0.4), Some((1, 2))).expect("settled");
        assert_eq!((one_sided.price, one_sided.market), (None, None));
        assert!(one_sided.positive_won());
    }
}
