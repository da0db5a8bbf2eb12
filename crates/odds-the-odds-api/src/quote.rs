use chrono::{DateTime, Utc};
use sports_domain::{AmericanPrice, GameLines, HomeSpread, Total, TwoWayPrices};

use crate::FeedError;
use crate::feed::{Bookmaker, Event, Market, Moment, Outcome};

/// What one bookmaker posts on one event.
#[derive(Debug, Default)]
pub(crate) struct Quote {
    pub(crate) lines: GameLines,
    /// The newest update among the markets that are used.
    pub(crate) updated: Option<DateTime<Utc>>,
    /// Markets that contradict themselves, in words.
    pub(crate) contradictions: Vec<String>,
}

/// A price that is none, and where in a bookmaker's quote it stands.
struct NotAmerican {
    market: String,
    outcome: String,
    price: f64,
}

impl Quote {
    /// Reads a bookmaker's three markets, each outcome by its name.
    pub(crate) fn read(event: &Event, bookmaker: &Bookmaker) -> Result<Self, FeedError> {
        let mut quote = Self::default();
        let (home, away) =
            (event.home_team.as_deref().unwrap_or_default(), event.away_team.as_deref().unwrap_or_default());
        let refused = |NotAmerican { market, outcome, price }| FeedError::NotAmerican {
            event: event.id.clone(),
            bookmaker: bookmaker.key.clone(),
            market,
            outcome,
            price,
        };
        quote.money(market(bookmaker, "h2h"), home, away).map_err(refused)?;
        quote.spread(market(bookmaker, "spreads"), home, away).map_err(refused)?;
        quote.total(market(bookmaker, "totals")).map_err(refused)?;
        if quote.lines != GameLines::default() {
            quote.updated = quote.updated.or(bookmaker.last_update.map(Moment::instant));
        }
        Ok(quote)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines == GameLines::default()
    }

    fn money(&mut self, market: Option<&Market>, home: &str, away: &str) -> Result<(), NotAmerican> {
        let Some(market) = market else { return Ok(()) };
        self.lines.money = prices(market, home, away)?;
        self.used(market, self.lines.money.any());
        Ok(())
    }

    fn spread(&mut self, market: Option<&Market>, home: &str, away: &str) -> Result<(), NotAmerican> {
        let Some(market) = market else { return Ok(()) };
        let prices = prices(market, home, away)?;
        // Adding zero makes a pick'em of its opposite, which JSON may write as -0.0.
        let mirrored = point(market, away).map(|points| 0.0 - points);
        let Some(points) = self.agreed("spread", point(market, home), mirrored) else { return Ok(()) };
        self.lines.spread = HomeSpread::new(points).ok();
        self.lines.spread_prices = prices;
        self.used(market, true);
        Ok(())
    }

    fn total(&mut self, market: Option<&Market>) -> Result<(), NotAmerican> {
        let Some(market) = market else { return Ok(()) };
        let prices = prices(market, "Over", "Under")?;
        let agreed = self.agreed("total", point(market, "Over"), point(market, "Under"));
        let Some(total) = agreed.and_then(|points| Total::new(points).ok()) else { return Ok(()) };
        self.lines.total = Some(total);
        self.lines.total_prices = prices;
        self.used(market, true);
        Ok(())
    }

    /// The line both sides of a market speak of; none where they speak of two.
    #[expect(clippy::float_cmp, reason = "lines are halves and quarters, which floats hold exactly")]
    fn agreed(&mut self, word: &str, positive: Option<f64>, negative: Option<f64>) -> Option<f64> {
        match (positive, negative) {
            (Some(one), Some(other)) if one != other => {
                self.contradictions.push(format!("its {word} is {one} on one side and {other} on the other"));
                None
            }
            (one, other) => one.or(other),
        }
    }

    fn used(&mut self, market: &Market, used: bool) {
        let updated = market.last_update.filter(|_| used).map(Moment::instant);
        self.updated = self.updated.max(updated);
    }
}

fn market<'a>(bookmaker: &'a Bookmaker, key: &str) -> Option<&'a Market> {
    bookmaker.markets.iter().find(|market| market.key == key)
}

fn outcome<'a>(market: &'a Market, name: &str) -> Option<&'a Outcome> {
    market.outcomes.iter().find(|outcome| outcome.name == name)
}

fn point(market: &Market, name: &str) -> Option<f64> {
    outcome(market, name)?.point
}

fn prices(market: &Market, positive: &str, negative: &str) -> Result<TwoWayPrices, NotAmerican> {
    let price = |name| outcome(market, name).map_or(Ok(None), |outcome| price(market, outcome));
    Ok(TwoWayPrices { positive: price(positive)?, negative: price(negative)? })
}

/// An American price; zero is none. Decimal odds have fractions, or are less than 100 away from zero.
fn price(market: &Market, outcome: &Outcome) -> Result<Option<AmericanPrice>, NotAmerican> {
    if outcome.price == 0.0 {
        return Ok(None);
    }
    let refused = || NotAmerican { market: market.key.clone(), outcome: outcome.name.clone(), price: outcome.price };
    whole(outcome.price).and_then(|whole| AmericanPrice::new(whole).ok()).map(Some).ok_or_else(refused)
}

/// A number that is whole and fits; a cast alone would make the largest price of anything larger.
fn whole(number: f64) -> Option<i32> {
    let fits = number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX);
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range, just checked")]
    fits.then_some(number as i32)
}
