use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::book::{Book, Dollars};

/// A page of `GET /markets`. Other fields are ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct Page {
    pub(crate) markets: Vec<Listed>,
    /// The cursor of the next page; empty or missing on the last page.
    #[serde(default)]
    cursor: Option<String>,
}

/// A listed market. An invalid market does not affect the others.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Listed {
    Market(Box<Market>),
    Unreadable(IgnoredAny),
}

/// A market of a page. Amounts are parsed on demand, so that an invalid amount does not affect the others.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Market {
    pub(crate) ticker: String,
    status: String,
    yes_bid_dollars: Value,
    yes_ask_dollars: Value,
    last_price_dollars: Value,
    yes_bid: Value,
    yes_ask: Value,
    last_price: Value,
}

impl Page {
    pub(crate) fn next(&self) -> Option<&str> {
        self.cursor.as_deref().filter(|cursor| !cursor.is_empty())
    }
}

impl Market {
    /// Returns `true` if the market trades.
    pub(crate) fn is_open(&self) -> bool {
        matches!(&*self.status, "active" | "open")
    }

    pub(crate) fn book(&self) -> Book {
        let amount = |dollars, cents| Dollars::read(dollars).or_else(|| Dollars::read_cents(cents));
        Book {
            bid: amount(&self.yes_bid_dollars, &self.yes_bid),
            ask: amount(&self.yes_ask_dollars, &self.yes_ask),
            last: amount(&self.last_price_dollars, &self.last_price),
        }
    }
}
