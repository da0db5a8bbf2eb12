//! Pages of the prediction market.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use sports_demo::simulation::exchange::{Reply, Server};
use sports_ports::PortError;
use sports_ports::prices::GamePrices as _;
use sports_prices_kalshi::KalshiPrices;
use sports_program::FixedClock;

use crate::published;
use crate::runtime::block_on;

/// The separator of two pages of an input: a byte that does not occur in JSON.
const NEXT_PAGE: u8 = 0x1e;

type Pages = Arc<Mutex<VecDeque<Bytes>>>;

struct Exchange {
    pages: Pages,
    prices: KalshiPrices,
    _server: Server,
}

impl Exchange {
    fn new() -> Self {
        sports_api::prices::use_ring();
        let pages = Pages::default();
        let replies = Arc::clone(&pages);
        let reply = move |_: &_| {
            let page = replies.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            Reply::json(200, page.unwrap_or(Bytes::from_static(br#"{"markets":[],"cursor":""}"#)))
        };
        let server = block_on(Server::start(reply)).expect("a port of this machine");
        let clock = Arc::new(FixedClock("2026-11-20T12:00:00Z".parse().expect("an instant")));
        let prices = KalshiPrices::new(&server.url(), clock).expect("an address");
        Self { pages, prices, _server: server }
    }
}

thread_local! {
    static EXCHANGE: Exchange = Exchange::new();
}

/// Reads any pages of an exchange: the result is a list of prices for games of two different teams, or the exchange
/// is unavailable or corrupt.
pub fn read(bytes: &[u8]) {
    let Some((sport, bytes)) = published::sport(bytes) else { return };
    EXCHANGE.with(|exchange| {
        let pages = bytes.split(|byte| *byte == NEXT_PAGE).map(Bytes::copy_from_slice).collect();
        *exchange.pages.lock().unwrap_or_else(PoisonError::into_inner) = pages;
        match block_on(exchange.prices.prices(sport)) {
            Ok(list) => {
                for game in list.iter().flat_map(|list| &list.games) {
                    let [away, home] = &game.teams;
                    assert_ne!(away.team, home.team, "a team plays itself: {game:?}");
                }
            }
            Err(PortError::Corrupt { .. } | PortError::Unavailable { .. }) => {}
        }
    });
}
