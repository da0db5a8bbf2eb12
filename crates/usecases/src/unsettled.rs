//! Games of the live season without an ending, and the overdue games among them.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::NaiveDate;
use sports_domain::GameKey;
use sports_publication::GameFacts;

/// The games of a league's live season that have no final and were not called off, in all its markets together; oldest
/// first, each once. Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnsettledGames(Arc<[GameKey]>);

impl UnsettledGames {
    /// Returns the games that await settlement on a day: those dated before it.
    pub fn awaiting(&self, today: NaiveDate) -> &[GameKey] {
        &self.0[..self.0.partition_point(|key| key.date < today)]
    }

    /// Returns the dates of the games.
    pub fn dates(&self) -> impl Iterator<Item = NaiveDate> {
        self.0.iter().map(|key| key.date)
    }

    /// Returns the date of the oldest game.
    pub fn oldest(&self) -> Option<NaiveDate> {
        self.0.first().map(|key| key.date)
    }
}

impl FromIterator<GameKey> for UnsettledGames {
    fn from_iter<I: IntoIterator<Item = GameKey>>(keys: I) -> Self {
        Self(keys.into_iter().collect::<BTreeSet<_>>().into_iter().collect())
    }
}

/// Returns true if a game awaits settlement on a day, by the rule of [`UnsettledGames::awaiting`].
pub fn awaits_settlement(facts: &GameFacts, today: NaiveDate) -> bool {
    !facts.is_over() && facts.key.date < today
}
