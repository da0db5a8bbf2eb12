use sports_domain::{
    FinalScore, Forecasts, GameLines, ModelColumn, ModelId, ModelSet, ModelType, OwnBlock, Probability, Side,
    TwoWayPrices,
};

use crate::{Graded, Outcome, Picks, PostedLine, UngradedReason, Verdict};

/// One market of one game, with all the data that grading uses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarketGame<'f> {
    model_type: ModelType,
    line: Option<PostedLine>,
    prices: TwoWayPrices,
    score: Option<FinalScore>,
    /// Computed once, because every figure of the models uses it.
    implied: Option<Probability>,
    forecasts: Forecasts<'f>,
}

impl<'f> MarketGame<'f> {
    /// Selects the data of the market of `model_type`.
    #[inline]
    pub fn new(model_type: ModelType, lines: &GameLines, score: Option<FinalScore>, forecasts: Forecasts<'f>) -> Self {
        let (line, prices) = (PostedLine::from_lines(model_type, lines), lines.prices(model_type));
        Self { model_type, line, prices, score, implied: prices.no_vig(), forecasts }
    }

    /// Sets the probabilities of a publisher's own models: blocks of eight in the order of their set, NaN for none.
    #[inline]
    pub const fn with_own(self, own: &[OwnBlock]) -> MarketGame<'_> {
        let Self { model_type, line, prices, score, implied, forecasts } = self;
        MarketGame { model_type, line, prices, score, implied, forecasts: forecasts.with_own(own) }
    }

    /// Returns the model type of the market.
    #[inline]
    pub const fn model_type(&self) -> ModelType {
        self.model_type
    }

    /// Returns the posted line, if any.
    #[inline]
    pub const fn line(&self) -> Option<PostedLine> {
        self.line
    }

    /// Returns the recorded closing prices.
    #[inline]
    pub const fn prices(&self) -> TwoWayPrices {
        self.prices
    }

    /// Returns the final score, if there is one.
    #[inline]
    pub const fn score(&self) -> Option<FinalScore> {
        self.score
    }

    /// Returns the probabilities of the models.
    #[inline]
    pub const fn forecasts(&self) -> &Forecasts<'f> {
        &self.forecasts
    }

    /// Returns the settlement of the line by the final; `None` without a final or a posted line.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        Some(self.line?.settle(self.score?))
    }

    /// Returns `true` if the final is exactly on the line; `None` without a final or a posted line.
    #[inline]
    pub fn push(&self) -> Option<bool> {
        self.outcome().map(|outcome| outcome == Outcome::Push)
    }

    /// Returns the value of the binary outcome column: `true` if the positive side won. A push is `false`, like an
    /// under or a non-cover.
    ///
    /// Returns `None` without a final. The winner of a game is known without prices, so the moneyline's column needs
    /// no posted line; totals and spreads do.
    #[inline]
    pub fn positive_won(&self) -> Option<bool> {
        let line = if self.model_type == ModelType::WonOnPoints { Some(PostedLine::Moneyline) } else { self.line };
        Some(line?.settle(self.score?) == Outcome::Decided(Side::Positive))
    }

    /// Returns a model's probability of the positive side. IMPLIED is computed from both prices.
    #[inline]
    pub fn probability(&self, model: impl Into<ModelId>) -> Option<Probability> {
        let model = model.into();
        if model == ModelId::of(ModelColumn::Implied) { self.implied } else { self.forecasts.get(model) }
    }

    /// Grades the game.
    #[inline]
    pub fn verdict(&self) -> Verdict {
        let Some(score) = self.score else { return Verdict::Ungraded(UngradedReason::NoFinal) };
        let Some(line) = self.line else { return Verdict::Ungraded(UngradedReason::NoLine) };
        let Outcome::Decided(winner) = line.settle(score) else { return Verdict::Ungraded(UngradedReason::Push) };
        let picks = self.predictions();
        if picks.is_prediction() {
            Verdict::Graded(Graded::new(winner, picks.with_implied(self.implied)))
        } else {
            Verdict::Ungraded(UngradedReason::NoPrediction)
        }
    }

    /// Returns the pick of each model other than IMPLIED.
    #[inline]
    fn predictions(&self) -> Picks {
        let standard = Picks::of_block(*self.forecasts.or_nan());
        match self.forecasts.own_or_nan() {
            [] => standard,
            own => standard.with_own(own),
        }
    }

    /// Returns the pick of each model, whether or not the game is graded.
    pub fn picks(&self) -> Picks {
        self.predictions().with_implied(self.implied)
    }

    /// Returns `true` if a model other than IMPLIED has a pick: market prices alone are not a prediction.
    pub fn is_predicted(&self) -> bool {
        self.predictions().is_prediction()
    }
}

/// The distance of each block of own models from the specification's models, of as many blocks as a set can have.
const OWN_SHIFTS: [usize; ModelSet::MOST / 8] = [8, 16, 24, 32];

/// The bits of the specification's models, whose places begin at 1. Compilers select one of two numbers for two models at
/// once, but not if one of the numbers is 1.
const BITS: [u64; 8] = [1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8];

impl Picks {
    /// Returns the picks of eight models at the places of the specification's. NaN, which stands for no forecast, is on
    /// neither side.
    ///
    /// Not inlined, because compilers compute two models at once here, but one by one amid other code. The probabilities
    /// are a copy, so that a caller need not write the whole game to memory.
    #[inline(never)]
    fn of_block(probabilities: OwnBlock) -> Self {
        Self {
            positive: mask(&probabilities, |given| given > 0.5),
            negative: mask(&probabilities, |given| given < 0.5),
        }
    }

    /// Adds the picks of a publisher's own models, which most leagues lack.
    #[inline(never)]
    fn with_own(mut self, blocks: &[OwnBlock]) -> Self {
        for (block, shift) in blocks.iter().zip(OWN_SHIFTS) {
            let own = Self::of_block(*block);
            self.positive |= own.positive << shift;
            self.negative |= own.negative << shift;
        }
        self
    }

    /// Adds the pick of the market's probability.
    #[inline]
    fn with_implied(mut self, implied: Option<Probability>) -> Self {
        match implied.and_then(Probability::favoured) {
            Some(Side::Positive) => self.positive |= 1,
            Some(Side::Negative) => self.negative |= 1,
            None => {}
        }
        self
    }
}

/// Returns the bits of the probabilities that `picks` accepts, without branches and shifts.
#[inline]
fn mask(probabilities: &OwnBlock, picks: impl Fn(f64) -> bool) -> u64 {
    let bits = probabilities.iter().zip(BITS).map(|(given, bit)| if picks(*given) { bit } else { 0 });
    bits.fold(0, |mask, bit| mask | bit)
}

#[cfg(test)]
mod tests {
    use sports_domain::{AmericanPrice, HomeSpread, Total};

    use super::*;

    fn prices(positive: i32, negative: i32) -> TwoWayPrices {
        // Zero is a feed's placeholder for a missing price.
        TwoWayPrices { positive: AmericanPrice::new(positive).ok(), negative: AmericanPrice::new(negative).ok() }
    }

    fn blend(probability: f64) -> Forecasts<'static> {
        Forecasts::default().with(ModelColumn::Blend, Probability::new(probability).expect("valid"))
    }

    fn moneyline(money: TwoWayPrices, score: Option<(u16, u16)>, forecasts: Forecasts<'_>) -> MarketGame<'_> {
        let lines = GameLines { money, ..GameLines::default() };
        let score = score.map(|(away, home)| FinalScore { away, home });
        MarketGame::new(ModelType::WonOnPoints, &lines, score, forecasts)
    }

    #[test]
    fn a_game_with_several_ungraded_reasons_has_the_first() {
        let posted = prices(-120, 105);
        let table = [
            (moneyline(prices(0, 0), None, Forecasts::default()), UngradedReason::NoFinal),
            (moneyline(posted, None, blend(0.6)), UngradedReason::NoFinal),
            (moneyline(prices(0, 0), Some((1, 1)), Forecasts::default()), UngradedReason::NoLine),
            (moneyline(posted, Some((1, 1)), Forecasts::default()), UngradedReason::Push),
            (moneyline(posted, Some((1, 2)), Forecasts::default()), UngradedReason::NoPrediction),
        ];
        for (game, reason) in table {
            assert_eq!(game.verdict(), Verdict::Ungraded(reason));
        }
    }

    #[test]
    fn market_prices_alone_are_not_a_prediction() {
        let game = moneyline(prices(-200, 170), Some((1, 2)), blend(0.5));
        assert_eq!(game.verdict(), Verdict::Ungraded(UngradedReason::NoPrediction));
    }

    #[test]
    fn implied_is_graded_beside_a_model_with_a_pick() {
        let game = moneyline(prices(-200, 170), Some((1, 2)), blend(0.4));
        let Verdict::Graded(graded) = game.verdict() else { panic!("graded") };
        assert_eq!(graded.won(ModelColumn::Implied), Some(true));
        assert_eq!(graded.won(ModelColumn::Blend), Some(false));
        assert_eq!(graded.won(ModelColumn::Xt), None);
    }

    /// The places of the first and the last model of each block, beyond which no model has a pick.
    #[test]
    fn own_models_have_picks_at_their_places() {
        for own in [0, 7, 8, 15, 16, 23, 24, 31] {
            let model = ModelId::own(own).expect("a place");
            let mut blocks = [[f64::NAN; 8]; 4];
            blocks[own / 8][own % 8] = 0.4;
            let game = moneyline(prices(-200, 170), Some((1, 2)), Forecasts::default().with_own(&blocks));
            let Verdict::Graded(graded) = game.verdict() else { panic!("an own model is a prediction") };
            assert_eq!(graded.picks(), Picks { positive: 1, negative: 1 << model.index() });
            assert_eq!((graded.pick(model), graded.won(model)), (Some(Side::Negative), Some(false)));
            assert_eq!(game.probability(model), Probability::new(0.4).ok());
        }
        let halves = [[0.5; 8]; 4];
        let game = moneyline(prices(-200, 170), Some((1, 2)), Forecasts::default().with_own(&halves));
        assert_eq!(game.verdict(), Verdict::Ungraded(UngradedReason::NoPrediction));
    }

    #[test]
    fn a_game_priced_on_one_side_has_no_implied_pick() {
        let game = moneyline(prices(-200, 0), Some((1, 2)), blend(0.6));
        let Verdict::Graded(graded) = game.verdict() else { panic!("one price makes a line") };
        assert_eq!(graded.pick(ModelColumn::Implied), None);
        assert_eq!(game.probability(ModelColumn::Implied), None);
    }

    #[test]
    fn a_game_has_the_line_and_the_prices_of_its_own_market() {
        let lines = GameLines {
            total: Total::new(43.0).ok(),
            total_prices: prices(-105, -115),
            spread: HomeSpread::new(-3.0).ok(),
            spread_prices: prices(-112, -108),
            money: prices(-150, 130),
            ..GameLines::default()
        };
        for (model_type, line, posted) in [
            (ModelType::OverUnder, lines.total.map(PostedLine::Total), lines.total_prices),
            (ModelType::WonOnSpread, lines.spread.map(PostedLine::Spread), lines.spread_prices),
            (ModelType::WonOnPoints, Some(PostedLine::Moneyline), lines.money),
        ] {
            let game = MarketGame::new(model_type, &lines, None, blend(0.6));
            assert_eq!((game.model_type(), game.line(), game.prices()), (model_type, line, posted));
            assert_eq!(MarketGame::new(model_type, &GameLines::default(), None, blend(0.6)).line(), None);
        }
    }

    #[test]
    fn the_outcome_column_of_a_push_is_an_under_or_a_non_cover() {
        let lines = GameLines {
            total: Total::new(43.0).ok(),
            spread: HomeSpread::new(-3.0).ok(),
            money: prices(-150, 130),
            ..GameLines::default()
        };
        let on_both_lines = Some(FinalScore { away: 20, home: 23 });
        for (model_type, push, positive) in [
            (ModelType::OverUnder, true, false),
            (ModelType::WonOnSpread, true, false),
            (ModelType::WonOnPoints, false, true),
        ] {
            let game = MarketGame::new(model_type, &lines, on_both_lines, blend(0.6));
            assert_eq!((game.push(), game.positive_won()), (Some(push), Some(positive)), "{model_type}");
        }
    }

    #[test]
    fn a_winner_is_known_without_a_price_but_a_push_needs_a_line() {
        let unfinished = moneyline(prices(-120, 105), None, blend(0.6));
        assert_eq!((unfinished.push(), unfinished.positive_won()), (None, None));
        let unpriced = moneyline(prices(0, 0), Some((1, 2)), blend(0.6));
        assert_eq!((unpriced.push(), unpriced.positive_won()), (None, Some(true)));
        let score = Some(FinalScore { away: 1, home: 2 });
        for model_type in [ModelType::OverUnder, ModelType::WonOnSpread] {
            let unposted = MarketGame::new(model_type, &GameLines::default(), score, blend(0.6));
            assert_eq!((unposted.push(), unposted.positive_won()), (None, None), "{model_type}");
        }
    }
}
