use chrono::NaiveDate;
use sports_calibration::{COURSE_SHARES, FairBet, Luck, LuckyCourse, LuckySearch, SplitMix64, share_of_random_games};
use sports_domain::{NO_DIFFERENCE, Season, Side};

use crate::bankroll::Bankroll;
use crate::bets_row::{Band, BetsRow, RowSeeds};
use crate::rule_bets::record as record_of;
use crate::{
    BetResult, BettingRecord, NeighbourRule, Rule, RuleBet, RuleBets, RuleExclusions, RuleOutcome, SeasonRows, Tried,
};

/// The largest number of points of a course.
pub const MOST_POINTS: usize = 400;

/// A rule's bets, their record, and the part of luck in it. Figures are not rounded; shares and returns are fractions.
#[derive(Debug, Clone, PartialEq)]
pub struct Backtest {
    /// The bets, oldest first.
    pub bets: Vec<RuleBet>,
    /// The record of all bets.
    pub record: RuleRecord,
    /// The units over time.
    pub course: Vec<CoursePoint>,
    /// The bets by season, in order of time. Seasons without a bet are left out here, as are other groups below.
    pub by_season: Vec<(Season, BetsRow)>,
    /// The bets by month, each by its first day, in order of time.
    pub by_month: Vec<(NaiveDate, BetsRow)>,
    /// The bets with an edge, by its band.
    pub by_edge: Vec<(Band, BetsRow)>,
    /// The bets by the band of their decimal odds.
    pub by_price: Vec<(Band, BetsRow)>,
    /// The luck in the units; `None` if no bet's market had both prices.
    pub luck: Option<Luck>,
    /// The luck of the best of the rules that were tried; `None` without `luck`.
    pub search: Option<LuckySearch>,
    /// The same rule with a threshold one step down and up.
    pub neighbours: Vec<Neighbour>,
    /// The newest season against all before; `None` with one season.
    pub out_of_sample: Option<OutOfSample>,
}

/// The record of a rule's bets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleRecord {
    /// Counts, units and return.
    pub row: BetsRow,
    /// The mean of the decimal odds; `None` without a bet.
    pub mean_price: Option<f64>,
    /// The mean edge of the bets with one.
    pub mean_edge: Option<f64>,
    /// The mean expected value of the bets with one.
    pub mean_expected_value: Option<f64>,
    /// The longest run of losses; a push neither ends nor lengthens it.
    pub longest_losing_run: u32,
    /// The largest fall of the units.
    pub drawdown: Drawdown,
    /// The candidates without a bet.
    pub exclusions: RuleExclusions,
    /// The bank by Kelly's stakes; `None` with flat ones.
    pub kelly: Option<Bankroll>,
}

/// The largest fall of the units at the ends of dates, from an earlier end or the start; of equal falls the first.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Drawdown {
    /// The fall: 0 or more.
    pub units: f64,
    /// The date of the peak; `None` for the start, and without a fall.
    pub from: Option<NaiveDate>,
    /// The date of the lowest point; `None` without a fall.
    pub to: Option<NaiveDate>,
}

/// The units of a rule at the end of a date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoursePoint {
    /// The date.
    pub date: NaiveDate,
    /// The bets up to its end.
    pub bets: u32,
    /// Their units.
    pub units: f64,
    /// The quantiles of lucky bettors' units at [`COURSE_SHARES`]; `None` if no bet's market had both prices.
    pub lucky: Option<[f64; COURSE_SHARES.len()]>,
}

/// The record of a rule that differs in a threshold, by one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// The parameter of the threshold.
    pub parameter: &'static str,
    /// Its value, prices in American odds.
    pub value: f64,
    /// The record.
    pub record: BettingRecord,
}

/// The newest season against all before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutOfSample {
    /// The newest season of the rule.
    pub season: Season,
    /// Its bets.
    pub newest: BetsRow,
    /// The bets of all seasons before.
    pub before: BetsRow,
}

impl Backtest {
    /// The limits of every backtest, for its readers.
    pub const LIMITS: &str = "A backtest shows what a rule would have won at the prices on record. Stakes are limited, and accounts \
        that win are closed; a recorded price may not have been to be had when the bet was made. A rule that was chosen after \
        the results were known looks better than it is: count every rule that was looked at in `tried`, and trust most what it \
        did in seasons that were not used to choose it. Bets of one date are taken as independent, given the probabilities of \
        the market. This is no advice to bet.";

    /// Computes the figures of a rule over the rows of its seasons, which must be in order of time. Draws are seeded by the identity
    /// of the rule; intervals over one season by that season's snapshot, as those of the leaderboard are.
    pub fn new(rule: &Rule, tried: Tried, seasons: &[SeasonRows<'_>]) -> Self {
        let identity = rule.identity();
        let generator = |figure| SplitMix64::from_names(&[&identity, figure]);
        let seeds = RowSeeds { leaderboard: leaderboard_seed(rule, seasons), identity: identity.clone() };
        let RuleBets { bets, exclusions, games } = rule.bets(seasons);
        let mean = |figure: &dyn Fn(&RuleBet) -> Option<f64>| mean(bets.iter().filter_map(figure));
        let record = RuleRecord {
            row: seeds.row("record", &bets),
            mean_price: mean(&|bet| Some(bet.decimal_odds())),
            mean_edge: mean(&RuleBet::edge),
            mean_expected_value: mean(&RuleBet::expected_value),
            longest_losing_run: longest_losing_run(&bets),
            drawdown: Drawdown::of(&bets),
            exclusions,
            kelly: Bankroll::of(rule.stake, &bets, generator("kelly")),
        };
        let (mut course, stretches) = course(&bets);
        let priced: Vec<_> = bets.iter().filter(|bet| bet.market.is_some()).collect();
        let luck = (!priced.is_empty()).then(|| {
            let lucky = LuckyCourse::draw(&stretches, generator("luck"));
            for (point, quantiles) in course.iter_mut().zip(lucky.quantiles) {
                point.lucky = Some(quantiles);
            }
            let record = record_of(priced.iter().copied());
            let on = |side: Side| priced.iter().filter(|bet| bet.side == side).count();
            let sides = [Side::Positive, Side::Negative].map(on);
            let p_random_games = share_of_random_games(&games, sides, record.units(), generator("random_games"));
            let (p, units) = (lucky.units.share_of_at_least(record.units()), record.units());
            Luck { p, bets: record.stakes(), units, p_random_games, lucky: lucky.units }
        });
        Self {
            record,
            course,
            by_season: seeds.by_season(&bets),
            by_month: seeds.by_month(&bets),
            by_edge: seeds.by_edge(&bets),
            by_price: seeds.by_price(&bets),
            search: luck.as_ref().map(|luck| LuckySearch::of(luck, tried.get())),
            luck,
            neighbours: neighbours(rule, seasons),
            out_of_sample: out_of_sample(rule, &seeds, &bets),
            bets,
        }
    }
}

/// Returns the names that seed the interval of the leaderboard for a rule over one season: its data, the strategy that the rule is
/// or else the model, and the figure.
fn leaderboard_seed(rule: &Rule, seasons: &[SeasonRows<'_>]) -> Option<[String; 3]> {
    let [season] = seasons else { return None };
    let strategy = rule.strategy().map(|strategy| strategy.id(rule.market().model_type).to_string());
    let name = strategy.unwrap_or_else(|| rule.model().to_string());
    Some([season.snapshot.to_owned(), name, "roi".to_owned()])
}

fn mean(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, number) = figures.fold((0.0, 0.0), |(sum, number), figure| (sum + figure, number + 1.0));
    (number > 0.0).then(|| sum / number)
}

fn longest_losing_run(bets: &[RuleBet]) -> u32 {
    let decided = bets.iter().filter(|bet| bet.bet.result != BetResult::Push);
    let runs = decided.scan(0, |run, bet| {
        *run = if bet.bet.result == BetResult::Loss { *run + 1 } else { 0 };
        Some(*run)
    });
    runs.max().unwrap_or(0)
}

/// Returns each date with a bet, and the record up to its end.
fn ends_of_dates(bets: &[RuleBet]) -> impl Iterator<Item = (NaiveDate, &[RuleBet], BettingRecord)> {
    let dates = bets.chunk_by(|one, other| one.date == other.date);
    dates.scan(BettingRecord::default(), |record, date| {
        for bet in date {
            record.add(&RuleOutcome::Bet(bet.bet));
        }
        Some((date[0].date, date, *record))
    })
}

impl Drawdown {
    fn of(bets: &[RuleBet]) -> Self {
        let mut largest = Self::default();
        let mut peak: (Option<NaiveDate>, f64) = (None, 0.0);
        for (date, _, record) in ends_of_dates(bets) {
            let units = record.units();
            if units > peak.1 + NO_DIFFERENCE {
                peak = (Some(date), units);
            }
            if peak.1 - units > largest.units + NO_DIFFERENCE {
                largest = Self { units: peak.1 - units, from: peak.0, to: Some(date) };
            }
        }
        largest
    }
}

/// Returns the points of a course, and for each the decided bets since the point before whose market had both prices.
fn course(bets: &[RuleBet]) -> (Vec<CoursePoint>, Vec<Vec<FairBet>>) {
    let dates: Vec<_> = ends_of_dates(bets).collect();
    let (points, last) = (dates.len().min(MOST_POINTS), dates.len().saturating_sub(1));
    let shown: Vec<_> = (0..points).map(|point| point * last / (points - 1).max(1)).collect();
    let (mut points, mut stretches, mut stretch) = (Vec::new(), Vec::new(), Vec::new());
    for (place, (date, bets, record)) in dates.iter().enumerate() {
        stretch.extend(bets.iter().filter_map(fair_bet));
        if shown.binary_search(&place).is_ok() {
            points.push(CoursePoint { date: *date, bets: record.stakes(), units: record.units(), lucky: None });
            stretches.push(std::mem::take(&mut stretch));
        }
    }
    (points, stretches)
}

/// Returns a bet as a lucky bettor has it; `None` for a push, and without both prices.
fn fair_bet(bet: &RuleBet) -> Option<FairBet> {
    let chance = bet.market?.get();
    bet.bet.result.won().map(|_| FairBet { price: bet.bet.price, chance })
}

fn neighbours(rule: &Rule, seasons: &[SeasonRows<'_>]) -> Vec<Neighbour> {
    let neighbours = rule.neighbours().into_iter();
    let placed = |neighbour: NeighbourRule| {
        let NeighbourRule { parameter, value, rule } = neighbour;
        Neighbour { parameter, value, record: rule.bets(seasons).record() }
    };
    neighbours.map(placed).collect()
}

fn out_of_sample(rule: &Rule, seeds: &RowSeeds, bets: &[RuleBet]) -> Option<OutOfSample> {
    let [_, .., season] = *rule.seasons() else { return None };
    let (before, newest) = bets.split_at(bets.partition_point(|bet| bet.season != season));
    Some(OutOfSample { season, newest: seeds.row(&season.to_string(), newest), before: seeds.row("before", before) })
}
