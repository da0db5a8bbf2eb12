use chrono::NaiveDate;
use sports_domain::ModelType;

use crate::forecast::{Exclusion, PickAtClose};
use crate::interval::count;
use crate::{DatedMean, DatedRatio, DatedTerm, SplitMix64, TakenForecast};

/// The value of a model's picks at the close: three measures, which are never added up or mixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosingValue {
    /// The picks, excluded ones too.
    pub picks: u32,
    /// Forecasts of one half, which pick no side.
    pub no_pick: u32,
    /// The expected value of a unit at the price taken, by the closing no-vig probability.
    pub expected: Measure,
    /// The closing no-vig probability less that at the prices taken, of picks with both prices.
    pub probability: Measure,
    /// The points that the line gained; `None` for a moneyline.
    pub line: Option<Measure>,
    /// The picks that are left out of some measure, each under its first reason.
    pub excluded: Excluded,
}

/// A measure over picks.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measure {
    /// The number of picks measured.
    pub picks: u32,
    /// The number of their dates.
    pub dates: usize,
    /// The mean, untested below [`MIN_GAMES`](crate::MIN_GAMES) picks; `None` without picks.
    pub mean: Option<DatedMean>,
    /// The share of picks with a value above zero; `None` without picks.
    pub positive: Option<f64>,
}

/// Excluded picks by their first reason, in this order. The last two leave a pick in the measure of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Excluded {
    /// No odds with a price were published before the start.
    pub no_close: u32,
    /// The close was too old at the start.
    pub stale_close: u32,
    /// No odds were published after the forecast.
    pub no_later_odds: u32,
    /// The total or the spread had no number when it was taken, or at the close.
    pub no_line: u32,
    /// The picked side had no price when it was taken, or a side had none at the close.
    pub no_price: u32,
    /// The line at the close was another one.
    pub line_moved: u32,
}

impl ClosingValue {
    /// Measures a model's forecasts in the market of `model_type`. Their order does not change any bit of the figures.
    ///
    /// `snapshot` names the data; together with the names of model and measure it seeds the draws.
    pub fn from_forecasts(model_type: ModelType, model: &str, forecasts: &[TakenForecast], snapshot: &str) -> Self {
        let all: Vec<_> = forecasts.iter().filter_map(|forecast| Some((forecast.date, forecast.at_close()?))).collect();
        let measure = |name, value: fn(&PickAtClose) -> Option<f64>| {
            let generator = SplitMix64::from_names(&[snapshot, model, name]);
            let values: Vec<_> = all.iter().filter_map(|(date, pick)| Some((*date, value(pick)?))).collect();
            Measure::from_values(&values, &generator)
        };
        let mut excluded = Excluded::default();
        for (_, pick) in &all {
            excluded.count(pick);
        }
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        let (picks, no_pick) = (number(all.len()), number(forecasts.len() - all.len()));
        let has_numbers = model_type != ModelType::WonOnPoints;
        Self {
            picks,
            no_pick,
            expected: measure("clv_ev", |pick| Some(pick.price.ok()?.expected)),
            probability: measure("clv_prob", |pick| pick.price.ok()?.probability),
            line: has_numbers.then(|| measure("line_clv", |pick| pick.line)),
            excluded,
        }
    }
}

impl Measure {
    fn from_values(values: &[(NaiveDate, f64)], generator: &SplitMix64) -> Self {
        let terms = values.iter().map(|(date, value)| DatedTerm { date: *date, sum: *value, weight: 1.0 });
        let terms = DatedRatio::from_terms(terms);
        let picks = u32::try_from(values.len()).unwrap_or(u32::MAX);
        let above = values.iter().filter(|(_, value)| *value > 0.0).count();
        Self {
            picks,
            dates: terms.dates(),
            mean: DatedMean::of_games(&terms, picks, generator).map(|mean| mean.untested_if_few(picks)),
            positive: (picks > 0).then(|| count(above) / count(values.len())),
        }
    }
}

impl Excluded {
    fn count(&mut self, pick: &PickAtClose) {
        let Err(reason) = pick.price else { return };
        let counter = match reason {
            Exclusion::NoClose => &mut self.no_close,
            Exclusion::StaleClose => &mut self.stale_close,
            Exclusion::NoLaterOdds => &mut self.no_later_odds,
            Exclusion::NoLine => &mut self.no_line,
            Exclusion::NoPrice => &mut self.no_price,
            Exclusion::LineMoved => &mut self.line_moved,
        };
        *counter += 1;
    }
}

#[cfg(test)]
mod tests {
    use chrono::Days;
    use sports_domain::{AmericanPrice, HomeSpread, Probability, TwoWayPrices};
    use sports_grading::PostedLine;

    use super::*;
    use crate::{Close, Offer};

    fn spread(points: f64, home: i32, away: i32) -> Offer {
        let line = HomeSpread::new(points).ok().map(PostedLine::Spread);
        let prices = TwoWayPrices { positive: AmericanPrice::new(home).ok(), negative: AmericanPrice::new(away).ok() };
        Offer { line, prices }
    }

    fn forecast(day: u64, probability: f64, taken: Offer, close: Close) -> TakenForecast {
        let date = NaiveDate::from_ymd_opt(2024, 1, 6).expect("a date") + Days::new(day);
        TakenForecast { date, probability: Probability::new(probability).expect("a probability"), taken, close }
    }

    fn of_spreads(forecasts: &[TakenForecast]) -> ClosingValue {
        ClosingValue::from_forecasts(ModelType::WonOnSpread, "BLEND", forecasts, "a snapshot")
    }

    /// The worked example of `docs/analytics.md`: 0.043697 and −0.067626 on one date, −0.003953 on the next.
    #[test]
    fn a_mean_and_its_error_are_those_of_the_worked_example() {
        let money = |home, away| Offer { line: Some(PostedLine::Moneyline), ..spread(0.0, home, away) };
        let picks = [
            forecast(0, 0.6, money(-125, 105), Close::Offered(money(-150, 130))),
            forecast(0, 0.6, money(140, -160), Close::Offered(money(150, -170))),
            forecast(1, 0.6, money(-110, -110), Close::Offered(money(-120, 100))),
        ];
        let term = |pick: &TakenForecast| {
            let value = pick.at_close().expect("a side").price.expect("a price");
            DatedTerm { date: pick.date, sum: value.expected, weight: 1.0 }
        };
        let generator = SplitMix64::from_names(&["a snapshot", "BLEND", "clv_ev"]);
        let mean = DatedMean::of_games(&DatedRatio::from_terms(picks.iter().map(term)), 3, &generator).expect("picks");
        assert!((mean.mean + 0.009_294).abs() < 5e-7);
        assert!((mean.se.expect("dates") - 0.003_561).abs() < 5e-7);
        assert!((mean.t.expect("dates") + 2.610_0).abs() < 5e-5);
        // A quarter of the draws has the first date twice, a quarter the second.
        let interval = mean.interval.expect("dates");
        assert!((interval.low + 0.011_965).abs() < 1e-6 && (interval.high + 0.003_953).abs() < 5e-7, "{interval:?}");
        let value = ClosingValue::from_forecasts(ModelType::WonOnPoints, "BLEND", &picks, "a snapshot");
        let untested = DatedMean { t: None, p: None, interval: None, ..mean };
        assert_eq!((value.expected.mean, value.expected.positive), (Some(untested), Some(1.0 / 3.0)));
    }

    #[test]
    fn every_reason_is_counted_once_and_a_moved_line_is_measured_as_a_line() {
        let (taken, close) = (spread(-3.0, -105, -115), spread(-3.0, -120, 100));
        let no_line = Offer { line: None, ..taken };
        let value = of_spreads(&[
            forecast(0, 0.6, taken, Close::Offered(close)),
            forecast(0, 0.5, taken, Close::Offered(close)),
            forecast(1, 0.6, taken, Close::Missing),
            forecast(1, 0.6, taken, Close::Stale),
            forecast(1, 0.6, taken, Close::NotLater),
            forecast(1, 0.6, no_line, Close::Offered(close)),
            forecast(1, 0.6, spread(-3.0, 0, 0), Close::Offered(close)),
            forecast(2, 0.6, taken, Close::Offered(spread(-3.5, -110, -110))),
        ]);
        assert_eq!((value.picks, value.no_pick), (7, 1));
        let one_each =
            Excluded { no_close: 1, stale_close: 1, no_later_odds: 1, no_line: 1, no_price: 1, line_moved: 1 };
        assert_eq!(value.excluded, one_each);
        let line = value.line.expect("spreads have numbers");
        assert_eq!((value.expected.picks, value.probability.picks, line.picks, line.dates), (1, 1, 3, 3));
        // 0, 0 and 0.5 points.
        assert!((line.mean.expect("picks").mean - 0.5 / 3.0).abs() < 1e-12);
        assert_eq!(line.positive, Some(1.0 / 3.0));
        assert!((value.expected.mean.expect("a pick").mean - 0.018_634).abs() < 5e-7);
    }

    #[test]
    fn thirty_picks_are_needed_for_a_test_and_an_interval() {
        let season = |picks: u64| {
            let pick = |pick: u64| {
                let close = if pick.is_multiple_of(2) { spread(-3.0, -120, 100) } else { spread(-3.0, -110, -110) };
                forecast(pick / 3, 0.6, spread(-3.0, -105, -115), Close::Offered(close))
            };
            of_spreads(&(0..picks).map(pick).collect::<Vec<_>>()).expected.mean.expect("picks")
        };
        let given = |mean: DatedMean| (mean.se.is_some(), mean.t.is_some(), mean.p.is_some(), mean.interval.is_some());
        assert_eq!(given(season(29)), (true, false, false, false));
        assert_eq!(given(season(30)), (true, true, true, true));
    }

    #[test]
    fn a_model_without_a_pick_has_measures_without_figures() {
        let value = of_spreads(&[]);
        assert_eq!((value.picks, value.expected, value.line), (0, Measure::default(), Some(Measure::default())));
        let money = ClosingValue::from_forecasts(ModelType::WonOnPoints, "BLEND", &[], "a snapshot");
        assert_eq!(money.line, None);
    }
}
