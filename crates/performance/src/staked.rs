use sports_domain::{ModelColumn, Side, expected_value, rounded};
use sports_grading::{MarketGame, Outcome};

/// Decimals of a mean return and of net units.
const PLACES: u8 = 6;

/// One-unit stakes and what they returned.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Staked {
    bets: u32,
    units: f64,
}

impl Staked {
    /// How many units were staked.
    #[must_use]
    pub const fn bets(&self) -> u32 {
        self.bets
    }

    /// What was won less what was lost, in units, rounded to six places.
    #[must_use]
    pub fn units(&self) -> f64 {
        rounded(self.units, PLACES)
    }

    /// The mean return of a stake, rounded to six places; `None` over no bets.
    #[must_use]
    pub fn roi(&self) -> Option<f64> {
        (self.bets > 0).then(|| rounded(self.units / f64::from(self.bets), PLACES))
    }

    pub(crate) fn add(&mut self, wager: &Wager) {
        self.bets += 1;
        self.units += wager.returned;
    }
}

/// The bet a model's probability asks for on a graded game with both prices recorded, or on a push that would have
/// been graded.
pub struct Wager {
    /// Its expected value by the model.
    expected: f64,
    /// What one unit returned beyond itself; nothing on a push.
    returned: f64,
}

impl Wager {
    /// One unit on the side with the higher expected value; of equals on the side the model favours, at
    /// exactly one half on the positive side. `None` without a final or a line, where no model other than IMPLIED
    /// takes a side, and without a probability of this model or a price.
    pub fn on(game: &MarketGame, model: ModelColumn) -> Option<Self> {
        let (outcome, probability) = (game.outcome().filter(|_| game.is_predicted())?, game.probability(model)?);
        let (over, under) = (game.prices().positive?, game.prices().negative?);
        let (on_positive, on_negative) =
            (expected_value(probability, over), expected_value(probability.complement(), under));
        let better = Side::ahead(on_positive - on_negative).or(probability.favoured()).unwrap_or(Side::Positive);
        let (price, expected, side) = match better {
            Side::Positive => (over, on_positive, Side::Positive),
            Side::Negative => (under, on_negative, Side::Negative),
        };
        let returned = match outcome {
            Outcome::Push => 0.0,
            Outcome::Decided(winner) if winner == side => price.profit_per_unit(),
            Outcome::Decided(_) => -1.0,
        };
        Some(Self { expected, returned })
    }

    /// Whether the model expects to earn by it.
    pub fn has_value(&self) -> bool {
        Side::ahead(self.expected) == Some(Side::Positive)
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::{AmericanPrice, FinalScore, Forecasts, GameLines, ModelType, Probability, TwoWayPrices};

    use super::*;

    fn game(home: i32, away: i32, probabilities: &[(ModelColumn, f64)], score: (u16, u16)) -> MarketGame {
        let price = |raw| AmericanPrice::new(raw).ok();
        let money = TwoWayPrices { positive: price(home), negative: price(away) };
        let lines = GameLines { money, ..GameLines::default() };
        let forecasts = probabilities.iter().fold(Forecasts::default(), |all, (model, probability)| {
            all.with(*model, Probability::new(*probability).expect("valid"))
        });
        let score = FinalScore { away: score.0, home: score.1 };
        MarketGame::new(ModelType::WonOnPoints, &lines, Some(score), forecasts)
    }

    /// The bet on a game on which XT takes a side, whatever BLEND says.
    fn wager(home: i32, away: i32, probability: f64, score: (u16, u16), model: ModelColumn) -> Option<Wager> {
        Wager::on(&game(home, away, &[(ModelColumn::Blend, probability), (ModelColumn::Xt, 0.7)], score), model)
    }

    fn returned(home: i32, away: i32, probability: f64, score: (u16, u16)) -> f64 {
        wager(home, away, probability, score, ModelColumn::Blend).expect("both prices").returned
    }

    #[test]
    fn the_dearer_favourite_can_be_the_worse_bet() {
        // 0.6 · 0.5 − 0.4 = −0.1 at −200 against 0.4 · 1.8 − 0.6 = +0.12 at +180: the underdog.
        assert!((returned(-200, 180, 0.6, (3, 1)) - 1.8).abs() < 1e-12);
        assert!((returned(-200, 180, 0.6, (1, 3)) + 1.0).abs() < 1e-12);
        assert!(wager(-200, 180, 0.6, (1, 3), ModelColumn::Blend).expect("priced").has_value());
    }

    #[test]
    fn stakes_add_up_to_units_and_a_mean_return() {
        assert_eq!((Staked::default().bets(), Staked::default().units(), Staked::default().roi()), (0, 0.0, None));
        let mut staked = Staked::default();
        // Won at +180, lost, and lost: 1.8 - 2 = -0.2 units, a fifteenth of a unit lost each time.
        for score in [(3, 1), (1, 3), (1, 3)] {
            staked.add(&wager(-200, 180, 0.6, score, ModelColumn::Blend).expect("priced"));
        }
        assert_eq!((staked.bets(), staked.units(), staked.roi()), (3, -0.2, Some(-0.066_667)));
    }

    #[test]
    fn between_equals_the_favoured_side_and_at_one_half_the_positive() {
        // At even prices and one half both sides are worth the same.
        assert!((returned(-110, -110, 0.5, (1, 3)) - 100.0 / 110.0).abs() < 1e-12);
        // IMPLIED finds every side worth the same: it takes the favourite.
        let implied = wager(180, -200, 0.9, (3, 1), ModelColumn::Implied).expect("priced");
        assert!((implied.returned - 0.5).abs() < 1e-12);
        assert!(!implied.has_value());
    }

    #[test]
    fn a_push_returns_the_stake_and_a_missing_price_makes_no_bet() {
        assert!(returned(-110, -110, 0.6, (2, 2)).abs() < 1e-12);
        assert!(wager(-110, 0, 0.6, (1, 2), ModelColumn::Blend).is_none());
        assert!(wager(-110, -110, 0.6, (1, 2), ModelColumn::Xgb).is_none());
    }

    #[test]
    fn a_game_on_which_no_model_takes_a_side_is_no_bet_decided_or_pushed() {
        for score in [(1, 2), (2, 2)] {
            for unpredicted in [&[][..], &[(ModelColumn::Blend, 0.5)]] {
                let unpredicted = game(-130, 110, unpredicted, score);
                for model in [ModelColumn::Implied, ModelColumn::Blend] {
                    assert!(Wager::on(&unpredicted, model).is_none(), "{model} {score:?}");
                }
            }
            // Another model's side is enough: IMPLIED and a BLEND of one half are bet beside it.
            for model in [ModelColumn::Implied, ModelColumn::Blend] {
                assert!(wager(-130, 110, 0.5, score, model).is_some(), "{model} {score:?}");
            }
        }
    }
}
