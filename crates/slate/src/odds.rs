use chrono::NaiveDateTime;
use sports_domain::{GameKey, GameLines};

/// A sportsbook's current lines and prices for one game, without openers.
#[derive(Debug, Clone, PartialEq)]
pub struct OddsGame {
    pub key: GameKey,
    /// The identity of the game in its league; in a publisher's row, the game that the row names.
    pub game_id: Option<String>,
    /// The Eastern start in the odds, if it differs from the start on record.
    pub listed_start: Option<NaiveDateTime>,
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// Current lines and prices.
    pub lines: GameLines,
    /// The source of the prices, such as the name of the sportsbook.
    pub quote_source: Option<String>,
    /// The time of the last reading of the book, on the Eastern wall clock, if the publisher gives it.
    pub last_updated: Option<NaiveDateTime>,
}

impl OddsGame {
    /// Returns true if these odds are of the game with this key and, if both sides name an id, this id.
    pub fn is_of(&self, key: &GameKey, match_id: Option<&str>) -> bool {
        self.key == *key && !is_another(self.match_id.as_deref(), match_id)
    }

    /// Returns true if these odds are of the game with this id and these teams, at any start. Both sides must name the id.
    pub fn is_of_id(&self, key: &GameKey, match_id: Option<&str>) -> bool {
        self.match_id.is_some() && self.match_id.as_deref() == match_id && self.key.same_teams(key)
    }
}

/// Returns true if both ids are named and differ, so that they identify two games.
pub fn is_another(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

#[cfg(test)]
mod tests {
    use sports_domain::TeamSlug;

    use super::*;

    fn key(time: &str, home: &str) -> GameKey {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let date = "2024-11-24".parse().expect("a date");
        GameKey { date, time: time.parse().ok(), away: team("canal_foxes"), home: team(home), game_number: None }
    }

    #[test]
    fn two_ids_are_of_two_games_and_a_missing_one_says_nothing() {
        let table = [
            (Some("a"), Some("a"), false),
            (Some("a"), Some("b"), true),
            (Some("a"), None, false),
            (None, Some("b"), false),
            (None, None, false),
        ];
        for (one, other, differ) in table {
            assert_eq!(is_another(one, other), differ, "{one:?} and {other:?}");
        }
    }

    #[test]
    fn odds_are_of_a_game_by_its_key_or_by_its_id_and_teams() {
        let odds = |match_id: Option<&str>| OddsGame {
            key: key("13:00:00", "harbor_gulls"),
            game_id: None,
            listed_start: None,
            match_id: match_id.map(str::to_owned),
            lines: GameLines::default(),
            quote_source: None,
            last_updated: None,
        };
        let (same, later, other) =
            (key("13:00:00", "harbor_gulls"), key("16:00:00", "harbor_gulls"), key("13:00:00", "prairie_kings"));
        let table = [
            (Some("a"), &same, Some("a"), true, true),
            (Some("a"), &same, Some("b"), false, false),
            (Some("a"), &same, None, true, false),
            (None, &same, Some("a"), true, false),
            (None, &same, None, true, false),
            (Some("a"), &later, Some("a"), false, true),
            (Some("a"), &other, Some("a"), false, false),
        ];
        for (quoted, game, id, by_key, by_id) in table {
            let odds = odds(quoted);
            assert_eq!((odds.is_of(game, id), odds.is_of_id(game, id)), (by_key, by_id), "{quoted:?}, {game} {id:?}");
        }
    }
}
