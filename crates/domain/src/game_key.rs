use std::cmp::Ordering;
use std::fmt;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};

use crate::{Sport, TeamSlug, eastern_date, eastern_instant};

/// The identity of a game within its league.
///
/// Date and time are Eastern. Only historical records may lack a time; if both games of a doubleheader do,
/// `game_number` distinguishes them. Keys are ordered like the service's lists of games: by date, time (missing
/// last), away team, home team, game number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameKey {
    /// The Eastern date of the start.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::deserialize_reached"))]
    pub date: NaiveDate,
    /// The Eastern wall-clock time of the start.
    #[cfg_attr(feature = "serde", serde(rename = "time_est"))]
    pub time: Option<NaiveTime>,
    /// The visiting team.
    #[cfg_attr(feature = "serde", serde(rename = "away_team"))]
    pub away: TeamSlug,
    /// The home team.
    #[cfg_attr(feature = "serde", serde(rename = "home_team"))]
    pub home: TeamSlug,
    /// 1 or 2 within a doubleheader whose times are unknown.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub game_number: Option<u8>,
}

impl GameKey {
    /// Returns `true` if the announced start has passed. Without a known time, that is certain only after the Eastern
    /// date.
    pub fn has_started(&self, now: DateTime<Utc>) -> bool {
        match self.time {
            Some(time) => eastern_instant(self.date, time) <= now,
            None => self.date < eastern_date(now),
        }
    }

    /// Returns `true` if the announced start may have passed. Without a known time, it may have from the beginning of
    /// the Eastern date.
    pub fn may_have_started(&self, now: DateTime<Utc>) -> bool {
        match self.time {
            Some(_) => self.has_started(now),
            None => self.date <= eastern_date(now),
        }
    }

    /// Returns the instant from which a public record shows the game.
    pub fn shown_from(&self) -> DateTime<Utc> {
        shown_from(self.date, self.time)
    }

    /// Returns `true` if both games have the same away team and the same home team.
    pub fn same_teams(&self, other: &Self) -> bool {
        self.away == other.away && self.home == other.home
    }
}

/// Returns the instant from which a public record shows a game: its announced start, or noon Eastern of the day after its date
/// without a known time, when a game that began at any hour of its date is over.
pub(crate) fn shown_from(date: NaiveDate, time: Option<NaiveTime>) -> DateTime<Utc> {
    const NOON: NaiveTime = NaiveTime::from_hms_opt(12, 0, 0).unwrap();
    match time {
        Some(time) => eastern_instant(date, time),
        None => eastern_instant(date + Days::new(1), NOON),
    }
}

impl Ord for GameKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let time_missing_last = |key: &Self| (key.time.is_none(), key.time);
        self.date
            .cmp(&other.date)
            .then_with(|| time_missing_last(self).cmp(&time_missing_last(other)))
            .then_with(|| self.away.cmp(&other.away))
            .then_with(|| self.home.cmp(&other.home))
            .then_with(|| self.game_number.cmp(&other.game_number))
    }
}

impl PartialOrd for GameKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.date)?;
        if let Some(time) = self.time {
            write!(f, " {time}")?;
        }
        write!(f, " {} at {}", self.away, self.home)?;
        if let Some(number) = self.game_number {
            write!(f, " (game {number})")?;
        }
        Ok(())
    }
}

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

    fn key(date: &str, time: Option<&str>, away: &str, game_number: Option<u8>) -> GameKey {
        GameKey {
            date: date.parse().expect("a date"),
            time: time.map(|time| time.parse().expect("a time")),
            away: TeamSlug::normalise(away).expect("a team"),
            home: TeamSlug::normalise("home").expect("a team"),
            game_number,
        }
    }

    #[test]
    fn keys_order_by_date_then_time_with_missing_last_then_teams() {
        let ordered = [
            key("2024-05-01", Some("13:05:00"), "b", None),
            key("2024-05-01", Some("19:05:00"), "a", None),
            key("2024-05-01", None, "a", Some(1)),
            key("2024-05-01", None, "a", Some(2)),
            key("2024-05-01", None, "b", None),
            key("2024-05-02", Some("00:10:00"), "a", None),
        ];
        assert!(ordered.is_sorted());
        assert!(ordered.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn a_timed_game_has_started_at_its_eastern_start() {
        let game = key("2024-11-24", Some("13:00:00"), "a", None);
        for (instant, started) in [("2024-11-24T17:59:59.999Z", false), ("2024-11-24T18:00:00Z", true)] {
            let now = instant.parse().expect("an instant");
            assert_eq!((game.has_started(now), game.may_have_started(now)), (started, started), "{instant}");
        }
    }

    #[test]
    fn an_untimed_game_may_have_started_on_its_day_and_has_after_it() {
        let game = key("2024-11-24", None, "a", None);
        let table = [
            ("2024-11-24T04:59:59Z", false, false),
            ("2024-11-24T05:00:00Z", true, false),
            ("2024-11-25T04:59:59Z", true, false),
            ("2024-11-25T05:00:00Z", true, true),
        ];
        for (instant, may_have, has) in table {
            let now = instant.parse().expect("an instant");
            assert_eq!((game.may_have_started(now), game.has_started(now)), (may_have, has), "{instant}");
        }
    }

    #[test]
    fn same_teams_ignores_date_time_and_number() {
        let game = key("2024-11-24", Some("13:00:00"), "away", None);
        let swapped = GameKey { away: game.home.clone(), home: game.away.clone(), ..game.clone() };
        let elsewhere = GameKey { home: swapped.home.clone(), ..game.clone() };
        let table = [
            (key("2025-01-01", None, "away", Some(2)), true),
            (key("2024-11-24", Some("13:00:00"), "others", None), false),
            (elsewhere, false),
            (swapped, false),
        ];
        for (other, same) in table {
            assert_eq!((game.same_teams(&other), other.same_teams(&game)), (same, same), "{other}");
        }
    }

    #[test]
    fn a_key_is_written_as_date_time_and_teams() {
        let game = key("2024-05-01", Some("13:05:00"), "a", Some(2));
        assert_eq!(game.to_string(), "2024-05-01 13:05:00 a at home (game 2)");
    }

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
