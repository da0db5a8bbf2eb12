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

impl Quote {
    /// Reads a bookmaker's three markets, each outcome by its name.
    pub(crate) fn read(event: &Event, bookmaker: &Bookmaker) -> Result<Self, FeedError> {
        let mut quote = Self::default();
        let (home, away) =
            (event.home_team.as_deref().unwrap_or_default(), event.away_team.as_deref().unwrap_or_default());
        quote.money(market(bookmaker, "h2h"), home, away)?;
        quote.spread(market(bookmaker, "spreads"), home, away)?;
        quote.total(market(bookmaker, "totals"))?;
        if quote.lines != GameLines::default() {
            quote.updated = quote.updated.or(bookmaker.last_update.map(Moment::instant));
        }
        Ok(quote)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines == GameLines::default()
    }

    fn money(&mut self, market: Option<&Market>, home: &str, away: &str) -> Result<(), FeedError> {
        let Some(market) = market else { return Ok(()) };
        self.lines.money = prices(market, home, away)?;
        self.used(market, self.lines.money.any());
        Ok(())
    }

    fn spread(&mut self, market: Option<&Market>, home: &str, away: &str) -> Result<(), FeedError> {
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

    fn total(&mut self, market: Option<&Market>) -> Result<(), FeedError> {
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

fn prices(market: &Market, positive: &str, negative: &str) -> Result<TwoWayPrices, FeedError> {
    let price = |name| outcome(market, name).map_or(Ok(None), price);
    Ok(TwoWayPrices { positive: price(positive)?, negative: price(negative)? })
}

/// An American price; zero is none. Decimal odds have fractions, or are less than 100 away from zero.
fn price(outcome: &Outcome) -> Result<Option<AmericanPrice>, FeedError> {
    #[expect(clippy::cast_possible_truncation, reason = "a number that does not fit is none of ours anyway")]
    let whole = outcome.price as i32;
    if whole == 0 && outcome.price == 0.0 {
        return Ok(None);
    }
    let refused = || FeedError::NotAmerican { price: outcome.price, outcome: outcome.name.clone() };
    let price = AmericanPrice::new(whole).ok().filter(|_| outcome.price.fract() == 0.0);
    price.map(Some).ok_or_else(refused)
}
