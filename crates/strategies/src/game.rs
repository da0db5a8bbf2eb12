use sports_domain::{FinalScore, Forecasts, GameLines, ModelColumn, ModelId, ModelType, OwnBlock, Probability, Side};
use sports_grading::MarketGame;

/// The verification of a final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Finality {
    /// The publisher marked the game as settled.
    Verified,
    /// The publisher gave another status, or none.
    Unverified,
}

/// One game of a market as input of the strategies: its two signals, and the data that settles a bet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrategyGame<'f> {
    market: MarketGame<'f>,
    finality: Finality,
    line_move: Option<Side>,
    is_unmoved: bool,
    edge: Option<Side>,
}

impl<'f> StrategyGame<'f> {
    /// Derives the signals from a game's lines and forecasts; the edge is that of the model `edge_by`. A game without a
    /// posted line has no signal, since it cannot be bet on.
    pub fn new(
        model_type: ModelType,
        lines: &GameLines,
        score: Option<FinalScore>,
        forecasts: Forecasts<'f>,
        finality: Finality,
        edge_by: impl Into<ModelId>,
    ) -> Self {
        let market = MarketGame::new(model_type, lines, score, forecasts);
        let line_move = line_move(model_type, lines).filter(|_| market.line().is_some());
        let edge = market.probability(edge_by).and_then(|probability| edge(&market, probability));
        let (moved, edge) = (line_move.and_then(Side::ahead), edge.and_then(Side::ahead));
        let has_opener =
            model_type != ModelType::WonOnSpread || lines.open_spread.is_some_and(|open| open.home() != 0.0);
        let is_unmoved = line_move.is_some() && moved.is_none() && has_opener;
        Self { market, finality, line_move: moved, is_unmoved, edge }
    }

    /// Sets the probabilities of a publisher's own models: blocks of eight in the order of their set, NaN for none.
    #[inline]
    pub const fn with_own(self, own: &[OwnBlock]) -> StrategyGame<'_> {
        let Self { market, finality, line_move, is_unmoved, edge } = self;
        StrategyGame { market: market.with_own(own), finality, line_move, is_unmoved, edge }
    }

    /// Replaces the edge with that of a model with this probability of the positive side; there is none without a
    /// probability.
    #[inline]
    pub fn with_edge_of(self, probability: Option<Probability>) -> Self {
        let edge = probability.and_then(|probability| edge(&self.market, probability));
        Self { edge: edge.and_then(Side::ahead), ..self }
    }

    /// Returns the game with the lines and prices of its market.
    pub const fn market(&self) -> &MarketGame<'f> {
        &self.market
    }

    /// Returns the verification of the final.
    pub const fn finality(&self) -> Finality {
        self.finality
    }

    /// Returns the side that the line moved to since its opener; `None` without an opener or a move.
    pub const fn line_move(&self) -> Option<Side> {
        self.line_move
    }

    /// Returns true if the line is that of its opener, which is known and not zero.
    pub const fn is_unmoved(&self) -> bool {
        self.is_unmoved
    }

    /// Returns the side on which the model exceeds the market; `None` if either is missing or both are equal.
    pub const fn edge(&self) -> Option<Side> {
        self.edge
    }
}

/// Returns the move of the line towards the positive side.
fn line_move(model_type: ModelType, lines: &GameLines) -> Option<f64> {
    match model_type {
        ModelType::OverUnder => Some(lines.total?.get() - lines.open_total?.get()),
        // A home team that gives more points is a move to the home team.
        ModelType::WonOnSpread => Some(lines.open_spread?.home() - lines.spread?.home()),
        ModelType::WonOnPoints => Some(lines.money.positive?.break_even() - lines.open_money.positive?.break_even()),
    }
}

/// Returns the model's probability minus the market's, in a game with a posted line and both prices.
fn edge(market: &MarketGame<'_>, probability: Probability) -> Option<f64> {
    market.line()?;
    Some(probability.get() - market.probability(ModelColumn::Implied)?.get())
}

#[cfg(test)]
mod tests {
    use sports_domain::{AmericanPrice, HomeSpread, Total, TwoWayPrices};

    use super::*;

    fn game(model_type: ModelType, lines: &GameLines, blend: f64) -> StrategyGame<'static> {
        let forecasts = Forecasts::default().with(ModelColumn::Blend, Probability::new(blend).expect("valid"));
        StrategyGame::new(model_type, lines, None, forecasts, Finality::Unverified, ModelColumn::Blend)
    }

    fn prices(positive: i32, negative: i32) -> TwoWayPrices {
        TwoWayPrices { positive: AmericanPrice::new(positive).ok(), negative: AmericanPrice::new(negative).ok() }
    }

    #[test]
    fn a_total_that_went_up_points_over() {
        let moved = |open: f64, now: f64| {
            let lines =
                GameLines { total: Total::new(now).ok(), open_total: Total::new(open).ok(), ..GameLines::default() };
            game(ModelType::OverUnder, &lines, 0.5).line_move()
        };
        assert_eq!(moved(44.0, 45.5), Some(Side::Positive));
        assert_eq!(moved(44.0, 43.5), Some(Side::Negative));
        assert_eq!(moved(44.0, 44.0), None);
        assert_eq!(moved(0.0, 44.0), None, "a total of zero is a placeholder");
    }

    #[test]
    fn a_line_moves_to_a_home_team_that_gives_more_points() {
        let moved = |open: f64, now: f64| {
            let (open_spread, spread) = (HomeSpread::new(open).ok(), HomeSpread::new(now).ok());
            game(ModelType::WonOnSpread, &GameLines { spread, open_spread, ..GameLines::default() }, 0.5).line_move()
        };
        assert_eq!(moved(-2.5, -3.5), Some(Side::Positive));
        assert_eq!(moved(2.5, 3.5), Some(Side::Negative));
        assert_eq!(moved(-1.0, 0.0), Some(Side::Negative), "a close of zero is a pick'em");
        assert_eq!(moved(0.0, -3.0), Some(Side::Positive), "an opener of zero is a pick'em");
    }

    #[test]
    fn a_dearer_home_price_is_a_move_to_the_home_team() {
        let moved = |open: i32, now: i32| {
            let lines = GameLines { money: prices(now, 0), open_money: prices(open, 0), ..GameLines::default() };
            game(ModelType::WonOnPoints, &lines, 0.5).line_move()
        };
        assert_eq!(moved(-120, -150), Some(Side::Positive));
        assert_eq!(moved(120, 150), Some(Side::Negative));
        assert_eq!(moved(100, -100), None, "even money is written both ways");
        assert_eq!(moved(0, -150), None);
    }

    #[test]
    fn an_edge_is_what_the_model_has_over_the_market() {
        let edge = |blend| {
            game(ModelType::WonOnPoints, &GameLines { money: prices(-200, 150), ..GameLines::default() }, blend).edge()
        };
        // The home share is 2/3 and the away share 2/5: five eighths for the home team.
        assert_eq!(edge(0.63), Some(Side::Positive));
        assert_eq!(edge(0.62), Some(Side::Negative));
        assert_eq!(edge(0.625), None);
    }

    #[test]
    fn an_edge_is_that_of_the_chosen_model_and_none_without_its_probability() {
        let own = [[0.7, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN]];
        let probability = |raw| Probability::new(raw).expect("valid");
        let forecasts = Forecasts::default().with(ModelColumn::Blend, probability(0.6)).with_own(&own);
        let lines = GameLines { money: prices(-200, 150), ..GameLines::default() };
        let edge_by = |model: ModelId| {
            StrategyGame::new(ModelType::WonOnPoints, &lines, None, forecasts, Finality::Verified, model)
        };
        let own = |index| ModelId::own(index).expect("a place");
        let edges = [ModelColumn::Blend.into(), own(0), own(1), own(9)].map(|model| edge_by(model).edge());
        assert_eq!(edges, [Some(Side::Negative), Some(Side::Positive), None, None]);
        let blend = edge_by(ModelColumn::Blend.into());
        assert_eq!(blend.with_edge_of(Some(probability(0.7))), edge_by(own(0)));
        assert_eq!(blend.with_edge_of(None), edge_by(own(1)));
    }

    #[test]
    fn a_line_is_unmoved_if_its_opener_is_known_and_not_zero() {
        let spread = |open: f64, now: f64| {
            let (open_spread, spread) = (HomeSpread::new(open).ok(), HomeSpread::new(now).ok());
            game(ModelType::WonOnSpread, &GameLines { spread, open_spread, ..GameLines::default() }, 0.5).is_unmoved()
        };
        assert_eq!([spread(-3.0, -3.0), spread(-3.0, -2.5), spread(0.0, 0.0)], [true, false, false]);
        assert_eq!([spread(f64::NAN, -3.0), spread(-3.0, f64::NAN)], [false; 2]);
        let money = |open: i32, now: i32| {
            let lines = GameLines { money: prices(now, 0), open_money: prices(open, 0), ..GameLines::default() };
            game(ModelType::WonOnPoints, &lines, 0.5).is_unmoved()
        };
        assert_eq!([money(100, -100), money(-120, -125), money(0, -125)], [true, false, false]);
    }

    #[test]
    fn prices_without_a_line_are_no_signal() {
        let lines =
            GameLines { total_prices: prices(-130, 110), open_total: Total::new(44.0).ok(), ..GameLines::default() };
        assert_eq!(game(ModelType::OverUnder, &lines, 0.9).edge(), None);
    }
}
