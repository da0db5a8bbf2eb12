use std::time::Duration;

use serde_json::Value;
use sports_domain::Probability;
use sports_publication::slate::QuotedPrice;

/// An amount from zero to one dollar, in exact millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dollars {
    millionths: u32,
}

impl Dollars {
    const ONE: Self = Self { millionths: 1_000_000 };
    const DECIMALS: usize = 6;
    /// The widest distance of a bid and an ask whose middle is a price: beyond it no trade need be near the middle.
    const WIDEST: Self = Self { millionths: 100_000 };

    /// Parses an amount of the exchange: a text such as `"0.5600"`, or a number, which is rounded to millionths.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => Self::of_decimal(&format!("{:.*}", Self::DECIMALS, number.as_f64()?)),
            _ => Self::of_decimal(value.as_str()?),
        }
    }

    /// Parses an amount in whole cents, the format until early 2026.
    pub(crate) fn read_cents(value: &Value) -> Option<Self> {
        let cents: u32 = text(value)?.parse().ok()?;
        Some(Self { millionths: cents.checked_mul(10_000)? }).filter(|amount| *amount <= Self::ONE)
    }

    fn of_decimal(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if fraction.len() > Self::DECIMALS
            || whole.is_empty()
            || !(whole.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let millionths = format!("{whole}{fraction:0<width$}", width = Self::DECIMALS).parse().ok()?;
        Some(Self { millionths }).filter(|amount| *amount <= Self::ONE)
    }

    /// Returns `true` for an amount strictly between zero and one dollar: a price at which a bet can win.
    const fn is_a_price(self) -> bool {
        self.millionths > 0 && self.millionths < Self::ONE.millionths
    }

    /// Returns the mean of two amounts, as a share of a dollar.
    fn middle(self, other: Self) -> Option<Probability> {
        let twice = f64::from(Self::ONE.millionths) * 2.0;
        Probability::new(f64::from(self.millionths + other.millionths) / twice).ok()
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The best orders for a market's YES, and the price of its last trade.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Book {
    pub(crate) bid: Option<Dollars>,
    pub(crate) ask: Option<Dollars>,
    pub(crate) last: Option<Dollars>,
}

impl Book {
    /// Returns the middle of bid and ask if they are at most ten cents apart, else the price of the last trade if it
    /// lies within them.
    ///
    /// A bid of zero, or an ask of one dollar, means that there is no order, which leaves that side open. Within a bid
    /// above its ask lies nothing.
    pub(crate) fn price(self) -> Option<QuotedPrice> {
        let order = |amount: Option<Dollars>| amount.filter(|amount| amount.is_a_price());
        let (bid, ask) = (order(self.bid), order(self.ask));
        let is_close = |(bid, ask): &(Dollars, Dollars)| {
            ask.millionths.checked_sub(bid.millionths).is_some_and(|apart| apart <= Dollars::WIDEST.millionths)
        };
        if let Some((bid, ask)) = bid.zip(ask).filter(is_close) {
            return bid.middle(ask).map(QuotedPrice::Middle);
        }
        let is_within = |last: &Dollars| bid.is_none_or(|bid| bid <= *last) && ask.is_none_or(|ask| *last <= ask);
        let last = order(self.last).filter(is_within)?;
        last.middle(last).map(QuotedPrice::LastTrade)
    }
}

// Limits on the data that is read from the exchange, and on the time for it.

/// The time limit for reading a league, including delays and retries.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum number of pages. A league has a few dozen open games, so a longer listing repeats itself.
pub(crate) const MOST_PAGES: usize = 20;

/// The maximum size of a page in bytes, ten times a full page of markets.
pub(crate) const LARGEST_PAGE: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn dollars(value: &Value) -> Option<u32> {
        Dollars::read(value).map(|amount| amount.millionths)
    }

    #[test]
    fn dollars_are_read_to_the_last_digit() {
        let table = [
            (json!("0.5600"), Some(560_000)),
            (json!("0.465"), Some(465_000)),
            (json!("0.000001"), Some(1)),
            (json!("1.0000"), Some(1_000_000)),
            (json!("1"), Some(1_000_000)),
            (json!(0.56), Some(560_000)),
            (json!(0.1 + 0.2), Some(300_000)),
            (json!("0.0000"), Some(0)),
            (json!("1.0001"), None),
            (json!("0.0000001"), None),
            (json!("-0.5"), None),
            (json!("$0.5"), None),
            (json!(".5"), None),
            (json!(""), None),
            (json!("99999999999"), None),
            (json!(null), None),
            (json!(true), None),
        ];
        for (value, expected) in table {
            assert_eq!(dollars(&value), expected, "{value}");
        }
        for (value, expected) in
            [(json!(56), Some(560_000)), (json!("7"), Some(70_000)), (json!(101), None), (json!(0.5), None)]
        {
            assert_eq!(Dollars::read_cents(&value).map(|amount| amount.millionths), expected, "{value}");
        }
    }

    #[test]
    fn a_price_is_the_middle_of_a_close_book_or_the_last_trade_within_it() {
        let price = |raw| Probability::new(raw).expect("valid");
        let (middle, last) =
            (|raw| Some(QuotedPrice::Middle(price(raw))), |raw| Some(QuotedPrice::LastTrade(price(raw))));
        // Bid, ask, last trade, price.
        let table = [
            ("0.53", "0.55", "0.51", middle(0.54)),
            ("0.46", "0.47", "0.46", middle(0.465)),
            ("0.5", "0.5", "0.1", middle(0.5)),
            ("0.001", "0.002", "0", middle(0.0015)),
            ("0.20", "0.30", "0.9", middle(0.25)),
            ("0.20", "0.300001", "0.28", last(0.28)),
            ("0.20", "0.300001", "0.9", None),
            ("0.0100", "0.9900", "0.6200", last(0.62)),
            ("0.0100", "0.9900", "0.0000", None),
            ("0.40", "0.60", "0.40", last(0.4)),
            ("0.40", "0.60", "0.60", last(0.6)),
            ("0.40", "0.60", "0.39", None),
            ("0.0000", "1.0000", "0.0000", None),
            ("0.0000", "1.0000", "0.4", last(0.4)),
            ("0.0000", "0.55", "0.51", last(0.51)),
            ("0.0000", "0.05", "0.0000", None),
            ("0.0000", "0.3000", "0.9500", None),
            ("0.53", "1.0000", "0.53", last(0.53)),
            ("0.7000", "1.0000", "0.0500", None),
            ("0.53", "1.0000", "0.0000", None),
            ("0.53", "1.0000", "1.0000", None),
            ("0.56", "0.55", "0.555", None),
            ("", "", "0.51", last(0.51)),
            ("", "", "", None),
        ];
        for (bid, ask, last, expected) in table {
            let read = |text: &str| Dollars::read(&json!(text));
            let book = Book { bid: read(bid), ask: read(ask), last: read(last) };
            assert_eq!(book.price(), expected, "{bid} {ask} {last}");
        }
    }
}
