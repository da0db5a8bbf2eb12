use sports_domain::{ModelColumn, NO_DIFFERENCE, Probability, TwoWayPrices};
use sports_grading::{MarketGame, UngradedReason, Verdict};

use crate::lanes::{LANES, Lanes};
use crate::{SeasonGame, Staked};

/// What one unit on either side of a game came to: of a graded one, or of a push that would have been graded, with both
/// prices recorded.
pub struct Stakes {
    /// What a unit won earns: on the positive side, and on the negative one.
    profits: [f64; 2],
    /// What a unit returned beyond itself; nothing on a push.
    returned: [f64; 2],
}

impl Stakes {
    /// `None` without a final, a line or a price, and where no model other than IMPLIED takes a side.
    #[inline]
    pub fn on(game: &SeasonGame<'_>) -> Option<Self> {
        let TwoWayPrices { positive, negative } = game.market().prices();
        let profits = [positive?.profit_per_unit(), negative?.profit_per_unit()];
        let by_winner = [[profits[0], -1.0], [-1.0, profits[1]]];
        let returned = match game.verdict() {
            Verdict::Graded(graded) => by_winner[graded.outcome() as usize],
            Verdict::Ungraded(UngradedReason::Push) if game.market().is_predicted() => [0.0; 2],
            Verdict::Ungraded(_) => return None,
        };
        Some(Self { profits, returned })
    }

    /// What everybody's unit came to.
    #[inline]
    pub fn wagers(&self, market: &MarketGame) -> Wagers {
        let [ai, blend, catb, rf, lgb, logr, xgb, xt] = market.forecasts().or_nan();
        let implied = market.probability(ModelColumn::Implied).map_or(f64::NAN, Probability::get);
        // An agreement has no probability to bet by.
        let ensemble = f64::NAN;
        let probabilities = [ai, blend, catb, rf, lgb, logr, xgb, xt, implied, ensemble];
        let mut wagers = Wagers { made: [0.0; LANES], returned: [0.0; LANES], valued: [0.0; LANES] };
        for (lane, probability) in probabilities.into_iter().enumerate() {
            let complement = 1.0 - probability;
            let on_positive = probability * self.profits[0] - complement;
            let on_negative = complement * self.profits[1] - (1.0 - complement);
            // On the side with the higher expected value; of equals on the favoured one, at one half on the positive.
            let least = if probability >= 0.5 { -NO_DIFFERENCE } else { MORE_THAN_NO_DIFFERENCE };
            let is_on_positive = on_positive - on_negative >= least;
            let expected = if is_on_positive { on_positive } else { on_negative };
            let returned = if is_on_positive { self.returned[0] } else { self.returned[1] };
            wagers.made[lane] = if probability >= 0.0 { 1.0 } else { 0.0 };
            wagers.returned[lane] = if probability >= 0.0 { returned } else { 0.0 };
            wagers.valued[lane] = if expected > NO_DIFFERENCE { 1.0 } else { 0.0 };
        }
        wagers
    }
}

/// The next number.
const MORE_THAN_NO_DIFFERENCE: f64 = NO_DIFFERENCE.next_up();

/// What everybody's unit on one game came to.
pub struct Wagers {
    /// One where a unit was staked, else zero.
    made: Lanes<f64>,
    /// What it returned beyond itself, zero where none was staked.
    returned: Lanes<f64>,
    /// One where its expected value is above zero, else zero.
    valued: Lanes<f64>,
}

impl Wagers {
    /// What the unit of one of them returned beyond itself; `None` where none was staked.
    pub fn returned(&self, lane: usize) -> Option<f64> {
        (self.made[lane] > 0.0).then_some(self.returned[lane])
    }
}

/// Stakes of everybody, added up.
#[derive(Debug, Clone, Copy, Default)]
pub struct StakedLanes {
    bets: Lanes<f64>,
    units: Lanes<f64>,
}

impl StakedLanes {
    /// Adds every wager.
    #[inline]
    pub fn add(&mut self, wagers: &Wagers) {
        for lane in 0..LANES {
            self.bets[lane] += wagers.made[lane];
            self.units[lane] += wagers.returned[lane];
        }
    }

    /// Adds the wagers whose expected value is above zero.
    #[inline]
    pub fn add_valued(&mut self, wagers: &Wagers) {
        for lane in 0..LANES {
            self.bets[lane] += wagers.valued[lane];
            self.units[lane] += wagers.returned[lane] * wagers.valued[lane];
        }
    }

    /// One of them.
    pub fn get(&self, lane: usize) -> Staked {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of games")]
        Staked { bets: self.bets[lane] as u32, units: self.units[lane] }
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::{AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, ModelType, TeamSlug};

    use super::*;
    use crate::Summarised;

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

    /// What a model's unit on a game returned, and whether it expected to earn by it.
    fn wager_on(game: &MarketGame, model: ModelColumn) -> Option<(f64, bool)> {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let date = "2024-11-03".parse().expect("a date");
        let key = GameKey { date, time: None, away: team("foxes"), home: team("gulls"), game_number: None };
        let wagers = Stakes::on(&SeasonGame::new(&key, *game))?.wagers(game);
        let lane = Summarised::Model(model).lane();
        assert!(
            wagers.made[lane] > 0.0 || wagers.returned[lane].abs() + wagers.valued[lane] < 1e-12,
            "none is nothing"
        );
        (wagers.made[lane] > 0.0).then(|| (wagers.returned[lane], wagers.valued[lane] > 0.0))
    }

    /// The bet on a game on which XT takes a side, whatever BLEND says.
    fn wager(home: i32, away: i32, probability: f64, score: (u16, u16), model: ModelColumn) -> Option<(f64, bool)> {
        wager_on(&game(home, away, &[(ModelColumn::Blend, probability), (ModelColumn::Xt, 0.7)], score), model)
    }

    fn returned(home: i32, away: i32, probability: f64, score: (u16, u16)) -> f64 {
        wager(home, away, probability, score, ModelColumn::Blend).expect("both prices").0
    }

    #[test]
    fn the_dearer_favourite_can_be_the_worse_bet() {
        // 0.6 · 0.5 − 0.4 = −0.1 at −200 against 0.4 · 1.8 − 0.6 = +0.12 at +180: the underdog.
        assert!((returned(-200, 180, 0.6, (3, 1)) - 1.8).abs() < 1e-12);
        assert!((returned(-200, 180, 0.6, (1, 3)) + 1.0).abs() < 1e-12);
        assert!(wager(-200, 180, 0.6, (1, 3), ModelColumn::Blend).expect("priced").1);
    }

    #[test]
    fn stakes_add_up_to_units_and_a_mean_return() {
        assert_eq!((Staked::default().bets(), Staked::default().units(), Staked::default().roi()), (0, 0.0, None));
        // Won at +180, lost, and lost: 1.8 - 2 = -0.2 units, a fifteenth of a unit lost each time.
        let units = [(3, 1), (1, 3), (1, 3)].map(|score| returned(-200, 180, 0.6, score)).iter().sum();
        let staked = Staked { bets: 3, units };
        assert_eq!((staked.bets(), staked.units(), staked.roi()), (3, -0.2, Some(-0.066_667)));
    }

    #[test]
    fn between_equals_the_favoured_side_and_at_one_half_the_positive() {
        // At even prices and one half both sides are worth the same.
        assert!((returned(-110, -110, 0.5, (1, 3)) - 100.0 / 110.0).abs() < 1e-12);
        // IMPLIED finds every side worth the same: it takes the favourite.
        let implied = wager(180, -200, 0.9, (3, 1), ModelColumn::Implied).expect("priced");
        assert!((implied.0 - 0.5).abs() < 1e-12);
        assert!(!implied.1);
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
                    assert!(wager_on(&unpredicted, model).is_none(), "{model} {score:?}");
                }
            }
            // Another model's side is enough: IMPLIED and a BLEND of one half are bet beside it.
            for model in [ModelColumn::Implied, ModelColumn::Blend] {
                assert!(wager(-130, 110, 0.5, score, model).is_some(), "{model} {score:?}");
            }
        }
    }
}
