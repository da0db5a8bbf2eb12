use chrono::NaiveDate;
use sports_domain::{AmericanPrice, ModelColumn, ModelSet, Probability, Side};
use sports_grading::{UngradedReason, Verdict};

use crate::season_game::ensemble_pick;
use crate::wagers::better_side;
use crate::{SeasonGame, Summarised};

/// The side of a game that a reader of a model takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Followed {
    /// The side above one half; a game at one half has none.
    Picks,
    /// The side with the higher expected value at the recorded prices, if that is above zero; of equal sides the model's.
    Bets,
}

/// A game in which a side was taken, and how it ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FollowedGame {
    /// The Eastern date.
    pub date: NaiveDate,
    /// Whether the side won; `None` for a push.
    pub won: Option<bool>,
    /// The recorded price of the side.
    pub price: Option<AmericanPrice>,
    /// The book's favourite: the side above one half by the no-vig prices; `None` without one.
    pub favourite: Option<Favourite>,
}

/// The book's favourite in a game that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Favourite {
    /// Whether it won; `None` for a push.
    pub won: Option<bool>,
}

impl FollowedGame {
    /// Returns the profit of one unit; `None` without a price.
    pub fn profit(&self) -> Option<f64> {
        let price = self.price?;
        Some(match self.won {
            Some(true) => price.profit_per_unit(),
            Some(false) => -1.0,
            None => 0.0,
        })
    }
}

/// Returns the games of a season in which a subject has a pick, or a bet: graded ones, and pushes that would have been graded.
///
/// The ensemble has picks and, without a probability, no bets.
pub fn followed_games(
    games: &[SeasonGame<'_>],
    models: &ModelSet,
    of: Summarised,
    followed: Followed,
) -> impl Iterator<Item = FollowedGame> {
    let model = of.id(models);
    games.iter().filter_map(move |game| {
        let market = game.market();
        let winner = match game.verdict() {
            Verdict::Graded(graded) => Some(graded.outcome()),
            Verdict::Ungraded(UngradedReason::Push) if market.is_predicted() => None,
            Verdict::Ungraded(_) => return None,
        };
        let side = match (followed, of) {
            (Followed::Picks, Summarised::Ensemble) => ensemble_pick(market.picks())?,
            (Followed::Picks, Summarised::Model(_)) => market.picks().of(model?)?,
            (Followed::Bets, _) => {
                let prices = market.prices();
                let profits = [prices.positive?.profit_per_unit(), prices.negative?.profit_per_unit()];
                let probability = market.probability(model?).map(Probability::get)?;
                let (is_on_positive, expected) = better_side(profits, probability);
                if expected <= sports_domain::NO_DIFFERENCE {
                    return None;
                }
                if is_on_positive { Side::Positive } else { Side::Negative }
            }
        };
        let won = |side| winner.map(|winner| winner == side);
        Some(FollowedGame {
            date: game.date(),
            won: won(side),
            price: market.prices().on(side),
            favourite: market.picks().of(ModelColumn::Implied).map(|side| Favourite { won: won(side) }),
        })
    })
}

#[cfg(test)]
mod tests {
    use sports_domain::{FinalScore, Forecasts, GameKey, GameLines, ModelType, TeamSlug, TwoWayPrices};
    use sports_grading::MarketGame;

    use super::*;

    /// Returns the ends of a pick and of a bet on a game with these prices of home and away, home's probability and this score.
    fn followed(
        prices: [i32; 2],
        home: f64,
        (away_score, home_score): (u16, u16),
    ) -> [Option<(Option<bool>, Option<f64>)>; 2] {
        let [positive, negative] = prices.map(|price| AmericanPrice::new(price).ok());
        let lines = GameLines { money: TwoWayPrices { positive, negative }, ..GameLines::default() };
        let probability = |home| Probability::new(home).expect("valid");
        // XT's pick makes the game graded where BLEND has none.
        let forecasts =
            Forecasts::default().with(ModelColumn::Blend, probability(home)).with(ModelColumn::Xt, probability(0.7));
        let score = Some(FinalScore { away: away_score, home: home_score });
        let market = MarketGame::new(ModelType::WonOnPoints, &lines, score, forecasts);
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let date = "2024-11-03".parse().expect("a date");
        let key = GameKey { date, time: None, away: team("foxes"), home: team("gulls"), game_number: None };
        let of = Summarised::Model(ModelColumn::Blend.into());
        [Followed::Picks, Followed::Bets].map(|followed| {
            let (games, models) = ([SeasonGame::new(&key, market)], ModelSet::default());
            let mut found = followed_games(&games, &models, of, followed);
            found.next().map(|game| (game.won, game.profit()))
        })
    }

    #[test]
    fn a_pick_and_a_bet_may_be_opposite_sides_of_one_game() {
        // 0.6 · 0.5 − 0.4 = −0.1 at −200 against 0.4 · 1.8 − 0.6 = +0.12 at +180.
        assert_eq!(
            followed([-200, 180], 0.6, (1, 3)),
            [Some((Some(true), Some(0.5))), Some((Some(false), Some(-1.0)))]
        );
        assert_eq!(
            followed([-200, 180], 0.6, (3, 1)),
            [Some((Some(false), Some(-1.0))), Some((Some(true), Some(1.8)))]
        );
    }

    #[test]
    fn one_half_is_no_pick_and_no_value_no_bet() {
        assert_eq!(followed([-110, -110], 0.5, (1, 3)), [None, None]);
        assert_eq!(followed([-110, -110], 0.52, (1, 3))[1], None, "0.52 at −110 loses 0.7 %");
    }

    #[test]
    fn a_push_returns_the_stake() {
        assert_eq!(followed([100, -120], 0.6, (2, 2)), [Some((None, Some(0.0))); 2]);
    }

    #[test]
    fn a_side_without_a_price_stakes_nothing() {
        let date = "2024-11-03".parse().expect("a date");
        assert_eq!(FollowedGame { date, won: Some(true), price: None, favourite: None }.profit(), None);
    }
}
