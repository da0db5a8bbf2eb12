use chrono::NaiveDate;
use sports_domain::{AmericanPrice, ModelSet, NO_DIFFERENCE, Probability, TwoWayPrices, rounded};
use sports_grading::{UngradedReason, Verdict};

use crate::{SHARE_PLACES, SeasonGame, Summarised, season_game};

/// The profits of one unit on either side of a game with both prices. The game is graded, or a push that would have
/// been graded.
pub struct Stakes {
    /// The profit of a won unit on the positive and on the negative side.
    profits: [f64; 2],
    /// The actual profit of a unit on each side; zero for a push.
    returned: [f64; 2],
}

impl Stakes {
    /// Returns `None` without a final, a line or a price, and if no model other than IMPLIED picks a side.
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

    /// Computes the wager of each subject by its probability, NaN for a subject without one.
    #[inline]
    pub fn wagers<const W: usize>(&self, probabilities: [f64; W]) -> Wagers<W> {
        let mut wagers = Wagers { made: [0.0; W], returned: [0.0; W], valued: [0.0; W] };
        for (lane, probability) in probabilities.into_iter().enumerate() {
            let (is_on_positive, expected) = better_side(self.profits, probability);
            let returned = if is_on_positive { self.returned[0] } else { self.returned[1] };
            wagers.made[lane] = if probability >= 0.0 { 1.0 } else { 0.0 };
            wagers.returned[lane] = if probability >= 0.0 { returned } else { 0.0 };
            wagers.valued[lane] = if expected > NO_DIFFERENCE { 1.0 } else { 0.0 };
        }
        wagers
    }
}

/// Returns whether the side with the higher expected value is the positive one, and that value of one unit: of equal sides the
/// favoured one, at one half the positive. `profits` are those of a won unit on each side.
#[inline]
pub fn better_side(profits: [f64; 2], probability: f64) -> (bool, f64) {
    let complement = 1.0 - probability;
    let on_positive = probability * profits[0] - complement;
    let on_negative = complement * profits[1] - (1.0 - complement);
    let least = if probability >= 0.5 { -NO_DIFFERENCE } else { MORE_THAN_NO_DIFFERENCE };
    let is_on_positive = on_positive - on_negative >= least;
    (is_on_positive, if is_on_positive { on_positive } else { on_negative })
}

/// The next number above [`NO_DIFFERENCE`].
const MORE_THAN_NO_DIFFERENCE: f64 = NO_DIFFERENCE.next_up();

/// The wagers of several subjects on one game.
pub struct Wagers<const W: usize> {
    /// One if a unit was staked, else zero.
    made: [f64; W],
    /// The profit of the unit; zero if no unit was staked.
    returned: [f64; W],
    /// One if the expected value is above zero, else zero.
    valued: [f64; W],
}

impl Wagers<1> {
    /// Returns the profit of the only subject's unit; `None` if no unit was staked.
    pub fn returned(&self) -> Option<f64> {
        (self.made[0] > 0.0).then_some(self.returned[0])
    }
}

/// The sums of several subjects' stakes.
#[derive(Debug, Clone, Copy)]
pub struct StakedLanes<const W: usize> {
    bets: [f64; W],
    units: [f64; W],
}

impl<const W: usize> Default for StakedLanes<W> {
    fn default() -> Self {
        Self { bets: [0.0; W], units: [0.0; W] }
    }
}

impl<const W: usize> StakedLanes<W> {
    /// Adds the wagers on a game.
    #[inline]
    pub fn add(&mut self, wagers: &Wagers<W>) {
        for lane in 0..W {
            self.bets[lane] += wagers.made[lane];
            self.units[lane] += wagers.returned[lane];
        }
    }

    /// Adds the wagers with an expected value above zero.
    #[inline]
    pub fn add_valued(&mut self, wagers: &Wagers<W>) {
        for lane in 0..W {
            self.bets[lane] += wagers.valued[lane];
            self.units[lane] += wagers.returned[lane] * wagers.valued[lane];
        }
    }

    /// Returns the stakes of one subject.
    pub fn get(&self, lane: usize) -> Staked {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of games")]
        Staked { bets: self.bets[lane] as u32, units: self.units[lane] }
    }
}

/// Returns the date and the profit of each unit in [`Span::staked`](crate::Span) over a season with these models.
pub fn staked_games(
    games: &[SeasonGame<'_>],
    models: &ModelSet,
    of: Summarised,
) -> impl Iterator<Item = (NaiveDate, f64)> {
    let model = of.id(models);
    games.iter().filter_map(move |game| {
        let probability = game.market().probability(model?).map_or(f64::NAN, Probability::get);
        Some((game.date(), Stakes::on(game)?.wagers([probability]).returned()?))
    })
}

/// Returns the recorded prices of the picked sides of graded games. Games without such a price are omitted.
pub fn picked_prices(
    games: &[SeasonGame<'_>],
    models: &ModelSet,
    of: Summarised,
) -> impl Iterator<Item = AmericanPrice> {
    let model = of.id(models);
    games.iter().filter_map(move |game| {
        let graded = game.graded()?;
        let pick =
            if of == Summarised::Ensemble { season_game::ensemble_pick(graded.picks()) } else { graded.pick(model?) };
        game.market().prices().on(pick?)
    })
}

/// One-unit stakes and their profit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Staked {
    pub(crate) bets: u32,
    pub(crate) units: f64,
}

impl Staked {
    /// Returns the number of stakes, of one unit each.
    pub const fn bets(&self) -> u32 {
        self.bets
    }

    /// Returns the profit in units, rounded to six places.
    pub fn units(&self) -> f64 {
        rounded(self.units, SHARE_PLACES)
    }

    /// Returns the profit per stake, rounded to six places; `None` without bets.
    pub fn roi(&self) -> Option<f64> {
        (self.bets > 0).then(|| rounded(self.units / f64::from(self.bets), SHARE_PLACES))
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::{
        AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, ModelColumn, ModelType, Probability, TeamSlug,
    };
    use sports_grading::MarketGame;

    use super::*;
    use crate::lanes::{Lane, standard};

    fn game(home: i32, away: i32, probabilities: &[(ModelColumn, f64)], score: (u16, u16)) -> MarketGame<'static> {
        let price = |raw| AmericanPrice::new(raw).ok();
        let money = TwoWayPrices { positive: price(home), negative: price(away) };
        let lines = GameLines { money, ..GameLines::default() };
        let forecasts = probabilities.iter().fold(Forecasts::default(), |all, (model, probability)| {
            all.with(*model, Probability::new(*probability).expect("valid"))
        });
        let score = FinalScore { away: score.0, home: score.1 };
        MarketGame::new(ModelType::WonOnPoints, &lines, Some(score), forecasts)
    }

    /// Returns the profit of a model's unit on a game, and `true` if its expected value was above zero.
    fn wager_on(game: &MarketGame<'_>, model: ModelColumn) -> Option<(f64, bool)> {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let date = "2024-11-03".parse().expect("a date");
        let key = GameKey { date, time: None, away: team("foxes"), home: team("gulls"), game_number: None };
        let wagers = Stakes::on(&SeasonGame::new(&key, *game))?.wagers(standard(game));
        let Lane::Standard(lane) = Lane::of(Some(model.into())) else { panic!("a model of the specification") };
        assert!(
            wagers.made[lane] > 0.0 || wagers.returned[lane].abs() + wagers.valued[lane] < 1e-12,
            "no wager changes no sum"
        );
        (wagers.made[lane] > 0.0).then(|| (wagers.returned[lane], wagers.valued[lane] > 0.0))
    }

    /// Returns the wager on a game on which XT picks a side, so that BLEND's probability may be one half.
    fn wager(home: i32, away: i32, probability: f64, score: (u16, u16), model: ModelColumn) -> Option<(f64, bool)> {
        wager_on(&game(home, away, &[(ModelColumn::Blend, probability), (ModelColumn::Xt, 0.7)], score), model)
    }

    fn returned(home: i32, away: i32, probability: f64, score: (u16, u16)) -> f64 {
        wager(home, away, probability, score, ModelColumn::Blend).expect("both prices").0
    }

    #[test]
    fn the_favourite_at_a_high_price_can_be_the_worse_bet() {
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
    fn equal_sides_are_bet_on_the_favoured_side_and_at_one_half_on_the_positive() {
        // At even prices and one half both sides are worth the same.
        assert!((returned(-110, -110, 0.5, (1, 3)) - 100.0 / 110.0).abs() < 1e-12);
        // For IMPLIED both sides have the same expected value, so the bet is on the favourite.
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
    fn a_game_without_a_pick_of_any_model_is_no_bet_decided_or_pushed() {
        for score in [(1, 2), (2, 2)] {
            for unpredicted in [&[][..], &[(ModelColumn::Blend, 0.5)]] {
                let unpredicted = game(-130, 110, unpredicted, score);
                for model in [ModelColumn::Implied, ModelColumn::Blend] {
                    assert!(wager_on(&unpredicted, model).is_none(), "{model} {score:?}");
                }
            }
            // Another model's pick is enough: IMPLIED and a BLEND of one half bet as well.
            for model in [ModelColumn::Implied, ModelColumn::Blend] {
                assert!(wager(-130, 110, 0.5, score, model).is_some(), "{model} {score:?}");
            }
        }
    }
}
