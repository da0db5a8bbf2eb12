use std::fmt;

use crate::Sport;

/// The part of a season a game belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum GameType {
    /// The regular season, and games without a stated type.
    Regular,
    /// Play-in, play-off, bowl and tournament games.
    Postseason,
    /// Any other part, such as `preseason`, in the source's word.
    Other(String),
}

impl GameType {
    /// Parses a source's word, in any letter case. An empty word is regular.
    pub fn from_word(word: &str) -> Self {
        match word.trim().to_lowercase().as_str() {
            "" | "regular" => Self::Regular,
            "postseason" => Self::Postseason,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Returns the word, such as `regular`.
    pub fn word(&self) -> &str {
        match self {
            Self::Regular => "regular",
            Self::Postseason => "postseason",
            Self::Other(word) => word,
        }
    }

    /// Returns `true` if such a game of `sport` is part of the graded record: in professional leagues regular-season
    /// and postseason games, in college leagues every game.
    pub const fn counts_in(&self, sport: Sport) -> bool {
        !sport.is_professional() || matches!(self, Self::Regular | Self::Postseason)
    }
}

impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_season_is_written_as_it_is_read() {
        for (raw, word) in
            [("", "regular"), (" Regular ", "regular"), ("POSTSEASON", "postseason"), ("Pre-Season", "pre-season")]
        {
            let part = GameType::from_word(raw);
            assert_eq!((part.word(), part.to_string().as_str()), (word, word));
            assert_eq!(GameType::from_word(word), part);
        }
    }

    #[test]
    fn professional_leagues_count_regular_and_postseason_games_only() {
        for sport in Sport::ALL {
            assert!(GameType::from_word("").counts_in(sport));
            assert!(GameType::from_word("Regular").counts_in(sport));
            assert!(GameType::from_word("postseason").counts_in(sport));
            assert_eq!(GameType::from_word("preseason").counts_in(sport), !sport.is_professional());
        }
    }
}
