use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Serialize, Serializer};
use sports_calibration::Luck;
use sports_ports::tables::TableColumn;
use sports_publication::ForecastKind;
use sports_strategies::{
    Band, Bankroll, BetsRow, CoursePoint, Drawdown, Neighbour, OutOfSample, Parameter, Rule, RuleExclusions, RuleRecord,
};
use sports_tables::{RuleBetRow, Tabular, rule_bets};
use sports_usecases::analytics::{MadeBet, ProvenBets, RuleBacktest};
use utoipa::ToSchema;

use crate::codes::{Code, LuckMethodCode, ModelNameCode, ModelTypeCode, SportCode};
use crate::wire::wire;

wire! {
    /// The backtest of a rule. Figures are not rounded; shares, returns, edges and expected values are fractions. A figure that does
    /// not exist is null.
    #[schema(as = RuleBacktest)]
    pub struct BacktestResponse(backtest: &RuleBacktest) {
        let RuleBacktest { rule, figures, forecasts, not_known_then, proof, last_updated, .. } = backtest;
        let market = rule.market();

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// The model whose probabilities decide.
        model: ModelNameCode = Code(rule.model()),
        /// The labels of the seasons, in order of time.
        seasons: Vec<String> = rule.seasons().iter().map(ToString::to_string).collect(),
        /// The rule.
        rule: BacktestRule = BacktestRule::new(rule),
        /// The record of all bets.
        record: BacktestRecord = BacktestRecord::new(&figures.record),
        /// The units at the ends of the dates with a bet; of more than 400 dates, 400 at equal steps, the first and the last among
        /// them.
        course: Vec<BacktestPoint> = figures.course.iter().map(BacktestPoint::new).collect(),
        /// The bets by season, in order of time; here and in the next three, groups without a bet are left out.
        by_season: Vec<BacktestSeason> =
            figures.by_season.iter().map(|(season, row)| BacktestSeason::new(season.to_string(), row)).collect(),
        /// The bets by month, in order of time.
        by_month: Vec<BacktestMonth> =
            figures.by_month.iter().map(|(month, row)| BacktestMonth::new(*month, row)).collect(),
        /// The bets with an edge, by its band: below 0, from 0, 0.01, 0.02, 0.03, 0.05, and from 0.10.
        by_edge: Vec<BacktestBand> = figures.by_edge.iter().map(|(band, row)| BacktestBand::new(*band, row)).collect(),
        /// The bets by their decimal odds: below 1.5, from 1.5, 1.67, 1.83, 2, 2.5, and from 3.
        by_price: Vec<BacktestBand> =
            figures.by_price.iter().map(|(band, row)| BacktestBand::new(*band, row)).collect(),
        /// The luck in the units; null if no bet's market had both prices.
        #[schema(required)]
        luck: Option<BacktestLuck> = figures.luck.as_ref().map(BacktestLuck::new),
        /// The best of the rules that were tried, if all have luck alone.
        search: BacktestSearch = BacktestSearch::new(backtest),
        /// The same rule with a threshold one step down and up; a step that would be refused is left out.
        neighbours: Vec<BacktestNeighbour> = figures.neighbours.iter().map(BacktestNeighbour::new).collect(),
        /// The newest season against all before; null with one season.
        #[schema(required)]
        out_of_sample: Option<BacktestOutOfSample> =
            figures.out_of_sample.as_ref().map(|sample| BacktestOutOfSample::new(rule, sample)),
        /// The bets by the source of their row's forecast.
        forecast_sources: BacktestSources = BacktestSources {
            recorded: forecasts.recorded,
            live_imported: forecasts.imported,
            walk_forward: forecasts.walk_forward,
            none: backtest.without_forecast(),
        },
        /// The games of the seasons and dates without a row: those that the predictions did not have so many hours before their start, and
        /// those for which that time has not come; null without `hours_before`.
        #[schema(required, example = 3)]
        not_known_then: Option<u32> = *not_known_then,
        /// The bets that rest on forecasts recorded here.
        proof: BacktestProof = BacktestProof::new(*proof),
        /// The limits of a backtest, and what the forecasts are.
        note: String = backtest.note(),
        /// The time at which the newest of the seasons was published.
        last_updated: DateTime<Utc> = *last_updated,
    }
}

/// A backtest as an answer: its figures as JSON, its bets as a table.
pub struct BacktestAnswer(pub RuleBacktest);

impl Serialize for BacktestAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BacktestResponse::new(&self.0).serialize(serializer)
    }
}

/// Rows are bets.
impl Tabular for BacktestAnswer {
    fn table(&self) -> Vec<TableColumn<'_>> {
        rule_bets(self.0.rule.market(), self.0.bets.iter().map(row))
    }
}

fn row(made: &MadeBet) -> RuleBetRow<'_> {
    RuleBetRow {
        game: &made.game,
        game_id: &made.game_id,
        bet: &made.bet,
        total: made.total,
        forecast_source: made.forecast.map(ForecastKind::source),
        record_index: made.record_index,
    }
}

wire! {
    /// A rule in its normal form.
    pub struct BacktestRule(rule: &Rule) {
        /// The rule as an English sentence: one line with a full stop.
        #[schema(example = "Bet one unit on the side that BLEND rates above the market of NFL moneylines in 2023-24.")]
        sentence: String = rule.to_string(),
        /// The parameters that are not at their default, by name, with numbers in their shortest form. Requests with one meaning
        /// have the same.
        #[schema(example = json!({ "min_edge": "0.03", "side": "underdog" }))]
        parameters: BTreeMap<&'static str, String> =
            rule.parameters().into_iter().map(|Parameter { name, value }| (name, value)).collect(),
    }
}

wire! {
    /// The record of some bets, each of one unit.
    pub struct BacktestRow(row: &BetsRow) {
        let BetsRow { record, roi } = row;

        /// The bets, pushes included.
        #[schema(example = 84)]
        bets: u32 = record.stakes(),
        /// Bets that won.
        #[schema(example = 45)]
        wins: u32 = record.wins(),
        /// Bets that lost.
        #[schema(example = 37)]
        losses: u32 = record.losses(),
        /// Bets whose stake was returned.
        #[schema(example = 2)]
        pushes: u32 = record.pushes(),
        /// Net units.
        #[schema(example = 3.909_09)]
        units: f64 = record.units(),
        /// Net units by unit staked, a fraction; null without a bet.
        #[schema(required, example = 0.046_54)]
        roi: Option<f64> = record.return_on_stakes(),
        /// The low end of its 95 percent bootstrap interval over dates; null below two dates.
        #[schema(required, example = -0.161)]
        roi_low: Option<f64> = roi.map(|roi| roi.low),
        /// The high end of that interval.
        #[schema(required, example = 0.253)]
        roi_high: Option<f64> = roi.map(|roi| roi.high),
    }
}

wire! {
    /// The record of a rule.
    pub struct BacktestRecord(record: &RuleRecord) {
        let RuleRecord { row, mean_price, mean_edge, mean_expected_value, longest_losing_run, drawdown, exclusions, kelly } =
            record;

        #[serde(flatten)]
        row: BacktestRow = BacktestRow::new(row),
        /// The units staked: one a bet, pushes included.
        #[schema(example = 84)]
        stakes: u32 = row.record.stakes(),
        /// The mean of the decimal odds; null without a bet.
        #[schema(required, example = 1.912)]
        mean_price: Option<f64> = *mean_price,
        /// The mean edge of the bets with one.
        #[schema(required, example = 0.043)]
        mean_edge: Option<f64> = *mean_edge,
        /// The mean expected value of a unit if the model is right, over the bets with a probability; `roi` is what came of it.
        #[schema(required, example = 0.036)]
        mean_ev: Option<f64> = *mean_expected_value,
        /// The longest run of losses; a push neither ends nor lengthens it.
        #[schema(example = 6)]
        longest_losing_run: u32 = *longest_losing_run,
        /// The largest fall of the units.
        drawdown: BacktestDrawdown = BacktestDrawdown::new(*drawdown),
        /// The candidates without a bet, each under its first reason.
        exclusions: BacktestExclusions = BacktestExclusions::new(*exclusions, kelly.is_some()),
        /// The bank by Kelly's stakes; absent without `stake=kelly`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        kelly: Option<BacktestKelly> = kelly.map(BacktestKelly::new),
    }
}

wire! {
    /// The largest fall of the units at the ends of dates from an earlier end of a date, or from the start.
    pub struct BacktestDrawdown(drawdown: Drawdown) {
        let Drawdown { units, from, to } = drawdown;

        /// The fall in units: 0 or more.
        #[schema(example = 7.2)]
        units: f64 = units,
        /// The date of the peak; null for the start, and without a fall.
        #[schema(required)]
        from: Option<NaiveDate> = from,
        /// The date of the lowest point; null without a fall.
        #[schema(required)]
        to: Option<NaiveDate> = to,
    }
}

wire! {
    /// Finished games for which the rule names a side, without a bet, each under its first reason.
    pub struct BacktestExclusions(exclusions: RuleExclusions, has_bank: bool) {
        /// The price of the side is missing, or a price that a filter needs.
        #[schema(example = 1)]
        missing_price: u32 = exclusions.missing_price,
        /// The final is not verified.
        #[schema(example = 0)]
        unverified_finality: u32 = exclusions.unverified_finality,
        /// Kelly's stake is not above zero, or the model has no probability; absent without `stake=kelly`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        no_stake: Option<u32> = has_bank.then_some(exclusions.no_stake),
    }
}

wire! {
    /// A bank that starts at 1 and bets shares of itself. It changes once a date.
    pub struct BacktestKelly(bankroll: Bankroll) {
        /// The last bank.
        #[schema(example = 1.083)]
        bank: f64 = bankroll.bank,
        /// The largest share lost from a peak at the end of a date, or from the start.
        #[schema(example = 0.142)]
        drawdown: f64 = bankroll.drawdown,
        /// The share of 10,000 orders of the same dates with a larger `drawdown`. The last bank does not depend on the order.
        #[schema(example = 0.37)]
        larger_drawdown_share: f64 = bankroll.larger_drawdown_share,
    }
}

wire! {
    /// The units at the end of a date, and the quantiles of lucky bettors' units there; these are null if no bet's market had both
    /// prices.
    pub struct BacktestPoint(point: &CoursePoint) {
        let [p5, p25, p50, p75, p95] = point.lucky.map_or([None; 5], |lucky| lucky.map(Some));

        /// The Eastern date.
        date: NaiveDate = point.date,
        /// The bets up to its end.
        #[schema(example = 84)]
        bets: u32 = point.bets,
        /// Their units.
        #[schema(example = 3.909_09)]
        units: f64 = point.units,
        /// The 5 percent quantile.
        #[schema(required, example = -15.1)]
        p5: Option<f64> = p5,
        /// The 25 percent quantile.
        #[schema(required, example = -8.4)]
        p25: Option<f64> = p25,
        /// The median.
        #[schema(required, example = -3.6)]
        p50: Option<f64> = p50,
        /// The 75 percent quantile.
        #[schema(required, example = 1.1)]
        p75: Option<f64> = p75,
        /// The 95 percent quantile.
        #[schema(required, example = 7.7)]
        p95: Option<f64> = p95,
    }
}

wire! {
    /// The bets of a season.
    pub struct BacktestSeason(label: String, row: &BetsRow) {
        /// The label of the season.
        #[schema(example = "2023-24")]
        season: String = label,
        #[serde(flatten)]
        row: BacktestRow = BacktestRow::new(row),
    }
}

wire! {
    /// The bets of a month.
    pub struct BacktestMonth(month: NaiveDate, row: &BetsRow) {
        /// The month, `YYYY-MM`.
        #[schema(example = "2023-11")]
        month: String = month.format("%Y-%m").to_string(),
        #[serde(flatten)]
        row: BacktestRow = BacktestRow::new(row),
    }
}

wire! {
    /// The bets of a band, whose lower end is inside.
    pub struct BacktestBand(band: Band, row: &BetsRow) {
        /// The lower end; null for the lowest band.
        #[schema(required, example = 0.03)]
        from: Option<f64> = band.from,
        /// The upper end; null for the highest band.
        #[schema(required, example = 0.05)]
        to: Option<f64> = band.to,
        #[serde(flatten)]
        row: BacktestRow = BacktestRow::new(row),
    }
}

wire! {
    /// The luck in the units, over the bets whose market had both prices: lucky bettors make the same bets at the same prices, and
    /// each bet wins with the market's no-vig probability.
    pub struct BacktestLuck(luck: &Luck) {
        /// The share of lucky bettors with at least the units of the rule.
        #[schema(example = 0.138)]
        p: f64 = luck.p,
        /// The origin of `p`.
        method: LuckMethodCode = Code(luck.lucky.method()),
        /// The bets that are compared, pushes included.
        #[schema(example = 84)]
        bets: u32 = luck.bets,
        /// The share of 2,000 draws with at least these units: as many bets on the home (over) and on the away (under) side, at games
        /// drawn at random.
        #[schema(example = 0.104)]
        p_random_games: f64 = luck.p_random_games,
        /// `p` in a sentence, with the units of the median bettor.
        p_in_words: String = luck.to_string(),
    }
}

wire! {
    /// The best of so many rules that have luck alone, each as lucky as this one.
    pub struct BacktestSearch(backtest: &RuleBacktest) {
        let best = backtest.figures.search;

        /// The number of rules that were tried, as the request has it.
        #[schema(example = 12)]
        tried: u32 = backtest.tried.get(),
        /// 1 − (1 − `p`)^`tried`: the probability that the best does at least as well. Null without luck.
        #[schema(required, example = 0.831)]
        p_of_best: Option<f64> = best.map(|best| best.p_of_best),
        /// The median of its units; null where fewer than ten draws are above it.
        #[schema(required, example = 10.4)]
        best_50: Option<f64> = best.and_then(|best| best.best_50),
        /// The units that it exceeds with a probability of 5 percent; null where fewer than ten draws are above it.
        #[schema(required, example = 17.9)]
        best_95: Option<f64> = best.and_then(|best| best.best_95),
    }
}

wire! {
    /// The record of the rule with one threshold a step away.
    pub struct BacktestNeighbour(neighbour: &Neighbour) {
        let record = neighbour.record;

        /// The parameter of the threshold.
        #[schema(example = "min_edge")]
        parameter: &'static str = neighbour.parameter,
        /// Its value; a price in American odds.
        #[schema(example = 0.04)]
        value: f64 = neighbour.value,
        /// The bets.
        #[schema(example = 61)]
        bets: u32 = record.stakes(),
        /// Their units.
        #[schema(example = -1.2)]
        units: f64 = record.units(),
        /// Units by unit staked; null without a bet.
        #[schema(required, example = -0.019_7)]
        roi: Option<f64> = record.return_on_stakes(),
    }
}

wire! {
    /// The newest season against all before.
    pub struct BacktestOutOfSample(rule: &Rule, sample: &OutOfSample) {
        let before = rule.seasons().iter().filter(|season| **season != sample.season);

        /// The newest season of the rule.
        newest: BacktestSeason = BacktestSeason::new(sample.season.to_string(), &sample.newest),
        /// All seasons before it.
        before: BacktestSeasons = BacktestSeasons::new(before.map(ToString::to_string).collect(), &sample.before),
    }
}

wire! {
    /// The bets of several seasons.
    pub struct BacktestSeasons(labels: Vec<String>, row: &BetsRow) {
        /// The labels of the seasons, in order of time.
        #[schema(example = json!(["2021-22", "2022-23"]))]
        seasons: Vec<String> = labels,
        #[serde(flatten)]
        row: BacktestRow = BacktestRow::new(row),
    }
}

/// Bets by the source of their row's forecast.
#[derive(Debug, Serialize, ToSchema)]
pub struct BacktestSources {
    /// Live forecasts that entries of this log published before the start.
    #[schema(example = 80)]
    recorded: u32,
    /// Live forecasts that files brought.
    #[schema(example = 0)]
    live_imported: u32,
    /// Forecasts of a backtest: they show a method, not a forecast that somebody had.
    #[schema(example = 4)]
    walk_forward: u32,
    /// Rows without a forecast.
    #[schema(example = 0)]
    none: usize,
}

wire! {
    /// The bets that rest on forecasts recorded here before the start.
    pub struct BacktestProof(proof: ProvenBets) {
        /// The bets whose forecast has a leaf in the league's tree: the standing forecast, with `hours_before` the one served then.
        #[schema(example = 80)]
        recorded: u32 = proof.recorded,
        /// The bets among them whose leaf a cosigned or timestamped checkpoint had before the start; null while the checkpoints
        /// cannot be listed.
        #[schema(required, example = 80)]
        proven: Option<u32> = proof.proven,
    }
}
