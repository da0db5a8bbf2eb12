use std::fmt;
use std::ops::RangeInclusive;

use crate::{LineColumn, Sport};

/// The bounds of a league's lines in one column: closing and opening lines have the same.
///
/// The usual bounds hold all but a few lines of 70 seasons (87,850 games) of 1999 to 2024; the hard bounds leave half as much again
/// beyond the widest of them. `docs/publishing.md` has the widest real lines beside the bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct LineBounds {
    /// What the column holds.
    pub kind: LineKind,
    /// Bounds beyond which a value is no line of the league.
    pub hard: RangeInclusive<f64>,
    /// Bounds beyond which a line is rare.
    pub usual: RangeInclusive<f64>,
}

/// A kind of line with bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the trade's word")]
pub enum LineKind {
    Spread,
    Total,
    Moneyline,
}

impl LineBounds {
    /// Returns the bounds of a column; `None` for the prices of spreads and totals.
    pub const fn of(sport: Sport, column: LineColumn) -> Option<Self> {
        let row = Row::of(sport);
        let (kind, hard, usual) = match column {
            LineColumn::HomePointSpread
            | LineColumn::AwayPointSpread
            | LineColumn::OpenHomePointSpread
            | LineColumn::OpenAwayPointSpread => (LineKind::Spread, either_way(row.spread.0), either_way(row.spread.1)),
            LineColumn::OverUnder | LineColumn::OpenOverUnder => (LineKind::Total, row.total, row.usual_total),
            LineColumn::HomeMoneyLine
            | LineColumn::AwayMoneyLine
            | LineColumn::OpenHomeMoneyLine
            | LineColumn::OpenAwayMoneyLine => (LineKind::Moneyline, either_way(row.money.0), either_way(row.money.1)),
            LineColumn::HomePointSpreadLine
            | LineColumn::AwayPointSpreadLine
            | LineColumn::OverLine
            | LineColumn::UnderLine => return None,
        };
        Some(Self { kind, hard: RangeInclusive::new(hard.0, hard.1), usual: RangeInclusive::new(usual.0, usual.1) })
    }

    /// Returns true for a multiple of one half. Any other line splits a bet into two.
    pub fn is_whole_bet(points: f64) -> bool {
        (points * 2.0).fract() == 0.0
    }

    /// Returns true for the spread of 1.5 that baseball and hockey fix for nearly all games: its price tells the favourite.
    pub fn is_fixed_spread(sport: Sport, spread: f64) -> bool {
        matches!(sport, Sport::Mlb | Sport::Nhl) && (spread.abs() - 1.5).abs() < f64::EPSILON
    }
}

impl fmt::Display for LineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spread => "spread",
            Self::Total => "total",
            Self::Moneyline => "moneyline",
        })
    }
}

const fn either_way(size: f64) -> (f64, f64) {
    (-size, size)
}

/// The bounds of a league. Those of spreads and moneylines, hard and usual, are sizes.
struct Row {
    spread: (f64, f64),
    total: (f64, f64),
    usual_total: (f64, f64),
    money: (f64, f64),
}

impl Row {
    const fn of(sport: Sport) -> Self {
        let (spread, total, usual_total, money) = match sport {
            Sport::Mlb => ((5.0, 1.5), (3.5, 25.0), (5.5, 15.0), (1_500.0, 600.0)),
            Sport::Nba => ((40.0, 22.0), (130.0, 320.0), (165.0, 255.0), (30_000.0, 10_000.0)),
            Sport::Nfl => ((35.0, 21.0), (22.0, 80.0), (28.0, 61.0), (15_000.0, 3_000.0)),
            Sport::Nhl => ((4.5, 1.5), (3.5, 10.0), (4.5, 7.5), (1_500.0, 700.0)),
            Sport::Ncaaf => ((80.0, 50.0), (20.0, 120.0), (33.0, 88.0), (200_000.0, 100_000.0)),
            Sport::Ncaab => ((75.0, 42.0), (80.0, 230.0), (105.0, 183.0), (200_000.0, 100_000.0)),
        };
        Self { spread, total, usual_total, money }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_bounds_are_all_but_the_prices_of_spreads_and_totals() {
        for column in LineColumn::ALL {
            let is_priced_line = column.holds_prices() && !column.name().ends_with("money_line");
            for sport in Sport::ALL {
                let bounds = LineBounds::of(sport, column);
                assert_eq!(bounds.is_none(), is_priced_line, "{sport} {column:?}");
                let is_inside = |it: &LineBounds| it.hard.start() < it.usual.start() && it.usual.end() < it.hard.end();
                assert!(bounds.iter().all(is_inside), "{sport} {column:?}");
            }
        }
    }

    #[test]
    fn the_widest_real_lines_of_each_league_are_within_the_hard_bounds() {
        for (sport, spread, totals, money) in [
            (Sport::Mlb, 1.5, [5.5, 15.0], -485.0),
            (Sport::Nba, -23.0, [160.0, 251.0], -13_000.0),
            (Sport::Nfl, -27.5, [28.5, 63.5], -10_000.0),
            (Sport::Nhl, 1.5, [4.5, 8.5], -700.0),
            (Sport::Ncaaf, -70.5, [25.5, 90.0], -97_500.0),
            (Sport::Ncaab, -46.0, [97.0, 185.5], -93_000.0),
        ] {
            let is_within =
                |column, value: f64| LineBounds::of(sport, column).is_some_and(|it| it.hard.contains(&value));
            assert!(is_within(LineColumn::HomePointSpread, spread) && is_within(LineColumn::AwayMoneyLine, money));
            assert!(totals.iter().all(|total| is_within(LineColumn::OpenOverUnder, *total)), "{sport}");
        }
    }

    #[test]
    fn quarter_lines_are_no_whole_bets_and_the_fixed_spread_is_of_two_leagues() {
        assert!([-3.0, 0.0, 2.5].into_iter().all(LineBounds::is_whole_bet));
        assert!([-3.25, 2.51, 169.6].into_iter().all(|points| !LineBounds::is_whole_bet(points)));
        let fixed = Sport::ALL.into_iter().filter(|sport| LineBounds::is_fixed_spread(*sport, -1.5));
        assert_eq!(fixed.collect::<Vec<_>>(), [Sport::Mlb, Sport::Nhl]);
        assert!(!LineBounds::is_fixed_spread(Sport::Mlb, 2.5));
    }
}
