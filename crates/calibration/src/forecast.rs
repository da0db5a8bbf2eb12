use chrono::NaiveDate;
use sports_domain::{AmericanPrice, GameLines, ModelColumn, ModelId, ModelType, Probability, Side, TwoWayPrices};
use sports_grading::{MarketGame, Outcome, PostedLine};

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

/// The line and the prices that a market offers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Offer {
    /// The line; `None` if a total or a spread has no number.
    pub line: Option<PostedLine>,
    /// The prices of both sides.
    pub prices: TwoWayPrices,
}

/// The last offer before a game, as far as a forecast is compared with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Close {
    /// No offer with a price was published before the start.
    Missing,
    /// The last offer was too old at the start.
    Stale,
    /// The last offer was published with the forecast or before it.
    NotLater,
    /// The last offer.
    Offered(Offer),
}

/// A model's forecast of a game that has started, at the offer served with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TakenForecast {
    /// The game's Eastern date.
    pub date: NaiveDate,
    /// The model's probability of the positive side (over, home).
    pub probability: Probability,
    /// The offer served with the forecast.
    pub taken: Offer,
    /// The close.
    pub close: Close,
}

/// The reason for which a pick is left out of the measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exclusion {
    NoClose,
    StaleClose,
    NoLaterOdds,
    NoLine,
    NoPrice,
    LineMoved,
}

/// A pick beside the close.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PickAtClose {
    /// The points by which the line moved in the pick's favour; `None` for a moneyline, and without both lines.
    pub line: Option<f64>,
    /// The value of the price, or the reason for which it is not measured.
    pub price: Result<PriceValue, Exclusion>,
}

/// The value of a price taken, at the closing prices of the same line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PriceValue {
    /// The expected value of a unit by the closing no-vig probability, pushes ignored.
    pub expected: f64,
    /// The closing no-vig probability less that at the prices taken; `None` if only one price was taken.
    pub probability: Option<f64>,
}

impl Offer {
    /// Returns the offer of the market of `model_type`. A moneyline has no number, so it needs no line.
    pub fn from_lines(model_type: ModelType, lines: &GameLines) -> Self {
        let line = match model_type {
            ModelType::WonOnPoints => Some(PostedLine::Moneyline),
            ModelType::OverUnder | ModelType::WonOnSpread => PostedLine::from_lines(model_type, lines),
        };
        Self { line, prices: lines.prices(model_type) }
    }

    /// Returns the no-vig probability of a side; `None` without both prices.
    fn fair(&self, side: Side) -> Option<f64> {
        let positive = self.prices.no_vig()?.get();
        Some(if side == Side::Positive { positive } else { 1.0 - positive })
    }
}

impl TakenForecast {
    /// Compares the pick with the close; `None` if the forecast is one half and picks no side.
    pub(crate) fn at_close(&self) -> Option<PickAtClose> {
        let side = self.probability.favoured()?;
        let excluded = |reason| PickAtClose { line: None, price: Err(reason) };
        let close = match self.close {
            Close::Missing => return Some(excluded(Exclusion::NoClose)),
            Close::Stale => return Some(excluded(Exclusion::StaleClose)),
            Close::NotLater => return Some(excluded(Exclusion::NoLaterOdds)),
            Close::Offered(close) => close,
        };
        let (Some(taken), Some(closing)) = (self.taken.line, close.line) else {
            return Some(excluded(Exclusion::NoLine));
        };
        Some(PickAtClose { line: gained(taken, closing, side), price: self.price_at(&close, taken == closing, side) })
    }

    fn price_at(&self, close: &Offer, is_same_line: bool, side: Side) -> Result<PriceValue, Exclusion> {
        let (Some(price), Some(fair)) = (self.taken.prices.on(side), close.fair(side)) else {
            return Err(Exclusion::NoPrice);
        };
        if !is_same_line {
            return Err(Exclusion::LineMoved);
        }
        let expected = fair * (1.0 + price.profit_per_unit()) - 1.0;
        Ok(PriceValue { expected, probability: self.taken.fair(side).map(|taken| fair - taken) })
    }
}

/// Returns the points by which the line moved in favour of a pick of `side`. A pick of the over wants the lower total, a
/// pick of a team the more points for it.
fn gained(taken: PostedLine, closing: PostedLine, side: Side) -> Option<f64> {
    let moved = closing.seen_from(side)? - taken.seen_from(side)?;
    Some(if matches!((taken, side), (PostedLine::Total(_), Side::Positive)) { moved } else { 0.0 - moved })
}

#[cfg(test)]
mod tests {
    use sports_domain::{AmericanPrice, FinalScore, Forecasts, GameLines, HomeSpread, ModelType, Total, TwoWayPrices};

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

    fn prices(positive: i32, negative: i32) -> TwoWayPrices {
        TwoWayPrices { positive: AmericanPrice::new(positive).ok(), negative: AmericanPrice::new(negative).ok() }
    }

    fn moneyline(home: i32, away: i32) -> Offer {
        Offer { line: Some(PostedLine::Moneyline), prices: prices(home, away) }
    }

    fn spread(points: f64, home: i32, away: i32) -> Offer {
        let line = HomeSpread::new(points).ok().map(PostedLine::Spread);
        Offer { line, prices: prices(home, away) }
    }

    fn total(points: f64) -> Offer {
        Offer { line: Total::new(points).ok().map(PostedLine::Total), prices: prices(-110, -110) }
    }

    fn pick(probability: f64, taken: Offer, close: Close) -> PickAtClose {
        let date = "2024-01-06".parse().expect("a date");
        let probability = Probability::new(probability).expect("a probability");
        TakenForecast { date, probability, taken, close }.at_close().expect("a side")
    }

    fn assert_price(pick: PickAtClose, expected: f64, probability: Option<f64>) {
        let value = pick.price.expect("a value");
        assert!((value.expected - expected).abs() < 5e-7, "{value:?}");
        assert_eq!(value.probability.is_some(), probability.is_some(), "{value:?}");
        assert!((value.probability.unwrap_or(0.0) - probability.unwrap_or(0.0)).abs() < 5e-7, "{value:?}");
    }

    /// The worked examples of `docs/analytics.md`.
    #[test]
    fn prices_are_worth_what_the_worked_examples_say() {
        let home = pick(0.6, moneyline(-125, 105), Close::Offered(moneyline(-150, 130)));
        assert_price(home, 0.043_697, Some(0.047_364));
        assert_eq!(home.line, None);
        let cover = pick(0.6, spread(-3.0, -105, -115), Close::Offered(spread(-3.0, -120, 100)));
        assert_price(cover, 0.018_634, Some(0.032_573));
        assert_eq!(cover.line, Some(0.0));
        let longshot = pick(0.6, moneyline(140, -160), Close::Offered(moneyline(150, -170)));
        assert_price(longshot, -0.067_626, Some(-0.015_237));
        let even = pick(0.6, spread(-3.0, -110, 0), Close::Offered(spread(-3.0, -120, 100)));
        assert_price(even, -0.003_953, None);
    }

    /// The away side at +105 against a fair 0.420168: 2.05 × 0.420168 − 1; at the prices taken it was 0.467532.
    #[test]
    fn a_pick_of_the_negative_side_has_the_complement() {
        let away = pick(0.4, moneyline(-125, 105), Close::Offered(moneyline(-150, 130)));
        assert_price(away, -0.138_655, Some(-0.047_364));
    }

    #[test]
    fn a_line_gains_points_for_the_side_that_was_picked() {
        for (probability, taken, close, gained) in [
            (0.6, total(44.0), total(45.5), 1.5),
            (0.4, total(44.0), total(45.5), -1.5),
            (0.6, spread(-3.0, -110, -110), spread(-2.5, -110, -110), -0.5),
            (0.4, spread(-3.0, -110, -110), spread(-2.5, -110, -110), 0.5),
        ] {
            let moved = pick(probability, taken, Close::Offered(close));
            assert_eq!((moved.line, moved.price), (Some(gained), Err(Exclusion::LineMoved)));
        }
    }

    #[test]
    fn a_pick_is_excluded_for_the_first_reason() {
        let unpriced = spread(-3.0, 0, 0);
        let no_line = Offer { line: None, ..spread(0.0, -110, -110) };
        for (taken, close, reason) in [
            (no_line, Close::Missing, Exclusion::NoClose),
            (no_line, Close::Stale, Exclusion::StaleClose),
            (no_line, Close::NotLater, Exclusion::NoLaterOdds),
            (no_line, Close::Offered(unpriced), Exclusion::NoLine),
            (unpriced, Close::Offered(no_line), Exclusion::NoLine),
            (unpriced, Close::Offered(spread(-2.0, -110, -110)), Exclusion::NoPrice),
            (spread(-3.0, -110, -110), Close::Offered(spread(-2.0, -110, 0)), Exclusion::NoPrice),
            (spread(-3.0, 0, -110), Close::Offered(spread(-3.0, -110, -110)), Exclusion::NoPrice),
            (spread(-3.0, -110, -110), Close::Offered(spread(-2.0, -110, -110)), Exclusion::LineMoved),
        ] {
            assert_eq!(pick(0.6, taken, close).price, Err(reason));
        }
        let unpriced = pick(0.6, unpriced, Close::Offered(spread(-2.0, -110, -110)));
        assert_eq!(unpriced.line, Some(-1.0), "a missing price hides no move of the line");
    }

    #[test]
    fn one_half_picks_no_side() {
        let forecast = TakenForecast {
            date: "2024-01-06".parse().expect("a date"),
            probability: Probability::new(0.5).expect("a probability"),
            taken: moneyline(-125, 105),
            close: Close::Missing,
        };
        assert_eq!(forecast.at_close(), None);
    }

    #[test]
    fn a_moneyline_is_offered_without_a_price_and_a_total_needs_its_number() {
        let lines = GameLines { total: Total::new(44.0).ok(), ..GameLines::default() };
        let line = |model_type| Offer::from_lines(model_type, &lines).line;
        assert_eq!(line(ModelType::WonOnPoints), Some(PostedLine::Moneyline));
        assert_eq!(line(ModelType::OverUnder), lines.total.map(PostedLine::Total));
        assert_eq!(line(ModelType::WonOnSpread), None);
    }
}
