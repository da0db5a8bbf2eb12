use chrono::NaiveDateTime;
use sports_domain::{GameKey, GameLines};

/// What a sportsbook posts for one game now; openers have no place here.
#[derive(Debug, Clone, PartialEq)]
pub struct OddsGame {
    /// Which game.
    pub key: GameKey,
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// Current lines and prices.
    pub lines: GameLines,
    /// Where the prices come from, such as the name of the sportsbook.
    pub quote_source: Option<String>,
    /// When the book was last looked at, on the Eastern wall clock, where the publisher says so.
    pub last_updated: Option<NaiveDateTime>,
}

impl OddsGame {
    /// Whether these odds are of a game of this key and this id, as far as both sides name an id.
    #[must_use]
    pub fn is_of(&self, key: &GameKey, match_id: Option<&str>) -> bool {
        self.key == *key && !is_another(self.match_id.as_deref(), match_id)
    }

    /// Whether these odds are of a game of this id and these teams, whatever its start; both sides name
    /// the id.
    #[must_use]
    pub fn is_of_id(&self, key: &GameKey, match_id: Option<&str>) -> bool {
        self.match_id.is_some() && self.match_id.as_deref() == match_id && self.key.same_teams(key)
    }
}

/// Whether two ids are those of two games: both are named, and differ.
#[must_use]
pub fn is_another(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}
