use chrono::{Datelike as _, Days, NaiveDate};
use sports_calibration::{DatedRatio, DatedTerm, Interval, SplitMix64};
use sports_domain::{NO_DIFFERENCE, Season};

use crate::rule_bets::record;
use crate::{BettingRecord, RuleBet};

/// The lower ends of the bands of edges but the lowest.
const EDGES: [f64; 6] = [0.0, 0.01, 0.02, 0.03, 0.05, 0.10];

/// The lower ends of the bands of prices but the lowest, in decimal odds.
const PRICES: [f64; 6] = [1.5, 1.67, 1.83, 2.0, 2.5, 3.0];

/// Some bets of a rule, with the uncertainty of their return.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetsRow {
    /// The record.
    pub record: BettingRecord,
    /// The 95 percent interval of the return on stakes, by resampling dates; `None` below two dates.
    pub roi: Option<Interval>,
}

/// A range of edges, or of decimal odds, from its lower end, which is inside. An end can be open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// The lower end; `None` for the lowest band.
    pub from: Option<f64>,
    /// The upper end; `None` for the highest band.
    pub to: Option<f64>,
}

/// The names that seed the interval of each row.
pub struct RowSeeds {
    /// The names of the leaderboard's draws, for a rule over one season.
    pub leaderboard: Option<[String; 3]>,
    pub identity: String,
}

impl RowSeeds {
    /// Returns the row of some bets; its label seeds the draws of a rule over several seasons.
    pub fn row<'b>(&self, label: &str, bets: impl IntoIterator<Item = &'b RuleBet> + Clone) -> BetsRow {
        let generator = match &self.leaderboard {
            Some([snapshot, name, figure]) => SplitMix64::from_names(&[snapshot, name, figure]),
            None => SplitMix64::from_names(&[&self.identity, label]),
        };
        let terms =
            bets.clone().into_iter().map(|bet| DatedTerm { date: bet.date, sum: bet.bet.profit(), weight: 1.0 });
        BetsRow { record: record(bets), roi: DatedRatio::from_terms(terms).interval(generator) }
    }

    /// Returns a row for each season with a bet, in order of time.
    pub fn by_season(&self, bets: &[RuleBet]) -> Vec<(Season, BetsRow)> {
        let seasons = bets.chunk_by(|one, other| one.season == other.season);
        seasons.map(|bets| (bets[0].season, self.row(&bets[0].season.to_string(), bets))).collect()
    }

    /// Returns a row for each month with a bet, by its first day, in order of time.
    pub fn by_month(&self, bets: &[RuleBet]) -> Vec<(NaiveDate, BetsRow)> {
        let month = |bet: &RuleBet| bet.date - Days::new(bet.date.day0().into());
        let months = bets.chunk_by(|one, other| month(one) == month(other));
        months.map(|bets| (month(&bets[0]), self.row(&bets[0].date.to_string()[.."YYYY-MM".len()], bets))).collect()
    }

    /// Returns a row for each band of edges with a bet.
    pub fn by_edge(&self, bets: &[RuleBet]) -> Vec<(Band, BetsRow)> {
        self.by_band(bets, "by_edge", EDGES, RuleBet::edge)
    }

    /// Returns a row for each band of prices with a bet.
    pub fn by_price(&self, bets: &[RuleBet]) -> Vec<(Band, BetsRow)> {
        self.by_band(bets, "by_price", PRICES, |bet| Some(bet.decimal_odds()))
    }

    fn by_band(
        &self,
        bets: &[RuleBet],
        table: &str,
        ends: [f64; EDGES.len()],
        figure: impl Fn(&RuleBet) -> Option<f64>,
    ) -> Vec<(Band, BetsRow)> {
        let mut bands = vec![Vec::new(); ends.len() + 1];
        for bet in bets {
            if let Some(figure) = figure(bet) {
                bands[ends.iter().filter(|end| figure >= **end - NO_DIFFERENCE).count()].push(*bet);
            }
        }
        let row = |(place, bets): (usize, &Vec<RuleBet>)| {
            let from = place.checked_sub(1).map(|place| ends[place]);
            let label = format!("{table} {}", from.map_or_else(String::new, |from| from.to_string()));
            (Band { from, to: ends.get(place).copied() }, self.row(&label, bets))
        };
        bands.iter().enumerate().filter(|(_, bets)| !bets.is_empty()).map(row).collect()
    }
}
