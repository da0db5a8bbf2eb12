use sports_domain::{AmericanPrice, GameLines, HomeSpread, LineColumn, ModelType, Total, TwoWayPrices};

use crate::simulation::league::League;
use crate::simulation::random::{Purpose, Stream};
use crate::simulation::scoring::{Belief, Scoring, rounded};

/// The market's view of a game, from the opener to the close.
#[derive(Debug, Clone)]
pub(crate) struct Quoting {
    pub(crate) open: Belief,
    pub(crate) close: Belief,
    pub(crate) seed: u64,
    pub(crate) quirks: Quirks,
}

/// The irregularities in a game's lines and forecasts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Quirks {
    pub(crate) posted: Posted,
    pub(crate) openers: Openers,
    pub(crate) foreseen: ForecastKind,
    /// The distance in half points of every spread and total from the balanced one, to the home team's disadvantage and
    /// upwards.
    pub(crate) spread_off: i32,
    pub(crate) total_off: i32,
}

/// The lines and prices of a game that were posted or kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Posted {
    #[default]
    All,
    HomeMoneyLineOnly,
    /// Both money lines are the favourite's price, as after a typing error.
    TwoFavourites,
    /// The favourite has a price at which no bets are taken.
    Certainty,
    /// Spread and total without any price.
    PointsOnly,
    Nothing,
}

/// The content of the opener columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Openers {
    #[default]
    Kept,
    Missing,
    /// Zeros, as from feeds without openers: in the spread, or, if the spread is always 1.5, in all other columns.
    Zero,
}

/// The forecasts of the models for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ForecastKind {
    #[default]
    Usual,
    /// The blend is exactly one half.
    Evenly,
    Never,
}

/// Lines at one time, and the market's probability of the positive side of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quote {
    pub(crate) lines: GameLines,
    over: f64,
    home_win: f64,
    home_cover: f64,
    /// The opener's probability of a home win.
    opening_win: f64,
    /// The balanced or posted spread and total in half points, as thresholds of margin and total.
    pub(crate) margin_line: i32,
    pub(crate) total_line: i32,
}

impl Quote {
    /// Returns the quote with the opener's probability of a win, for forecasts of the past: those that knew the close would have an edge
    /// on the opening price.
    pub(crate) const fn forecast_early(&self) -> Self {
        Self { home_win: self.opening_win, ..*self }
    }

    /// Returns the market's probability of the positive side.
    pub(crate) const fn probability(&self, model_type: ModelType) -> f64 {
        match model_type {
            ModelType::OverUnder => self.over,
            ModelType::WonOnPoints => self.home_win,
            ModelType::WonOnSpread => self.home_cover,
        }
    }
}

/// The random variation of a belief between opener and close, as a fraction of the usual move.
const WAVERING: f64 = 0.2;

/// The run line and the puck line, in half points.
const FIXED_SPREAD: i32 = 3;

/// A price at which no bets are accepted.
const CERTAIN: i32 = -90_000;

/// The largest spread, in half points, that may be posted as a pick'em.
const NEAR_PICK_EM: i32 = 1;

impl Quoting {
    /// Returns the lines at a step; step 0 is the opener and step `last` the close.
    pub(crate) fn at_step(&self, league: &League, step: i64, last: i64) -> Quote {
        let quote = self.quote(league, self.belief(league, step, last));
        let opener = if step == 0 { quote } else { self.quote(league, self.open) };
        Quote { lines: self.with_openers(quote.lines, &opener.lines), opening_win: opener.home_win, ..quote }
    }

    /// Returns the closing lines without openers.
    pub(crate) fn closing(&self, league: &League) -> Quote {
        self.quote(league, self.close)
    }

    fn belief(&self, league: &League, step: i64, last: i64) -> Belief {
        if step >= last {
            return self.close;
        }
        if step <= 0 {
            return self.open;
        }
        let mut stream = Stream::for_purpose(self.seed, Purpose::Quote, &[step.unsigned_abs()]);
        let whole = |number: i64| f64::from(i32::try_from(number).unwrap_or(i32::MAX));
        let part = whole(step) / whole(last);
        let mut between =
            |open: f64, close: f64, usual: f64| open + (close - open) * part + WAVERING * usual * stream.bell();
        Belief {
            margin: between(self.open.margin, self.close.margin, league.market.margin_move),
            total: between(self.open.total, self.close.total, league.market.total_move),
        }
    }

    fn quote(&self, league: &League, belief: Belief) -> Quote {
        let outlook = league.scoring.outlook(belief);
        // A game's habit of even prices and pick'ems does not change from step to step.
        let mut habits = Stream::for_purpose(self.seed, Purpose::Quote, &[]);
        let [pick_em, even_spread, even_total] = [(); 3].map(|()| habits.unit());
        let home_win = outlook.margin.split(0).share();
        let balanced = match league.scoring {
            Scoring::Runs(_) if home_win > 0.5 => FIXED_SPREAD,
            Scoring::Runs(_) => -FIXED_SPREAD,
            Scoring::Margins(_) => match outlook.margin.balanced() {
                near if near.abs() > NEAR_PICK_EM => near,
                _ if pick_em < league.market.pick_ems => 0,
                _ if belief.margin > 0.0 => 2,
                _ => -2,
            },
        };
        let (spreads, totals) = (league.usual(LineColumn::HomePointSpread), league.usual(LineColumn::OverUnder));
        let half_points = |points: f64| rounded(points * 2.0);
        let margin_line =
            (balanced + self.quirks.spread_off).clamp(half_points(*spreads.start()), half_points(*spreads.end()));
        let total_line = outlook.total.balanced() + self.quirks.total_off;
        let total_line =
            total_line.clamp(half_points(*totals.start()), half_points(*totals.end())).max(margin_line.abs());
        let home_cover = outlook.margin.split(margin_line).share();
        let over = outlook.total.split(total_line).share();
        let market = &league.market;
        let longest = league.usual(LineColumn::HomeMoneyLine);
        let surest = longest.end() / (longest.end() + 100.0) / (1.0 + market.money_vig);
        let lines = GameLines {
            money: two_way(home_win.clamp(1.0 - surest, surest), market.money_vig, false),
            spread: HomeSpread::new(-f64::from(margin_line) / 2.0).ok(),
            spread_prices: two_way(home_cover, market.spread_vig, even_spread < market.even_spreads),
            total: Total::new(f64::from(total_line) / 2.0).ok(),
            total_prices: two_way(over, market.total_vig, even_total < market.even_totals),
            ..GameLines::default()
        };
        Quote { lines: self.posted(lines), over, home_win, home_cover, opening_win: home_win, margin_line, total_line }
    }

    fn posted(&self, lines: GameLines) -> GameLines {
        let none = TwoWayPrices::default();
        match self.quirks.posted {
            Posted::All => lines,
            Posted::HomeMoneyLineOnly => GameLines { money: TwoWayPrices { negative: None, ..lines.money }, ..lines },
            Posted::TwoFavourites => GameLines { money: two_favourites(lines.money), ..lines },
            Posted::Certainty => GameLines { money: certainty(lines.money), ..lines },
            Posted::PointsOnly => GameLines { money: none, spread_prices: none, total_prices: none, ..lines },
            Posted::Nothing => GameLines::default(),
        }
    }

    fn with_openers(&self, lines: GameLines, opener: &GameLines) -> GameLines {
        let kept =
            GameLines { open_money: opener.money, open_spread: opener.spread, open_total: opener.total, ..lines };
        match (self.quirks.openers, opener.spread) {
            (Openers::Kept, _) => kept,
            (Openers::Zero, Some(spread)) if spread.home().abs() > f64::from(FIXED_SPREAD) / 2.0 => {
                GameLines { open_spread: HomeSpread::new(0.0).ok(), ..kept }
            }
            (Openers::Missing | Openers::Zero, _) => lines,
        }
    }
}

/// Returns the favourite's price on both sides.
fn two_favourites(money: TwoWayPrices) -> TwoWayPrices {
    let favourite = money.positive.min(money.negative);
    TwoWayPrices { positive: favourite, negative: favourite }
}

/// Returns the prices of a game whose favourite accepts no bets; the other side keeps its price.
fn certainty(money: TwoWayPrices) -> TwoWayPrices {
    let certain = AmericanPrice::new(CERTAIN).ok();
    if money.positive < money.negative {
        TwoWayPrices { positive: certain, ..money }
    } else {
        TwoWayPrices { negative: certain, ..money }
    }
}

/// The range of break-even rates for which prices are posted.
const LONGEST: f64 = 0.011;

const SHORTEST: f64 = 0.99;

/// The maximum distance from one half of a market that is posted at the same price on both sides.
const NEARLY_EVEN: f64 = 0.02;

/// Returns both sides' prices for this probability of the positive side; `vig` is the bookmaker's margin.
pub(crate) fn two_way(probability: f64, vig: f64, evenly: bool) -> TwoWayPrices {
    let probability = if evenly && (probability - 0.5).abs() < NEARLY_EVEN { 0.5 } else { probability };
    TwoWayPrices {
        positive: Some(american(probability * (1.0 + vig))),
        negative: Some(american((1.0 - probability) * (1.0 + vig))),
    }
}

/// Returns the price that breaks even at a rate, rounded to the steps that bookmakers use at its size.
fn american(rate: f64) -> AmericanPrice {
    let rate = rate.clamp(LONGEST, SHORTEST);
    let size = if rate < 0.5 { 100.0 * (1.0 - rate) / rate } else { 100.0 * rate / (1.0 - rate) };
    let step = match rounded(size) {
        ..250 => 1,
        250..1000 => 5,
        _ => 50,
    };
    let posted = (rounded(size / f64::from(step)) * step).max(100);
    let signed = if rate < 0.5 { posted } else { -posted };
    AmericanPrice::new(signed).expect("the size is 100 at least")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(probability: f64, vig: f64, evenly: bool) -> (i32, i32) {
        let prices = two_way(probability, vig, evenly);
        let get = |price: Option<AmericanPrice>| price.map(AmericanPrice::get).expect("a price");
        (get(prices.positive), get(prices.negative))
    }

    #[test]
    fn prices_are_rounded_like_a_bookmakers() {
        let usual = 2.0 * 110.0 / 210.0 - 1.0;
        assert_eq!(pair(0.5, usual, false), (-110, -110));
        assert_eq!(pair(0.512, usual, true), (-110, -110));
        assert_eq!(pair(0.53, usual, true), (-125, 103));
        assert_eq!(pair(0.5, 0.0, false), (-100, -100));
        assert_eq!(pair(0.7, 0.03, false), (-260, 224));
        assert_eq!(pair(0.999, 0.04, false), (-9900, 9000));
    }
}
