//! A season of twelve bets, calculated on paper.

use chrono::NaiveDate;
use sports_calibration::LuckMethod;
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, Market, ModelColumn, ModelName, ModelSet, ModelType,
    Probability, Season, Side, Sport, TeamSlug, TwoWayPrices,
};
use sports_strategies::{
    Backtest, Band, BetsRow, Drawdown, Finality, Neighbour, Rule, RuleContext, RuleExclusions, RuleRow, SeasonRows,
    StrategyGame, Tried,
};

/// A finished game: date, home and away price (0: none), BLEND's probability of the home team, away and home score.
type Game = (&'static str, [i32; 2], f64, [u16; 2]);

/// The picks of BLEND win at +100, −150, −200, −110, +100 and −200, lose at −150, +200 and +100 and then at −150 twice and +100,
/// and a tie returns the stake. Three more games have no bet: no final price of the pick, a probability of one half, no final.
const GAMES: [Game; 14] = [
    ("2023-09-10", [100, -100], 0.55, [10, 20]),
    ("2023-09-10", [-150, 150], 0.65, [20, 10]),
    ("2023-09-17", [150, -150], 0.35, [20, 10]),
    ("2023-09-17", [-200, 200], 0.70, [10, 20]),
    ("2023-09-24", [200, -200], 0.60, [20, 10]),
    ("2023-09-24", [-110, -110], 0.52, [20, 20]),
    ("2023-10-01", [-110, 0], 0.58, [10, 20]),
    ("2023-10-01", [100, -100], 0.48, [10, 20]),
    ("2023-10-08", [-150, 150], 0.62, [20, 10]),
    ("2023-10-08", [150, -150], 0.42, [10, 20]),
    ("2023-10-15", [100, -100], 0.53, [10, 20]),
    ("2023-10-15", [-200, 200], 0.75, [10, 20]),
    ("2023-10-15", [0, 200], 0.75, [10, 20]),
    ("2023-10-15", [-110, -110], 0.5, [10, 20]),
];

const BLEND: ModelName = ModelName::of(ModelColumn::Blend);

fn season(label: &str) -> Season {
    Season::parse(Sport::Nfl, label).expect("a season")
}

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

fn keys() -> Vec<GameKey> {
    let team = |name: &str| TeamSlug::normalise(name).expect("a team");
    let key = |(place, (day, ..)): (usize, &Game)| GameKey {
        date: date(day),
        time: None,
        away: team(if place % 2 == 0 { "chicago_bears" } else { "detroit_lions" }),
        home: team(if place < 6 { "green_bay_packers" } else { "minnesota_vikings" }),
        game_number: None,
    };
    GAMES.iter().enumerate().map(key).collect()
}

fn games() -> Vec<StrategyGame<'static>> {
    let game = |(place, (_, [home, away], blend, [away_score, home_score])): (usize, &Game)| {
        let money = TwoWayPrices { positive: AmericanPrice::new(*home).ok(), negative: AmericanPrice::new(*away).ok() };
        // The home team opened at the same price, but for the first game, in which it was cheaper.
        let open = if place == 0 { AmericanPrice::new(110).ok() } else { money.positive };
        let open_money = TwoWayPrices { positive: open, negative: None };
        let forecasts = Forecasts::default()
            .with(ModelColumn::Blend, Probability::new(*blend).expect("valid"))
            .with(ModelColumn::Rf, Probability::new(0.6).expect("valid"));
        let lines = GameLines { money, open_money, ..GameLines::default() };
        let score = Some(FinalScore { away: *away_score, home: *home_score });
        StrategyGame::new(ModelType::WonOnPoints, &lines, score, forecasts, Finality::Verified, ModelColumn::Rf)
    };
    GAMES.iter().enumerate().map(game).collect()
}

fn rule(query: &str) -> Rule {
    let seasons = ["2022-23", "2023-24"].map(season);
    let context = RuleContext {
        market: Market::new(Sport::Nfl, ModelType::WonOnPoints),
        models: &[BLEND, ModelName::of(ModelColumn::Rf)],
        default_model: BLEND,
        seasons: &seasons,
        default_season: seasons[1],
    };
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    Rule::parse(context, pairs.map(|pair| pair.split_once('=').expect("a pair"))).expect(query).rule
}

/// Applies a rule to the games, of which the first four can be those of an earlier season.
fn backtest(query: &str, tried: u32) -> Backtest {
    let (rule, keys, games, models) = (rule(query), keys(), games(), ModelSet::default());
    let all: Vec<_> = keys.iter().zip(games).map(|(key, game)| RuleRow { key, game }).collect();
    let of = |label, rows: std::ops::Range<usize>| SeasonRows {
        season: season(label),
        snapshot: label,
        models: &models,
        rows: all[rows].to_vec(),
    };
    let seasons = match rule.seasons() {
        [_] => vec![of("2023-24", 0..14)],
        _ => vec![of("2022-23", 0..4), of("2023-24", 4..14)],
    };
    Backtest::new(&rule, Tried::new(tried).expect("a number"), &seasons)
}

fn assert_close(figure: f64, expected: f64) {
    assert!((figure - expected).abs() < 1e-12, "{figure} {expected}");
}

fn counts(row: &BetsRow) -> (u32, u32, u32) {
    (row.record.wins(), row.record.losses(), row.record.pushes())
}

/// 1 − 1 + 2/3 + 1/2 − 1 + 0 + 10/11 − 1 − 1 − 1 + 1 + 1/2 = −14/33.
#[test]
fn the_record_of_twelve_bets_is_calculated_on_paper() {
    let tested = backtest("bet=pick", 1);
    let record = tested.record;
    assert_eq!((tested.bets.len(), counts(&record.row)), (12, (6, 5, 1)));
    assert_close(record.row.record.units(), -14.0 / 33.0);
    assert_close(record.row.record.return_on_stakes().expect("bets"), -14.0 / 396.0);
    assert_close(record.mean_price.expect("bets"), 742.0 / 396.0);
    // Four edges of 5, three of 2, one of 3, −2, 1/30, 1/12 and 4/15; the one-sided price has none.
    let edges = [0.05, 0.05, 0.05, 0.02, 0.02, 0.02, 0.03, -0.02, 1.0 / 30.0, 1.0 / 12.0, 4.0 / 15.0];
    assert_close(record.mean_edge.expect("edges"), edges.iter().sum::<f64>() / 11.0);
    assert!((record.mean_expected_value.expect("probabilities") - 0.120_138_888_9).abs() < 1e-9);
    assert_eq!((record.longest_losing_run, record.kelly), (3, None));
    // From 7/6 after the second Sunday to −127/66 after the fifth.
    let Drawdown { units, from, to } = record.drawdown;
    assert_close(units, 34.0 / 11.0);
    assert_eq!((from, to), (Some(date("2023-09-17")), Some(date("2023-10-08"))));
    assert_eq!(record.exclusions, RuleExclusions { missing_price: 1, ..RuleExclusions::default() });
    assert_eq!(tested.out_of_sample, None);
}

#[test]
fn a_course_has_a_point_for_each_date() {
    let course = backtest("bet=pick", 1).course;
    let ends = [0.0, 7.0 / 6.0, 1.0 / 6.0, 5.0 / 66.0, -127.0 / 66.0, -14.0 / 33.0];
    assert_eq!(course.iter().map(|point| point.bets).collect::<Vec<_>>(), [2, 4, 6, 8, 10, 12]);
    for (point, end) in course.iter().zip(ends) {
        assert_close(point.units, end);
    }
    assert_eq!((course[0].date, course[5].date), (date("2023-09-10"), date("2023-10-15")));
    // After the first Sunday a lucky bettor has −2 with 0.2, −1/3 with 0.3, 0 with 0.2, and 5/3 with 0.3.
    let [p5, p25, _, p75, p95] = course[0].lucky.expect("prices");
    for (quantile, expected) in [(p5, -2.0), (p25, -1.0 / 3.0), (p75, 5.0 / 3.0), (p95, 5.0 / 3.0)] {
        assert_close(quantile, expected);
    }
}

#[test]
fn tables_put_each_bet_in_its_season_month_and_bands() {
    let tested = backtest("bet=pick", 1);
    let months: Vec<_> = tested.by_month.iter().map(|(month, row)| (month.to_string(), counts(row))).collect();
    assert_eq!(months, [("2023-09-01".to_owned(), (3, 2, 1)), ("2023-10-01".to_owned(), (3, 3, 0))]);
    assert_close(tested.by_month[1].1.record.units(), -13.0 / 22.0);
    assert_eq!(tested.by_season.len(), 1);
    let bands = |table: &[(Band, BetsRow)]| {
        table.iter().map(|(band, row)| (band.from, band.to, row.record.stakes())).collect::<Vec<_>>()
    };
    assert_eq!(
        bands(&tested.by_edge),
        [
            (None, Some(0.0), 1),
            (Some(0.02), Some(0.03), 3),
            (Some(0.03), Some(0.05), 2),
            (Some(0.05), Some(0.1), 4),
            (Some(0.1), None, 1)
        ]
    );
    assert_eq!(
        bands(&tested.by_price),
        [(Some(1.5), Some(1.67), 6), (Some(1.83), Some(2.0), 2), (Some(2.0), Some(2.5), 3), (Some(3.0), None, 1)]
    );
}

/// Ten decided bets with both prices: three at +100, four at −150, two at −200 and one at +200, 4 · 5 · 3 · 2 combinations. With
/// *a* … *e* wins, 2*a* + 5*b*/3 + 3*c*/2 + 3*e* − 10 is at least −4/3 with a probability of 359/540.
#[test]
fn luck_is_exact_over_the_bets_with_both_prices() {
    let tested = backtest("bet=pick", 3);
    let (luck, search) = (tested.luck.expect("prices"), tested.search.expect("prices"));
    assert_eq!((luck.bets, luck.lucky.method()), (11, LuckMethod::Exact));
    assert_close(luck.units, -4.0 / 3.0);
    assert_close(luck.p, 359.0 / 540.0);
    assert_close(search.p_of_best, 1.0 - (181.0_f64 / 540.0).powi(3));
    assert!((0.0..=1.0).contains(&luck.p_random_games));
    assert!(luck.to_string().ends_with("The median bettor has +0.00 units."), "{luck}");
    assert_eq!(backtest("bet=pick", 1).luck.expect("prices").p.to_bits(), luck.p.to_bits());
    let one_sided = backtest("bet=pick&from=2023-10-01&to=2023-10-01&side=home", 1);
    assert_eq!((one_sided.bets.len(), one_sided.luck, one_sided.search), (1, None, None));
    assert_eq!(one_sided.course[0].lucky, None);
}

/// A quarter of Kelly's stakes: 0.1, 1/8 | 1/8, 0.1 | 0.4 (at most 0.05 of the bank) | 0.118, 0.04 | 0.05 | 0.06, 1/4 (0.05).
#[test]
fn a_bank_grows_once_a_date_by_the_stakes_of_kelly() {
    let record = backtest("bet=pick&stake=kelly", 1).record;
    assert_eq!(record.exclusions, RuleExclusions { missing_price: 1, no_stake: 2, ..RuleExclusions::default() });
    assert_eq!(counts(&record.row), (6, 4, 0));
    let kelly = record.kelly.expect("stakes");
    let growths = [0.99375, 1.0 + 1.0 / 48.0 + 0.0125, 0.95, 1.0 + 0.295 / 11.0 - 0.01, 0.9875, 1.04];
    assert_close(kelly.bank, growths.iter().product());
    assert_close(kelly.drawdown, 0.05);
    assert!(kelly.larger_drawdown_share > 0.5, "the two losing Sundays are often side by side");
}

/// 0.4 of the bank is lost on the first date; 0.118 is won at −110 and 0.04 lost on the second.
#[test]
fn the_stakes_of_a_date_are_shares_of_the_bank_at_its_start() {
    let all = backtest("bet=pick&stake=kelly&fraction=1&max_stake=1&from=2023-09-24&to=2023-10-01", 1);
    assert_close(all.record.kelly.expect("stakes").bank, 0.6 * (1.0 + 0.118 * 10.0 / 11.0 - 0.04));
}

fn bets(query: &str) -> Vec<usize> {
    backtest(query, 1).bets.iter().map(|bet| bet.bet.game + 1).collect()
}

/// The edge of the fourth bet is 1/30, of the first, second and third 0.05, up to the last digits of binary numbers.
#[test]
fn each_filter_keeps_the_bets_inside_its_ends() {
    for (query, expected) in [
        ("bet=pick&min_edge=0.05", vec![1, 2, 3, 5, 12]),
        ("bet=pick&max_edge=0.02", vec![6, 8, 9, 10]),
        ("bet=pick&min_edge=0.03&max_edge=0.05", vec![1, 2, 3, 4, 11]),
        ("bet=pick&min_ev=0.1", vec![1, 5, 7, 12]),
        ("bet=pick&min_probability=0.65", vec![2, 3, 4, 12]),
        ("bet=pick&min_price=100", vec![1, 5, 8, 11]),
        ("bet=pick&max_price=-150", vec![2, 3, 4, 9, 10, 12]),
        ("bet=pick&side=away", vec![3, 8, 10]),
        ("bet=pick&side=favourite", vec![2, 3, 4, 9, 10, 12]),
        ("bet=pick&side=underdog", vec![5]),
        ("bet=pick&line_move=with", vec![1]),
        ("bet=pick&line_move=none&month=9", vec![2, 3, 4, 5, 6]),
        ("bet=pick&agree=1&models=RF", vec![1, 2, 4, 5, 6, 7, 9, 11, 12]),
        ("bet=pick&team=minnesota_vikings", vec![7, 9, 11, 12]),
        ("bet=pick&team=Lions", vec![8, 10]),
        ("bet=pick&weekday=monday", vec![]),
        ("bet=pick&weekday=sunday&from=2023-10-08&to=2023-10-08", vec![9, 10]),
        ("bet=value", vec![1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12]),
        ("bet=fade&min_price=100", vec![1, 2, 3, 4, 8, 9, 10, 11, 12, 13]),
        ("bet=line", vec![1]),
        ("bet=fade_line", vec![1]),
        ("bet=pick&model=RF&side=home&min_probability=0.61", vec![]),
    ] {
        assert_eq!(bets(query), expected, "{query}");
    }
    let bet = backtest("bet=value", 1).bets[8];
    assert_eq!((bet.bet.game, bet.side), (9, Side::Positive), "0.42 is above the market's 0.4");
}

/// Two games have one price alone. A price that no filter needs does not matter.
#[test]
fn a_missing_price_excludes_a_candidate_that_passes_all_else() {
    let missing = |query| backtest(query, 1).record.exclusions.missing_price;
    assert_eq!(missing("bet=pick"), 1);
    assert_eq!(missing("bet=pick&min_edge=-1"), 2);
    assert_eq!(missing("bet=pick&side=favourite"), 2);
    assert_eq!(missing("bet=pick&min_ev=0.2"), 1);
    assert_eq!(missing("bet=pick&min_price=-110"), 1);
    assert_eq!(missing("bet=pick&min_edge=-1&min_probability=0.6"), 1);
    assert_eq!(missing("bet=pick&team=chicago_bears"), 0);
    assert_eq!(missing("bet=value"), 0, "no side without both prices");
}

#[test]
fn two_seasons_are_compared_and_neighbours_are_counted() {
    let tested = backtest("bet=pick&season=all&min_edge=0.05", 1);
    let rows = tested.out_of_sample.expect("two seasons");
    assert_eq!((rows.season, counts(&rows.newest), counts(&rows.before)), (season("2023-24"), (1, 1, 0), (2, 1, 0)));
    let seasons: Vec<_> = tested.by_season.iter().map(|(season, row)| (season.to_string(), *row)).collect();
    assert_eq!(
        seasons.iter().map(|(label, row)| (label.as_str(), counts(row))).collect::<Vec<_>>(),
        [("2022-23", (2, 1, 0)), ("2023-24", (1, 1, 0))]
    );
    let near =
        tested.neighbours.iter().map(|Neighbour { parameter, value, record }| (*parameter, *value, record.stakes()));
    let near: Vec<_> = near.collect();
    assert_eq!(near, [("min_edge", 0.04, 5), ("min_edge", 0.06, 2)]);
}
