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
