use std::time::Duration;

use serde_json::Value;
use sports_domain::Probability;

/// An amount from zero to one dollar, in exact millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dollars {
    millionths: u32,
}

impl Dollars {
    const ONE: Self = Self { millionths: 1_000_000 };
    const DECIMALS: usize = 6;

    /// Parses an amount of the exchange: a text such as `"0.5600"`, or a number.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        Self::of_decimal(&text(value)?)
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
    /// Returns the mid-price if both sides have an order, else the price of the last trade, if any.
    ///
    /// A bid of zero, or an ask of one dollar, means that there is no order. A book whose bid is above its ask is
    /// ignored.
    pub(crate) fn price(self) -> Option<Probability> {
        let order = |amount: Option<Dollars>| amount.filter(|amount| amount.is_a_price());
        let quoted = order(self.bid).zip(order(self.ask)).filter(|(bid, ask)| bid <= ask);
        match quoted {
            Some((bid, ask)) => bid.middle(ask),
            None => order(self.last).and_then(|last| last.middle(last)),
        }
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
    fn a_price_is_the_middle_of_the_book_or_the_last_trade() {
        // Bid, ask, last trade, price.
        let table = [
            ("0.53", "0.55", "0.51", Some(0.54)),
            ("0.46", "0.47", "0.46", Some(0.465)),
            ("0.5", "0.5", "0.1", Some(0.5)),
            ("0.001", "0.002", "0", Some(0.0015)),
            ("0.0000", "1.0000", "0.0000", None),
            ("0.0000", "0.55", "0.51", Some(0.51)),
            ("0.53", "1.0000", "0.51", Some(0.51)),
            ("0.53", "1.0000", "0.0000", None),
            ("0.53", "1.0000", "1.0000", None),
            ("0.56", "0.55", "0.51", Some(0.51)),
            ("", "", "0.51", Some(0.51)),
            ("", "", "", None),
        ];
        for (bid, ask, last, expected) in table {
            let read = |text: &str| Dollars::read(&json!(text));
            let book = Book { bid: read(bid), ask: read(ask), last: read(last) };
            assert_eq!(book.price().map(Probability::get), expected, "{bid} {ask} {last}");
        }
    }
}
