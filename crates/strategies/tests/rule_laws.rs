//! Laws of rules of one's own over arbitrary games.

mod any_season;
mod real_season;

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate};
use proptest::prelude::*;
use sports_calibration::{DatedRatio, DatedTerm, SplitMix64};
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, Market, ModelColumn, ModelName, ModelSet, ModelType,
    Probability, Season, Sport, TeamSlug, TwoWayPrices,
};
use sports_strategies::{
    Accounting, Backtest, BetResult, BettingRecord, ExclusionReason, Finality, Leaderboard, Replay, Rule, RuleBets,
    RuleContext, RuleOutcome, RuleRow, SeasonRows, Strategy as Sixteenth, StrategyGame, Tried, walk,
};

use any_season::{RecordedGame, any_season};

const MODELS: [ModelName; 2] = [ModelName::of(ModelColumn::Blend), ModelName::of(ModelColumn::Rf)];

const LABELS: [&str; 2] = ["2022-23", "2023-24"];

/// A season whose games are four a day.
struct Played {
    model_type: ModelType,
    keys: Vec<GameKey>,
    games: Vec<StrategyGame<'static>>,
    models: ModelSet,
}

impl Played {
    fn new(model_type: ModelType, recorded: &[RecordedGame]) -> Self {
        let team = |name: &str| TeamSlug::normalise(name).expect("a team");
        let key = |place: usize| GameKey {
            date: NaiveDate::from_ymd_opt(2023, 9, 7).expect("a date") + Days::new(place as u64 / 4),
            time: None,
            away: team(["bears", "lions", "jets"][place % 3]),
            home: team(["packers", "vikings"][place % 2]),
            game_number: None,
        };
        Self {
            model_type,
            keys: (0..recorded.len()).map(key).collect(),
            games: recorded.iter().map(|recorded| recorded.game(model_type)).collect(),
            models: ModelSet::default(),
        }
    }

    fn rule(&self, query: &str) -> Rule {
        let seasons = LABELS.map(|label| Season::parse(Sport::Nfl, label).expect("a season"));
        let context = RuleContext {
            market: Market::new(Sport::Nfl, self.model_type),
            models: &MODELS,
            default_model: MODELS[0],
            seasons: &seasons,
            default_season: seasons[1],
        };
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        Rule::parse(context, pairs.map(|pair| pair.split_once('=').expect("a pair"))).expect(query).rule
    }

    /// Returns the rows as those of one season, or of two.
    fn rows(&self, rule: &Rule) -> Vec<SeasonRows<'_>> {
        let cut = if rule.seasons().len() == 1 { 0 } else { self.keys.len() / 2 };
        let row = |place: usize| RuleRow { key: &self.keys[place], game: self.games[place] };
        let parts = [(rule.seasons()[0], 0..cut), (rule.seasons()[rule.seasons().len() - 1], cut..self.keys.len())];
        let parts = parts.into_iter().skip(usize::from(cut == 0));
        parts
            .map(|(season, places)| SeasonRows {
                season,
                snapshot: "a snapshot",
                models: &self.models,
                rows: places.map(row).collect(),
            })
            .collect()
    }

    fn bets(&self, query: &str) -> RuleBets {
        let rule = self.rule(query);
        rule.bets(&self.rows(&rule))
    }

    fn backtest(&self, query: &str, tried: u32) -> Backtest {
        let rule = self.rule(query);
        Backtest::new(&rule, Tried::new(tried).expect("a number"), &self.rows(&rule))
    }
}

/// Returns a strategy as the query of a rule.
fn query(model_type: ModelType, strategy: Sixteenth) -> String {
    strategy.parameters(model_type).iter().map(ToString::to_string).collect::<Vec<_>>().join("&")
}

/// Checks that each of the sixteen as a rule has the bets, the exclusions, and the units to the last bit of the leaderboard; returns
/// the number of bets.
fn assert_equal_bets(played: &Played) -> usize {
    let leaderboard = Leaderboard::from_games(played.model_type, Accounting::RecordedV2, &played.games);
    let bets = |strategy: Sixteenth| {
        let tested = played.bets(&query(played.model_type, strategy));
        let replay = Replay::from_games(strategy, Accounting::RecordedV2, &played.games);
        assert!(tested.bets.iter().map(|bet| bet.bet).eq(replay.bets.iter().map(|replayed| replayed.bet)));
        let record = leaderboard.entry(strategy).expect("an entry").record;
        assert_eq!(tested.exclusions.missing_price, record.excluded(ExclusionReason::MissingPrice));
        assert_eq!(tested.exclusions.unverified_finality, record.excluded(ExclusionReason::UnverifiedFinality));
        let counts =
            |record: BettingRecord| (record.wins(), record.losses(), record.pushes(), record.units().to_bits());
        assert_eq!(counts(tested.record()), counts(record));
        tested.bets.len()
    };
    Sixteenth::all().into_iter().map(bets).sum()
}

/// Checks that a strategy as a rule has the interval of the leaderboard.
fn assert_equal_interval(played: &Played, strategy: Sixteenth) {
    let terms = walk(strategy, Accounting::RecordedV2, &played.games).filter_map(|step| match step {
        RuleOutcome::Bet(bet) => Some(DatedTerm { date: played.keys[bet.game].date, sum: bet.profit(), weight: 1.0 }),
        RuleOutcome::ExclusionReason(_) => None,
    });
    let seed = SplitMix64::from_names(&["a snapshot", &strategy.id(played.model_type).to_string(), "roi"]);
    let row = played.backtest(&query(played.model_type, strategy), 1).record.row;
    assert_eq!(row.roi, DatedRatio::from_terms(terms).interval(seed));
}

/// Gives the side without a price that of the other one.
fn priced(recorded: Vec<RecordedGame>) -> Vec<RecordedGame> {
    let both = |prices: TwoWayPrices| {
        let any = prices.positive.or(prices.negative).or(AmericanPrice::new(-110).ok());
        TwoWayPrices { positive: prices.positive.or(any), negative: prices.negative.or(any) }
    };
    let lines = |lines: GameLines| GameLines {
        money: both(lines.money),
        spread_prices: both(lines.spread_prices),
        total_prices: both(lines.total_prices),
        ..lines
    };
    recorded.into_iter().map(|recorded| RecordedGame { lines: lines(recorded.lines), ..recorded }).collect()
}

fn any_bet() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["value", "fade_value", "pick", "fade", "line", "fade_line"])
}

/// Filters that all markets have, from wide to narrow.
const NARROWER: [[&str; 3]; 8] = [
    ["min_edge=-1", "min_edge=-0.02", "min_edge=0.05"],
    ["max_ev=1", "max_ev=0.1", "max_ev=0"],
    ["min_probability=0", "min_probability=0.45", "min_probability=0.55"],
    ["min_price=-150", "min_price=-120", "min_price=105"],
    ["max_price=150", "max_price=100", "max_price=-115"],
    ["agree=1&models=BLEND,RF", "agree=1&models=BLEND", "agree=2&models=BLEND,RF"],
    ["", "side=favourite", "side=favourite&max_price=-110"],
    ["from=2023-09-07", "from=2023-09-12", "from=2023-09-12&to=2023-09-20"],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_sixteen_strategies_are_rules_with_equal_figures((model_type, recorded) in any_season()) {
        let played = Played::new(model_type, &recorded);
        assert_equal_bets(&played);
        for strategy in Sixteenth::all() {
            assert_equal_interval(&played, strategy);
        }
    }

    /// A narrower filter bets a subset, and has no exclusions of its own.
    #[test]
    fn a_narrower_filter_bets_a_subset(
        (model_type, recorded) in any_season(), bet in any_bet(), filters in prop::sample::select(NARROWER.to_vec()),
    ) {
        let played = Played::new(model_type, &recorded);
        let places = |bets: &RuleBets| bets.bets.iter().map(|bet| bet.bet.game).collect::<BTreeSet<_>>();
        let all = [vec![""], filters.to_vec()].concat().into_iter().map(|filter| played.bets(&format!("bet={bet}&{filter}")));
        let all: Vec<_> = all.collect();
        for pair in all.windows(2) {
            prop_assert!(places(&pair[1]).is_subset(&places(&pair[0])));
            prop_assert!(pair[1].exclusions.unverified_finality <= pair[0].exclusions.unverified_finality);
        }
    }

    /// With prices on both sides, a rule and the one that fades it bet both sides of the same games.
    #[test]
    fn a_rule_that_fades_mirrors_the_other((model_type, recorded) in any_season()) {
        let played = Played::new(model_type, &priced(recorded));
        for (follow, fade) in [("value", "fade_value"), ("pick", "fade"), ("line", "fade_line")] {
            let [one, other] = [follow, fade].map(|bet| played.bets(&format!("bet={bet}")));
            prop_assert_eq!(one.exclusions, other.exclusions);
            prop_assert_eq!(one.bets.len(), other.bets.len());
            for (one, other) in one.bets.iter().zip(&other.bets) {
                let mirrored = match one.bet.result {
                    BetResult::Win => BetResult::Loss,
                    BetResult::Loss => BetResult::Win,
                    BetResult::Push => BetResult::Push,
                };
                prop_assert_eq!((one.bet.game, one.side.opposite(), mirrored), (other.bet.game, other.side, other.bet.result));
            }
        }
    }

    /// Counts add up exactly, and units up to the last digits, over seasons, months, prices, and edges where all bets have one.
    #[test]
    fn figures_of_groups_add_up((model_type, recorded) in any_season(), bet in any_bet()) {
        let played = Played::new(model_type, &priced(recorded));
        let tested = played.backtest(&format!("bet={bet}&min_edge=-1&season=all"), 1);
        let all = tested.record.row.record;
        let groups = [
            tested.by_season.iter().map(|(_, row)| row.record).collect::<Vec<_>>(),
            tested.by_month.iter().map(|(_, row)| row.record).collect(),
            tested.by_edge.iter().map(|(_, row)| row.record).collect(),
            tested.by_price.iter().map(|(_, row)| row.record).collect(),
            tested.out_of_sample.iter().flat_map(|rows| [rows.newest.record, rows.before.record]).collect(),
        ];
        for group in groups {
            let sum = |count: fn(&BettingRecord) -> u32| group.iter().map(count).sum::<u32>();
            prop_assert_eq!((sum(BettingRecord::wins), sum(BettingRecord::losses), sum(BettingRecord::pushes)), (all.wins(), all.losses(), all.pushes()));
            let units: f64 = group.iter().map(BettingRecord::units).sum();
            prop_assert!((units - all.units()).abs() <= 1e-9 * (1.0 + all.units().abs()), "{} {}", units, all.units());
        }
        let last = tested.course.last().map_or((0, 0.0), |point| (point.bets, point.units));
        prop_assert_eq!((last.0, last.1.to_bits()), (all.stakes(), all.units().to_bits()));
    }

    /// Neither luck nor its draws depend on the number of rules that were tried, which makes the best of them likelier.
    #[test]
    fn luck_does_not_depend_on_the_rules_tried((model_type, recorded) in any_season(), tried in 2..50_u32) {
        let played = Played::new(model_type, &recorded);
        let [one, many] = [1, tried].map(|tried| played.backtest("bet=pick&stake=kelly", tried));
        prop_assert_eq!(&one.luck, &many.luck);
        prop_assert_eq!((&one.course, one.record), (&many.course, many.record));
        if let (Some(one), Some(many)) = (one.search, many.search) {
            prop_assert!(one.p_of_best <= many.p_of_best + 1e-12);
        }
    }
}

/// Generates moneylines with all prices, whose two models have equal probabilities.
fn priced_season(games: u16) -> Played {
    let games = (0..games).map(|number| {
        let price = |raw: u16| AmericanPrice::new(-100 - i32::from(raw % 40)).ok();
        let lines = GameLines {
            money: TwoWayPrices { positive: price(number * 7), negative: price(number * 11) },
            ..GameLines::default()
        };
        let probability = Probability::new(f64::from(number % 37) / 37.0).expect("valid");
        let forecasts = Forecasts::default();
        RecordedGame {
            lines,
            score: Some(FinalScore { away: number % 5, home: number % 3 }),
            forecasts: forecasts.with(ModelColumn::Blend, probability).with(ModelColumn::Rf, probability),
            finality: Finality::Verified,
        }
    });
    Played::new(ModelType::WonOnPoints, &games.collect::<Vec<_>>())
}

#[test]
fn a_model_under_another_name_gives_the_same_figures() {
    let played = priced_season(40);
    for bet in ["value", "fade_value", "pick", "fade"] {
        let [one, other] = ["BLEND", "RF"].map(|model| played.bets(&format!("bet={bet}&model={model}")));
        assert!(!one.bets.is_empty());
        assert_eq!(one, other, "{bet}");
    }
}

/// Four games a day: of 401 dates one is left out, and its bets are in the next point.
#[test]
fn a_course_has_at_most_400_points_with_the_first_and_the_last() {
    for (dates, points) in [(399, 399), (400, 400), (401, 400), (900, 400)] {
        let tested = priced_season(4 * dates).backtest("bet=value&min_edge=-1", 1);
        let course = &tested.course;
        assert_eq!((course.len(), course[0].date), (points, tested.bets[0].date), "{dates}");
        let (last, bet) = (course[points - 1], tested.bets[tested.bets.len() - 1]);
        assert_eq!((last.date, last.bets as usize), (bet.date, tested.bets.len()));
        assert!(course.windows(2).all(|pair| pair[0].date < pair[1].date && pair[0].bets < pair[1].bets));
        let [low, .., high] = last.lucky.expect("prices");
        assert!(low < high);
    }
}

/// Every market of every real season, with the interval of another strategy in each. It runs if `SPORTS_REAL_DATA` names a folder of real leagues.
#[test]
fn the_sixteen_strategies_of_real_seasons_are_rules_with_equal_figures() {
    let Some(named) = std::env::var_os("SPORTS_REAL_DATA") else {
        eprintln!("skipped: set SPORTS_REAL_DATA to the folder of real leagues to run this");
        return;
    };
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(named);
    let mut bets = 0;
    let strategies = Sixteenth::all().into_iter().cycle();
    for ((model_type, keys, games), strategy) in real_season::all(&folder).into_iter().zip(strategies) {
        let played = Played { model_type, keys, games, models: ModelSet::default() };
        bets += assert_equal_bets(&played);
        assert_equal_interval(&played, strategy);
    }
    assert!(bets > 100_000, "{bets}");
}
