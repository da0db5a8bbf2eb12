use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};
use sports_slate::QuotedGame;

/// A prediction market that lists what a test gives it, read at the time of its clock.
pub struct PricesFake {
    clock: Arc<dyn Clock>,
    games: Mutex<HashMap<Sport, Vec<QuotedGame>>>,
    unavailable: AtomicBool,
    unreadable: Mutex<HashSet<Sport>>,
    asked: AtomicUsize,
}

impl PricesFake {
    /// Covers no league yet.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let (unavailable, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
        Self { clock, games: Mutex::default(), unavailable, unreadable: Mutex::default(), asked }
    }

    /// Covers a league, and lists these games of it.
    ///
    /// # Panics
    ///
    /// When another test thread panicked while changing it.
    pub fn list(&self, sport: Sport, games: Vec<QuotedGame>) {
        self.games.lock().expect("no other holder panicked").insert(sport, games);
    }

    /// Stops answering, or answers again.
    pub fn set_unavailable(&self, unavailable: bool) {
        self.unavailable.store(unavailable, Ordering::SeqCst);
    }

    /// Answers nonsense about a league, or sense again.
    ///
    /// # Panics
    ///
    /// When another test thread panicked while changing it.
    pub fn set_unreadable(&self, sport: Sport, unreadable: bool) {
        let mut leagues = self.unreadable.lock().expect("no other holder panicked");
        if unreadable {
            leagues.insert(sport)
        } else {
            leagues.remove(&sport)
        };
    }

    /// How often it was asked.
    #[must_use]
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
        // Others that ask at the same moment do so before this one is answered.
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
