//! Properties of the figures of arbitrary seasons.

use chrono::{Days, NaiveDate};
use proptest::prelude::*;
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, HomeSpread, ModelColumn, ModelSet, ModelType,
    Probability, Side, TeamSlug, Total, TwoWayPrices, expected_value, rounded,
};
use sports_grading::{MarketGame, Outcome};
use sports_performance::{
    Curves, Grid, ModelSummary, SeasonGame, Span, Summarised, Tally, Window, historical_average, next_game_dates,
    picked_prices, staked_games, summarise, team_form,
};

/// A game of a season; `day` counts from an arbitrary first date.
#[derive(Debug, Clone)]
struct RecordedGame {
    key: GameKey,
    lines: GameLines,
    score: Option<FinalScore>,
    forecasts: Forecasts<'static>,
}

fn first_date() -> NaiveDate {
    NaiveDate::from_ymd_opt(2023, 10, 1).expect("a date")
}

fn any_prices() -> impl Strategy<Value = TwoWayPrices> {
    let raw = prop_oneof![4 => -180..=-100_i32, 4 => 100..=180_i32, 1 => any::<i32>()];
    let price = proptest::option::weighted(0.85, raw).prop_map(|raw| raw.and_then(|raw| AmericanPrice::new(raw).ok()));
    (price.clone(), price).prop_map(|(positive, negative)| TwoWayPrices { positive, negative })
}

fn any_forecasts() -> impl Strategy<Value = Forecasts<'static>> {
    let probability = prop_oneof![2 => Just(None), 1 => Just(Some(0.5)), 9 => (0.0..=1.0_f64).prop_map(Some)];
    proptest::array::uniform8(probability).prop_map(|probabilities| {
        let given = ModelColumn::FORECASTS.into_iter().zip(probabilities);
        given.fold(Forecasts::default(), |all, (model, probability)| match probability.map(Probability::new) {
            Some(Ok(probability)) => all.with(model, probability),
            _ => all,
        })
    })
}

prop_compose! {
    fn any_incoming()(
        day in 0..90_u64, teams in (0..5_u8, 0..5_u8), number in proptest::option::of(1..3_u8),
        money in any_prices(), spread_prices in any_prices(), total_prices in any_prices(),
        spread in proptest::option::weighted(0.9, -6..=6_i32), total in proptest::option::weighted(0.9, 1..=30_i32),
        score in proptest::option::weighted(0.9, (0..=9_u16, 0..=9_u16)), forecasts in any_forecasts(),
    ) -> RecordedGame {
        let team = |number: u8| TeamSlug::normalise(&format!("team {number}")).expect("a team");
        let date = first_date() + Days::new(day);
        RecordedGame {
            key: GameKey { date, time: None, away: team(teams.0), home: team(teams.1 + 5), game_number: number },
            lines: GameLines {
                money, spread_prices, total_prices,
                spread: spread.and_then(|halves| HomeSpread::new(f64::from(halves) / 2.0).ok()),
                total: total.and_then(|halves| Total::new(f64::from(halves) / 2.0).ok()),
                ..GameLines::default()
            },
            score: score.map(|(away, home)| FinalScore { away, home }),
            forecasts,
        }
    }
}

fn season(model_type: ModelType, recorded: &[RecordedGame]) -> Vec<SeasonGame<'_>> {
    recorded.iter().map(|recorded| game(model_type, recorded)).collect()
}

fn game(model_type: ModelType, recorded: &RecordedGame) -> SeasonGame<'_> {
    SeasonGame::new(&recorded.key, MarketGame::new(model_type, &recorded.lines, recorded.score, recorded.forecasts))
}

fn any_model_type() -> impl Strategy<Value = ModelType> {
    proptest::sample::select(ModelType::ALL.to_vec())
}

fn any_season() -> impl Strategy<Value = Vec<RecordedGame>> {
    proptest::collection::vec(any_incoming(), 0..60)
}

/// Recounts a model's picks in a run of days, naively.
fn recount(games: &[SeasonGame<'_>], model: ModelColumn, first: NaiveDate, last: NaiveDate) -> Tally {
    let inside = games.iter().filter(|game| game.date() >= first && game.date() <= last);
    inside.filter_map(|game| game.graded()?.won(model)).collect()
}

/// Recounts the bets and net units of a model in a run of days, game by game; if `valued`, only bets with an expected
/// value above zero.
fn restake(
    games: &[SeasonGame<'_>],
    model: ModelColumn,
    first: NaiveDate,
    last: NaiveDate,
    valued: bool,
) -> (u32, f64) {
    let mut staked = (0, 0.0);
    for game in games.iter().filter(|game| game.date() >= first && game.date() <= last) {
        let (market, prices) = (game.market(), game.market().prices());
        let (Some(outcome), true) = (market.outcome(), market.is_predicted()) else { continue };
        let (Some(probability), Some(over), Some(under)) =
            (market.probability(model), prices.positive, prices.negative)
        else {
            continue;
        };
        let worth = [expected_value(probability, over), expected_value(probability.complement(), under)];
        let side = Side::ahead(worth[0] - worth[1]).or(probability.favoured()).unwrap_or(Side::Positive);
        let (worth, price) = if side == Side::Positive { (worth[0], over) } else { (worth[1], under) };
        if valued && Side::ahead(worth) != Some(Side::Positive) {
            continue;
        }
        staked.0 += 1;
        staked.1 += match outcome {
            Outcome::Push => 0.0,
            Outcome::Decided(winner) if winner == side => price.profit_per_unit(),
            Outcome::Decided(_) => -1.0,
        };
    }
    (staked.0, rounded(staked.1, 6))
}

fn last_decided(games: &[SeasonGame<'_>]) -> Option<NaiveDate> {
    games.iter().filter(|game| game.market().push() == Some(false)).map(SeasonGame::date).max()
}

/// Returns the tallies of a summary, without its stakes.
fn picks(summary: &ModelSummary) -> (Summarised, [[Tally; 3]; 3]) {
    let tallies = |span: Span| [span.all, span.on_positive, span.on_negative];
    (summary.of, [summary.season, summary.one_week, summary.four_weeks].map(tallies))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn units_game_by_game_add_up_to_those_of_the_summary(model_type in any_model_type(), recorded in any_season()) {
        let games = season(model_type, &recorded);
        for summary in summarise(&games, &ModelSet::default()) {
            let returned: Vec<_> = staked_games(&games, &ModelSet::default(), summary.of).map(|(_, returned)| returned).collect();
            let staked = summary.season.staked;
            prop_assert_eq!(returned.len(), staked.bets() as usize);
            prop_assert!((returned.iter().sum::<f64>() - staked.units()).abs() < 1e-6);
            let picks = picked_prices(&games, &ModelSet::default(), summary.of).count();
            prop_assert!(u32::try_from(picks).expect("few") <= summary.season.all.games());
        }
    }

    /// Windows equal a naive recount of their days, and both sides add up to the total.
    #[test]
    fn windows_equal_a_naive_recount(model_type in any_model_type(), recorded in any_season()) {
        let games = season(model_type, &recorded);
        let Some(last) = last_decided(&games) else {
            prop_assert!(summarise(&games, &ModelSet::default()).is_empty());
            return Ok(());
        };
        for summary in summarise(&games, &ModelSet::default()) {
            for span in [summary.season, summary.one_week, summary.four_weeks] {
                prop_assert_eq!(span.on_positive.games() + span.on_negative.games(), span.all.games());
                prop_assert_eq!(span.on_positive.wins + span.on_negative.wins, span.all.wins);
            }
            prop_assert!(summary.valued.bets() <= summary.season.staked.bets());
            let Summarised::Model(model) = summary.of else { continue };
            let model = model.column().expect("a model of the specification");
            prop_assert_eq!(summary.four_weeks.all, recount(&games, model, last - Days::new(27), last));
            prop_assert_eq!(summary.one_week.all, recount(&games, model, last - Days::new(6), last));
            prop_assert_eq!(summary.season.all, recount(&games, model, NaiveDate::MIN, NaiveDate::MAX));
        }
    }

    /// Stakes and their profits equal a recount game by game, to the last digit.
    #[test]
    fn stakes_equal_a_naive_recount(model_type in any_model_type(), recorded in any_season()) {
        let games = season(model_type, &recorded);
        let Some(last) = last_decided(&games) else { return Ok(()) };
        for summary in summarise(&games, &ModelSet::default()) {
            let Summarised::Model(model) = summary.of else {
                prop_assert_eq!(summary.season.staked.bets(), 0, "the ensemble has no probability to bet by");
                continue;
            };
            let model = model.column().expect("a model of the specification");
            let recounted = |first, last, valued| restake(&games, model, first, last, valued);
            let season = (NaiveDate::MIN, NaiveDate::MAX);
            for (staked, expected) in [
                (summary.season.staked, recounted(season.0, season.1, false)),
                (summary.valued, recounted(season.0, season.1, true)),
                (summary.four_weeks.staked, recounted(last - Days::new(27), last, false)),
                (summary.one_week.staked, recounted(last - Days::new(6), last, false)),
            ] {
                prop_assert_eq!((staked.bets(), staked.units()), expected);
            }
        }
    }

    /// A summary has exactly the models with a graded pick, in order.
    #[test]
    fn only_models_with_a_graded_pick_are_listed(model_type in any_model_type(), recorded in any_season()) {
        let games = season(model_type, &recorded);
        let listed: Vec<_> = summarise(&games, &ModelSet::default()).iter().map(|summary| summary.of).collect();
        for model in ModelColumn::ALL {
            let picked = games.iter().any(|game| game.graded().is_some_and(|graded| graded.pick(model).is_some()));
            prop_assert_eq!(listed.contains(&Summarised::Model(model.into())), picked);
        }
        let place = |of: &Summarised| Summarised::all(&ModelSet::default()).position(|known| known == *of);
        prop_assert!(listed.is_sorted_by_key(place));
    }

    /// A row without a final or without a line changes no figure.
    #[test]
    fn a_row_without_a_final_or_a_line_changes_nothing(
        model_type in any_model_type(),
        recorded in any_season(),
        other in any_incoming(),
        place in any::<prop::sample::Index>(),
    ) {
        let before = season(model_type, &recorded);
        // Day 0 is the season's first game, even without a final, so an earlier row would shift the days.
        let date = before.iter().map(SeasonGame::date).max();
        let key = GameKey { date: date.unwrap_or(first_date()), ..other.key.clone() };
        let lineless = GameLines::default();
        let rows = [RecordedGame { score: None, key: key.clone(), ..other.clone() }, RecordedGame { lines: lineless, key, ..other }];
        for row in &rows {
            let mut after = before.clone();
            after.insert(place.index(before.len() + 1), game(model_type, row));
            prop_assert_eq!(summarise(&after, &ModelSet::default()), summarise(&before, &ModelSet::default()));
            prop_assert_eq!(Curves::from_games(&after, &ModelSet::default()), Curves::from_games(&before, &ModelSet::default()));
            prop_assert_eq!(Grid::from_games(&after, ModelColumn::Blend), Grid::from_games(&before, ModelColumn::Blend));
            prop_assert_eq!(team_form(&after), team_form(&before));
        }
    }

    /// An ungraded row, such as a push, changes no count of picks.
    #[test]
    fn an_ungraded_row_changes_no_count_of_picks(
        model_type in any_model_type(),
        recorded in any_season(),
        other in any_incoming(),
    ) {
        let before = season(model_type, &recorded);
        let Some(date) = last_decided(&before) else { return Ok(()) };
        let row = RecordedGame { key: GameKey { date, ..other.key.clone() }, ..other };
        let row = game(model_type, &row);
        if row.graded().is_some() {
            return Ok(());
        }
        let after = [&before[..], &[row]].concat();
        let all = |games: &[SeasonGame<'_>]| summarise(games, &ModelSet::default()).iter().map(picks).collect::<Vec<_>>();
        prop_assert_eq!(all(&after), all(&before));
        prop_assert_eq!(Curves::from_games(&after, &ModelSet::default()), Curves::from_games(&before, &ModelSet::default()));
        prop_assert_eq!(Grid::from_games(&after, ModelColumn::Blend), Grid::from_games(&before, ModelColumn::Blend));
    }

    /// A finished game on which no model picked a side changes no model's figures or stakes, unless it is the latest
    /// decided game, on which the windows end.
    #[test]
    fn an_unpredicted_row_changes_no_summary(
        model_type in any_model_type(),
        recorded in any_season(),
        other in any_incoming(),
        halves in any::<bool>(),
    ) {
        let before = season(model_type, &recorded);
        let Some(date) = last_decided(&before) else { return Ok(()) };
        let half = Probability::new(0.5).expect("a probability");
        let forecasts = Forecasts::default();
        let forecasts = if halves { forecasts.with(ModelColumn::Blend, half) } else { forecasts };
        let row = RecordedGame { key: GameKey { date, ..other.key.clone() }, forecasts, ..other };
        let after = [&before[..], &[game(model_type, &row)]].concat();
        prop_assert_eq!(summarise(&after, &ModelSet::default()), summarise(&before, &ModelSet::default()));
    }

    /// The order of games does not change any figure.
    #[test]
    fn order_does_not_matter(model_type in any_model_type(), recorded in any_season()) {
        // Games with equal keys have no order among themselves.
        let mut recorded = recorded;
        recorded.sort_by(|a, b| a.key.cmp(&b.key));
        recorded.dedup_by(|a, b| a.key == b.key);
        let forwards = season(model_type, &recorded);
        let backwards: Vec<_> = forwards.iter().rev().copied().collect();
        prop_assert_eq!(team_form(&backwards), team_form(&forwards));
        prop_assert_eq!(Curves::from_games(&backwards, &ModelSet::default()), Curves::from_games(&forwards, &ModelSet::default()));
        prop_assert_eq!(Grid::from_games(&backwards, ModelColumn::Blend), Grid::from_games(&forwards, ModelColumn::Blend));
        let all = |games: &[SeasonGame<'_>]| summarise(games, &ModelSet::default()).iter().map(picks).collect::<Vec<_>>();
        prop_assert_eq!(all(&backwards), all(&forwards));
    }

    /// A point of a curve equals a naive recount of its 28 days, and every day with a pick has a point.
    #[test]
    fn every_point_of_a_curve_equals_a_naive_recount(model_type in any_model_type(), recorded in any_season()) {
        let games = season(model_type, &recorded);
        let curves = Curves::from_games(&games, &ModelSet::default());
        let first = games.iter().map(SeasonGame::date).min();
        for model in ModelColumn::ALL {
            let mut days: Vec<_> = games
                .iter()
                .filter(|game| game.graded().is_some_and(|graded| graded.pick(model).is_some()))
                .map(SeasonGame::date)
                .collect();
            days.sort();
            days.dedup();
            prop_assert_eq!(curves.points(model).iter().map(|point| point.date).collect::<Vec<_>>(), days);
            for point in curves.points(model) {
                prop_assert_eq!(point.trailing, recount(&games, model, point.date - Days::new(27), point.date));
                prop_assert_eq!(first.map(|first| first + Days::new(point.day.into())), Some(point.date));
            }
        }
    }

    /// The average over seasons is the mean of the seasons with a point on that day.
    #[test]
    fn an_average_is_the_mean_of_the_seasons_with_a_point(seasons in proptest::collection::vec(any_season(), 0..4)) {
        let curves: Vec<_> = seasons.iter().map(|recorded| Curves::from_games(&season(ModelType::WonOnPoints, recorded), &ModelSet::default())).collect();
        for average in historical_average(&curves.iter().collect::<Vec<_>>()) {
            for point in average.points {
                let at: Vec<_> = curves
                    .iter()
                    .flat_map(|curves| curves.points(average.model))
                    .filter(|at| at.day == point.day)
                    .collect();
                prop_assert_eq!(at.len(), point.seasons as usize);
                let shares: f64 =
                    at.iter().map(|at| f64::from(at.trailing.wins) / f64::from(at.trailing.games())).sum();
                prop_assert!((point.win_share - shares / f64::from(point.seasons)).abs() < 1e-6);
            }
        }
    }

    /// A grid has each graded game once on which BLEND picked a side and both prices are recorded.
    #[test]
    fn a_grid_holds_every_priced_pick_of_the_blend_once(model_type in any_model_type(), recorded in any_season()) {
        let games = season(model_type, &recorded);
        let grid = Grid::from_games(&games, ModelColumn::Blend);
        let counted: Vec<_> = games
            .iter()
            .filter(|game| game.market().probability(ModelColumn::Implied).is_some())
            .filter_map(|game| game.graded().filter(|graded| graded.pick(ModelColumn::Blend).is_some()))
            .collect();
        prop_assert_eq!(grid.games() as usize, counted.len());
        let wins: u32 = grid.cells().map(|(_, _, cell)| cell.picks.wins).sum();
        prop_assert_eq!(
            wins as usize,
            counted.iter().filter(|graded| graded.won(ModelColumn::Blend) == Some(true)).count()
        );
        let positive: u32 = grid.cells().map(|(_, _, cell)| cell.positive).sum();
        prop_assert_eq!(positive as usize, counted.iter().filter(|graded| graded.outcome() == Side::Positive).count());
        let mut twice = grid.clone();
        twice.add_all(&grid);
        prop_assert_eq!(twice.games(), 2 * grid.games());
    }

    /// A team's record equals a regrading of its rows.
    #[test]
    fn a_teams_record_equals_regrading_its_rows(model_type in any_model_type(), recorded in any_season()) {
        let games = season(model_type, &recorded);
        let form = team_form(&games);
        for team in &form {
            let own = games.iter().filter(|game| game.key().home == team.team || game.key().away == team.team);
            let won = |game: &SeasonGame<'_>| match game.market().outcome()? {
                Outcome::Push => None,
                Outcome::Decided(winner) if model_type == ModelType::OverUnder => Some(winner == Side::Positive),
                Outcome::Decided(winner) => Some((winner == Side::Positive) == (game.key().home == team.team)),
            };
            prop_assert_eq!(team.record, own.filter_map(won).collect::<Tally>());
            prop_assert_eq!(team.last.len(), team.record.games().min(10) as usize);
            prop_assert_eq!(team.last.last(), Some(&team.streak.won));
            let longest = if team.streak.won { team.record.wins } else { team.record.losses };
            prop_assert!((1..=longest).contains(&team.streak.length));
        }
        let decided = games.iter().filter(|game| game.market().push() == Some(false)).count();
        prop_assert_eq!(form.iter().map(|team| team.record.games() as usize).sum::<usize>(), 2 * decided);
        if model_type != ModelType::OverUnder {
            prop_assert_eq!(form.iter().map(|team| team.record.wins as usize).sum::<usize>(), decided);
        }
        let shares: Vec<_> = form.iter().filter_map(|team| team.record.win_share()).collect();
        prop_assert!(shares.windows(2).all(|pair| pair[0] >= pair[1]));
    }

    /// The next game is the earliest from today on.
    #[test]
    fn the_next_game_is_the_earliest_from_today_on(
        days in proptest::collection::vec((0..4_u8, 0..60_u64), 0..30),
        today in 0..60_u64,
    ) {
        let teams: Vec<_> =
            (0..4).map(|number| TeamSlug::normalise(&format!("team {number}")).expect("a team")).collect();
        let awaited: Vec<_> =
            days.iter().map(|(team, day)| (&teams[usize::from(*team)], first_date() + Days::new(*day))).collect();
        let today = first_date() + Days::new(today);
        let next = next_game_dates(awaited.iter().copied(), today);
        for team in &teams {
            let earliest =
                awaited.iter().filter(|(of, date)| *of == team && *date >= today).map(|(_, date)| *date).min();
            prop_assert_eq!(next.get(team).copied(), earliest);
        }
    }

    /// Windows at the ends of the calendar do not panic.
    #[test]
    fn no_window_panics(
        days in any::<u64>(),
        last in prop_oneof![Just(NaiveDate::MIN), Just(NaiveDate::MAX), Just(first_date())],
    ) {
        prop_assert_eq!(Window::ending_on(last, days).contains(last), true);
    }
}
