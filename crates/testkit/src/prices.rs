//! Prices of a prediction market: a fake, and the contract suite of every source.

pub mod contract;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};
use sports_publication::slate::QuotedGame;

/// A prediction market that lists the games of a test, at the time of its clock.
pub struct PricesFake {
    clock: Arc<dyn Clock>,
    games: Mutex<HashMap<Sport, Vec<QuotedGame>>>,
    unavailable: AtomicBool,
    unreadable: Mutex<HashSet<Sport>>,
    asked: AtomicUsize,
}

impl PricesFake {
    /// Creates a market that covers no league.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let (unavailable, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
        Self { clock, games: Mutex::default(), unavailable, unreadable: Mutex::default(), asked }
    }

    /// Covers a league with these games.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while changing the market.
    pub fn list(&self, sport: Sport, games: Vec<QuotedGame>) {
        self.games.lock().expect("no other holder panicked").insert(sport, games);
    }

    /// Makes later calls fail, or succeed again.
    pub fn set_unavailable(&self, unavailable: bool) {
        self.unavailable.store(unavailable, Ordering::SeqCst);
    }

    /// Makes calls for a league return invalid data, or valid data again.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while changing the market.
    pub fn set_unreadable(&self, sport: Sport, unreadable: bool) {
        let mut leagues = self.unreadable.lock().expect("no other holder panicked");
        if unreadable {
            leagues.insert(sport)
        } else {
            leagues.remove(&sport)
        };
    }

    /// Returns the number of requests.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl GamePrices for PricesFake {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        let games = self.games.lock().expect("no other holder panicked").get(&sport).cloned();
        let Some(games) = games else { return Ok(None) };
        self.asked.fetch_add(1, Ordering::SeqCst);
        // Concurrent requests of other tasks arrive before this one is answered.
        tokio::task::yield_now().await;
        if self.unavailable.load(Ordering::SeqCst) {
            return Err(PortError::unavailable("the fake market", "unavailable"));
        }
        if self.unreadable.lock().expect("no other holder panicked").contains(&sport) {
            return Err(PortError::corrupt("the fake market", "nonsense"));
        }
        Ok(Some(Arc::new(PriceList { as_of: self.clock.now(), games })))
    }
}
