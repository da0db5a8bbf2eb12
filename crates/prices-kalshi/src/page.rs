use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::book::{Book, Dollars};

/// One page of `GET /markets`; whatever else it says is ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct Page {
    pub(crate) markets: Vec<Listed>,
    /// Where the next page starts; empty or missing on the last.
    #[serde(default)]
    cursor: Option<String>,
}

/// A market as it is listed. One that does not read spoils only itself.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Listed {
    Market(Box<Market>),
    Unreadable(IgnoredAny),
}

/// One market of a page. Amounts are read when they are asked for, so that an odd one spoils only itself.
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
    /// Whether it trades.
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
