//! A game in a leaf and in the message of a salt: `date time away home`, with ` #2` for a game number.

use std::fmt;

use chrono::{NaiveTime, Timelike as _};
use sports_domain::{GameKey, TeamSlug};

const NO_TIME: &str = "-";

/// Writes a game.
#[must_use]
pub fn game_text(game: &GameKey) -> String {
    GameText(game).to_string()
}

/// A game as a part of a longer text.
pub(crate) struct GameText<'g>(pub(crate) &'g GameKey);

impl fmt::Display for GameText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(game) = self;
        write!(f, "{} ", game.date)?;
        match game.time {
            Some(time) => TimeText(time).fmt(f)?,
            None => f.write_str(NO_TIME)?,
        }
        write!(f, " {} {}", game.away, game.home)?;
        game.game_number.map_or(Ok(()), |number| write!(f, " #{number}"))
    }
}

/// The time of a game to the second, the precision of the record.
pub(crate) struct TimeText(pub(crate) NaiveTime);

impl fmt::Display for TimeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(time) = self;
        // A leap second is a nanosecond beyond the last one of the 59th second.
        let second = time.second() + time.nanosecond() / 1_000_000_000;
        write!(f, "{:02}:{:02}:{second:02}", time.hour(), time.minute())
    }
}

/// Reads a game, in any of its texts: whoever reads a leaf compares it with its one text.
pub(crate) fn parse_game(text: &str) -> Option<GameKey> {
    let mut words = text.split(' ');
    let date = words.next()?.parse().ok()?;
    let time = match words.next()? {
        NO_TIME => None,
        time => Some(time.parse().ok()?),
    };
    let away = TeamSlug::normalise(words.next()?).ok()?;
    let home = TeamSlug::normalise(words.next()?).ok()?;
    let game_number = match words.next() {
        None => None,
        Some(number) => Some(number.strip_prefix('#')?.parse().ok()?),
    };
    Some(GameKey { date, time, away, home, game_number })
}
