//! Small seasons whose figures are calculated by hand.

use chrono::{Days, NaiveDate};
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, ModelColumn, ModelSet, ModelType, Probability, TeamSlug,
    TwoWayPrices,
};
use sports_grading::MarketGame;
use sports_performance::{AverageCurve, AveragePoint, CurvePoint, Curves, SeasonGame, Tally, historical_average};

fn date(day: u64) -> NaiveDate {
    NaiveDate::from_ymd_opt(2023, 10, 1).expect("a date") + Days::new(day)
}

fn key(day: u64) -> GameKey {
    let team = |name| TeamSlug::normalise(name).expect("a team");
    GameKey { date: date(day), time: None, away: team("canal_foxes"), home: team("harbor_gulls"), game_number: None }
}

/// Returns a moneyline game with the home team at 60 percent, won or lost. It has one price, so no IMPLIED.
fn home_favoured(won: bool) -> MarketGame<'static> {
    let money = TwoWayPrices { positive: AmericanPrice::new(-110).ok(), negative: None };
    let lines = GameLines { money, ..GameLines::default() };
    let blend = Forecasts::default().with(ModelColumn::Blend, Probability::new(0.6).expect("valid"));
    let score = if won { FinalScore { away: 0, home: 1 } } else { FinalScore { away: 1, home: 0 } };
    MarketGame::new(ModelType::WonOnPoints, &lines, Some(score), blend)
}

fn curves(games: &[(u64, bool)]) -> Curves {
    let keys: Vec<_> = games.iter().map(|(day, _)| key(*day)).collect();
    let season: Vec<_> =
        keys.iter().zip(games).map(|(key, (_, won))| SeasonGame::new(key, home_favoured(*won))).collect();
    Curves::from_games(&season, &ModelSet::default())
}

#[test]
fn a_curve_has_a_point_for_each_day_over_the_28_days_that_end_on_it() {
    let point = |day: u32, wins, losses| CurvePoint { date: date(day.into()), day, trailing: Tally { wins, losses } };
    let curves = curves(&[(0, true), (27, false), (28, true), (28, true)]);
    // On day 28 the game of day 0 has left the window.
    assert_eq!(curves.points(ModelColumn::Blend), [point(0, 1, 0), point(27, 1, 1), point(28, 2, 1)]);
    assert_eq!(curves.points(ModelColumn::Implied), []);
    assert_eq!(curves.iter().map(|curve| curve.model).collect::<Vec<_>>(), [ModelColumn::Blend.into()]);
}

#[test]
fn an_average_is_taken_day_by_day_over_the_seasons_with_a_point() {
    let [one, other] = [curves(&[(0, true), (27, false), (28, true)]), curves(&[(0, false), (28, true), (28, true)])];
    // Day 0: 1 and 0. Day 27: 1/2 in one season only. Day 28: 1/2 (days 27 and 28), and 2/2.
    let points = [(0, 2, 0.5), (27, 1, 0.5), (28, 2, 0.75)];
    let points = points.map(|(day, seasons, win_share)| AveragePoint { day, seasons, win_share }).to_vec();
    assert_eq!(historical_average(&[&one, &other]), [AverageCurve { model: ModelColumn::Blend.into(), points }]);
    assert_eq!(historical_average(&[]), []);
}
